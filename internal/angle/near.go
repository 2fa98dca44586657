// Package angle computes sine and cosine near 0 and the roots of one. Series in the square of the angle are short
// there; what is large of them is computed in pairs of numbers and rounded once, so nearly all results are the float64
// that is nearest to the exact one.
package angle

import "math"

// sineSeries are the factors of x³s, x³s² ... in the sine of x, s = x².
var sineSeries = [...]float64{1. / 120, -1. / 5040, 1. / 362880, -1. / 39916800, 1. / 6227020800,
	-1. / 1307674368000, 1. / 355687428096000, -1. / 121645100408832000}

// cosineSeries are the factors of s², s³ ... in the cosine.
var cosineSeries = [...]float64{1. / 24, -1. / 720, 1. / 40320, -1. / 3628800, 1. / 479001600, -1. / 87178291200,
	1. / 20922789888000, -1. / 6402373705728000, 1. / 2432902008176640000}

// sixth and sixthLow are -1/6.
const (
	sixth    = -1. / 6
	sixthLow = -0x1.5555555555555p-57
)

// series returns the sum of factors[k] * s^k.
func series(s float64, factors []float64) float64 {
	sum := 0.0
	for k := len(factors) - 1; k >= 0; k-- {
		sum = math.FMA(sum, s, factors[k])
	}
	return sum
}

// squared returns h² as a sum of two numbers.
func squared(h float64) (s, rest float64) {
	s = h * h
	return s, math.FMA(h, h, -s)
}

// Sine returns the sine of h+l, |h| <= π/4 about and l below half a unit in the last place of h.
func Sine(h, l float64) float64 {
	s, rest := squared(h)
	tail := s * series(s, sineSeries[:])
	t := sixth + tail
	tLow := (sixth - t) + tail + sixthLow
	cube := h * s
	cubeLow := math.FMA(h, s, -cube) + float64(h*rest)
	p := cube * t
	pLow := math.FMA(cube, t, -p) + float64(cube*tLow) + float64(cubeLow*t)
	y := h + p
	return y + ((h - y) + p + (pLow + float64(l*(1-s/2))))
}

// Cosine returns the cosine of h+l, as Sine takes them.
func Cosine(h, l float64) float64 {
	s, rest := squared(h)
	y := 1 - s/2
	p := s * s * series(s, cosineSeries[:])
	return y + ((1 - y) - s/2 + (p - rest/2 - float64(l*h)))
}
