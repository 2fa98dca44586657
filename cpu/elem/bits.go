package elem

import (
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// toBits are the bits of v, without a sign in front, in an integer of its register's width.
func toBits(b *loop.Builder, v Value) loop.Value {
	c := calc{b, loop.I32}
	v = Settle(b, v)
	switch t := v.Type; {
	case t == shape.Pred:
		return c.pick(v.Re, c.num(1), c.num(0))
	case t == shape.BF16:
		return c.op(loop.Shr, c.cast(v.Re), c.num(16))
	case t.IsFloat() && t.Bits() < 32:
		return pack(b, t, v.Re)
	case t.IsInteger():
		return unsignedBits(b, t, v.Re)
	}
	return bitsOf(b, KindOf(v.Type)).cast(v.Re)
}

// fromBits is the value of type t with these bits; bits above those of the type may be set
// for narrow integers only.
func fromBits(b *loop.Builder, t shape.ElementType, bits loop.Value) Value {
	c := calc{b, loop.I32}
	switch {
	case t == shape.Pred:
		return Value{Type: t, Re: b.Cmp(loop.NE, bits, c.num(0))}
	case t == shape.BF16:
		return Value{Type: t, Re: calc{b, loop.F32}.cast(c.op(loop.Shl, bits, c.num(16)))}
	case t.IsFloat() && t.Bits() < 32:
		return Value{Type: t, Re: decode(b, t, bits)}
	case isNarrow(t):
		return Value{Type: t, Re: extend(b, t, bits)}
	}
	return Value{Type: t, Re: calcOf(b, t).cast(bits)}
}

// sameBits: types of one width; a complex one is only its own.
func sameBits(_ op.Attrs, t shape.ElementType, from []shape.ElementType) bool {
	if t.IsComplex() || from[0].IsComplex() {
		return t == from[0]
	}
	return t.Bits() == from[0].Bits()
}

// bitcast gives the bits of an element another type.
func bitcast(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	v := x[0]
	switch {
	case v.Type == t:
		return v
	case v.Type.IsInteger() && t.IsInteger():
		return intToInt(b, v, t)
	}
	return fromBits(b, t, toBits(b, v))
}

// precision reduces the bits of a format to fewer bits of exponent and mantissa.
type precision struct {
	calc
	exponent, mantissa         int // of the format
	keepExponent, keepMantissa int
}

// reducePrecision rounds the mantissa to nearest even; what the smaller exponent cannot
// hold becomes an infinity, or zero where it is below the least normal number.
func reducePrecision(b *loop.Builder, a op.Attrs, t shape.ElementType, x []Value) Value {
	f, _ := literal.FloatFormat(t)
	keep := a.(*op.ReducePrecisionAttrs)
	p := precision{bitsOf(b, KindOf(t)), f.ExponentBits, f.MantissaBits, keep.ExponentBits, keep.MantissaBits}
	bits := toBits(b, x[0])
	sign := p.op(loop.And, bits, p.raw(1<<(p.exponent+p.mantissa)))
	size := p.op(loop.Xor, bits, sign)
	infinity := p.raw((1<<p.exponent - 1) << p.mantissa)
	r := p.reduceExponent(p.reduceMantissa(size), infinity)
	r = p.pick(b.Cmp(loop.UGT, size, infinity), size, r)
	return fromBits(b, t, p.op(loop.Or, r, sign))
}

func (p *precision) reduceMantissa(x loop.Value) loop.Value {
	cut := p.mantissa - p.keepMantissa
	if cut <= 0 {
		return x
	}
	odd := p.op(loop.And, p.op(loop.Shr, x, p.num(float64(cut))), p.num(1))
	sum := p.op(loop.Add, p.op(loop.Add, x, odd), p.raw(1<<(cut-1)-1))
	return p.op(loop.And, sum, p.raw(^uint64(1<<cut-1)))
}

func (p *precision) reduceExponent(x, infinity loop.Value) loop.Value {
	if p.keepExponent >= p.exponent {
		return x
	}
	bias, keepBias := uint64(1)<<(p.exponent-1)-1, uint64(1)<<(p.keepExponent-1)-1
	e := p.op(loop.And, x, infinity)
	r := p.pick(p.Cmp(loop.UGT, e, p.raw((bias+keepBias)<<p.mantissa)), infinity, x)
	return p.pick(p.Cmp(loop.ULE, e, p.raw((bias-keepBias)<<p.mantissa)), p.num(0), r)
}
