package interp

import "math"

// This file holds the exponentials of large numbers: package math has infinity for some whose result is finite.

// farExponent is from where on math.Exp is not asked, and cutExponent from where on all is infinite.
const (
	farExponent = 700
	cutExponent = 1000
)

// exponential returns e^x.
func exponential(x float64) float64 {
	if x > farExponent && x < cutExponent {
		return farExp(x, 0)
	}
	return math.Exp(x)
}

// sinh and cosh are half of e^|x| for large arguments.
func sinh(x float64) float64 {
	if a := math.Abs(x); a > farExponent && a < cutExponent {
		return math.Copysign(farExp(a, -1), x)
	}
	return math.Sinh(x)
}

func cosh(x float64) float64 {
	if a := math.Abs(x); a > farExponent && a < cutExponent {
		return farExp(a, -1)
	}
	return math.Cosh(x)
}

// farExp is e^x * 2^n for large x, by way of e^(x - 64 ln 2), whose argument is taken with what its rounding drops.
func farExp(x float64, n int) float64 {
	const steps, ln2High, ln2Low = 64, 6.93147180369123816490e-01, 1.90821492927058770002e-10
	high := x - steps*ln2High // exact
	low := float64(steps * ln2Low)
	r := high - low
	lost := (high - r) - low
	return math.Ldexp(math.Exp(r)*(1+lost), steps+n)
}
