package vmath

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestPowConstant: powers with constant exponents are rounded almost right, and have the special values of math.Pow.
func TestPowConstant(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for halves := -mostHalves; halves <= mostHalves; halves++ {
		y := float64(halves) / 2
		body := func(b *loop.Builder, k loop.Kind, x []loop.Value) loop.Value { return Pow(b, k, x[0], b.Float(k, y)) }
		k := compile(t, loop.MemF32, 1, body)
		x, got := make([]float32, block), make([]float32, block)
		for j := range x {
			if x[j] = point32(r); j < len(corners) {
				x[j] = float32(corners[j])
			}
		}
		run(k, got, x)
		for j, z := range got {
			want := math.Pow(float64(x[j]), y)
			checkPower(t, x[j], y, z, want)
		}
	}
}

// checkPower allows for 0.51 units in the last place, and for 1.5 where low parts of products are subnormal.
func checkPower(t *testing.T, x float32, y float64, got float32, want float64) {
	near := float32(want)
	if got == near && math.Signbit(float64(got)) == math.Signbit(want) || got != got && want != want {
		return
	}
	limit := 0.51
	if math.Abs(want) < 0x1p-100 {
		limit = 1.5
	}
	unit := math.Ldexp(1, max(math.Ilogb(want), -126)-23)
	if e := math.Abs(float64(got)-want) / unit; !(e <= limit) {
		t.Errorf("%x^%v: expected %x, got %x: %v ULP", x, y, near, got, e)
	}
}

// TestPowConstant64: the same in f64, against products of many bits.
func TestPowConstant64(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 6))
	for _, y := range []float64{-2, -1.5, -0.5, 0.5, 1.5, 2.5, 3, 4} {
		body := func(b *loop.Builder, k loop.Kind, x []loop.Value) loop.Value { return Pow(b, k, x[0], b.Float(k, y)) }
		x, got := make([]float64, block), make([]float64, block)
		for j := range x {
			x[j] = math.Exp(40 * (r.Float64() - 0.5))
		}
		run(compile(t, loop.MemF64, 1, body), got, x)
		w := worst{}
		for j, z := range got {
			w.noteBig(z, exact.pow(x[j], y), x[j], y)
		}
		w.check(t, 0.51)
	}
}
