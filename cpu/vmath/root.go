package vmath

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// rsqrt is 1/sqrt(x), corrected by its remainder where that is a number.
func rsqrt(c calc, x value) value {
	if c.b.Wide {
		return c.rsqrtWide(x)
	}
	y := c.div(c.num(1), c.sqrt(x))
	q := c.mul(x, y)
	ql := c.fms(x, y, q)
	h := c.fnma(ql, y, c.fnma(q, y, c.num(1)))
	z := c.fma(c.times(y, 0.5), h, y)
	return c.pick(c.b.Cmp(loop.Unordered, z, z), y, z)
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
