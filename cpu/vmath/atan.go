package vmath

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// atanRest is atan(t)-t for |t| <= 1.
func (c calc) atanRest(t value) value {
	s := c.mul(t, t)
	return c.mul(c.mul(t, s), c.poly(s, c.inverse.atan))
}

// angle is base + t + r, where base is the high part of a multiple of pi/2, whose low part is added.
func (c calc) angle(base, t, r value) value {
	u := c.add(base, t)
	r = c.fma(base, c.num(c.halfPi.low/c.halfPi.high), r)
	return c.add(u, c.add(c.rest(u, base, t), r))
}

// atan of a > 1 is pi/2 + atan(-1/a).
func atan(c calc, x value) value {
	if c.wide() {
		return c.atanWide(x)
	}
	if c.b.Wide {
		return c.atanWide64(x)
	}
	a := c.abs(x)
	large := c.greater(a, 1)
	t := c.pick(large, c.div(c.num(-1), a), a)
	y := c.angle(c.where(large, c.halfPi.high), t, c.atanRest(t))
	return c.withSign(y, x)
}

// atan2 is made of t = min/max of the magnitudes: t, pi/2-t, pi/2+t or pi-t, with the sign of y. Where t is no number
// they are both zero, or both infinite, or one of them is no number.
func atan2(c calc, y, x value) value {
	ay, ax := c.abs(y), c.abs(x)
	least, most := c.op(loop.MinX, ay, ax), c.op(loop.MaxX, ax, ay) // one is NaN if x or y is
	t := c.div(least, most)
	steep := c.b.Cmp(loop.GT, ay, ax)
	if c.b.Wide {
		other := c.atan2Of(c.specialRatio(t, least, most), y, x, steep)
		other = c.pick(c.b.Cmp(loop.Unordered, x, y), c.nan(), other)
		number := c.b.Cmp(loop.EQ, t, t)
		return c.b.OpImm(loop.Select, c.kind, loop.Seldom, number, c.atan2Of(t, y, x, steep), other)
	}
	a := c.atan2Of(c.specialRatio(t, least, most), y, x, steep)
	return c.pick(c.b.Cmp(loop.Unordered, x, y), c.nan(), a)
}

// specialRatio is 0 for zeros, 1 for infinities, and else t.
func (c calc) specialRatio(t, least, most value) value {
	t = c.pick(c.equal(most, 0), most, t)
	return c.pick(c.equal(least, math.Inf(1)), c.num(1), t)
}

// atan2Of is the angle of (x, y), of which the smaller magnitude is t times the larger, that of y if it is steep.
func (c calc) atan2Of(t, y, x, steep value) value {
	left := c.isNegative(x)
	turned := c.op(loop.Select, c.b.Op(loop.Xor, loop.Mask, steep, left), c.num(math.Copysign(0, -1)), c.num(0))
	r := c.flip(c.atanRest(t), turned)
	t = c.flip(t, turned)
	base := c.pick(steep, c.num(c.halfPi.high), c.where(left, 2*c.halfPi.high))
	return c.withSign(c.abs(c.angle(base, t, r)), y)
}

// asinParts: asin(a) is asin(t), or pi/2 - 2*asin(t) for a > 1/2, where t = sqrt((1-a)/2); s = t*t. Both are the lesser
// ones of the two choices, which are equal at 1/2.
func (c calc) asinParts(a value) (t, s value) {
	part := c.fnma(a, c.num(0.5), c.num(0.5))
	return c.op(loop.MinX, a, c.sqrt(part)), c.op(loop.MinX, c.mul(a, a), part)
}

func asin(c calc, x value) value {
	if c.wide() {
		return c.asinWide(x)
	}
	if c.wide64() {
		return c.asinWide64(x)
	}
	a := c.abs(x)
	large := c.greater(a, 0.5)
	t, s := c.asinParts(a)
	ts := c.mul(t, s)
	q := c.poly(s, c.inverse.asin)
	near := c.fma(ts, q, t)
	half, two := c.num(c.halfPi.high), c.num(2)
	u := c.fnma(t, two, half)
	ul := c.fnma(t, two, c.sub(half, u))
	far := c.add(u, c.add(c.fnma(c.mul(ts, q), two, c.num(c.halfPi.low)), ul))
	return c.withSign(c.pick(large, far, near), x)
}

// acos is pi/2 - p or, where |x| > 1/2, 0 or pi and 2*p, with p = asin(t) of the sign of x.
func acos(c calc, x value) value {
	if c.wide() {
		return c.acosWide(x)
	}
	if c.wide64() {
		return c.acosWide64(x)
	}
	a := c.abs(x)
	t, s := c.asinParts(a)
	negative := c.sign(x)
	p := c.flip(c.fma(c.mul(t, s), c.poly(s, c.inverse.asin), t), negative)
	large := c.greater(a, 0.5)
	half := c.num(c.halfPi.high)
	base := c.sub(half, c.pick(large, c.flip(half, negative), c.num(0)))
	times := c.sub(c.where(large, 3), c.num(1))
	return c.add(base, c.fma(times, p, c.times(base, c.halfPi.low/c.halfPi.high)))
}
