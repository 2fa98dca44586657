package vmath

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// oddNear is x + x^3*p(x^2).
func (c calc) oddNear(x value, coef []float64) value {
	s := c.mul(x, x)
	return c.fma(c.mul(x, s), c.poly(s, coef), x)
}

// tanh of f32 is a polynomial in each of many parts, that of f64 1-2/d with d = e^(2|x|)+1. d+dl is d to more digits
// than a number has, so that near 0, where 1-2v is exact, what v lacks of 1/(d+dl) has the digits of the result.
func tanh(c calc, x value) value {
	if c.wide() {
		return c.tanhWide(x)
	}
	if c.kind == loop.F32 {
		return c.tanhEighths(x)
	}
	one := c.num(1)
	d, dl := c.expSquared(c.atMost(c.hyper.one, c.abs(x)))
	v := c.div(one, d)
	twice := c.add(v, v)
	rest := c.fms(dl, v, c.fnma(d, v, one))
	return c.withSign(c.fma(twice, rest, c.sub(one, twice)), x)
}

// expSquared is e^2a+1, a number above 0 that is not large, as d and what d lacks. It is 1+s+2s*q, q = (e^2r-1)/2,
// where a = n*ln2/2 + r. The low part of ln2 is not taken from r, which is exact near 0 so, but from dl.
func (c calc) expSquared(a value) (d, dl value) {
	t, n := c.integral(a, 2*c.log2e.high)
	r := c.fnma(n, c.num(c.ln2.high/2), a)
	coef := make([]float64, len(c.exp.expm1))
	for k, x := range c.exp.expm1 {
		coef[k] = math.Ldexp(x, k+1)
	}
	square := c.mul(r, r)
	p := c.fma(c.chains(r, coef[2:]), square, c.horner(r, coef[:2]))
	q := c.fma(square, p, r)
	sum, twice := c.add(c.pow2(t, 1), c.num(1)), c.pow2(t, 2)
	d = c.fma(twice, q, sum)
	dl = c.fma(twice, q, c.sub(sum, d))
	return d, c.fnma(c.sub(d, c.num(1)), c.times(n, c.ln2.low), dl)
}

// halfExp is e^a/2 for a >= 0, as a number and what it lacks, or 0 where that is not needed. It is
// computed from 2^(n-2), so that it does not overflow before sinh and cosh do.
func (c calc) halfExp(a value) (e, el value) {
	t, _, r := c.reduceExp(c.atMost(c.hyper.overflow, a))
	s := c.pow2(t, 0.25)
	if c.kind == loop.F64 {
		e = c.mul(c.expNear(r), s)
		return c.add(e, e), 0
	}
	u := c.fma(c.mul(r, r), c.poly(r, c.exp.exp), r)
	p := c.add(u, c.num(1))
	pl := c.mul(c.rest(p, c.num(1), u), s)
	p = c.mul(p, s)
	return c.add(p, p), c.add(pl, pl)
}

func sinh(c calc, x value) value {
	a := c.abs(x)
	if c.wide64() {
		_, y := c.halfHyper(a)
		return c.pick(c.greater(a, 0.9), c.withSign(c.add(y, y), x), c.oddNear(x, sinhNearF64))
	}
	return c.pick(c.greater(a, 1.5), c.withSign(c.sinhFar(a), x), c.oddNear(x, c.hyper.sinh))
}

// sinhFar is sinh(a) for a that is not small.
func (c calc) sinhFar(a value) value {
	if c.wide() {
		p, q, up, down := c.twoExps(a)
		y := c.fms(up, p, c.mul(down, q))
		return c.add(y, y)
	}
	e, el := c.halfExp(a)
	q := c.div(c.num(0.25), e)
	if el != 0 {
		return c.add(e, c.sub(el, q))
	}
	return c.sub(e, q)
}

func cosh(c calc, x value) value {
	if c.wide64() {
		y, _ := c.halfHyper(c.abs(x))
		return c.add(y, y)
	}
	if c.wide() {
		p, q, up, down := c.twoExps(c.abs(x))
		y := c.fma(up, p, c.mul(down, q))
		return c.add(y, y)
	}
	e, el := c.halfExp(c.abs(x))
	q := c.div(c.num(0.25), e)
	if el != 0 {
		q = c.add(el, q)
	}
	return c.add(e, q)
}

// logOfSum is log(1+w+wl); where large is on, it is log(2x).
func (c calc) logOfSum(w, wl, x, large value) value {
	w = c.pick(large, x, w)
	wl = c.pick(large, c.num(0), wl)
	return c.add(c.log1pOf(w, wl), c.where(large, c.ln2.high))
}

// asinh is log1p(a + a^2/(sqrt(a^2+1)+1)), the argument in two parts.
func asinh(c calc, x value) value {
	a := c.abs(x)
	large := c.greater(a, c.hyper.huge)
	q := c.mul(a, a)
	v := c.div(q, c.add(c.rootAboveOne(c.add(q, c.num(1))), c.num(1)))
	w := c.add(a, v)
	y := c.logOfSum(w, c.rest(w, a, v), a, large)
	y = c.pick(c.b.Cmp(loop.LT, a, c.inf()), y, a)
	return c.withSign(c.pick(c.less(a, c.hyper.tiny), a, y), x)
}

// acosh is log1p(t + sqrt(t^2+2t)) with t = x-1, the argument in two parts.
func acosh(c calc, x value) value {
	large := c.greater(x, c.hyper.huge)
	t := c.sub(x, c.num(1))
	r := c.sqrt(c.fma(t, t, c.add(t, t)))
	w := c.add(t, r)
	y := c.logOfSum(w, c.rest(w, r, t), x, large)
	y = c.pick(c.b.Cmp(loop.LT, x, c.inf()), y, x)
	return c.pick(c.less(x, 1), c.nan(), y)
}

// atanh is log((1+a)/(1-a))/2. With (1+a)/(1-a) = m*2^k it is k*ln2/2 + atanh(s), s = (m-1)/(m+1), where s is
// a quotient of differences that are known exactly. What the quotient lacks is found with it, so that it may be a
// product with a reciprocal; and any k will do for which m is near 1.
func atanh(c calc, x value) value {
	a := c.abs(x)
	one := c.num(1)
	p, d := c.add(a, one), c.sub(one, a)
	ratio := c.nearQuotient(p, d)
	k, shifted, _ := c.exponent(ratio)
	scale := c.scaleDown(1, shifted)
	pl, dl := c.sub(a, c.sub(p, one)), c.sub(c.sub(one, d), a)
	high := c.mul(scale, p)
	num, den := c.sub(high, d), c.add(high, d)
	numLow := c.fms(scale, pl, dl)
	denLow := c.add(c.sub(high, c.sub(den, d)), c.fma(scale, pl, dl))
	inverse := c.div(one, den)
	s := c.mul(num, inverse)
	sl := c.mul(c.fnma(s, denLow, c.add(c.fnma(s, den, num), numLow)), inverse)
	z := c.mul(s, s)
	tail := c.mul(c.mul(s, z), c.poly(z, halves(c.log.atanh)))
	ln2 := c.num(c.ln2.high / 2)
	h := c.fma(k, ln2, s)
	hl := c.add(c.fms(k, ln2, h), s)
	y := c.add(h, c.add(tail, c.add(sl, c.fma(k, c.num(c.ln2.low/2), hl))))
	return c.withSign(c.atanhSpecials(y, a, ratio), x)
}

// atanhSpecials puts in what atanh is of numbers other than those below 1, and of those that it is itself. A near ratio
// of 1+a and 1-a is infinite for 1 and no number beyond, and wide forms have no low part of what is tiny to lose.
func (c calc) atanhSpecials(y, a, ratio value) value {
	if c.b.Wide {
		return c.pick(c.less(a, 1), y, ratio)
	}
	y = c.pick(c.equal(a, 1), c.inf(), y)
	y = c.pick(c.less(a, c.hyper.tiny), a, y)
	return c.pick(c.greater(a, 1), c.nan(), y)
}

// halves is the coefficients of half a polynomial.
func halves(coef []float64) []float64 {
	out := make([]float64, len(coef))
	for k, a := range coef {
		out[k] = a / 2
	}
	return out
}
