package elem

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/vmath"
)

// This file holds the exponential, logarithm and powers of complex numbers, on parts of F64.

// isZero is the mask of x == 0.
func (c calc) isZero(x loop.Value) loop.Value { return c.Cmp(loop.EQ, x, c.num(0)) }

// polar is r (cos angle + i sin angle).
func (c calc) polar(r, angle loop.Value) pair {
	return pair{c.mul(r, c.call(vmath.Cos, angle)), c.mul(r, c.call(vmath.Sin, angle))}
}

// phase is the angle of x.
func (c calc) phase(x pair) loop.Value { return c.call2(vmath.Atan2, x.im, x.re) }

// complexExp: exp of a real number is real, that of -inf + yi is 0.
func complexExp(c calc, x ...pair) pair {
	v, zero := x[0], c.num(0)
	e := c.call(vmath.Exp, v.re)
	r := c.polar(e, v.im)
	r = c.pickPair(c.Cmp(loop.EQ, v.re, c.num(math.Inf(-1))), pair{zero, zero}, r)
	return c.pickPair(c.isZero(v.im), pair{e, v.im}, r)
}

// complexExpm1: exp(a+bi) - 1 = expm1(a) cos b - 2 sin²(b/2) + i exp(a) sin b, without cancellation.
func complexExpm1(c calc, x ...pair) pair {
	v := x[0]
	e := c.call(vmath.Expm1, v.re)
	half := c.call(vmath.Sin, c.mul(v.im, c.num(0.5)))
	r := pair{c.sub(c.mul(e, c.call(vmath.Cos, v.im)), c.mul(c.mul(c.num(2), half), half)),
		c.mul(c.call(vmath.Exp, v.re), c.call(vmath.Sin, v.im))}
	return c.pickPair(c.isZero(v.im), pair{e, v.im}, r)
}

// logAbs is log|a+bi|, accurate where the modulus is near 1.
func (c calc) logAbs(a, b loop.Value) loop.Value {
	a, b = c.abs(a), c.abs(b)
	most, least := c.op(loop.Max, a, b), c.op(loop.Min, a, b)
	one := c.num(1)
	near := c.both(c.Cmp(loop.GT, most, c.num(0.5)), c.Cmp(loop.LT, most, c.num(2)))
	over := c.add(c.mul(c.sub(most, one), c.add(most, one)), c.square(least))
	close := c.mul(c.num(0.5), c.call(vmath.Log1p, over))
	return c.pick(near, close, c.call(vmath.Log, c.hypot(a, b)))
}

// complexLog is the principal logarithm.
func complexLog(c calc, x ...pair) pair {
	return pair{c.logAbs(x[0].re, x[0].im), c.phase(x[0])}
}

// complexLog1p is log(1+x), accurate near 0.
func complexLog1p(c calc, x ...pair) pair {
	a, b, half := x[0].re, x[0].im, c.num(0.5)
	small := c.both(c.Cmp(loop.LT, c.abs(a), half), c.Cmp(loop.LT, c.abs(b), half))
	over := c.add(c.mul(a, c.add(c.num(2), a)), c.square(b))
	next := c.add(c.num(1), a)
	re := c.pick(small, c.mul(half, c.call(vmath.Log1p, over)), c.logAbs(next, b))
	return pair{re, c.phase(pair{next, b})}
}

// complexCbrt is the cube root of a third of the phase.
func complexCbrt(c calc, x ...pair) pair {
	return c.polar(c.call(vmath.Cbrt, c.hypot(x[0].re, x[0].im)), c.div(c.phase(x[0]), c.num(3)))
}

// complexRsqrt is 1/sqrt(x): of zero an infinity without a phase, of an infinity zero.
func complexRsqrt(c calc, x ...pair) pair {
	v, zero, infinity := x[0], c.num(0), c.num(math.Inf(1))
	size := c.hypot(v.re, v.im)
	r := c.polar(c.div(c.num(1), c.sqrt(size)), c.mul(c.phase(v), c.num(-0.5)))
	r = c.pickPair(c.Cmp(loop.EQ, size, infinity), pair{zero, zero}, r)
	return c.pickPair(c.isZero(size), pair{infinity, c.num(math.NaN())}, r)
}

// complexLogistic is 1/(1+exp(-x)).
func complexLogistic(c calc, x ...pair) pair {
	one := c.num(1)
	e := complexExp(c, pair{c.neg(x[0].re), c.neg(x[0].im)})
	return quotient(c, pair{one, c.num(0)}, pair{c.add(one, e.re), e.im})
}

// complexPow is exp(y log x), but for powers of 0, powers 0, and real powers of infinity.
func complexPow(c calc, x ...pair) pair {
	v, y, zero := x[0], x[1], c.num(0)
	size, angle := c.hypot(v.re, v.im), c.phase(v)
	scale := c.mul(c.call2(vmath.Pow, size, y.re), c.call(vmath.Exp, c.neg(c.mul(y.im, angle))))
	r := c.polar(scale, c.add(c.mul(y.im, c.call(vmath.Log, size)), c.mul(y.re, angle)))

	infinity := c.num(math.Inf(1))
	grows := c.Cmp(loop.GT, y.re, zero)
	real := c.both(c.isZero(v.im), c.isZero(y.im))
	infinite := c.both(c.Cmp(loop.EQ, v.re, infinity), real)
	r = c.pickPair(infinite, pair{c.pick(grows, infinity, zero), zero}, r)
	r = c.pickPair(c.both(c.isZero(size), grows), pair{zero, zero}, r)
	return c.pickPair(c.both(c.isZero(y.re), c.isZero(y.im)), pair{c.num(1), zero}, r)
}

// complexAtan2 is -i log((x + iy) / sqrt(x² + y²)).
func complexAtan2(c calc, x ...pair) pair {
	v, y := x[1], x[0]
	zero, one := c.num(0), c.num(1)
	turned := c.times(pair{zero, one}, y)
	square, square2 := c.times(v, v), c.times(y, y)
	root := complexSqrt(c, pair{c.add(square.re, square2.re), c.add(square.im, square2.im)})
	log := complexLog(c, quotient(c, pair{c.add(v.re, turned.re), c.add(v.im, turned.im)}, root))
	return c.times(pair{c.neg(zero), c.num(-1)}, log)
}
