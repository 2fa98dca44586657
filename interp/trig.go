package interp

import (
	"math"

	"github.com/goxla/xla/internal/angle"
)

// This file holds sine, cosine and tangent in float64. Package math's lose up to
// 25 ULP for large arguments; here the argument is first reduced to hi+lo in
// [-π/4, π/4] with about 100 good bits, where package angle is good.

// π/2 = halfPi1 + halfPi2 + halfPi3 to 160 bits.
const (
	halfPi1 = 0x1.921fb54442d18p0
	halfPi2 = 0x1.1a62633145c07p-54
	halfPi3 = -0x1.f1976b7ed8fbcp-110
)

// fastReduction is how far the three constants give enough bits of n*π/2.
const fastReduction = 1 << 30

// reduceAngle returns hi+lo = x - q*π/2 in about [-π/4, π/4], and q modulo 4.
func reduceAngle(x float64) (hi, lo float64, q int) {
	if math.Abs(x) > fastReduction {
		return angle.ReduceLarge(x)
	}
	n := math.RoundToEven(x * (2 / math.Pi))
	r := math.FMA(-n, halfPi1, x) // exact: the two nearly cancel
	p := n * halfPi2
	tail := math.FMA(n, halfPi2, -p)
	hi = r - p
	lo = ((r - hi) - p) - tail - float64(n*halfPi3)
	return hi + lo, lo - ((hi + lo) - hi), int(int64(n) & 3)
}

// sincos returns the sine and cosine of x.
func sincos(x float64) (s, c float64) {
	if x-x != 0 { // NaN, infinities
		return math.NaN(), math.NaN()
	}
	hi, lo, q := reduceAngle(x)
	s, c = angle.Sine(hi, lo), angle.Cosine(hi, lo)
	switch q {
	case 1:
		return c, -s
	case 2:
		return -s, -c
	case 3:
		return -c, s
	}
	return s, c
}

func sine(x float64) float64 {
	if x == 0 {
		return x
	}
	s, _ := sincos(x)
	return s
}

func cosine(x float64) float64 {
	_, c := sincos(x)
	return c
}

func tangent(x float64) float64 {
	if x == 0 {
		return x
	}
	s, c := sincos(x)
	return s / c
}
