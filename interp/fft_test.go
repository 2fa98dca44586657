package interp

import (
	"math/cmplx"
	"testing"

	"github.com/goxla/xla/internal/angle"
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
			want += x[k] * cmplx.Conj(angle.Root(j*k%n, n))
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
