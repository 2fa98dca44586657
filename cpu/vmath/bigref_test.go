package vmath

import "math"

// tiny is where two terms of the series of a function are enough.
const tiny = 0x1p-60

// series is x + x^2*a + x^3*b.
func series(x float64, a, b num) num {
	v := from(x)
	square := product(v, v)
	return plus(v, plus(product(square, a), product(product(square, v), b)))
}

// ratio is p/q.
func ratio(p, q float64) num { return quotient(from(p), from(q)) }

func (r reals) exp(x float64) num  { return r.expOf(from(x)) }
func (r reals) exp2(x float64) num { return r.expOf(product(from(x), r.ln2)) }

func (r reals) expm1(x float64) num {
	if math.Abs(x) < tiny {
		return series(x, ratio(1, 2), ratio(1, 6))
	}
	return minus(r.exp(x), from(1))
}

func (r reals) log(x float64) num  { return r.logOf(from(x)) }
func (r reals) log2(x float64) num { return quotient(r.log(x), r.ln2) }

func (r reals) log1p(x float64) num {
	if math.Abs(x) < tiny {
		return series(x, ratio(-1, 2), ratio(1, 3))
	}
	return r.logOf(plus(from(1), from(x)))
}

func (r reals) logistic(x float64) num { return quotient(from(1), plus(from(1), r.exp(-x))) }

func (r reals) tanh(x float64) num {
	if math.Abs(x) < tiny {
		return series(x, from(0), ratio(-1, 3))
	}
	e := r.expOf(times2(from(x), 1))
	return quotient(minus(e, from(1)), plus(e, from(1)))
}

func (r reals) sinh(x float64) num {
	if math.Abs(x) < tiny {
		return series(x, from(0), ratio(1, 6))
	}
	return times2(minus(r.exp(x), r.exp(-x)), -1)
}

func (r reals) cosh(x float64) num { return times2(plus(r.exp(x), r.exp(-x)), -1) }

func (r reals) asinh(x float64) num {
	if math.Abs(x) < tiny {
		return series(x, from(0), ratio(-1, 6))
	}
	a := from(math.Abs(x))
	y := r.logOf(plus(a, root(plus(product(a, a), from(1)))))
	if x < 0 {
		return negative(y)
	}
	return y
}

func (r reals) acosh(x float64) num {
	a := from(x)
	return r.logOf(plus(a, root(minus(product(a, a), from(1)))))
}

func (r reals) atanh(x float64) num {
	if math.Abs(x) < tiny {
		return series(x, from(0), ratio(1, 3))
	}
	return times2(r.logOf(quotient(plus(from(1), from(x)), minus(from(1), from(x)))), -1)
}

func (r reals) sin(x float64) num { s, _ := r.sincos(x); return s }
func (r reals) cos(x float64) num { _, c := r.sincos(x); return c }
func (r reals) tan(x float64) num { s, c := r.sincos(x); return quotient(s, c) }

func (r reals) atan(x float64) num { return r.angleOf(from(x), from(1), math.Atan(x)) }

// cosOfAsin is sqrt(1-x^2).
func cosOfAsin(x float64) num { return root(minus(from(1), product(from(x), from(x)))) }

func (r reals) asin(x float64) num { return r.angleOf(from(x), cosOfAsin(x), math.Asin(x)) }
func (r reals) acos(x float64) num { return r.angleOf(cosOfAsin(x), from(x), math.Acos(x)) }

func (r reals) atan2(y, x float64) num { return r.angleOf(from(y), from(x), atan2Ref(y, x)) }

func (r reals) rsqrt(x float64) num { return quotient(from(1), root(from(x))) }

// cbrt takes two steps of Newton's way.
func (r reals) cbrt(x float64) num {
	y := from(math.Cbrt(x))
	for range 2 {
		square := product(y, y)
		y = minus(y, quotient(minus(product(square, y), from(x)), product(from(3), square)))
	}
	return y
}

// pow is |x|^y.
func (r reals) pow(x, y float64) num {
	return r.expOf(product(from(y), r.log(math.Abs(x))))
}

// erf is its power series; far out it is 1 to more bits than f64 has.
func (r reals) erf(x float64) num {
	if math.Abs(x) > 8 {
		return from(math.Copysign(1, x))
	}
	if x == 0 {
		return from(0)
	}
	square := product(from(x), from(x))
	sum, term := from(x), from(x)
	for k := 1; term.MantExp(nil) > sum.MantExp(nil)-180; k++ {
		term = negative(quotient(product(term, square), from(float64(k))))
		sum = plus(sum, quotient(term, from(float64(2*k+1))))
	}
	return times2(quotient(sum, root(newNum().Set(r.pi))), 1)
}

// erfc far out is exp(-x^2)/sqrt(pi) divided by the fraction x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...
func (r reals) erfc(x float64) num {
	if x < 3 {
		return minus(from(1), r.erf(x))
	}
	v := from(x)
	f := v
	for k := 200; k > 0; k-- {
		f = plus(v, quotient(from(float64(k)/2), f))
	}
	e := r.expOf(negative(product(v, v)))
	return quotient(e, product(f, root(newNum().Set(r.pi))))
}
