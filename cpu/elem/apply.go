package elem

import (
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Zero is zero of type t.
func Zero(b *loop.Builder, t shape.ElementType) Value { return Const(b, literal.New(shape.Make(t)), 0) }

// Const is element i of l.
func Const(b *loop.Builder, l literal.Literal, i int) Value {
	t := l.Type()
	switch {
	case t.IsComplex():
		c := l.ComplexAt(i)
		return Value{t, b.Float(KindOf(t), real(c)), b.Float(KindOf(t), imag(c))}
	case t == shape.Pred:
		return Value{Type: t, Re: b.Bool(l.BoolAt(i))}
	case t == shape.F64:
		return Value{Type: t, Re: b.Const(loop.F64, l.BitsAt(i))}
	case t == shape.F32:
		return Value{Type: t, Re: b.Const(loop.F32, l.BitsAt(i))}
	case t.IsFloat():
		return Value{Type: t, Re: b.Float(loop.F32, l.FloatAt(i))}
	case KindOf(t) == loop.I64:
		return Value{Type: t, Re: b.Const(loop.I64, l.BitsAt(i))}
	}
	return Value{Type: t, Re: b.Int(loop.I32, l.IntAt(i))}
}

// Normalize wraps or rounds a value whose parts may have left its type. Where digits may be in excess f16 and bf16 are
// left as they are.
func Normalize(b *loop.Builder, v Value) Value {
	if mayExceed(b, v.Type) {
		return v
	}
	return rounded(b, v)
}

// mayExceed reports whether values of type t may have more digits than it has.
func mayExceed(b *loop.Builder, t shape.ElementType) bool {
	return b.Excess && (t == shape.F16 || t == shape.BF16)
}

// Settle rounds a value that has digits in excess, as it is when it is stored.
func Settle(b *loop.Builder, v Value) Value {
	if mayExceed(b, v.Type) {
		return rounded(b, v)
	}
	return v
}

// rounded wraps or rounds v to its type.
func rounded(b *loop.Builder, v Value) Value {
	switch {
	case v.Type == shape.F16:
		v.Re = b.Op(loop.RoundF16, loop.F32, v.Re)
	case v.Type == shape.BF16:
		v.Re = b.Op(loop.RoundBF16, loop.F32, v.Re)
	case isByteFloat(v.Type):
		v.Re = decode(b, v.Type, encode(b, v.Type, v.Re))
	case isNarrow(v.Type):
		v.Re = extend(b, v.Type, v.Re)
	}
	return v
}

// isNarrow reports whether t is an integer type narrower than its register.
func isNarrow(t shape.ElementType) bool { return t.IsInteger() && t.Bits() < 32 }

// extend makes the low bits of x, those of the narrow integer type t, a value of the type.
func extend(b *loop.Builder, t shape.ElementType, x loop.Value) loop.Value {
	c := calc{b, loop.I32}
	if t.IsUnsigned() {
		return c.op(loop.And, x, c.raw(1<<t.Bits()-1))
	}
	n := c.num(float64(32 - t.Bits()))
	return c.op(loop.Sar, c.op(loop.Shl, x, n), n)
}

// keep applies o to each part; the result is one of the type.
//
//go:noinline
func keep(o loop.Op) form {
	return func(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
		re, im := make([]loop.Value, len(x)), make([]loop.Value, len(x))
		for i, v := range x {
			re[i], im[i] = v.Re, v.Im
		}
		out := Value{Type: t, Re: calcOf(b, t).op(o, re...)}
		if t.IsComplex() {
			out.Im = calcOf(b, t).op(o, im...)
		}
		return out
	}
}

// wrap applies o to each part and wraps or rounds the result to the type.
//
//go:noinline
func wrap(o loop.Op) form {
	f := keep(o)
	return func(b *loop.Builder, a op.Attrs, t shape.ElementType, x []Value) Value {
		return Normalize(b, f(b, a, t, x))
	}
}

// operand is the form of what gives back operand i.
func operand(i int) form {
	return func(_ *loop.Builder, _ op.Attrs, _ shape.ElementType, x []Value) Value { return x[i] }
}

// withFits returns r with the condition f.
func withFits(r rule, f func(op.Attrs, shape.ElementType, []shape.ElementType) bool) rule {
	r.fits = f
	return r
}

// toComponent: a complex operand has a result of the type of its parts.
func toComponent(_ op.Attrs, t shape.ElementType, from []shape.ElementType) bool {
	return t == from[0].Component()
}

func toPred(_ op.Attrs, t shape.ElementType, _ []shape.ElementType) bool { return t == shape.Pred }

func anyTypes(op.Attrs, shape.ElementType, []shape.ElementType) bool { return true }
