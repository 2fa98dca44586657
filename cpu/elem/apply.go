package elem

import (
	"fmt"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// rule computes an operation whose result is of type t.
type rule func(b *loop.Builder, a op.Attrs, t shape.ElementType, x []Value) Value

// Apply computes operation c with attributes a on elements; t is the type of the result.
func Apply(b *loop.Builder, c op.Code, a op.Attrs, t shape.ElementType, x []Value) (Value, error) {
	r := rules[c]
	if r == nil {
		return Value{}, fmt.Errorf("%v has no vector form for %v", c, t)
	}
	return r(b, a, t, x), nil
}

// Supports reports whether Apply can compute operation c with attributes a, a result of type t and
// operands of types from.
func Supports(c op.Code, a op.Attrs, t shape.ElementType, from []shape.ElementType) bool {
	return rules[c] != nil
}

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

// Normalize wraps or rounds a value whose parts may have left its type.
func Normalize(b *loop.Builder, v Value) Value {
	switch {
	case v.Type == shape.F16:
		v.Re = b.Op(loop.RoundF16, loop.F32, v.Re)
	case v.Type == shape.BF16:
		v.Re = b.Op(loop.RoundBF16, loop.F32, v.Re)
	case isByteFloat(v.Type):
		v.Re = decode(b, v.Type, encode(b, v.Type, v.Re))
	case v.Type.IsInteger() && v.Type.Bits() < 32:
		n := b.Int(loop.I32, int64(32-v.Type.Bits()))
		back := loop.Shr
		if v.Type.IsSigned() {
			back = loop.Sar
		}
		v.Re = b.Op(back, loop.I32, b.Op(loop.Shl, loop.I32, v.Re, n), n)
	}
	return v
}

var rules = [op.NumCodes]rule{
	op.Add: plain(loop.Add), op.Subtract: plain(loop.Sub),
}

// plain applies o to each part.
func plain(o loop.Op) rule {
	return func(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
		k := b.Kind(x[0].Re)
		out := Value{Type: t, Re: b.Op(o, k, x[0].Re, x[1].Re)}
		if t.IsComplex() {
			out.Im = b.Op(o, k, x[0].Im, x[1].Im)
		}
		return Normalize(b, out)
	}
}
