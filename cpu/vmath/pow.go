package vmath

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// log2Of is log2(x) for x >= 0 as h+l, to about a third more bits than a number has: log(1+f) is 2s + 2/3*s^3
// and a polynomial, s = f/(2+f), all but the polynomial in two parts.
func (c calc) log2Of(x value) (h, l value) {
	f, k := c.splitNumber(x)
	d := c.add(f, c.num(2))
	dl := c.sub(f, c.sub(d, c.num(2)))
	inverse := c.div(c.num(1), d)
	s := c.mul(f, inverse)
	sl := c.mul(c.fnma(s, dl, c.fnma(s, d, f)), inverse)
	z, zl := c.mulPair(s, sl, s, sl)
	cube, cubeLow := c.mulPair(z, zl, s, sl)
	p, pl := c.mulPair(cube, cubeLow, c.num(c.log.twoThirds.high), c.num(c.log.twoThirds.low))
	q := c.mul(c.mul(cube, z), c.poly(z, c.log.pow))
	twice := c.add(s, s)
	sum := c.add(twice, p)
	low := c.add(c.rest(sum, twice, p), c.add(c.fma(sl, c.num(2), pl), q))
	g, gl := c.mulPair(sum, low, c.num(c.log2e.high), c.num(c.log2e.low))
	y := c.add(k, g)
	yl := c.add(c.rest(y, k, g), gl)
	h = c.add(y, yl)
	l = c.rest(h, y, yl)
	h = c.pick(c.b.Cmp(loop.LT, x, c.inf()), h, x)
	return c.pick(c.equal(x, 0), c.num(math.Inf(-1)), h), l
}

// mulPair is (x+xl)*(y+yl) without the product of the low parts.
func (c calc) mulPair(x, xl, y, yl value) (h, l value) {
	h = c.mul(x, y)
	return h, c.fma(xl, y, c.fma(x, yl, c.fms(x, y, h)))
}

// pow is 2^(y*log2|x|) and the special values of IEEE 754.
func pow(c calc, x, y value) value {
	h, l := c.log2Of(c.abs(x))
	v := c.mul(y, h)
	vl := c.fma(y, l, c.fms(y, h, v))
	vl = c.pick(c.less(c.abs(v), c.log.limit), vl, c.num(0))
	v = c.atMost(c.log.limit, c.atLeast(-c.log.limit, v))
	n := c.sub(c.add(v, c.num(c.magic)), c.num(c.magic))
	fraction := c.sub(v, n)
	r := c.add(fraction, vl)
	p := c.fma(c.poly(r, c.exp.exp2), r, c.num(1))
	p = c.fma(p, c.times(c.rest(r, fraction, vl), c.ln2.high), p)
	return c.powSpecials(c.op(loop.Scale, p, n), x, y)
}

// powSpecials gives z, the power of |x|, its sign, and puts in NaN of negative x and the cases that are 1.
func (c calc) powSpecials(z, x, y value) value {
	isInt := func(v value) value {
		return c.b.Cmp(loop.EQ, c.b.OpImm(loop.Round, c.kind, loop.ToZero, v), v)
	}
	whole, even := isInt(y), isInt(c.times(y, 0.5))
	odd := c.b.Op(loop.AndNot, loop.Mask, even, whole)
	z = c.pick(odd, c.flip(z, c.sign(x)), z)
	negative := c.both(c.less(x, 0), c.greater(x, math.Inf(-1)))
	z = c.pick(c.b.Op(loop.AndNot, loop.Mask, whole, negative), c.nan(), z)
	infinite := c.equal(c.abs(y), math.Inf(1))
	one := c.either(c.equal(x, 1), c.equal(y, 0))
	return c.pick(c.either(one, c.both(c.equal(x, -1), infinite)), c.num(1), z)
}
