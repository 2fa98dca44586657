package vmath

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestSqrtOfSquares: sums of squares of f32 have the root that math.Sqrt gives, to the bit: zero, the smallest and the
// largest ones, squares of numbers in the middle between two of f32, and others.
func TestSqrtOfSquares(t *testing.T) {
	k := interpret(t, nestOf(loop.MemF64, 1, func(b *loop.Builder, _ loop.Kind, x []loop.Value) loop.Value {
		return SqrtOfSquares(b, x[0])
	}, true))
	x, y := make([]float64, block), make([]float64, block)
	r := rand.New(rand.NewPCG(3, 4))
	part := func() float64 { return math.Ldexp(float64(float32(r.NormFloat64())), r.IntN(250)-125) }
	for round := range 20 {
		for j := range x {
			switch a := part(); j % 3 {
			case 0:
				m := math.Ldexp(float64(1<<25-1-2*r.IntN(1<<24)), r.IntN(200)-100)
				x[j] = m * m
			case 1:
				x[j] = a * a
			default:
				b := a * float64(float32(r.NormFloat64()))
				x[j] = math.FMA(a, a, b*b)
			}
		}
		if round == 0 {
			copy(x, []float64{0, 0x1p-298, math.MaxFloat32 * math.MaxFloat32 * 2, math.NaN()})
		}
		run(k, y, x)
		for j, got := range y {
			if want := math.Sqrt(x[j]); got != want && want == want || (got == got) != (want == want) {
				t.Fatalf("sqrt(%x): got %x, expected %x", x[j], got, want)
			}
		}
	}
}
