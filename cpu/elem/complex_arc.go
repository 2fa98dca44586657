package elem

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/vmath"
)

// This file holds the inverse sines and cosines of complex numbers by the method of Hull,
// Fairgrieve and Tang, as the evaluator has it, and the inverse hyperbolic tangent; on parts of F64.

// Limits of the method, for the larger and the smaller part of the argument.
const (
	arcHuge      = 0x1p508 // its square does not overflow
	arcTiny      = 0x1p-509
	arcCrossover = 0.6417 // of b: below, asin and acos are well conditioned
)

// arc is the angle |Re asin z|, as a point that is seen under it, and |Im asin z|, which is
// also |Im acos z|.
type arc struct{ y, x, im loop.Value }

// arcOf is the arc of x+yi for x, y >= 0.
func (c calc) arcOf(x, y loop.Value) arc {
	one, half := c.num(1), c.num(0.5)
	most, least := c.op(loop.Max, x, y), c.op(loop.Min, x, y)
	huge := c.Cmp(loop.GT, most, c.num(arcHuge))
	tiny := c.both(c.Cmp(loop.LT, y, c.num(arcTiny)), c.Cmp(loop.LT, x, one))

	r, s := c.hypot(c.add(x, one), y), c.hypot(c.sub(x, one), y)
	a := c.mul(half, c.add(r, s))
	out := arc{im: c.arcImag(x, y, r, s, a, huge, c.div(least, most))}
	chord := c.sqrt(c.mul(c.sub(one, x), c.add(one, x)))
	out.im = c.pick(tiny, c.div(y, chord), out.im)

	b := c.div(x, a)
	well := c.Cmp(loop.LE, b, c.num(arcCrossover))
	out.y = c.pick(well, b, x)
	out.x = c.pick(well, c.sqrt(c.mul(c.sub(one, b), c.add(one, b))), c.arcRoot(x, y, r, s, a))
	out.y = c.pick(c.either(tiny, huge), x, out.y)
	out.x = c.pick(huge, y, c.pick(tiny, chord, out.x))
	return out
}

// arcRoot is sqrt(a*a - x*x).
func (c calc) arcRoot(x, y, r, s, a loop.Value) loop.Value {
	one, half := c.num(1), c.num(0.5)
	sum, right := c.add(a, x), c.add(c.add(r, x), one)
	inner := c.add(c.div(c.square(y), right), c.add(s, c.sub(one, x)))
	outer := c.add(c.div(sum, right), c.div(sum, c.add(s, c.sub(x, one))))
	inside := c.sqrt(c.mul(c.mul(half, sum), inner))
	outside := c.mul(y, c.sqrt(c.mul(half, outer)))
	return c.pick(c.Cmp(loop.LE, x, one), inside, outside)
}

// arcImag is log(a + sqrt(a*a - 1)), of which one or the other logarithm is accurate; for huge arguments,
// whose parts have the given ratio, it is log(2 sqrt(x² + y²)).
func (c calc) arcImag(x, y, r, s, a, huge, ratio loop.Value) loop.Value {
	one, half := c.num(1), c.num(0.5)
	first := c.div(c.square(y), c.add(r, c.add(x, one)))
	inside := c.div(c.square(y), c.add(s, c.sub(one, x)))
	second := c.pick(c.Cmp(loop.LT, x, one), inside, c.add(s, c.sub(x, one)))
	over := c.mul(half, c.add(first, second)) // a - 1
	near := c.add(over, c.sqrt(c.mul(over, c.add(a, one))))
	far := c.add(a, c.sqrt(c.sub(c.square(a), one)))

	log := c.call(vmath.Log, c.pick(huge, c.op(loop.Max, x, y), far))
	log1p := c.call(vmath.Log1p, c.pick(huge, c.square(ratio), near))
	whole := c.add(c.add(c.num(math.Ln2), log), c.mul(half, log1p))
	return c.pick(huge, whole, c.pick(c.Cmp(loop.GT, a, c.num(1.5)), log, log1p))
}

// asin is the inverse sine and its angle's complement, which is that of the inverse cosine.
func (c calc) asin(v pair) (asin pair, acos loop.Value) {
	p := c.arcOf(c.abs(v.re), c.abs(v.im))
	asin = pair{c.copySign(c.call2(vmath.Atan2, p.y, p.x), v.re), c.copySign(p.im, v.im)}
	acos = c.call2(vmath.Atan2, p.x, p.y)
	acos = c.pick(c.isNegative(v.re), c.sub(c.num(math.Pi), acos), acos)

	whole := c.both(c.isFinite(v.re), c.isFinite(v.im))
	special := c.asinSpecial(v)
	return c.pickPair(whole, asin, special), c.pick(whole, acos, c.sub(c.num(math.Pi/2), special.re))
}

// isNegative is the mask of the sign bit.
func (c calc) isNegative(x loop.Value) loop.Value {
	n := bitsOf(c.Builder, c.k)
	return c.Cmp(loop.LT, n.cast(x), n.num(0))
}

// asinSpecial is the inverse sine where a part is an infinity or NaN.
func (c calc) asinSpecial(v pair) pair {
	nan, infinity := c.num(math.NaN()), c.num(math.Inf(1))
	infRe, infIm := c.isInf(v.re), c.isInf(v.im)
	angle := c.copySign(c.pick(infIm, c.num(math.Pi/4), c.num(math.Pi/2)), v.re)
	r := c.pickPair(infRe, pair{angle, c.copySign(infinity, v.im)}, pair{nan, nan})
	zero := pair{c.pick(c.isNaN(v.re), v.re, c.signOf(v.re)), v.im}
	r = c.pickPair(c.both(infIm, c.not(infRe)), zero, r)
	blurred := c.isNaN(v.im)
	r = c.pickPair(c.both(blurred, infRe), pair{nan, v.re}, r)
	return c.pickPair(c.both(blurred, c.isZero(v.re)), pair{v.re, nan}, r)
}

func complexAsin(c calc, x ...pair) pair {
	r, _ := c.asin(x[0])
	return r
}

func complexAcos(c calc, x ...pair) pair {
	asin, re := c.asin(x[0])
	return pair{re, c.neg(asin.im)}
}

// complexAsinh is i asin(-ix); of NaN and an infinity in quadrature the sign is the infinity's.
func complexAsinh(c calc, x ...pair) pair {
	v := x[0]
	r, _ := c.asin(c.turnBack(v))
	r = c.turn(r)
	return c.pickPair(c.both(c.isNaN(v.re), c.isInf(v.im)), pair{v.im, v.re}, r)
}

// complexAcosh is acos turned into the right half-plane.
func complexAcosh(c calc, x ...pair) pair {
	w := complexAcos(c, x...)
	im := c.copySign(c.abs(w.re), x[0].im)
	return pair{c.abs(w.im), c.pick(c.isNaN(w.im), c.neg(w.re), im)}
}

// complexAtanh is the inverse hyperbolic tangent, as the evaluator has it.
func complexAtanh(c calc, in ...pair) pair {
	v := in[0]
	x, y, zero, right := c.abs(v.re), c.abs(v.im), c.num(0), c.num(math.Pi/2)
	re, im := c.atanhParts(x, y)

	huge := c.Cmp(loop.GT, c.add(x, y), c.num(arcHuge))
	most := c.op(loop.Max, x, y)
	a, b := c.div(x, most), c.div(y, most)
	re = c.pick(huge, c.div(c.div(a, c.add(c.square(a), c.square(b))), most), re)
	infinite := c.either(c.isInf(x), c.isInf(y))
	re = c.pick(c.either(infinite, c.isZero(x)), zero, re)
	im = c.pick(c.either(huge, infinite), right, im)
	im = c.pick(c.isNaN(y), y, im)
	return pair{c.copySign(re, v.re), c.copySign(im, v.im)}
}

// atanhParts are the parts of the inverse hyperbolic tangent of x+yi for x, y >= 0, neither of them huge.
func (c calc) atanhParts(x, y loop.Value) (re, im loop.Value) {
	one, quarter, half := c.num(1), c.num(0.25), c.num(0.5)
	left := c.sub(one, x)
	ratio := c.div(c.mul(c.num(4), x), c.add(c.square(left), c.square(y)))
	// Beside 1, where y*y would lose its digits, the logarithm is that of 2/y, which must not overflow.
	beside := c.both(c.Cmp(loop.EQ, x, one), c.Cmp(loop.LT, y, c.num(arcTiny)))
	ratio = c.pick(beside, c.div(c.num(0x1p-59), y), ratio)
	re = c.mul(c.pick(beside, half, quarter), c.call(vmath.Log1p, ratio))
	re = c.pick(beside, c.add(re, c.num(30*math.Ln2)), re)
	im = c.mul(half, c.call2(vmath.Atan2, c.add(y, y), c.sub(c.mul(left, c.add(one, x)), c.square(y))))
	return re, im
}
