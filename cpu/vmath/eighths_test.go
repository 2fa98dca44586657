package vmath

import (
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestTanhLookups: tanh of f32 looks up six numbers, not one for each of its coefficients and the middles of its parts:
// a lookup takes both units that multiply.
func TestTanhLookups(t *testing.T) {
	f := body(func(b *loop.Builder, k loop.Kind, x []loop.Value) loop.Value { return Tanh(b, k, x[0]) })
	n := nestOf(loop.MemF32, 1, f, allTargets["avx2"])
	if got, want := strings.Count(n.String(), "= table f32"), len(tanhEighthsF32); got != want || want != 6 {
		t.Errorf("expected 6 lookups in as many tables, got %d in %d", got, want)
	}
}

// TestTanhOne: from where its last part ends on the result is 1, which is near enough there, and not a number below.
func TestTanhOne(t *testing.T) {
	x, y := make([]float32, block), make([]float32, block)
	for k := range x {
		x[k] = 8.59 + float32(k)/64
	}
	f := body(func(b *loop.Builder, k loop.Kind, x []loop.Value) loop.Value { return Tanh(b, k, x[0]) })
	run(interpret(t, nestOf(loop.MemF32, 1, f, allTargets["avx2"])), y, x)
	for j := range y {
		if y[j] != 1 {
			t.Fatalf("tanh(%v): expected 1, got %v", x[j], y[j])
		}
	}
}
