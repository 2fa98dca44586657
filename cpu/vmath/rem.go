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
// most half of d, with any sign.
func rem(c calc, x, y value) value {
	r, divisor := c.abs(x), c.abs(y)
	_, kr := c.splitNumber(r)
	_, kd := c.splitNumber(divisor)
	k := c.sub(c.sub(kr, kd), c.num(float64(c.remShift()-1)))
	d := c.op(loop.Scale, divisor, c.op(loop.MaxX, k, c.num(0)))
	down := c.num(1 / float64(int64(1)<<c.remShift()))
	init := []loop.Reduction{{Init: r}, {Init: d}}
	out := c.b.For(loop.Spec{Extent: c.remSteps()}, init, func(_ int, at []value) []value {
		r, d := at[0], at[1]
		q := c.b.OpImm(loop.Round, c.kind, loop.ToNearestEven, c.div(r, d))
		return []value{c.fnma(q, d, r), c.op(loop.MaxX, c.mul(d, down), divisor)}
	})
	z := out[0]
	z = c.pick(c.less(z, 0), c.add(z, divisor), z)
	z = c.pick(c.b.Cmp(loop.EQ, divisor, c.inf()), r, z)
	z = c.withSign(c.abs(z), x)
	valid := c.both(c.b.Cmp(loop.LT, r, c.inf()), c.greater(divisor, 0))
	return c.pick(valid, z, c.nan())
}
