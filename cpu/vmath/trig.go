package vmath

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// reduceTrig splits |x| = n*pi/2 + h + l, |h| <= pi/4 about; q has n+from modulo 4 in its low bits. h is NaN for
// infinities and NaN. Where |x| was split from another quadrant on, as if its sine and its cosine are asked for, that
// serves: n is the same, as no number that is small has a quotient halfway between two integers.
func (c calc) reduceTrig(x value, from int64) (h, l, q value) {
	if other := 1 - from; c.b.Has(loop.FMA, c.kind, c.abs(x), c.num(2/math.Pi), c.num(c.magic+float64(other))) {
		h, l, q = c.reduceFrom(x, other)
		return h, l, c.iop(loop.Add, q, c.int(from-other))
	}
	return c.reduceFrom(x, from)
}

// reduceFrom is reduceTrig itself.
func (c calc) reduceFrom(x value, from int64) (h, l, q value) {
	a, magic := c.abs(x), c.num(c.magic+float64(from))
	t := c.fma(a, c.num(2/math.Pi), magic)
	n := c.sub(t, magic)
	r := c.fnma(n, c.num(c.halfPi.high), a)
	step := c.num(-c.halfPi.low)
	h = c.add(r, c.mul(n, step)) // not in one: h-r is exact so
	l = c.fma(n, c.num(-c.trig.halfPiRest), c.fms(n, step, c.sub(h, r)))
	hugeH, hugeL, hugeQ := c.reduceHuge(a)
	if from != 0 {
		hugeQ = c.iop(loop.Add, hugeQ, c.int(from))
	}
	small := c.less(a, c.trig.small)
	pick := func(k loop.Kind, x, y value) value { return c.b.OpImm(loop.Select, k, loop.Seldom, small, x, y) }
	return pick(c.kind, h, hugeH), pick(c.kind, l, hugeL), pick(c.ints, c.bits(t), hugeQ)
}

// sinNear and cosNear are sin(h+l) and cos(h+l) for |h| <= pi/4, s = h*h, and w = 1-s/2, near the cosine.
func (c calc) sinNear(h, l, s, w value) value {
	return c.add(h, c.fma(c.mul(h, s), c.poly(s, c.trig.sin), c.mul(l, w)))
}

func (c calc) cosNear(h, l, s, w value) value {
	wl := c.fnma(s, c.num(0.5), c.sub(c.num(1), w))
	return c.add(w, c.fma(c.mul(s, s), c.poly(s, c.trig.cos), c.fnma(h, l, wl)))
}

// quadrant is sin(|x|) or, from one quadrant on, cos(x), but for the sign, which is the upper bit of s.
func (c calc) quadrant(x value, from int64) (y, s value) {
	h, l, q := c.reduceTrig(x, from)
	odd := c.b.Cmp(loop.NE, c.iop(loop.And, q, c.int(1)), c.int(0))
	sign := c.float(c.shl(q, c.kind.Bits()-2))
	s2 := c.mul(h, h)
	if c.kind == loop.F32 {
		return c.either32(h, l, s2, q, odd), sign
	}
	w := c.fnma(s2, c.num(0.5), c.num(1))
	return c.pick(odd, c.cosNear(h, l, s2, w), c.sinNear(h, l, s2, w)), sign
}

// either32 is sin(h+l) or, where q is odd, cos(h+l), s = h*h: u + u*s*p(s) with u = h or 1, and p by the coefficients
// of one of the two.
func (c calc) either32(h, l, s, q, odd value) value {
	coefs := c.find(q, eitherF32...)
	u := c.pick(odd, c.num(1), h)
	less := c.mul(l, c.pick(odd, h, c.num(-1)))
	return c.add(u, c.fms(c.mul(u, s), c.polynomial(s, coefs), less))
}

func sin(c calc, x value) value {
	y, s := c.quadrant(x, 0)
	return c.flip(y, c.sign(c.flip(x, s)))
}

func cos(c calc, x value) value {
	y, s := c.quadrant(x, 1)
	return c.flip(y, c.sign(s))
}

// tan is a polynomial y, or -1/y in odd quadrants, which is corrected by the sum that y rounds.
func tan(c calc, x value) value {
	h, l, q := c.reduceTrig(x, 0)
	s := c.mul(h, h)
	p := c.fma(c.mul(h, s), c.poly(s, c.trig.tan), c.fma(l, s, l))
	y := c.add(h, p)
	z := c.div(c.num(-1), y)
	inverse := c.fma(z, c.fma(z, p, c.fma(z, h, c.num(1))), z)
	odd := c.b.Cmp(loop.NE, c.iop(loop.And, q, c.int(1)), c.int(0))
	return c.flip(c.pick(odd, inverse, y), c.sign(x))
}
