package interp

import (
	"math"
	"math/big"
	"sync"

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
		return reduceLarge(x)
	}
	n := math.RoundToEven(x * (2 / math.Pi))
	r := math.FMA(-n, halfPi1, x) // exact: the two nearly cancel
	p := n * halfPi2
	tail := math.FMA(n, halfPi2, -p)
	hi = r - p
	lo = ((r - hi) - p) - tail - float64(n*halfPi3)
	return hi + lo, lo - ((hi + lo) - hi), int(int64(n) & 3)
}

// halfPiBits is the precision of π/2 for the largest float64: its exponent and 130 bits.
const halfPiBits = 1024 + 130

// reduceLarge does the reduction in arbitrary precision.
func reduceLarge(x float64) (hi, lo float64, q int) {
	halfPi := manyHalfPi()
	b := new(big.Float).SetPrec(2 * halfPiBits).SetFloat64(x)
	n, _ := new(big.Float).SetPrec(2*halfPiBits).Quo(b, halfPi).Int(nil)
	rest := new(big.Float).SetPrec(2 * halfPiBits).SetInt(n)
	b.Sub(b, rest.Mul(rest, halfPi))
	q = int(new(big.Int).And(n, big.NewInt(3)).Int64()) // two's complement: right for negative n too
	hi, _ = b.Float64()
	if math.Abs(hi) > math.Pi/4 { // truncation left up to π/2
		step := new(big.Float).Copy(halfPi)
		if hi > 0 {
			q = (q + 1) & 3
			b.Sub(b, step)
		} else {
			q = (q + 3) & 3
			b.Add(b, step)
		}
		hi, _ = b.Float64()
	}
	lo, _ = b.Sub(b, new(big.Float).SetFloat64(hi)).Float64()
	return hi, lo, q
}

// manyHalfPi is π/2, which is not to be changed.
var manyHalfPi = sync.OnceValue(bigHalfPi)

// bigHalfPi computes π/2 by Machin's formula, π/4 = 4 atan(1/5) - atan(1/239), in
// fixed point.
func bigHalfPi() *big.Float {
	const guard = 32
	one := new(big.Int).Lsh(big.NewInt(1), halfPiBits+guard)
	sum := new(big.Int).Mul(arctanInverse(one, 5), big.NewInt(8))
	sum.Sub(sum, new(big.Int).Mul(arctanInverse(one, 239), big.NewInt(2)))
	f := new(big.Float).SetPrec(halfPiBits + guard).SetInt(sum)
	return f.SetMantExp(f, -(halfPiBits + guard))
}

// arctanInverse returns one * atan(1/n) by its series.
func arctanInverse(one *big.Int, n int64) *big.Int {
	square := big.NewInt(n * n)
	power := new(big.Int).Quo(one, big.NewInt(n))
	sum := new(big.Int).Set(power)
	for k := int64(3); power.Sign() != 0; k += 2 {
		power.Quo(power, square)
		term := new(big.Int).Quo(power, big.NewInt(k))
		if k%4 == 3 {
			sum.Sub(sum, term)
		} else {
			sum.Add(sum, term)
		}
	}
	return sum
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
	if math.Abs(x) < math.Pi/4 {
		return math.Tan(x)
	}
	s, c := sincos(x)
	return s / c
}
