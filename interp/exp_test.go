package interp

import (
	"math"
	"testing"
)

// TestLargeExponents: up to where the result overflows, and not before. The numbers are those of 40 digits.
func TestLargeExponents(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ x, exp, half float64 }{
		{700.5, 1.6721859620674984e+304, 8.360929810337492e+303},
		{709.7, 1.6549840276802644e+308, 8.274920138401322e+307},
		{709.782712893384, 1.7976931348622732e+308, 8.988465674311366e+307},
		{710.4, inf, 1.6663642832806496e+308},
		{710.475860073943, inf, 1.7976931348605394e+308},
		{710.5, inf, inf},
		{2000, inf, inf},
		{inf, inf, inf},
	} {
		for _, f := range []struct {
			name      string
			got, want float64
		}{
			{"exp", exponential(c.x), c.exp}, {"sinh", sinh(c.x), c.half}, {"cosh", cosh(c.x), c.half},
			{"sinh of the negative", sinh(-c.x), -c.half}, {"cosh of the negative", cosh(-c.x), c.half},
		} {
			if f.got != f.want && !(math.Abs(f.got-f.want) <= 2*0x1p-52*math.Abs(f.want)) {
				t.Errorf("%s of %v: got %v, want %v", f.name, c.x, f.got, f.want)
			}
		}
	}
	for _, x := range []float64{0, 1, -3, 30, math.NaN()} {
		if got, want := exponential(x), math.Exp(x); got != want && got == got {
			t.Errorf("exp(%v): got %v, want %v", x, got, want)
		}
	}
}
