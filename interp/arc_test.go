package interp

import (
	"math"
	"testing"
)

// TestArcsNearOne: near 1 and -1 the arcsine and the arccosine keep their digits. The numbers are those of 50 digits.
func TestArcsNearOne(t *testing.T) {
	for _, c := range []struct{ x, sin, cos float64 }{
		{0.9999999999999998, 1.5707963057214724, 2.1073424255447017e-08},
		{-0.9999999999999998, -1.5707963057214724, 3.141592632516369},
		{0.9999999, 1.5703491131957876, 0.00044721359910904126},
		{1, math.Pi / 2, 0},
		{-1, -math.Pi / 2, math.Pi},
		{0.5, math.Pi / 6, math.Pi / 3},
		{0x1p-1040, 0x1p-1040, math.Pi / 2},
	} {
		near := func(name string, got, want float64) {
			if math.Abs(got-want) > 2*0x1p-52*math.Abs(want) {
				t.Errorf("%s(%v): got %v, want %v", name, c.x, got, want)
			}
		}
		near("asin", arcsine(c.x), c.sin)
		near("acos", arccosine(c.x), c.cos)
	}
	if z := arcsine(math.Copysign(0, -1)); z != 0 || !math.Signbit(z) {
		t.Errorf("asin(-0): got %v", z)
	}
	for _, x := range []float64{1.5, -2, math.Inf(1), math.NaN()} {
		if a, b := arcsine(x), arccosine(x); !math.IsNaN(a) || !math.IsNaN(b) {
			t.Errorf("%v: got %v and %v, want no numbers", x, a, b)
		}
	}
}
