package vmath

import "github.com/goxla/xla/cpu/loop"

// erfNear is erf(x) of f64 for |x| up to 1.
func (c calc) erfNear(x value) value {
	return c.fma(c.poly(c.mul(x, x), erfNearF64), x, x)
}

// erf is, in f32, a polynomial in each of some parts. In f64 it is 1 - exp(-g) with a polynomial g of |x|, and a
// polynomial up to 1.
func erf(c calc, x value) value {
	if c.wide() && !c.b.Split {
		return c.erfWide(x)
	}
	if c.kind == loop.F32 {
		return c.erfEighths(x)
	}
	const one = 5.95 // erf is 1 from there on
	a := c.abs(x)
	b := c.sub(c.atMost(one, a), c.num(1))
	far := c.withSign(c.sub(c.num(1), c.expNormal(c.neg(c.poly(b, erfFarF64)))), x)
	return c.pick(c.greater(a, 1), far, c.erfNear(x))
}

// erfc is 1-erf near 0 and R(|x|)*exp(-x^2) beyond, or 2 less that for x < 0. The square has two
// parts; R is a polynomial of u = (a-k)/(a+k), which is corrected by its remainder, times 1-u = 2k/(a+k).
func erfc(c calc, x value) value {
	if c.kind == loop.F32 {
		wide := calc{c.b, &double}
		return c.op(loop.Narrow, erfcShort(wide, wide.op(loop.Widen, x)))
	}
	const k = 3.75
	a := c.atMost(27.4, c.abs(x))
	n, d := c.sub(a, c.num(k)), c.add(a, c.num(k))
	dl := c.sub(a, c.sub(d, c.num(k)))
	inverse := c.div(c.num(1), d)
	u := c.mul(n, inverse)
	u = c.fma(c.fnma(u, dl, c.fnma(u, d, n)), inverse, u)
	h := c.mul(a, a)
	_, e, r := c.reduceExp(c.neg(h))
	near := c.expNear(c.sub(r, c.fms(a, a, h)))
	p := c.mul(c.mul(c.poly(u, erfcF64), c.times(inverse, 2*k)), near)
	y := c.fromTwo(c.op(loop.Scale, p, e), x)
	return c.pick(c.less(a, 0.5), c.sub(c.num(1), c.erfNear(x)), y)
}

// fromTwo is y, or 2-y for x < 0.
func (c calc) fromTwo(y, x value) value {
	return c.pick(c.less(x, 0), c.sub(c.num(2), y), y)
}

// erfcShort is erfc to the precision of f32, for results that f32 has.
func erfcShort(c calc, x value) value {
	a := c.atMost(10.4, c.abs(x))
	u := c.div(c.sub(a, c.num(2)), c.add(a, c.num(2)))
	e := c.expNormal(c.neg(c.mul(a, a)))
	return c.fromTwo(c.mul(c.poly(u, erfcForF32), e), x)
}
