package interp

import (
	"math"
	"math/cmplx"
)

// This file holds the complex functions for which package math/cmplx lacks
// accuracy or a rule of C's Annex G.

// complexExp returns e^x; e^(±inf + yi) follows Annex G.
func complexExp(x complex128) complex128 {
	re, im := real(x), imag(x)
	if im == 0 {
		return complex(exponential(re), im)
	}
	if math.IsInf(re, -1) {
		return complex(0, 0)
	}
	s, c := math.Sincos(im)
	e := exponential(re)
	return complex(e*c, e*s)
}

// complexExpm1 returns e^x - 1 without cancellation near 0:
// e^a cos b - 1 = expm1(a) cos b - 2 sin²(b/2).
func complexExpm1(x complex128) complex128 {
	a, b := real(x), imag(x)
	if b == 0 {
		return complex(math.Expm1(a), b)
	}
	half := math.Sin(b / 2)
	s, c := math.Sincos(b)
	return complex(float64(math.Expm1(a)*c)-float64(2*half*half), math.Exp(a)*s)
}

// complexCbrt returns the cube root of the third of the argument: that of -8 is 1 + 1.73i.
func complexCbrt(x complex128) complex128 {
	s, c := math.Sincos(arg(imag(x), real(x)) / 3)
	r := math.Cbrt(cmplx.Abs(x))
	return complex(r*c, r*s)
}

// complexLog returns the principal logarithm.
func complexLog(x complex128) complex128 {
	return complex(logAbs(real(x), imag(x)), arg(imag(x), real(x)))
}

// logAbs returns log|a+bi|, accurate where the modulus is near 1.
func logAbs(a, b float64) float64 {
	a, b = math.Abs(a), math.Abs(b)
	if a < b {
		a, b = b, a
	}
	if a > 0.5 && a < 2 && !math.IsInf(b, 0) {
		return 0.5 * math.Log1p(float64((a-1)*(a+1))+float64(b*b))
	}
	return naturalLog(math.Hypot(a, b))
}

// complexLog1p returns log(1+x), accurate near 0.
func complexLog1p(x complex128) complex128 {
	a, b := real(x), imag(x)
	if math.Abs(a) < 0.5 && math.Abs(b) < 0.5 {
		return complex(0.5*math.Log1p(float64(a*(2+a))+float64(b*b)), arg(b, 1+a))
	}
	return complexLog(complex(1+a, b))
}

// complexSqrt returns the principal square root; the result keeps the sign of the imaginary part.
func complexSqrt(x complex128) complex128 {
	if math.IsInf(imag(x), 0) {
		return complex(math.Inf(1), imag(x))
	}
	return cmplx.Sqrt(x)
}

// complexRsqrt returns 1/sqrt(x).
func complexRsqrt(x complex128) complex128 {
	if x == 0 {
		return complex(math.Inf(1), math.NaN())
	}
	if cmplx.IsInf(x) {
		return 0
	}
	r := math.Hypot(real(x), imag(x))
	s, c := math.Sincos(-arg(imag(x), real(x)) / 2)
	m := 1 / math.Sqrt(r)
	return complex(m*c, m*s)
}

// complexTanh returns the hyperbolic tangent without overflow for large arguments.
func complexTanh(x complex128) complex128 {
	if a := math.Abs(real(x)); a > 22 && !math.IsInf(imag(x), 0) {
		s, c := math.Sincos(imag(x))
		return complex(math.Copysign(1, real(x)), 4*s*c*math.Exp(-2*a))
	}
	if !isFinite(real(x)) || !isFinite(imag(x)) {
		return cmplx.Tanh(x)
	}
	// Kahan: the denominator is a sum of positive numbers, so it keeps its digits next to the poles.
	t, s := tangent(imag(x)), math.Sinh(real(x))
	b := 1 + float64(t*t)
	d := 1 + float64(b*float64(s*s))
	return complex(float64(b*s*math.Sqrt(1+float64(s*s)))/d, t/d)
}

// complexTan is -i tanh(ix).
func complexTan(x complex128) complex128 {
	if !isFinite(real(x)) || !isFinite(imag(x)) {
		return cmplx.Tan(x)
	}
	y := complexTanh(complex(-imag(x), real(x)))
	return complex(imag(y), -real(y))
}

func complexLogistic(x complex128) complex128 { return 1 / (1 + complexExp(-x)) }

// complexSign returns x/|x|, and 0 and NaN as they are.
func complexSign(x complex128) complex128 {
	if x == 0 || cmplx.IsNaN(x) {
		return x
	}
	r := cmplx.Abs(x)
	return complex(real(x)/r, imag(x)/r)
}

// complexPow returns x^y by exp(y log x), with the corner cases of XLA.
func complexPow(x, y complex128) complex128 {
	if y == 0 {
		return 1
	}
	if x == 0 {
		if real(y) > 0 || imag(y) == 0 && real(y) == 0 {
			return 0
		}
	}
	if cmplx.IsInf(x) && imag(x) == 0 && imag(y) == 0 && real(x) > 0 {
		if real(y) > 0 {
			return complex(math.Inf(1), 0)
		}
		return 0
	}
	r, theta := cmplx.Abs(x), arg(imag(x), real(x))
	m := math.Pow(r, real(y)) * math.Exp(-imag(y)*theta)
	s, c := math.Sincos(float64(imag(y)*naturalLog(r)) + float64(real(y)*theta))
	return complex(m*c, m*s)
}
