package elem

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/vmath"
)

// This file holds the trigonometric and hyperbolic functions of complex numbers, on parts of F64.
// The former are the latter turned by a right angle, and C's Annex G says what they are at infinity.

// turn is ix, turnBack -ix.
func (c calc) turn(x pair) pair     { return pair{c.neg(x.im), x.re} }
func (c calc) turnBack(x pair) pair { return pair{x.im, c.neg(x.re)} }

// sinhCosh are those of a real number.
func (c calc) sinhCosh(x loop.Value) (sinh, cosh loop.Value) {
	half := c.num(0.5)
	e := c.call(vmath.Exp, x)
	up, down := c.mul(half, e), c.div(half, e)
	small := c.Cmp(loop.LE, c.abs(x), half)
	return c.pick(small, c.call(vmath.Sinh, x), c.sub(up, down)), c.add(up, down)
}

// notReal is the mask of infinities and NaN.
func (c calc) notReal(x loop.Value) loop.Value { return c.not(c.isFinite(x)) }

func complexSinh(c calc, x ...pair) pair {
	v, nan := x[0], c.num(math.NaN())
	sinh, cosh := c.sinhCosh(v.re)
	r := pair{c.mul(c.call(vmath.Cos, v.im), sinh), c.mul(c.call(vmath.Sin, v.im), cosh)}
	// On the axes no product of zero and infinity or NaN may be seen.
	onAxis := c.either(c.isInf(v.re), c.isZero(v.re))
	r = c.pickPair(c.both(onAxis, c.notReal(v.im)), pair{v.re, nan}, r)
	return c.pickPair(c.both(c.notReal(v.re), c.isZero(v.im)), v, r)
}

func complexCosh(c calc, x ...pair) pair {
	v, nan, infinity := x[0], c.num(math.NaN()), c.num(math.Inf(1))
	sinh, cosh := c.sinhCosh(v.re)
	r := pair{c.mul(c.call(vmath.Cos, v.im), cosh), c.mul(c.call(vmath.Sin, v.im), sinh)}
	blurred, infinite := c.notReal(v.im), c.isInf(v.re)
	r = c.pickPair(c.both(c.isZero(v.re), blurred), pair{nan, c.mul(v.re, c.signOf(v.im))}, r)
	r = c.pickPair(c.both(infinite, blurred), pair{infinity, nan}, r)
	onAxis := c.isZero(v.im)
	r = c.pickPair(c.both(infinite, onAxis), pair{infinity, c.mul(v.im, c.signOf(v.re))}, r)
	return c.pickPair(c.both(c.isNaN(v.re), onAxis), v, r)
}

// complexSin is -i sinh(ix).
func complexSin(c calc, x ...pair) pair { return c.turnBack(complexSinh(c, c.turn(x[0]))) }

// complexCos is cosh(ix).
func complexCos(c calc, x ...pair) pair { return complexCosh(c, c.turn(x[0])) }

// saturated is from where on tanh of a real number is 1.
const saturated = 22

// complexTanh follows Kahan: with t = tan y, b = 1+t² and s = sinh x, tanh(x+yi) is
// (b s sqrt(1+s²) + it) / (1 + b s²), where nothing cancels.
func complexTanh(c calc, x ...pair) pair {
	v, one := x[0], c.num(1)
	t, s := c.call(vmath.Tan, v.im), c.call(vmath.Sinh, v.re)
	b := c.add(one, c.square(t))
	bs := c.mul(b, s)
	below := c.add(one, c.mul(bs, s))
	r := pair{c.div(c.mul(bs, c.sqrt(c.add(one, c.square(s)))), below), c.div(t, below)}

	size, unit := c.abs(v.re), c.copySign(one, v.re)
	decay := c.mul(c.num(4), c.call(vmath.Exp, c.mul(c.num(-2), size)))
	wave := c.mul(c.call(vmath.Sin, v.im), c.call(vmath.Cos, v.im))
	far := pair{unit, c.mul(wave, decay)}
	infinite, blurred := c.isInf(v.re), c.isInf(v.im)
	far.im = c.pick(c.both(infinite, blurred), c.signOf(v.im), far.im)
	far.re = c.pick(c.both(blurred, c.not(infinite)), c.num(math.NaN()), far.re)
	r = c.pickPair(c.Cmp(loop.GT, size, c.num(saturated)), far, r)
	return pair{r.re, c.pick(c.isZero(v.im), v.im, r.im)}
}

// complexTan is -i tanh(ix), but for an infinity or NaN as the real part.
func complexTan(c calc, x ...pair) pair {
	v, nan := x[0], c.num(math.NaN())
	r := c.turnBack(complexTanh(c, c.turn(v)))
	blurred := c.notReal(v.re)
	r = c.pickPair(c.both(blurred, c.isFinite(v.im)), pair{nan, nan}, r)
	return pair{c.pick(c.both(blurred, c.isInf(v.im)), c.signOf(v.re), r.re), r.im}
}
