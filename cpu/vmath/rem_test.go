package vmath

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestRemConstant: remainders of constants, powers of two among them, are exact, with the sign of the dividend.
func TestRemConstant(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 6))
	for _, y := range []float64{1, -1, 2, -16, 0x1p60, 0.5, 0x1p-20, 3, -360, 2 * math.Pi, 0x1p127, 0, math.Inf(1)} {
		body := func(b *loop.Builder, k loop.Kind, x []loop.Value) loop.Value { return Rem(b, k, x[0], b.Float(k, y)) }
		x32, got32 := make([]float32, block), make([]float32, block)
		x64, got64 := make([]float64, block), make([]float64, block)
		for j := range x32 {
			x32[j], x64[j] = point32(r), y*math.Exp(80*r.NormFloat64())
			if j < len(corners) {
				x32[j], x64[j] = float32(corners[j]), corners[j]
			}
			if j%4 == 3 {
				x64[j] = float64(r.IntN(2000)-1000) / 8 * y
			}
		}
		run(compile(t, loop.MemF32, 1, body), got32, x32)
		run(compile(t, loop.MemF64, 1, body), got64, x64)
		for j := range x32 {
			checkRem(t, float64(x32[j]), float64(float32(y)), float64(got32[j]))
			checkRem(t, x64[j], y, got64[j])
		}
	}
}

func checkRem(t *testing.T, x, y, got float64) {
	t.Helper()
	want := math.Mod(x, y)
	if got != want && (got == got || want == want) || want == want && math.Signbit(got) != math.Signbit(want) {
		t.Errorf("rem(%x, %x): expected %x, got %x", x, y, want, got)
	}
}
