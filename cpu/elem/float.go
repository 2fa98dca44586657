package elem

import (
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// normalizeByte rounds to a float of 8 bits or fewer, and leaves wider ones: it is for
// results that all wider types hold.
func normalizeByte(b *loop.Builder, v Value) Value {
	if !isByteFloat(v.Type) {
		return v
	}
	return Normalize(b, v)
}

// negate: types without a negative zero have another result for 0, those without a sign NaN.
func negate(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	return normalizeByte(b, Value{Type: t, Re: calcOf(b, t).op(loop.Neg, x[0].Re)})
}

// minNormal is the least normal number of a kind.
func minNormal(k loop.Kind) float64 {
	if k == loop.F32 {
		return 0x1p-126
	}
	return 0x1p-1022
}

// signOfFloat is -1 or 1, and zeros and NaN as they are. A number that is subnormal in the register
// counts as a zero of its sign.
func signOfFloat(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	c, v := calcOf(b, t), x[0].Re
	normal := b.Cmp(loop.GE, c.op(loop.Abs, v), c.num(minNormal(c.k)))
	zero := c.signOf(v)
	r := c.pick(normal, c.op(loop.Or, zero, c.num(1)), zero)
	return normalizeByte(b, Value{Type: t, Re: c.pick(c.isNaN(v), v, r)})
}

func finite(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	return Value{Type: t, Re: calcOf(b, x[0].Type).isFinite(Settle(b, x[0]).Re)}
}

// rounding makes a number integral by r.
func rounding(r loop.Rounding) form {
	return func(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
		return normalizeByte(b, Value{Type: t, Re: b.OpImm(loop.Round, KindOf(t), r, x[0].Re)})
	}
}

// roundAwayFromZero makes a number integral; halves go away from zero.
func roundAwayFromZero(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	c, v := calcOf(b, t), x[0].Re
	cut := b.OpImm(loop.Round, c.k, loop.ToZero, v)
	next := c.op(loop.Add, cut, c.copySign(c.num(1), v))
	far := b.Cmp(loop.GE, c.op(loop.Abs, c.op(loop.Sub, v, cut)), c.num(0.5))
	return normalizeByte(b, Value{Type: t, Re: c.pick(far, next, cut)})
}
