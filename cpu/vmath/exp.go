package vmath

import "github.com/goxla/xla/cpu/loop"

// reduceExp splits z = n*ln2 + r, |r| <= ln2/2; t has n in its low bits.
func (c calc) reduceExp(z value) (t, n, r value) {
	t, n = c.integral(z, c.log2e.high)
	r = c.fnma(n, c.num(c.ln2.high), z)
	return t, n, c.fnma(n, c.num(c.ln2.low), r)
}

// expNear is e^r for |r| <= ln2/2.
func (c calc) expNear(r value) value {
	p := c.poly(r, c.exp.exp)
	p = c.fma(p, r, c.num(1))
	return c.fma(p, r, c.num(1))
}

// expNormal is e^z, which is a normal number.
func (c calc) expNormal(z value) value {
	if c.wide64() {
		t, r := c.sixteenths(z)
		p := c.fma(c.mul(r, r), c.horner(r, expPartF64), r)
		power := c.powers(t, 1, powersF64)
		return c.fma(power, p, power)
	}
	t, _, r := c.reduceExp(z)
	return c.mul(c.expNear(r), c.pow2(t, 1))
}

// expAny is e^z for z of at most the highest that integral can take. Processors take hundreds of cycles for what falls
// below their least number, and there is much of it where a softmax is masked: with wide vectors a mask spares them
// these, else [loop.Scale] does. Where units are split it costs nothing, and a lower limit less than a mask.
func (c calc) expAny(z value) value {
	if c.b.Wide {
		return c.expBy(z, c.expShifted)
	}
	return c.expBy(z, c.expSeries)
}

// expBy is expAny by near, which gives e^z as a number near 1 and a power of two.
func (c calc) expBy(z value, near func(z value) (y, n value)) value {
	masked := c.b.Wide && !c.b.Split
	if !masked {
		z = c.atLeast(c.exp.low, z)
	}
	part, n := near(z)
	y := c.op(loop.Scale, part, n)
	if masked {
		y = c.pick(c.less(z, c.exp.low), c.num(0), y)
	}
	return y
}

// expSeries is e^z as a number near 1, by one series, and the power of two that it is multiplied with.
func (c calc) expSeries(z value) (y, n value) {
	_, n, r := c.reduceExp(z)
	return c.expNear(r), n
}

func exp(c calc, x value) value { return c.expAny(c.atMost(c.exp.high, x)) }

func exp2(c calc, x value) value {
	x = c.atMost(c.exp.high2, c.atLeast(c.exp.low2, x))
	n := c.sub(c.add(x, c.num(c.magic)), c.num(c.magic))
	r := c.sub(x, n)
	return c.op(loop.Scale, c.fma(c.poly(r, c.exp.exp2), r, c.num(1)), n)
}

// expm1 is 2*(s*q + (s-1/2)) where q = e^r-1 and s = 2^(n-1), so that n = 128 does not overflow too early. Where r is
// rounded n is not 0, and the result is no small number.
func expm1(c calc, x value) value {
	z := c.atMost(c.exp.high, c.atLeast(c.exp.lowM1, x))
	t, _, r := c.reduceExp(z)
	q := c.fma(c.mul(r, r), c.poly(r, c.exp.expm1), r)
	s := c.pow2(t, 0.5)
	y := c.fma(s, q, c.sub(s, c.num(0.5)))
	return c.pick(c.b.Cmp(loop.GE, c.abs(x), c.num(c.log.tiny)), c.add(y, y), x)
}

// logistic is e^x/(1+e^x) for x < 0 and 1/(1+e^-x) otherwise; d+dl is exactly the denominator, and
// the quotient is corrected by its remainder. In f32 the error of e is most of its own, so it is that of the one
// series, which is less.
func logistic(c calc, x value) value {
	near := c.expSeries
	if c.wide64() {
		near = c.expShifted
	}
	e := c.expBy(c.neg(c.abs(x)), near)
	num := c.pick(c.less(x, 0), e, c.num(1))
	d := c.add(e, c.num(1))
	dl := c.sub(e, c.sub(d, c.num(1)))
	v := c.div(c.num(1), d)
	y := c.mul(num, v)
	return c.fma(c.fnma(y, dl, c.fnma(y, d, num)), v, y)
}
