package lower

import (
	"math"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/shape"
)

// This file holds special functions as programs of elementary ones. Sources: Lanczos'
// approximation with g = 7 (lgamma, digamma), Giles (erf_inv), Cephes (erfc, bessel_i1e,
// zeta); XLA has the same approximations.

// num returns a number in shape and type of x.
//
//go:noinline
func num(x builder.Op, v float64) builder.Op { return builder.FullLike(x, v) }

// horner evaluates a polynomial in x, the highest coefficient first.
func horner(x builder.Op, coefficients []float64) builder.Op {
	sum := num(x, coefficients[0])
	for _, c := range coefficients[1:] {
		sum = builder.Add(builder.Mul(sum, x), num(x, c))
	}
	return sum
}

// chebyshev evaluates a Chebyshev series in x / 2, the highest coefficient first.
func chebyshev(x builder.Op, coefficients []float64) builder.Op {
	b0, b1, b2 := num(x, 0), num(x, 0), num(x, 0)
	for _, c := range coefficients {
		b0, b1, b2 = builder.Add(builder.Sub(builder.Mul(x, b0), b1), num(x, c)), b0, b1
	}
	return builder.Mul(num(x, 0.5), builder.Sub(b0, b2))
}

// lanczos are the coefficients of the approximation: the constant and those of 1/(z+i).
const lanczosBase = 0.99999999999980993227684700473478

var lanczos = []float64{
	676.520368121885098567009190444019, -1259.13921672240287047156078755283, 771.3234287776530788486528258894,
	-176.61502916214059906584551354, 12.507343278686904814458936853, -0.13857109526572011689554707,
	9.984369578019570859563e-6, 1.50563273514931155834e-7,
}

// reflected returns z, with gamma(z+1) to be computed, for x on the right half of the
// axis and its mirror image for others, and log(z + 7.5).
func reflected(x builder.Op) (z, logT builder.Op) {
	z = builder.Select(builder.Lt(x, num(x, 0.5)), builder.Neg(x), builder.Sub(x, num(x, 1)))
	logT = builder.Add(num(x, math.Log(7.5)), builder.Log1p(builder.Div(z, num(x, 7.5))))
	return z, logT
}

// lgamma is log|gamma(x)|.
func lgamma(x builder.Op) builder.Op {
	z, logT := reflected(x)
	sum := num(x, lanczosBase)
	for i, c := range lanczos {
		sum = builder.Add(sum, builder.Div(num(x, c), builder.Add(z, num(x, float64(i+1)))))
	}
	t := builder.Add(num(x, 7.5), z)
	logY := builder.Mul(builder.Sub(builder.Add(z, num(x, 0.5)), builder.Div(t, logT)), logT)
	logY = builder.Add(builder.Add(num(x, (math.Log(2)+math.Log(math.Pi))/2), logY), builder.Log(sum))

	abs := builder.Abs(x)
	frac := builder.Sub(abs, builder.Floor(abs))
	frac = builder.Select(builder.Gt(frac, num(x, 0.5)), builder.Sub(num(x, 1), frac), frac)
	logSin := builder.Log(builder.Sin(builder.Mul(num(x, math.Pi), frac)))
	mirror := builder.Sub(builder.Sub(num(x, math.Log(math.Pi)), logSin), logY)
	mirror = builder.Select(builder.IsFinite(logSin), mirror, builder.Neg(logSin))

	y := builder.Select(builder.Lt(x, num(x, 0.5)), mirror, logY)
	return builder.Select(isInf(x), num(x, math.Inf(1)), y)
}

// digamma is the derivative of log(gamma(x)).
func digamma(x builder.Op) builder.Op {
	z, logT := reflected(x)
	above, below := num(x, 0), num(x, lanczosBase)
	for i, c := range lanczos {
		d := builder.Add(z, num(x, float64(i+1)))
		above = builder.Sub(above, builder.Div(num(x, c), builder.Mul(d, d)))
		below = builder.Add(below, builder.Div(num(x, c), d))
	}
	t := builder.Add(num(x, 7.5), z)
	y := builder.Sub(builder.Add(logT, builder.Div(above, below)), builder.Div(num(x, 7), t))
	reduced := builder.Add(x, builder.Abs(builder.Floor(builder.Add(x, num(x, 0.5)))))
	angle := builder.Mul(num(x, math.Pi), reduced)
	mirror := builder.Sub(y, builder.Div(builder.Mul(num(x, math.Pi), builder.Cos(angle)), builder.Sin(angle)))
	y = builder.Select(builder.Lt(x, num(x, 0.5)), mirror, y)
	pole := builder.And(builder.Le(x, num(x, 0)), builder.Eq(x, builder.Floor(x)))
	return builder.Select(pole, num(x, math.NaN()), y)
}

// erfInv is the inverse of erf.
func erfInv(x builder.Op) builder.Op {
	w := builder.Neg(builder.Log1p(builder.Neg(builder.Mul(x, x))))
	var p builder.Op
	if x.Type() == shape.F64 {
		p = horner(builder.Sub(builder.Sqrt(w), num(x, 5)), giles64Large)
		middle := horner(builder.Sub(builder.Sqrt(w), num(x, 3.25)), giles64Middle)
		p = builder.Select(builder.Lt(w, num(x, 16)), middle, p)
		p = builder.Select(builder.Lt(w, num(x, 6.25)), horner(builder.Sub(w, num(x, 3.125)), giles64Small), p)
	} else {
		small := builder.Lt(w, num(x, 5))
		p = builder.Select(small, horner(builder.Sub(w, num(x, 2.5)), giles32Small),
			horner(builder.Sub(builder.Sqrt(w), num(x, 3)), giles32Large))
	}
	edge := builder.Eq(builder.Abs(x), num(x, 1))
	return builder.Select(edge, builder.Mul(x, num(x, math.Inf(1))), builder.Mul(p, x))
}

// erfc is 1 - erf(x), without loss of digits where that is small.
func erfc(x builder.Op) builder.Op {
	abs := builder.Abs(x)
	z := builder.Exp(builder.Neg(builder.Mul(x, x)))
	var y builder.Op
	if x.Type() == shape.F64 {
		near := builder.Div(horner(abs, erfc64P), horner(abs, erfc64Q))
		far := builder.Div(horner(abs, erfc64R), horner(abs, erfc64S))
		y = builder.Mul(z, builder.Select(builder.Lt(abs, num(x, 8)), near, far))
	} else {
		q := builder.Div(num(x, 1), abs)
		s := builder.Mul(q, q)
		p := builder.Select(builder.Lt(abs, num(x, 2)), horner(s, erfc32P), horner(s, erfc32R))
		y = builder.Mul(builder.Mul(z, q), p)
	}
	y = builder.Select(builder.Eq(z, num(x, 0)), z, y)
	y = builder.Select(builder.Lt(x, num(x, 0)), builder.Sub(num(x, 2), y), y)
	return builder.Select(builder.Gt(abs, num(x, 1)), y, builder.Sub(num(x, 1), builder.Erf(x)))
}

// besselI1e is exp(-|x|) times the modified Bessel function of order 1.
func besselI1e(x builder.Op) builder.Op {
	near, far := bessel64Near[12:], bessel64Far[18:]
	if x.Type() == shape.F64 {
		near, far = bessel64Near, bessel64Far
	}
	z := builder.Abs(x)
	y := builder.Mul(z, chebyshev(builder.Sub(builder.Mul(num(x, 0.5), z), num(x, 2)), near))
	large := chebyshev(builder.Sub(builder.Div(num(x, 32), z), num(x, 2)), far)
	y = builder.Select(builder.Le(z, num(x, 8)), y, builder.Div(large, builder.Sqrt(z)))
	return builder.Mul(builder.Sign(x), y)
}

// zeta is Hurwitz' zeta function, the sum of (q+k)^-x over all k, by the summation
// formula of Euler and Maclaurin behind the first terms.
func zeta(x, q builder.Op) builder.Op {
	const terms = 9
	minus := builder.Neg(x)
	sum := builder.Pow(q, minus)
	for k := 1; k < terms; k++ {
		sum = builder.Add(sum, builder.Pow(builder.Add(q, num(x, float64(k))), minus))
	}
	a := builder.Add(q, num(x, terms))
	p := builder.Pow(a, minus)
	sum = builder.Add(sum, builder.Div(builder.Mul(p, a), builder.Sub(x, num(x, 1))))
	inverse := builder.Div(num(x, 1), builder.Mul(a, a))
	rest := num(x, 0)
	for j := len(eulerMaclaurin); j >= 1; j-- {
		up := builder.Mul(builder.Add(x, num(x, float64(2*j-1))), builder.Add(x, num(x, float64(2*j))))
		rest = builder.Add(num(x, 1/eulerMaclaurin[j-1]), builder.Mul(builder.Mul(rest, up), inverse))
	}
	rest = builder.Add(num(x, 0.5), builder.Mul(builder.Div(x, a), rest))
	y := builder.Add(sum, builder.Mul(p, rest))

	nan, inf := num(x, math.NaN()), num(x, math.Inf(1))
	atPole := builder.And(builder.Le(q, num(x, 0)), builder.Eq(q, builder.Floor(q)))
	complex := builder.And(builder.Le(q, num(x, 0)), builder.Ne(x, builder.Floor(x)))
	y = builder.Select(complex, nan, y)
	y = builder.Select(atPole, inf, y)
	y = builder.Select(builder.Lt(x, num(x, 1)), nan, y)
	return builder.Select(builder.Eq(x, num(x, 1)), inf, y)
}

// polygamma is derivative number n of digamma.
func polygamma(n, x builder.Op) builder.Op {
	next := builder.Add(n, num(n, 1))
	odd := builder.Eq(builder.Rem(n, num(n, 2)), num(n, 1))
	sign := builder.Select(odd, num(n, 1), num(n, -1))
	y := builder.Mul(builder.Mul(sign, builder.Exp(lgamma(next))), zeta(next, x))
	y = builder.Select(builder.Eq(n, num(n, 0)), digamma(x), y)
	wrong := builder.Or(builder.Lt(n, num(n, 0)), builder.Ne(n, builder.Floor(n)))
	return builder.Select(wrong, num(n, math.NaN()), y)
}
