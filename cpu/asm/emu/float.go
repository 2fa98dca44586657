package emu

import (
	"math"
	"math/big"

	"github.com/goxla/xla/cpu/asm"
)

// This file is IEEE arithmetic as x86 does it, NaN payloads and directed rounding included, for both widths. Values
// travel as bits in a uint64; format says which width.

type format struct {
	w     int    // bytes
	mant  uint   // bits of the fraction
	bias  int    // of the exponent
	sign  uint64 // sign bit
	inf   uint64
	quiet uint64 // bit that makes a NaN quiet
}

var (
	f32 = &format{4, 23, 127, 1 << 31, 0x7F800000, 1 << 22}
	f64 = &format{8, 52, 1023, 1 << 63, 0x7FF0000000000000, 1 << 51}
)

// indefinite is the NaN of an invalid operation.
func (f *format) indefinite() uint64 { return f.sign | f.inf | f.quiet }

func (f *format) isNaN(x uint64) bool  { return x&^f.sign > f.inf }
func (f *format) isSNaN(x uint64) bool { return f.isNaN(x) && x&f.quiet == 0 }
func (f *format) isInf(x uint64) bool  { return x&^f.sign == f.inf }
func (f *format) isZero(x uint64) bool { return x&^f.sign == 0 }
func (f *format) neg(x uint64) bool    { return x&f.sign != 0 }

// flush returns a zero of its sign in place of a denormal number.
func (f *format) flush(x uint64) uint64 {
	if x&f.inf == 0 {
		return x & f.sign
	}
	return x
}

// flushing returns fn of sources, and with results, of which denormal ones are zeros where the machine flushes them.
// Tininess is that of the rounded result: what is rounded up to the least normal number stays.
func (f *format) flushing(fn laneFn) laneFn { return f.flushingFrom(f, fn) }

// flushingFrom is flushing of a function that takes another format.
func (f *format) flushingFrom(from *format, fn laneFn) laneFn {
	return func(l *lane) uint64 {
		if !l.flush {
			return fn(l)
		}
		l.a, l.b, l.d = from.flush(l.a), from.flush(l.b), from.flush(l.d)
		return f.flush(fn(l))
	}
}

// value returns x exactly.
func (f *format) value(x uint64) float64 {
	if f.w == 4 {
		return float64(math.Float32frombits(uint32(x)))
	}
	return math.Float64frombits(x)
}

// bits rounds x to nearest.
func (f *format) bits(x float64) uint64 {
	if f.w == 4 {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// propagate returns the first NaN of the operands, made quiet.
func (f *format) propagate(xs ...uint64) (uint64, bool) {
	for _, x := range xs {
		if f.isNaN(x) {
			return x | f.quiet, true
		}
	}
	return 0, false
}

// kind of an operation that rounds.
type kind uint8

const (
	add kind = iota
	sub
	mul
	div
	sqrt
)

// arith computes a op b.
func (f *format) arith(k kind, a, b uint64, round asm.Opt) uint64 {
	if k == sqrt {
		b = a
	}
	if nan, ok := f.propagate(a, b); ok {
		return nan
	}
	if k == sub {
		k, b = add, b^f.sign
	}
	r := f.nearest(k, a, b)
	if f.isNaN(r) {
		return f.indefinite()
	}
	if round == asm.RN {
		return r
	}
	return f.direct(r, round, func() int { return f.residual(k, a, b, r) }, k == add && f.neg(a) != f.neg(b))
}

func (f *format) nearest(k kind, a, b uint64) uint64 {
	if f.w == 4 {
		x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		return uint64(math.Float32bits(nearest32(k, x, y)))
	}
	x, y := math.Float64frombits(a), math.Float64frombits(b)
	switch k {
	case add:
		x += y
	case mul:
		x *= y
	case div:
		x /= y
	case sqrt:
		x = math.Sqrt(x)
	}
	return math.Float64bits(x)
}

func nearest32(k kind, x, y float32) float32 {
	switch k {
	case add:
		return x + y
	case mul:
		return x * y
	case div:
		return x / y
	}
	return float32(math.Sqrt(float64(x)))
}

// fma computes a*b + c; negP and negC change the signs of product and addend. NaNs count in the order a, b, c.
func (f *format) fma(a, b, c uint64, negP, negC bool, round asm.Opt) uint64 {
	if nan, ok := f.propagate(a, b, c); ok {
		return nan
	}
	if negP {
		a ^= f.sign
	}
	if negC {
		c ^= f.sign
	}
	x, y, z := f.value(a), f.value(b), f.value(c)
	var r uint64
	if f.w == 4 {
		r = uint64(math.Float32bits(fma32(x, y, z)))
	} else {
		r = math.Float64bits(math.FMA(x, y, z))
	}
	if f.isNaN(r) {
		return f.indefinite()
	}
	if round == asm.RN {
		return r
	}
	residual := func() int {
		if f.isInf(a) || f.isInf(b) || f.isInf(c) {
			return 0
		}
		e := exact(x)
		e.Mul(e, exact(y))
		return compare(e.Add(e, exact(z)), f, r)
	}
	return f.direct(r, round, residual, f.neg(a) != f.neg(b) != f.neg(c))
}

// fma32 rounds the exact x*y+z of float32 values once: the sum of the exact product is rounded to odd in float64.
func fma32(x, y, z float64) float32 {
	p := x * y
	s := p + z
	if math.IsInf(s, 0) || math.IsNaN(s) {
		return float32(s)
	}
	t := s - p
	e := float64(p-(s-t)) + float64(z-t)
	if e != 0 && math.Float64bits(s)&1 == 0 {
		if (e > 0) == (s > 0) {
			s = math.Float64frombits(math.Float64bits(s) + 1)
		} else {
			s = math.Float64frombits(math.Float64bits(s) - 1)
		}
	}
	return float32(s)
}

const exactBits = 5000 // holds any sum of a product and a value exactly

func exact(x float64) *big.Float { return new(big.Float).SetPrec(exactBits).SetFloat64(x) }

// compare returns the sign of e - r; an infinite r lies beyond every e.
func compare(e *big.Float, f *format, r uint64) int {
	return e.Cmp(new(big.Float).SetFloat64(f.value(r)))
}

// residual returns the sign of the exact result minus r.
func (f *format) residual(k kind, a, b, r uint64) int {
	if f.isInf(a) || f.isInf(b) || k == div && f.isZero(b) {
		return 0
	}
	x, y := f.value(a), f.value(b)
	switch k {
	case add:
		e := exact(x)
		return compare(e.Add(e, exact(y)), f, r)
	case mul:
		e := exact(x)
		return compare(e.Mul(e, exact(y)), f, r)
	}
	if f.isInf(r) { // overflow of a quotient
		if f.neg(r) {
			return 1
		}
		return -1
	}
	e := exact(f.value(r))
	if k == sqrt {
		return exact(x).Cmp(e.Mul(e, exact(f.value(r))))
	}
	c := exact(x).Cmp(e.Mul(e, exact(y)))
	if y < 0 {
		c = -c
	}
	return c
}

// direct moves r, which is rounded to nearest, to where the rounding mode puts it. cancels says that an exact zero is
// the sum of values of opposite signs.
func (f *format) direct(r uint64, round asm.Opt, residual func() int, cancels bool) uint64 {
	e := residual()
	if e == 0 {
		if f.isZero(r) && cancels && round == asm.RD {
			return f.sign
		}
		return r
	}
	down := round == asm.RD || round == asm.RZ && !f.neg(r)
	up := round == asm.RU || round == asm.RZ && f.neg(r)
	if f.isZero(r) && round == asm.RZ {
		return r
	}
	switch {
	case down && e < 0:
		return f.step(r, -1)
	case up && e > 0:
		return f.step(r, 1)
	}
	return r
}

// step returns the neighbour of x in direction dir. The sign of a zero that is reached is that of x.
func (f *format) step(x uint64, dir int) uint64 {
	if f.isZero(x) {
		if dir < 0 {
			return f.sign | 1
		}
		return 1
	}
	if f.neg(x) == (dir < 0) {
		return x + 1
	}
	return x - 1
}

// roundInt rounds x to an integer.
func roundInt(x float64, round asm.Opt) float64 {
	switch round {
	case asm.RD:
		return math.Floor(x)
	case asm.RU:
		return math.Ceil(x)
	case asm.RZ:
		return math.Trunc(x)
	}
	return math.RoundToEven(x)
}

// immRound returns the rounding that an immediate asks for; bit 2 means that of MXCSR.
func immRound(imm uint8) asm.Opt {
	if imm&4 != 0 {
		return asm.RN
	}
	return asm.RN | asm.Opt(imm&3)<<7
}
