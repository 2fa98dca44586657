package vmath

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// calc makes instructions on one kind of floats.
type calc struct {
	b *loop.Builder
	*format
}

func calcOf(b *loop.Builder, k loop.Kind) calc {
	if k == loop.F32 {
		return calc{b, &single}
	}
	return calc{b, &double}
}

// value is short for loop.Value, which all functions here work on.
type value = loop.Value

//go:noinline
func (c calc) op(o loop.Op, x ...value) value { return c.b.Op(o, c.kind, x...) }

//go:noinline
func (c calc) one(o loop.Op, x value) value { return c.op(o, x) }

//go:noinline
func (c calc) two(o loop.Op, x, y value) value { return c.op(o, x, y) }

//go:noinline
func (c calc) three(o loop.Op, x, y, z value) value { return c.op(o, x, y, z) }

// num is a float constant.
//
//go:noinline
func (c calc) num(x float64) value { return c.b.Float(c.kind, x) }

func (c calc) add(x, y value) value { return c.two(loop.Add, x, y) }
func (c calc) sub(x, y value) value { return c.two(loop.Sub, x, y) }
func (c calc) mul(x, y value) value { return c.two(loop.Mul, x, y) }
func (c calc) div(x, y value) value { return c.two(loop.Div, x, y) }
func (c calc) sqrt(x value) value   { return c.one(loop.Sqrt, x) }
func (c calc) abs(x value) value    { return c.one(loop.Abs, x) }
func (c calc) neg(x value) value    { return c.one(loop.Neg, x) }

// fma is x*y+z, fms x*y-z, fnma z-x*y.
func (c calc) fma(x, y, z value) value  { return c.three(loop.FMA, x, y, z) }
func (c calc) fms(x, y, z value) value  { return c.three(loop.FMS, x, y, z) }
func (c calc) fnma(x, y, z value) value { return c.three(loop.FNMA, x, y, z) }

// times is x*y with a constant y.
func (c calc) times(x value, y float64) value { return c.mul(x, c.num(y)) }

// atMost and atLeast keep NaN.
func (c calc) atMost(limit float64, x value) value  { return c.op(loop.MinX, c.num(limit), x) }
func (c calc) atLeast(limit float64, x value) value { return c.op(loop.MaxX, c.num(limit), x) }

// rest is what the sum s of x and the smaller y lacks.
func (c calc) rest(s, x, y value) value { return c.add(c.sub(x, s), y) }

func (c calc) less(x value, y float64) value    { return c.b.Cmp(loop.LT, x, c.num(y)) }
func (c calc) greater(x value, y float64) value { return c.b.Cmp(loop.GT, x, c.num(y)) }
func (c calc) equal(x value, y float64) value   { return c.b.Cmp(loop.EQ, x, c.num(y)) }

// pick is m ? x : y.
func (c calc) pick(m, x, y value) value { return c.three(loop.Select, m, x, y) }

// where is m ? x : 0.
func (c calc) where(m value, x float64) value { return c.pick(m, c.num(x), c.num(0)) }

func (c calc) nan() value { return c.num(math.NaN()) }
func (c calc) inf() value { return c.num(math.Inf(1)) }

// either and both combine masks.
func (c calc) either(x, y value) value { return c.b.Op(loop.Or, loop.Mask, x, y) }
func (c calc) both(x, y value) value   { return c.b.Op(loop.And, loop.Mask, x, y) }

// sign is the sign bit of x alone.
func (c calc) sign(x value) value { return c.op(loop.And, x, c.num(math.Copysign(0, -1))) }

// withSign gives y, whose own sign bit is not set or that of x, the sign of x.
func (c calc) withSign(y, x value) value { return c.op(loop.Or, y, c.sign(x)) }

// flip changes the sign of y where that of s, a number with no other bits, is set.
func (c calc) flip(y, s value) value { return c.two(loop.Xor, y, s) }

// isNegative is the sign bit of x as a mask, that of -0 too.
func (c calc) isNegative(x value) value {
	return c.b.Cmp(loop.LT, c.bits(x), c.int(0))
}

// Integers as wide as the floats.

func (c calc) bits(x value) value              { return c.b.Op(loop.Bitcast, c.ints, x) }
func (c calc) float(i value) value             { return c.b.Op(loop.Bitcast, c.kind, i) }
func (c calc) iop(o loop.Op, x ...value) value { return c.b.Op(o, c.ints, x...) }
func (c calc) int(i int64) value               { return c.b.Int(c.ints, i) }
func (c calc) shl(x value, n int) value        { return c.iop(loop.Shl, x, c.int(int64(n))) }
func (c calc) shr(x value, n int) value        { return c.iop(loop.Shr, x, c.int(int64(n))) }

// bitsOf is the bits of a constant.
func (c calc) bitsOf(x float64) int64 {
	if c.kind == loop.F32 {
		return int64(math.Float32bits(float32(x)))
	}
	return int64(math.Float64bits(x))
}

// pow2 is s * 2^n for a power of two s and the integer n in the low bits of t; the result is a
// normal number.
func (c calc) pow2(t value, s float64) value {
	return c.float(c.iop(loop.Add, c.shl(c.bits(t), c.fraction), c.int(c.bitsOf(s))))
}

// integral rounds x*scale: n is the integer, as a float, and t has it in its low bits.
func (c calc) integral(x value, scale float64) (t, n value) {
	t = c.fma(x, c.num(scale), c.num(c.magic))
	return t, c.sub(t, c.num(c.magic))
}

// horner is the polynomial with these coefficients, that of x^0 first, at x.
func (c calc) horner(x value, coef []float64) value {
	last := len(coef) - 1
	p := c.num(coef[last])
	for k := last - 1; k >= 0; k-- {
		p = c.fma(p, x, c.num(coef[k]))
	}
	return p
}

// polynomial is horner with coefficients that are values.
func (c calc) polynomial(x value, coef []value) value {
	p := coef[len(coef)-1]
	for k := len(coef) - 2; k >= 0; k-- {
		p = c.fma(p, x, coef[k])
	}
	return p
}

// poly is horner where that is a short chain; a long one is split, but for the two lowest terms, into two or
// four chains of every second or fourth coefficient, so that they run side by side.
func (c calc) poly(x value, coef []float64) value {
	if len(coef) < c.split {
		return c.horner(x, coef)
	}
	high := c.chains(x, coef[2:])
	return c.fma(c.fma(high, x, c.num(coef[1])), x, c.num(coef[0]))
}

func (c calc) chains(x value, coef []float64) value {
	x2 := c.mul(x, x)
	if len(coef) < 15 {
		return c.fma(c.horner(x2, every(2, coef[1:])), x, c.horner(x2, every(2, coef)))
	}
	x4 := c.mul(x2, x2)
	low := c.fma(c.horner(x4, every(4, coef[1:])), x, c.horner(x4, every(4, coef)))
	high := c.fma(c.horner(x4, every(4, coef[3:])), x, c.horner(x4, every(4, coef[2:])))
	return c.fma(high, x2, low)
}

// every is each step-th element of s.
func every(step int, s []float64) []float64 {
	var out []float64
	for k := 0; k < len(s); k += step {
		out = append(out, s[k])
	}
	return out
}
