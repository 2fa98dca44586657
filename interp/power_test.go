package interp

import (
	"math"
	"math/big"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

func steps(a, b float64) uint64 {
	return literal.ULPDistance(shape.F64, math.Float64bits(a), math.Float64bits(b))
}

// TestPower compares whole powers and square roots of them with exact arithmetic.
func TestPower(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		n := 1 + r.IntN(60)
		x := math.Ldexp(1+r.Float64(), r.IntN(30)-15)
		if r.IntN(4) == 0 {
			x = -(1 + r.Float64()*1e-3)
		}
		want := big.NewFloat(1).SetPrec(4000)
		for range n {
			want.Mul(want, big.NewFloat(x))
		}
		y := float64(n)
		if x > 0 && r.IntN(2) == 0 {
			want.Sqrt(want)
			y /= 2
		}
		if r.IntN(2) == 0 {
			want.Quo(big.NewFloat(1).SetPrec(4000), want)
			y = -y
		}
		exact, _ := want.Float64()
		if got := power(x, y); steps(got, exact) > 1 {
			t.Errorf("power(%v, %v) = %v, want %v: %d steps", x, y, got, exact, steps(got, exact))
		}
	}
	for _, c := range [][3]float64{{0, -1, math.Inf(1)}, {-8, 0.5, math.NaN()}, {1, math.NaN(), 1}, {-1, math.Inf(1), 1},
		{2, -1074, 0x1p-1074}, {0.5, -1024, math.Inf(1)}, {-2, 3, -8}, {10, 40, 1e40}} {
		if got := power(c[0], c[1]); steps(got, c[2]) != 0 && !(math.IsNaN(got) && math.IsNaN(c[2])) {
			t.Errorf("power(%v, %v) = %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

// TestLogOfDenormals: the logarithm of a denormal number is as good as that of others.
func TestLogOfDenormals(t *testing.T) {
	for _, x := range []float64{0x1p-1074, 0x1.8p-1070, 0x1p-1050, 0x1.fffp-1023, 0x1p-1022} {
		hi, _ := logTwo(x)
		if got := naturalLog(x); steps(got, hi) > 1 {
			t.Errorf("log %v = %v, want %v", x, got, hi)
		}
	}
}

// TestTangentAtPoles: next to a pole, where numerator and denominator vanish.
func TestTangentAtPoles(t *testing.T) {
	const pole = 1.633123935319537e16
	for _, z := range []complex128{complex(0, math.Pi/2), complex(0, -math.Pi/2)} {
		want := complex(0, math.Copysign(pole, imag(z)))
		if got := complexTanh(z); got != want {
			t.Errorf("tanh %v = %v, want %v", z, got, want)
		}
	}
	if got := complexTan(complex(math.Pi/2, 0)); got != complex(pole, 0) {
		t.Errorf("tan = %v, want %v", got, pole)
	}
	for _, z := range []complex128{complex(0.3, 0.7), complex(-2, 1.2), complex(21, -3)} {
		if got, want := complexTanh(z), cmplx.Tanh(z); cmplx.Abs(got-want) > 1e-14 {
			t.Errorf("tanh %v = %v, want %v", z, got, want)
		}
	}
}

// TestArc: inverse functions of complex numbers, near the branch points, the axes and the limits of the range.
func TestArc(t *testing.T) {
	for _, c := range []struct {
		name      string
		f         func(complex128) complex128
		z, expect complex128
	}{
		{"asin at the branch point", complexAsin, complex(1, 1e-20), complex(math.Pi/2-1e-10, 1e-10)},
		{"acos at the branch point", complexAcos, complex(1, 1e-20), complex(1e-10, -1e-10)},
		{"acosh at the branch point", complexAcosh, complex(1, 1e-20), complex(1e-10, 1e-10)},
		{"asinh of a small number", complexAsinh, complex(-1e-200, 1e-300), complex(-1e-200, 1e-300)},
		{"acos across the cut", complexAcos, complex(-2, 0), complex(math.Pi, -math.Acosh(2))},
		{"acosh below the cut", complexAcosh, complex(-2, math.Copysign(0, -1)), complex(math.Acosh(2), -math.Pi)},
		{"asinh of a large number", complexAsinh, complex(3e307, 4e307),
			complex(math.Log(5e307)+math.Ln2, math.Atan2(4, 3))},
		{"asin on the imaginary axis", complexAsin, complex(0, 3), complex(0, math.Asinh(3))},
		{"asin with a tiny part", complexAsin, complex(0.5, 1e-310), complex(math.Asin(0.5), 1e-310/math.Sqrt(0.75))},
	} {
		got := c.f(c.z)
		if steps(real(got), real(c.expect)) > 2 || steps(imag(got), imag(c.expect)) > 2 {
			t.Errorf("%s: got %v, want %v", c.name, got, c.expect)
		}
	}
}
