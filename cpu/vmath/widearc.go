package vmath

import "github.com/goxla/xla/cpu/loop"

// The wide form of asin in f64 turns the point (sqrt(1-x*x), x) of the circle back by the angle of its part, as atan
// does, which leaves the sine of a small angle: c*(x - t*sqrt(1-x*x)) with cosine c and tangent t. x*(2-sqrt(1-x*x))
// grows about as the angle does, and so numbers the parts; the first one is turned by nothing, so that small angles
// keep their digits. In the first part that is turned the angle that is left is up to nearly half of the result, so its
// roundings count and the error is largest there, 1.33 units of the last place at what was tried; in later ones it is
// below 1.

// arcParts are the tangents, cosines and angles of parts, of which x*(unit - bend*sqrt(1-x*x)) is the number.
type arcParts struct {
	unit, bend            float64
	tangent, cosine, base []float64
}

// find looks up the part of x and a near root.
func (p *arcParts) find(c calc, x, root value) (tangent, cosine, base value) {
	n := c.fma(x, c.fnma(root, c.num(p.bend), c.num(p.unit)), c.num(c.magic))
	t := c.find(c.bits(n), p.tangent, p.cosine, p.base)
	return t[0], t[1], t[2]
}

// asinWide64 rounds the root twice, into q and lack, and the small angle once, as it is all of the smallest results.
// Beyond 1 the root is no number.
func (c calc) asinWide64(x value) value {
	const none = 0x1p-60 // for w = 0: else nothing has a digit there
	a := c.abs(x)
	w := c.fnma(a, a, c.num(1))
	y := c.op(loop.RsqrtNear, c.add(w, c.num(none)))
	near := c.mul(w, y)
	tangent, cosine, base := asinPartsF64.find(c, a, near)
	q, half := c.nearer(near, c.times(y, 0.5))
	lack := c.mul(c.fnma(q, q, w), half)
	d := c.fnma(lack, tangent, c.fnma(q, tangent, a))
	small := c.mul(cosine, d)
	s := c.mul(small, small)
	rest := c.mul(c.mul(small, s), c.horner(s, asinPartF64))
	return c.withSign(c.add(base, c.fma(cosine, d, rest)), x)
}

// asinWide is a + a*s*p(s) with s = a*a for a = |x| up to 1/2, else pi/2 less r + r*s*p(s), with s = (1-a)/2 and
// r = 2*sqrt(s), of which near has 14 bits. Lack is twice what near is too small by, less the low part of pi/2. Errors
// are largest just above 1/2; of all numbers they are least with that bias.
func (c calc) asinWide(x value) value {
	const bias = 0x1p-28
	a, two := c.abs(x), c.num(2)
	large := c.greater(a, 0.5)
	t := c.fnma(a, two, two)
	s := c.pick(large, c.times(t, 0.25), c.mul(a, a))
	y := c.op(loop.RsqrtNear, c.add(t, c.num(belowSquare)))
	near := c.pick(large, c.mul(t, y), a)
	lack := c.pick(large, c.fms(c.fnma(near, near, t), y, c.num(2*c.halfPi.low+bias)), c.num(0))
	rest := c.mul(c.fma(near, two, lack), s)
	z := c.fma(c.fma(rest, c.horner(s, c.inverse.asin), lack), c.num(0.5), near)
	return c.withSign(c.pick(large, c.sub(c.num(c.halfPi.high), z), z), x)
}
