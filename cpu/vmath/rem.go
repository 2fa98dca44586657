package vmath

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// remSteps is how often a divisor, scaled up to the dividend, must be scaled down by 2^remShift to be itself.
func (c calc) remSteps() int64 {
	range2 := 2*c.bias + int64(c.fraction)
	return range2/c.remShift() + 1
}

// remShift is a little less than the bits that a quotient may have for its product with the divisor to be exact.
func (c calc) remShift() int64 { return int64(c.fraction) - 2 }

// rem is the remainder of the quotient rounded toward zero: long division with digits of remShift bits. The
// dividend r is reduced by multiples of d = |y|*2^k with a smaller and smaller k; the difference is exact, and at
// most half of d, with any sign. Most quotients have one digit.
func rem(c calc, x, y value) value {
	r, divisor := c.abs(x), c.abs(y)
	if down, ok := c.isWholePower(y); ok {
		whole := c.b.OpImm(loop.Round, c.kind, loop.ToZero, c.times(r, down))
		return c.withSign(c.fnma(whole, divisor, r), x)
	}
	_, kr := c.splitNumber(r)
	_, kd := c.splitNumber(divisor)
	k := c.sub(c.sub(kr, kd), c.num(float64(c.remShift()-1)))
	z := c.remDigits(r, divisor, k)
	z = c.pick(c.less(z, 0), c.add(z, divisor), z)
	z = c.pick(c.b.Cmp(loop.EQ, divisor, c.inf()), r, z)
	z = c.withSign(c.abs(z), x)
	valid := c.both(c.b.Cmp(loop.LT, r, c.inf()), c.greater(divisor, 0))
	return c.pick(valid, z, c.nan())
}

// isWholePower reports whether y is a constant, 2^n or -2^n for a natural n that is not large, and returns 2^-n: what
// is divided by it keeps its digits, or becomes less than 1.
func (c calc) isWholePower(y value) (down float64, ok bool) {
	bits, ok := c.b.ConstBits(y)
	v := math.Abs(math.Float64frombits(bits))
	if c.kind == loop.F32 {
		v = math.Abs(float64(math.Float32frombits(uint32(bits))))
	}
	fraction, _ := math.Frexp(v)
	return 1 / v, ok && fraction == 0.5 && v >= 1 && v < math.Ldexp(1, int(c.bias/2))
}

// remDigit is r without the multiple of d that is next to it.
func (c calc) remDigit(r, d value) value {
	return c.fnma(c.b.OpImm(loop.Round, c.kind, loop.ToNearestEven, c.div(r, d)), d, r)
}

// fewDigits is how many digits are looked for first, where there is more than one.
const fewDigits = 4

// remDigits is r without the multiples of divisor*2^k, if k is positive, of one with k less by remShift, and so on,
// down to those of divisor.
func (c calc) remDigits(r, divisor, k value) value {
	down := c.num(1 / float64(int64(1)<<c.remShift()))
	digits := func(n int64) value {
		most := c.num(float64((n - 1) * c.remShift()))
		d := c.op(loop.Scale, divisor, c.op(loop.MaxX, c.op(loop.MinX, k, most), c.num(0)))
		r := c.remDigit(r, d)
		for range n - 1 {
			d = c.op(loop.MaxX, c.mul(d, down), divisor)
			r = c.remDigit(r, d)
		}
		return r
	}
	seldom := func(most int64, x, y value) value {
		return c.b.OpImm(loop.Select, c.kind, loop.Seldom, c.b.Cmp(loop.LE, k, c.num(float64(most*c.remShift()))), x, y)
	}
	z := c.remDigit(r, divisor)
	if c.remSteps() > 4*fewDigits {
		z = seldom(0, z, digits(fewDigits))
		return seldom(fewDigits-1, z, digits(c.remSteps()))
	}
	return seldom(0, z, digits(c.remSteps()))
}
