package vmath

import (
	"math"
	"math/big"
)

// Arithmetic of so many bits that results have far more right ones than f64, whatever cancels.
const (
	bits     = 320
	wideBits = 1500 // for the reduction of any f64 by pi
)

type num = *big.Float

// reals has the functions, with the constants they need.
type reals struct{ pi, ln2 num }

var exact = reals{pi: piOf(wideBits), ln2: ln2Of(bits + 64)}

func newNum() num           { return new(big.Float).SetPrec(bits) }
func from(x float64) num    { return newNum().SetFloat64(x) }
func plus(x, y num) num     { return newNum().Add(x, y) }
func minus(x, y num) num    { return newNum().Sub(x, y) }
func product(x, y num) num  { return newNum().Mul(x, y) }
func quotient(x, y num) num { return newNum().Quo(x, y) }
func root(x num) num        { return newNum().Sqrt(x) }
func negative(x num) num    { return newNum().Neg(x) }

// times2 is x * 2^n.
func times2(x num, n int) num { return newNum().SetMantExp(x, n) }

// piOf is 16 atan(1/5) - 4 atan(1/239), in fixed point.
func piOf(prec uint) num {
	atan := func(n int64) *big.Int {
		term := new(big.Int).Lsh(big.NewInt(1), prec+32)
		term.Quo(term, big.NewInt(n))
		sum := new(big.Int).Set(term)
		for k := int64(1); term.Sign() != 0; k++ {
			term.Quo(term, big.NewInt(-n*n))
			sum.Add(sum, new(big.Int).Quo(term, big.NewInt(2*k+1)))
		}
		return sum
	}
	pi := new(big.Int).Mul(atan(5), big.NewInt(16))
	pi.Sub(pi, new(big.Int).Mul(atan(239), big.NewInt(4)))
	f := new(big.Float).SetPrec(prec).SetInt(pi)
	return f.SetMantExp(f, -int(prec+32))
}

// ln2Of is the sum of 1/(k*2^k).
func ln2Of(prec uint) num {
	sum := new(big.Float).SetPrec(prec)
	for k := 1; k < int(prec)+8; k++ {
		t := new(big.Float).SetPrec(prec).Quo(big.NewFloat(1), big.NewFloat(float64(k)))
		sum.Add(sum, t.SetMantExp(t, -k))
	}
	return sum
}

// exp of large numbers is some very large or small one.
func (r reals) expOf(x num) num {
	approx, _ := x.Float64()
	if math.Abs(approx) > 3000 {
		return times2(from(1), int(math.Copysign(4000, approx)))
	}
	n := int(math.Round(approx / math.Ln2))
	const halvings = 12
	rest := times2(minus(x, product(from(float64(n)), r.ln2)), -halvings)
	sum, term := from(1), from(1)
	for k := 1; k < 40 && term.Sign() != 0 && term.MantExp(nil) > -bits; k++ {
		term = quotient(product(term, rest), from(float64(k)))
		sum = plus(sum, term)
	}
	for range halvings {
		sum = product(sum, sum)
	}
	return times2(sum, n)
}

// logOf takes two steps of Halley's way, each of which triples the right bits.
func (r reals) logOf(x num) num {
	m := new(big.Float)
	e := x.MantExp(m)
	f, _ := m.Float64()
	y := plus(from(math.Log(f)), product(from(float64(e)), r.ln2))
	for range 2 {
		p := r.expOf(y)
		y = plus(y, times2(quotient(minus(x, p), plus(x, p)), 1))
	}
	return y
}

// sincos reduces x by quarters of a turn, halves it, and doubles the angle of its series.
func (r reals) sincos(x float64) (sin, cos num) {
	wide := func() num { return new(big.Float).SetPrec(wideBits) }
	half := wide().SetMantExp(r.pi, -1)
	turns := wide().Quo(wide().SetFloat64(x), half)
	n, _ := turns.Add(turns, big.NewFloat(math.Copysign(0.5, x))).Int(nil)
	rest := wide().Sub(wide().SetFloat64(x), wide().Mul(wide().SetInt(n), half))
	sin, cos = sincosNear(newNum().Set(rest))
	switch new(big.Int).And(n, big.NewInt(3)).Int64() {
	case 1:
		return cos, negative(sin)
	case 2:
		return negative(sin), negative(cos)
	case 3:
		return negative(cos), sin
	}
	return sin, cos
}

func sincosNear(x num) (sin, cos num) {
	const halvings = 6
	x = times2(x, -halvings)
	if x.Sign() == 0 {
		return from(0), from(1)
	}
	square := product(x, x)
	series := func(sum num, k int) num {
		first := sum.MantExp(nil)
		for term := sum; term.MantExp(nil) > first-bits; k += 2 {
			term = negative(quotient(product(term, square), from(float64(k*(k+1)))))
			sum = plus(sum, term)
		}
		return sum
	}
	sin, cos = series(x, 2), series(from(1), 1)
	for range halvings {
		sin, cos = times2(product(sin, cos), 1), minus(from(1), times2(product(sin, sin), 1))
	}
	return sin, cos
}

// angleOf is the angle of (x, y), which is near the guess.
func (r reals) angleOf(y, x num, guess float64) num {
	sin, cos := r.sincos(guess)
	d := quotient(minus(product(y, cos), product(x, sin)), plus(product(x, cos), product(y, sin)))
	cube := quotient(product(product(d, d), d), from(3))
	return plus(from(guess), minus(d, cube))
}
