package interp

import (
	"math"
	"math/cmplx"
)

// This file holds the inverse sines and cosines of complex numbers by the method of Hull,
// Fairgrieve and Tang: accurate in both parts, also beside the branch points 1 and -1; and the inverse hyperbolic
// tangent.

// Limits of the method, for the larger and the smaller part of the argument.
const (
	arcHuge      = 0x1p508 // its square does not overflow
	arcTiny      = 0x1p-509
	arcCrossover = 0.6417 // of b: below, asin and acos are well conditioned
)

// arcsine is the arcsine of x, by quotients that keep their digits near 1 and -1.
func arcsine(x float64) float64 { return math.Atan2(x, math.Sqrt((1-x)*(1+x))) }

// arccosine is the same for the arccosine.
func arccosine(x float64) float64 { return 2 * math.Atan2(math.Sqrt(1-x), math.Sqrt(1+x)) }

// arcParts are |Re asin z|, |Re acos z| and |Im| of both.
type arcParts struct{ asin, acos, im float64 }

// arc computes the parts for z = x+yi with x, y >= 0, both finite.
func arc(x, y float64) arcParts {
	if max(x, y) > arcHuge {
		im := math.Ln2 + naturalLog(max(x, y)) + math.Log1p(square(min(x, y)/max(x, y)))/2
		return arcParts{math.Atan2(x, y), math.Atan2(y, x), im}
	}
	r, s := math.Hypot(x+1, y), math.Hypot(x-1, y)
	a := (r + s) / 2
	if y < arcTiny && x < 1 {
		return arcParts{arcsine(x), arccosine(x), y / math.Sqrt((1-x)*(1+x))}
	}
	p := arcParts{im: arcImag(x, y, r, s, a)}
	b := x / a
	if b <= arcCrossover {
		p.asin, p.acos = math.Asin(b), math.Acos(b)
		return p
	}
	apx, root := a+x, 0.0 // root = sqrt(a*a - x*x)
	if x <= 1 {
		root = math.Sqrt(0.5 * apx * (square(y)/(r+x+1) + (s + (1 - x))))
	} else {
		root = y * math.Sqrt(0.5*(apx/(r+x+1)+apx/(s+(x-1))))
	}
	p.asin, p.acos = math.Atan2(x, root), math.Atan2(root, x)
	return p
}

// arcImag is log(a + sqrt(a*a - 1)).
func arcImag(x, y, r, s, a float64) float64 {
	if a > 1.5 {
		return naturalLog(a + math.Sqrt(float64(a*a)-1))
	}
	am1 := 0.5 * (square(y)/(r+(x+1)) + (s + (x - 1)))
	if x < 1 {
		am1 = 0.5 * (square(y)/(r+(x+1)) + square(y)/(s+(1-x)))
	}
	return math.Log1p(am1 + math.Sqrt(am1*(a+1)))
}

func square(x float64) float64 { return x * x }

// finite reports whether both parts of z are.
func finite(z complex128) bool { return isFinite(real(z)) && isFinite(imag(z)) }

// complexAsin returns the inverse sine.
func complexAsin(z complex128) complex128 {
	if !finite(z) {
		return cmplx.Asin(z)
	}
	p := arc(math.Abs(real(z)), math.Abs(imag(z)))
	return complex(math.Copysign(p.asin, real(z)), math.Copysign(p.im, imag(z)))
}

// complexAcos returns the inverse cosine.
func complexAcos(z complex128) complex128 {
	if !finite(z) {
		return cmplx.Acos(z)
	}
	p := arc(math.Abs(real(z)), math.Abs(imag(z)))
	if math.Signbit(real(z)) {
		p.acos = math.Pi - p.acos
	}
	return complex(p.acos, math.Copysign(p.im, -imag(z)))
}

// complexAsinh is asin turned by a right angle.
func complexAsinh(z complex128) complex128 {
	if !finite(z) {
		return cmplx.Asinh(z)
	}
	p := arc(math.Abs(imag(z)), math.Abs(real(z)))
	return complex(math.Copysign(p.im, real(z)), math.Copysign(p.asin, imag(z)))
}

// complexAcosh is acos turned into the right half-plane.
func complexAcosh(z complex128) complex128 {
	if !finite(z) {
		return cmplx.Acosh(z)
	}
	w := complexAcos(z)
	return complex(math.Abs(imag(w)), math.Copysign(real(w), imag(z)))
}

// complexAtanh returns the inverse hyperbolic tangent. Of z = x+yi, x >= 0, its real part is log|(1+z)/(1-z)|/2 and
// its imaginary part half of the angle of (1+z)(1-conj z) = (1-x)(1+x) - y*y + 2yi.
func complexAtanh(z complex128) complex128 {
	x, y := math.Abs(real(z)), math.Abs(imag(z))
	var re float64
	im := math.NaN()
	switch {
	case x == 0:
		return complex(real(z), math.Atan(imag(z)))
	case math.IsInf(x, 1) && math.IsNaN(y):
		re = 0
	case math.IsInf(max(x, y), 1) || math.IsInf(y, 1):
		re, im = 0, math.Pi/2
	case max(x, y) > arcHuge:
		a, b := x/max(x, y), y/max(x, y)
		re, im = a/(float64(a*a)+float64(b*b))/max(x, y), math.Pi/2
	case x == 1 && y < arcTiny: // y*y would lose its digits
		re, im = (math.Ln2-naturalLog(y))/2, math.Atan2(y, 0)/2
	default:
		re = math.Log1p(4*x/(float64((1-x)*(1-x))+float64(y*y))) / 4
		im = math.Atan2(2*y, float64((1-x)*(1+x))-float64(y*y)) / 2
	}
	return complex(math.Copysign(re, real(z)), math.Copysign(im, imag(z)))
}
