package elem

import (
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Convert is HLO's convert of v to type t; the rules are those of literal.Convert.
func Convert(b *loop.Builder, v Value, t shape.ElementType) Value {
	from := v.Type
	switch {
	case from == t:
		return v
	case from.IsComplex() && t.IsComplex():
		k := KindOf(t)
		return Value{t, floatToKind(b, v.Re, k), floatToKind(b, v.Im, k)}
	case from.IsComplex():
		return Convert(b, Value{Type: from.Component(), Re: v.Re}, t)
	case t.IsComplex():
		return Value{t, Convert(b, v, t.Component()).Re, b.Float(KindOf(t), 0)}
	case t == shape.Pred:
		return Value{Type: t, Re: b.Cmp(loop.NE, v.Re, calcOf(b, from).num(0))}
	case from == shape.Pred:
		return fromPred(b, v.Re, t)
	case from.IsFloat() && t.IsFloat():
		return floatToFloat(b, v, t)
	case from.IsFloat():
		return Value{Type: t, Re: floatToInt(b, v.Re, t)}
	case t.IsFloat():
		return intToFloat(b, v, t)
	}
	return intToInt(b, v, t)
}

func convertTo(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	return Convert(b, x[0], t)
}

func fromPred(b *loop.Builder, x loop.Value, t shape.ElementType) Value {
	c := calcOf(b, t)
	one := c.num(1)
	if t.IsSigned() && t.Bits() == 1 {
		one = c.num(-1) // the bit is the sign
	}
	return normalizeByte(b, Value{Type: t, Re: c.pick(x, one, c.num(0))})
}

// intToInt keeps the low bits.
func intToInt(b *loop.Builder, v Value, t shape.ElementType) Value {
	x, from := v.Re, v.Type
	switch to := KindOf(t); {
	case KindOf(from) == to:
	case to == loop.I32:
		x = b.Op(loop.Trunc, to, x)
	case from.IsSigned():
		x = b.Op(loop.SExt, to, x)
	default:
		x = b.Op(loop.ZExt, to, x)
	}
	if holds(t, from) {
		return Value{Type: t, Re: x}
	}
	return Normalize(b, Value{Type: t, Re: x})
}

// holds reports whether integer type t has all values of integer type from.
func holds(t, from shape.ElementType) bool {
	if t.IsSigned() == from.IsSigned() {
		return t.Bits() >= from.Bits()
	}
	return t.IsSigned() && t.Bits() > from.Bits()
}

// floatToKind gives a float the kind k.
func floatToKind(b *loop.Builder, x loop.Value, k loop.Kind) loop.Value {
	switch from := b.Kind(x); {
	case from == k:
		return x
	case k == loop.F64:
		return b.Op(loop.Widen, k, x)
	}
	return b.Op(loop.Narrow, k, x)
}

// floatToFloat rounds once, also from f64 to a type that is kept in F32.
func floatToFloat(b *loop.Builder, v Value, t shape.ElementType) Value {
	x := v.Re
	if v.Type == shape.F64 && t != shape.F32 {
		x = narrowToOdd(b, x)
	} else {
		x = floatToKind(b, x, KindOf(t))
	}
	return Normalize(b, Value{Type: t, Re: x})
}

// narrowToOdd makes an F64 an F32 such that a second rounding gives what rounding x itself would:
// of the two neighbours of an inexact x it takes the one whose last bit is set. That is
// the one nearer to zero with the bit set, or with it set already.
func narrowToOdd(b *loop.Builder, x loop.Value) loop.Value {
	near := b.Op(loop.Narrow, loop.F32, x)
	back := b.Op(loop.Widen, loop.F64, near)
	c := calc{b, loop.I32}
	bits, one := c.cast(near), c.num(1)
	above := b.Cmp(loop.GT, b.Op(loop.Abs, loop.F64, back), b.Op(loop.Abs, loop.F64, x))
	cut := c.pick(above, c.op(loop.Sub, bits, one), bits)
	odd := c.pick(b.Cmp(loop.NE, back, x), c.op(loop.Or, cut, one), cut)
	return calc{b, loop.F32}.cast(odd)
}

// intToFloat rounds once. The types kept in F32 overflow long before an integer has more digits than
// F32, but for those with its exponents.
func intToFloat(b *loop.Builder, v Value, t shape.ElementType) Value {
	o := loop.UToF
	if v.Type.IsSigned() || isNarrow(v.Type) {
		o = loop.SToF
	}
	sameRange := t == shape.BF16 || t == shape.F8E8M0FNU
	if !sameRange || isNarrow(v.Type) {
		return Normalize(b, Value{Type: t, Re: b.Op(o, KindOf(t), v.Re)})
	}
	x := v.Re
	if b.Kind(x) == loop.I64 {
		x = cutToOdd(b, v)
	}
	return Normalize(b, Value{Type: t, Re: narrowToOdd(b, b.Op(o, loop.F64, x))})
}

// cutToOdd returns a 64-bit integer that F64 holds exactly and that a second rounding takes for v:
// if v has more than 53 digits, it is the one with the last bit set of the two multiples of 2^11 around v.
func cutToOdd(b *loop.Builder, v Value) loop.Value {
	c := calc{b, loop.I64}
	low := c.op(loop.And, v.Re, c.raw(1<<11-1))
	high := c.op(loop.Xor, v.Re, low)
	odd := c.pick(b.Cmp(loop.NE, low, c.num(0)), c.op(loop.Or, high, c.raw(1<<11)), high)
	size := v.Re
	if v.Type.IsSigned() {
		size = c.op(loop.Abs, size)
	}
	return c.pick(b.Cmp(loop.ULT, size, c.raw(1<<53)), v.Re, odd)
}

// floatToInt truncates and saturates; NaN is 0.
func floatToInt(b *loop.Builder, x loop.Value, t shape.ElementType) loop.Value {
	switch {
	case isNarrow(t):
		return floatToNarrow(b, x, t)
	case t.IsSigned():
		return floatToSigned(b, x, calcOf(b, t))
	}
	return floatToUnsigned(b, x, calcOf(b, t))
}

// floatToNarrow brings x into the range first, where NaN becomes the lowest value.
func floatToNarrow(b *loop.Builder, x loop.Value, t shape.ElementType) loop.Value {
	f, c := calc{b, b.Kind(x)}, calc{b, loop.I32}
	low, high := 0.0, float64(uint64(1)<<t.Bits()-1)
	if t.IsSigned() {
		high = float64(uint64(1)<<(t.Bits()-1) - 1)
		low = -high - 1
	}
	in := f.op(loop.MinX, f.op(loop.MaxX, x, f.num(low)), f.num(high))
	r := c.op(loop.FToS, in)
	if low == 0 {
		return r
	}
	return c.pick(f.isNaN(x), c.num(0), r)
}

// floatToSigned: what does not fit gives the least integer by itself.
func floatToSigned(b *loop.Builder, x loop.Value, c calc) loop.Value {
	f, width := calc{b, b.Kind(x)}, c.k.Bits()
	high := b.Cmp(loop.GE, x, f.num(float64(uint64(1)<<(width-1))))
	r := c.pick(high, c.raw(1<<(width-1)-1), c.op(loop.FToS, x))
	return c.pick(f.isNaN(x), c.num(0), r)
}

// floatToUnsigned converts the upper half of the range less its start, which becomes the top bit.
func floatToUnsigned(b *loop.Builder, x loop.Value, c calc) loop.Value {
	f, width := calc{b, b.Kind(x)}, c.k.Bits()
	half := f.num(float64(uint64(1) << (width - 1)))
	upper := b.Cmp(loop.GE, x, half)
	r := c.op(loop.FToS, f.pick(upper, f.op(loop.Sub, x, half), x))
	r = c.pick(upper, c.op(loop.Xor, r, c.raw(1<<(width-1))), r)
	over := b.Cmp(loop.GE, x, f.num(2*float64(uint64(1)<<(width-1))))
	r = c.pick(over, c.num(-1), r)
	return c.pick(b.Cmp(loop.GT, x, f.num(0)), r, c.num(0))
}

// drawsIntegers: a float and random bits of its width give an integer.
func drawsIntegers(_ op.Attrs, t shape.ElementType, from []shape.ElementType) bool {
	return len(from) == 2 && t.IsInteger() && from[0].IsFloat() && from[1].Bits() == from[0].Bits()
}

// stochasticConvert goes away from zero where the random bits are below the first bits of the fraction.
func stochasticConvert(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	c, v, random := calcOf(b, x[0].Type), x[0].Re, x[1]
	size := c.op(loop.Abs, v)
	whole := b.OpImm(loop.Round, c.k, loop.ToZero, size)
	fraction := c.op(loop.Sub, size, whole)
	scaled := c.op(loop.Mul, fraction, c.num(2*float64(uint64(1)<<(random.Type.Bits()-1))))
	first := floatToInt(b, scaled, random.Type)
	up := b.Cmp(loop.ULT, random.Re, first)
	whole = c.pick(up, c.op(loop.Add, whole, c.num(1)), whole)
	return Value{Type: t, Re: floatToInt(b, c.copySign(whole, v), t)}
}
