package emu

import (
	"math"

	"github.com/goxla/xla/cpu/asm"
)

// roundScale is VRNDSCALE: x rounded to imm>>4 binary places.
func (f *format) roundScale(x uint64, imm uint8) uint64 {
	if nan, ok := f.propagate(x); ok {
		return nan
	}
	v := f.value(x)
	places := int(imm >> 4)
	if math.IsInf(v, 0) || v == 0 || math.Abs(v) >= math.Ldexp(1, int(f.mant)-places) {
		return x
	}
	r := math.Ldexp(roundInt(math.Ldexp(v, places), immRound(imm)), -places)
	return f.bits(r) | x&f.sign
}

// reduce is VREDUCE: what rounding to imm>>4 binary places leaves.
func (f *format) reduce(x uint64, l *lane) uint64 {
	if nan, ok := f.propagate(x); ok {
		return nan
	}
	if f.isInf(x) {
		return 0
	}
	return f.arith(sub, x, f.roundScale(x, l.imm), immRound(l.imm))
}

// getExp is VGETEXP: floor(log2|x|) as a value.
func (f *format) getExp(x uint64) uint64 {
	if nan, ok := f.propagate(x); ok {
		return nan
	}
	mag := x &^ f.sign
	switch {
	case mag == 0:
		return f.sign | f.inf
	case mag == f.inf:
		return f.inf
	}
	return f.bits(math.Logb(f.value(mag)))
}

// getMant is VGETMANT: the fraction of x in the interval that imm asks for.
func (f *format) getMant(x uint64, imm uint8) uint64 {
	if nan, ok := f.propagate(x); ok {
		return nan
	}
	sign := x & f.sign
	mag := x &^ f.sign
	if imm&4 != 0 {
		sign = 0
	}
	if imm&8 != 0 && f.neg(x) && mag != 0 {
		return f.indefinite()
	}
	one := uint64(f.bias) << f.mant
	if mag == 0 || mag == f.inf {
		return sign | one
	}
	frac, exp := math.Frexp(f.value(mag)) // in [1/2, 1)
	high := frac >= 0.75
	half := false // the result lies in [1/2, 1)
	switch imm & 3 {
	case 1:
		half = (exp-1)&1 != 0
	case 2:
		half = true
	case 3:
		half = high
	}
	if !half {
		frac *= 2
	}
	return sign | f.bits(frac)
}

// approximate stands for VRCP14 and VRSQRT14: here the correctly rounded result, which lies within 2^-14 of theirs.
func (f *format) approximate(k kind, x uint64) uint64 {
	if nan, ok := f.propagate(x); ok {
		return nan
	}
	v := f.value(x)
	if k == sqrt {
		if v < 0 {
			return f.indefinite()
		}
		v = math.Sqrt(v)
	}
	r := f.bits(1 / v)
	if f.isInf(r) && v != 0 { // the smallest denormals have no finite reciprocal
		return r
	}
	return r
}

// scalef is VSCALEF: a * 2^floor(b).
func (f *format) scalef(a, b uint64, round asm.Opt) uint64 {
	switch {
	case f.isNaN(a) && !f.isSNaN(a) && f.isInf(b):
		if f.neg(b) {
			return 0
		}
		return f.inf
	case f.isNaN(a), f.isNaN(b):
		nan, _ := f.propagate(a, b)
		return nan
	case f.isInf(b) && f.neg(b):
		if f.isInf(a) {
			return f.indefinite()
		}
		return a & f.sign
	case f.isInf(b):
		if f.isZero(a) {
			return f.indefinite()
		}
		return a&f.sign | f.inf
	case f.isInf(a), f.isZero(a):
		return a
	}
	n := max(-5000, min(5000, math.Floor(f.value(b))))
	r := f.bits(f.ldexp(f.value(a), int(n)))
	if round == asm.RN {
		return r
	}
	return f.direct(r, round, func() int { return f.scaleResidual(a, int(n), r) }, false)
}

// ldexp scales without rounding twice: a float32 result comes from a float64 that holds it exactly.
func (f *format) ldexp(x float64, n int) float64 {
	if f.w == 4 {
		n = max(-600, min(600, n))
	}
	return math.Ldexp(x, n)
}

func (f *format) scaleResidual(a uint64, n int, r uint64) int {
	e := exact(f.value(a))
	return compare(e.SetMantExp(e, n), f, r)
}

// rangeOf is VRANGE: minimum or maximum, by value or magnitude, with a chosen sign.
func (f *format) rangeOf(a, b uint64, imm uint8) uint64 {
	var r uint64
	switch {
	case f.isSNaN(a):
		return a | f.quiet
	case f.isSNaN(b):
		return b | f.quiet
	case f.isNaN(a) && f.isNaN(b), f.isNaN(b):
		r = a
	case f.isNaN(a):
		r = b
	default:
		r = f.choose(a, b, imm&3)
	}
	switch imm >> 2 & 3 {
	case 0:
		if !f.isNaN(r) || f.isNaN(a) {
			r = r&^f.sign | a&f.sign
		}
	case 2:
		r &^= f.sign
	case 3:
		r |= f.sign
	}
	return r
}

func (f *format) choose(a, b uint64, how uint8) uint64 {
	x, y := f.value(a), f.value(b)
	if how >= 2 {
		x, y = math.Abs(x), math.Abs(y)
	}
	if how&1 == 0 {
		if x < y || x == y && (f.neg(a) || how >= 2 && !f.neg(b)) {
			return a
		}
		return b
	}
	if x > y || x == y && (!f.neg(a) || how >= 2 && f.neg(b)) {
		return a
	}
	return b
}

// fixup is VFIXUPIMM: the class of x picks a nibble of table, which says what to return.
func (f *format) fixup(dst, x uint64, table uint32) uint64 {
	one := uint64(f.bias) << f.mant
	class := 7 // positive
	switch {
	case f.isSNaN(x):
		class = 1
	case f.isNaN(x):
		class = 0
	case f.isZero(x):
		class = 2
	case x == one:
		class = 3
	case x == f.sign|f.inf:
		class = 4
	case x == f.inf:
		class = 5
	case f.neg(x):
		class = 6
	}
	return f.fixupValue(table>>(4*class)&15, dst, x)
}

func (f *format) fixupValue(code uint32, dst, x uint64) uint64 {
	switch code {
	case 0:
		return dst
	case 1:
		return x
	case 2:
		return x | f.inf | f.quiet
	case 6:
		return x&f.sign | f.inf
	}
	return [16]uint64{3: f.indefinite(), 4: f.sign | f.inf, 5: f.inf, 7: f.sign, 8: 0, 9: f.bits(-1),
		10: f.bits(1), 11: f.bits(0.5), 12: f.bits(90), 13: f.bits(math.Pi / 2), 14: f.inf - 1,
		15: f.sign | (f.inf - 1)}[code]
}
