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

// TestComplexAtanh: on the unit circle and beside 1, for huge and for tiny arguments, and by the rules of C's Annex G.
func TestComplexAtanh(t *testing.T) {
	inf, nan, right := math.Inf(1), math.NaN(), math.Pi/2
	for _, c := range []struct{ z, want complex128 }{
		{0.6 + 0.8i, 0.34657359027997265 + 0.7853981633974483i},
		{0.8 - 0.6i, 0.5493061443340549 - 0.7853981633974483i},
		{1 + 1e-12i, 14.162084148244247 + 0.7853981633976983i},
		{-1 + 1e-12i, -14.162084148244247 + 0.7853981633976983i},
		{1 + 1e-300i, 345.7343375393868 + 0.7853981633974483i},
		{1 - 1e-200i, 230.60508288968455 - 0.7853981633974483i},
		{1, complex(inf, 0)},
		{0.5 + 0.5i, 0.40235947810852507 + 0.5535743588970452i},
		{0.5 + 1e-300i, 0.5493061443340549 + 1.3333333333333334e-300i},
		{1e-300 + 2i, 2e-301 + 1.1071487177940904i},
		{2, complex(0.5493061443340549, right)},
		{1e300 + 1e300i, complex(5e-301, right)},
		{1e300 + 1e200i, complex(1e-300, right)},
		{1e-12 + 1e300i, complex(0, right)},
		{2i, 1.1071487177940904i},
		{complex(inf, 1), complex(0, right)},
		{complex(inf, nan), complex(0, nan)},
		{complex(nan, -inf), complex(0, -right)},
		{complex(0, nan), complex(0, nan)},
		{complex(nan, 1), complex(nan, nan)},
		{complex(1, nan), complex(nan, nan)},
	} {
		got := complexAtanh(c.z)
		if !nearly(real(got), real(c.want)) || !nearly(imag(got), imag(c.want)) {
			t.Errorf("atanh(%v): got %v, want %v", c.z, got, c.want)
		}
	}
	if got := complexAtanh(complex(2, math.Copysign(0, -1))); imag(got) != -right {
		t.Errorf("atanh(2-0i): got %v, want the lower side of the cut", got)
	}
}

// nearly reports whether a is b but for three units of the last place.
func nearly(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 3*0x1p-52*math.Abs(b)
}
