package interp

import (
	"math"
	"math/cmplx"
	"testing"
)

// TestFourierDefinition compares every length up to 130, and some larger ones, with the definition.
func TestFourierDefinition(t *testing.T) {
	for n := 1; n <= 130; n++ {
		checkFourier(t, n)
	}
	for _, n := range []int{211, 256, 360, 509} {
		checkFourier(t, n)
	}
}

func checkFourier(t *testing.T, n int) {
	x := make([]complex128, n)
	for k := range x {
		x[k] = complex(float64(k*k%7)-3, float64(k%5)-1.5)
	}
	y := newFourier(n, false).transform(x)
	for j := range y {
		want := complex128(0)
		for k := range x {
			want += x[k] * cmplx.Conj(unitRoot(j*k%n, n))
		}
		if d := cmplx.Abs(y[j] - want); d > 3e-14*float64(n) {
			t.Fatalf("length %d, frequency %d: expected %v, got %v", n, j, want, y[j])
		}
	}
	for k, v := range newFourier(n, true).transform(y) {
		if cmplx.Abs(v-x[k]) > 1e-13 {
			t.Fatalf("length %d: the inverse gives %v for element %d, expected %v", n, v, k, x[k])
		}
	}
}

// TestUnitRoots: the roots lie on the circle, and those that mirror each other have the same digits.
func TestUnitRoots(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8, 12, 97, 1000} {
		for k := range n {
			r := unitRoot(k, n)
			want := cmplx.Exp(complex(0, 2*math.Pi*float64(k)/float64(n)))
			if cmplx.Abs(r-want) > 2e-15 {
				t.Errorf("root %d of %d: expected %v, got %v", k, n, want, r)
			}
			if k > 0 && unitRoot(n-k, n) != cmplx.Conj(r) {
				t.Errorf("roots %d and %d of %d are not conjugates", k, n-k, n)
			}
		}
	}
	if unitRoot(1, 4) != 1i || unitRoot(2, 4) != -1 {
		t.Errorf("expected exact quarters, got %v and %v", unitRoot(1, 4), unitRoot(2, 4))
	}
}
