package vmath

import "github.com/goxla/xla/cpu/loop"

// The wide form of asin in f64 turns the point (sqrt(1-x*x), x) of the circle back by the angle of its part, as atan
// does, which leaves the sine of a small angle: c*(x - t*sqrt(1-x*x)) with cosine c and tangent t. x*(2-sqrt(1-x*x))
// grows about as the angle does, and so numbers the parts; the first one is turned by nothing, so that small angles
// keep their digits. In the first part that is turned the angle that is left is up to nearly half of the result, so its
// roundings count and the error is largest there, 1.33 units of the last place at what was tried; in later ones it is
// below 1.

// arcParts are the tangents, cosines and angles of parts, and how many of them are a unit of x*(2-sqrt(1-x*x)).
type arcParts struct {
	unit                  float64
	tangent, cosine, base []float64
}

// find looks up the part of a sine and a cosine.
func (p *arcParts) find(c calc, sine, cosine value) (tangent, cos, base value) {
	n := c.fma(sine, c.fnma(cosine, c.num(p.unit), c.num(2*p.unit)), c.num(c.magic))
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
