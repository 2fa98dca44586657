package angle

import (
	"math"
	"math/big"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

const precision = 200

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// exact returns the sine and the cosine of x by their series.
func exact(x *big.Float) (sin, cos *big.Float) {
	sums := [2]*big.Float{number(0), number(0)} // cosine, sine
	term := number(1)
	for k := 0; k < 60; k++ {
		part := new(big.Float).Set(term)
		if k%4 >= 2 {
			part.Neg(part)
		}
		sums[k%2].Add(sums[k%2], part)
		term.Mul(term, x).Quo(term, number(float64(k+1)))
	}
	return sums[1], sums[0]
}

// ulps returns the error of got in units in the last place of want.
func ulps(got float64, want *big.Float) float64 {
	w, _ := want.Float64()
	unit := math.Nextafter(math.Abs(w), math.Inf(1)) - math.Abs(w)
	diff, _ := new(big.Float).Sub(number(got), want).Float64()
	return math.Abs(diff) / unit
}

// TestNear compares with arithmetic of 200 bits: the error may be half a unit, and little more.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		h := (2*r.Float64() - 1) * math.Pi / 4
		if r.IntN(4) == 0 {
			h = math.Ldexp(h, -r.IntN(300))
		}
		l := (r.Float64() - 0.5) * math.Abs(h) * 0x1p-53
		sin, cos := exact(new(big.Float).Add(number(h), number(l)))
		if e := ulps(Sine(h, l), sin); e > 0.51 {
			t.Fatalf("the sine of %x+%x is off by %g units", h, l, e)
		}
		if e := ulps(Cosine(h, l), cos); e > 0.56 {
			t.Fatalf("the cosine of %x+%x is off by %g units", h, l, e)
		}
	}
}

// TestRoot: roots are what their definition says to the last digit, and those that mirror each other have the same.
func TestRoot(t *testing.T) {
	pi, _ := new(big.Float).SetPrec(precision).SetString(
		"3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")
	for _, n := range []int{1, 2, 3, 8, 11, 12, 97, 1000} {
		roots := NewRoots(n)
		for k := range n {
			got := Root(k, n)
			if again := roots.At(k); again != got {
				t.Errorf("root %d of %d: got %v of all roots, %v of one", k, n, again, got)
			}
			if k > 0 && Root(n-k, n) != cmplx.Conj(got) {
				t.Errorf("roots %d and %d of %d are not conjugates", k, n-k, n)
			}
			angle := new(big.Float).Mul(pi, number(2*float64(k)))
			sin, cos := exact(angle.Quo(angle, number(float64(n))))
			for _, part := range []struct {
				got  float64
				want *big.Float
			}{{imag(got), sin}, {real(got), cos}} {
				if w, _ := part.want.Float64(); math.Abs(w) > 1e-40 && ulps(part.got, part.want) > 0.56 {
					t.Errorf("root %d of %d: got %v, want %v", k, n, part.got, w)
				}
			}
		}
	}
	if Root(1, 4) != 1i || Root(2, 4) != -1 {
		t.Errorf("expected exact quarters, got %v and %v", Root(1, 4), Root(2, 4))
	}
}
