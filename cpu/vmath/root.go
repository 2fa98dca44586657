package vmath

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// rsqrt is 1/sqrt(x). In machine code it is products alone for numbers whose magnitude is normal, as square roots and
// divisions take long; but those of f32 are done in the time of other work, if there is some.
func rsqrt(c calc, x value) value {
	switch {
	case c.b.Wide:
		return c.rsqrtWide(x)
	case !c.b.Code || c.kind == loop.F32 && !c.b.Alone:
		return c.rsqrtAny(x)
	}
	a := c.abs(x)
	y := c.pick(c.less(x, 0), c.nan(), c.rsqrtNormal(a))
	return c.b.OpImm(loop.Select, c.kind, loop.Seldom, c.isNormal(a), y, c.rsqrtAny(x))
}

// isNormal is whether a is a normal number above 0. The bits of those of f32 are next to each other; turned, they are
// the least of all.
func (c calc) isNormal(a value) value {
	if c.kind == loop.F64 {
		return c.both(c.b.Cmp(loop.GE, a, c.num(c.minNormal)), c.b.Cmp(loop.LT, a, c.inf()))
	}
	const least, beyond = 0x00800000, 0x7f800000
	turned := c.iop(loop.Add, c.bits(a), c.int(-1<<31-least))
	return c.b.Cmp(loop.LT, turned, c.int(beyond-least-1<<31))
}

// rsqrtAny is the reciprocal of a root, corrected by its remainder where that is a number.
func (c calc) rsqrtAny(x value) value {
	y := c.div(c.num(1), c.sqrt(x))
	z := c.fma(c.times(y, 0.5), c.rsqrtLack(x, y), y)
	return c.pick(c.b.Cmp(loop.Unordered, z, z), y, z)
}

// rsqrtNormal begins with half of the bits, subtracted from a constant: with y, 1/sqrt(x) within 3.5%, x*y*y is near 1
// and a polynomial of it makes up for what y lacks, then a series of its exact distance from 1 does.
func (c calc) rsqrtNormal(x value) value {
	seed, series := int64(0x5fe6eb50c0000000), []float64{1.0 / 2, 3.0 / 8, 5.0 / 16}
	if c.kind == loop.F32 {
		seed, series = 0x5f375a86, series[:1]
	}
	y := c.float(c.iop(loop.Sub, c.int(seed), c.shr(c.bits(x), 1)))
	y = c.mul(y, c.horner(c.mul(c.mul(x, y), y), rsqrtNear))
	h := c.rsqrtLack(x, y)
	return c.fma(c.mul(y, h), c.horner(h, series), y)
}

// rsqrtLack is 1 - x*y*y to more bits than the products have.
func (c calc) rsqrtLack(x, y value) value {
	q := c.mul(x, y)
	return c.fnma(c.fms(x, y, q), y, c.fnma(q, y, c.num(1)))
}

// cbrt is b*z*z with z = b^(-1/3) by Newton's way, corrected by its remainder; subnormal
// numbers are scaled up by a power of 8.
func cbrt(c calc, x value) value {
	a := c.abs(x)
	small := c.less(a, c.minNormal)
	up := 24 + 30*(c.kind.Bits()/64)
	b := c.pick(small, c.times(a, math.Ldexp(1, up)), a)
	z := c.cubic(b, c.cbrtSeed(b))
	third := c.num(1.0 / 3)
	if c.kind == loop.F64 {
		z = c.cubic(b, z)
	} else {
		z = c.fma(c.mul(z, c.cbrtError(b, z)), third, z)
	}
	z2 := c.mul(z, z)
	y := c.mul(b, z2)
	yy := c.mul(y, y)
	d := c.fnma(c.fms(y, y, yy), y, c.fnma(yy, y, b))
	y = c.fma(c.mul(d, z2), third, y)
	y = c.pick(small, c.times(y, math.Ldexp(1, -up/3)), y)
	ordinary := c.both(c.greater(a, 0), c.b.Cmp(loop.LT, a, c.inf()))
	return c.pick(ordinary, c.withSign(y, x), x)
}

// cbrtSeed is b^(-1/3) to a few bits: a third of the bits of b, subtracted from a constant.
func (c calc) cbrtSeed(b value) value {
	if c.kind == loop.F32 {
		third := c.times(c.b.Op(loop.SToF, c.kind, c.bits(b)), -1.0/3)
		n := c.b.Op(loop.FToS, c.ints, third)
		return c.float(c.iop(loop.Add, n, c.int(0x54a21d00)))
	}
	// The upper half of the bits is a number: it is put into a float 2^52.
	const large = 0x1p52
	half := c.float(c.iop(loop.Or, c.shr(c.bits(b), 32), c.int(c.bitsOf(large))))
	t, _ := c.integral(c.sub(half, c.num(large)), -1.0/3)
	return c.float(c.shl(c.iop(loop.Add, c.bits(t), c.int(0x553ee800)), 32))
}

// cbrtError is 1 - b*z^3.
func (c calc) cbrtError(b, z value) value {
	return c.fnma(c.mul(c.mul(b, z), z), z, c.num(1))
}

// cubic is a step from z toward b^(-1/3) that triples its bits.
func (c calc) cubic(b, z value) value {
	h := c.cbrtError(b, z)
	return c.fma(c.mul(z, h), c.horner(h, []float64{1.0 / 3, 2.0 / 9, 14.0 / 81}), z)
}
