package interp

import (
	"math"
	"testing"
)

// TestSmallTangents: what small numbers' tangents have more than they is in the result.
func TestSmallTangents(t *testing.T) {
	for x := 0x1p-1060; x < 0x1p-8; x *= 1.37 {
		// The first factor left out is beside 1 less than half a unit of the last place.
		square := x * x
		want := x + x*square*(1.0/3+square*(2.0/15+square*(17.0/315+square*(62.0/2835))))
		ulp := math.Nextafter(x, 1) - x
		if got := tangent(x); math.Abs(got-want) > 2*ulp || tangent(-x) != -got {
			t.Errorf("tangents of %g and its negative: got %g and %g, want %g", x, got, tangent(-x), want)
		}
	}
}
