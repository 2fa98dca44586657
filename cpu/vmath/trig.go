package vmath

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// reduceTrig splits |x| = n*pi/2 + h + l, |h| <= pi/4 about; q has n modulo 4 in its low bits. h is NaN for
// infinities and NaN.
func (c calc) reduceTrig(x value) (h, l, q value) {
	a := c.abs(x)
	t, n := c.integral(a, 2/math.Pi)
	r := c.fnma(n, c.num(c.halfPi.high), a)
	step := c.num(-c.halfPi.low)
	p := c.mul(n, step)
	pl := c.fms(n, step, p)
	h = c.add(r, p)
	l = c.sub(p, c.sub(h, r))
	l = c.add(l, c.fma(n, c.num(-c.trig.halfPiRest), pl))
	hugeH, hugeL, hugeQ := c.reduceHuge(a)
	small := c.less(a, c.trig.small)
	pick := func(k loop.Kind, x, y value) value { return c.b.OpImm(loop.Select, k, loop.Seldom, small, x, y) }
	return pick(c.kind, h, hugeH), pick(c.kind, l, hugeL), pick(c.ints, c.bits(t), hugeQ)
}

// sinNear and cosNear are sin(h+l) and cos(h+l) for |h| <= pi/4, s = h*h.
func (c calc) sinNear(h, l, s value) value {
	if c.kind == loop.F64 {
		l = c.fnma(c.times(s, 0.5), l, l)
	}
	return c.add(h, c.fma(c.mul(h, s), c.poly(s, c.trig.sin), l))
}

func (c calc) cosNear(h, l, s value) value {
	half := c.times(s, 0.5)
	w := c.sub(c.num(1), half)
	wl := c.sub(c.sub(c.num(1), w), half)
	return c.add(w, c.fma(c.mul(s, s), c.poly(s, c.trig.cos), c.fnma(h, l, wl)))
}

// quadrant is sin(|x|) or, from one quadrant on, cos(x).
func (c calc) quadrant(x value, from int64) value {
	h, l, q := c.reduceTrig(x)
	if from != 0 {
		q = c.iop(loop.Add, q, c.int(from))
	}
	s := c.mul(h, h)
	odd := c.b.Cmp(loop.NE, c.iop(loop.And, q, c.int(1)), c.int(0))
	y := c.pick(odd, c.cosNear(h, l, s), c.sinNear(h, l, s))
	return c.flip(y, c.float(c.shl(c.shr(q, 1), c.kind.Bits()-1)))
}

func sin(c calc, x value) value {
	y := c.flip(c.quadrant(x, 0), c.sign(x))
	return c.pick(c.less(c.abs(x), c.trig.tiny), x, y)
}

func cos(c calc, x value) value { return c.quadrant(x, 1) }

// tan is a polynomial y, or -1/y in odd quadrants, which is corrected by what y lacks.
func tan(c calc, x value) value {
	h, l, q := c.reduceTrig(x)
	s := c.mul(h, h)
	p := c.fma(c.mul(h, s), c.poly(s, c.trig.tan), c.fma(l, s, l))
	y := c.add(h, p)
	yl := c.rest(y, h, p)
	z := c.div(c.num(-1), y)
	inverse := c.fma(z, c.fma(z, yl, c.fma(z, y, c.num(1))), z)
	odd := c.b.Cmp(loop.NE, c.iop(loop.And, q, c.int(1)), c.int(0))
	y = c.flip(c.pick(odd, inverse, y), c.sign(x))
	return c.pick(c.less(c.abs(x), c.trig.tiny), x, y)
}
