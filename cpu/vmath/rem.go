package vmath

import "github.com/goxla/xla/cpu/loop"

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

// remDigit is r without the multiple of d that is next to it.
func (c calc) remDigit(r, d value) value {
	return c.fnma(c.b.OpImm(loop.Round, c.kind, loop.ToNearestEven, c.div(r, d)), d, r)
}

// mostUnrolled is the most digits that are written out, behind a jump, which no loop is.
const mostUnrolled = 16

// remDigits is r without the multiples of divisor*2^k, if k is positive, of one with k less by remShift, and so on,
// down to those of divisor.
func (c calc) remDigits(r, divisor, k value) value {
	d := c.op(loop.Scale, divisor, c.op(loop.MaxX, k, c.num(0)))
	down := c.num(1 / float64(int64(1)<<c.remShift()))
	digit := func(r, d value) []value { return []value{c.remDigit(r, d), c.op(loop.MaxX, c.mul(d, down), divisor)} }
	if c.remSteps() > mostUnrolled {
		init := []loop.Reduction{{Init: r}, {Init: d}}
		return c.b.For(loop.Spec{Extent: c.remSteps()}, init, func(_ int, at []value) []value {
			return digit(at[0], at[1])
		})[0]
	}
	one := c.remDigit(r, divisor)
	at := []value{r, d}
	for range c.remSteps() {
		at = digit(at[0], at[1])
	}
	return c.b.OpImm(loop.Select, c.kind, loop.Seldom, c.b.Cmp(loop.LE, k, c.num(0)), one, at[0])
}
