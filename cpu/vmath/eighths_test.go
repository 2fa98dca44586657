package vmath

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestLookups: tanh and erf of f32 look up six numbers, not one for each of their coefficients and the middles of their
// parts: a lookup takes both units that multiply.
func TestLookups(t *testing.T) {
	for _, c := range []struct {
		name   string
		f      func(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value
		tables [][]float64
	}{{"tanh", Tanh, tanhEighthsF32}, {"erf", Erf, erfEighthsF32}} {
		f := body(func(b *loop.Builder, k loop.Kind, x []loop.Value) loop.Value { return c.f(b, k, x[0]) })
		n := nestOf(loop.MemF32, 1, f, allTargets["avx2"])
		if got, want := strings.Count(n.String(), "= table f32"), len(c.tables); got != want || want != 6 {
			t.Errorf("%s: expected 6 lookups in as many tables, got %d in %d", c.name, got, want)
		}
	}
}

// TestOne: from where their last parts end on the results are 1, which is near enough there, and not a number below.
func TestOne(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value
		from float32
	}{{"tanh", Tanh, 8.59}, {"erf", Erf, 3.925}} {
		x, y := make([]float32, block), make([]float32, block)
		for k := range x {
			x[k] = c.from + float32(k)/64
		}
		f := body(func(b *loop.Builder, k loop.Kind, x []loop.Value) loop.Value { return c.f(b, k, x[0]) })
		run(interpret(t, nestOf(loop.MemF32, 1, f, allTargets["avx2"])), y, x)
		for j := range y {
			if y[j] != 1 {
				t.Fatalf("%s(%v): expected 1, got %v", c.name, x[j], y[j])
			}
		}
	}
}
