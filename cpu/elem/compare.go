package elem

import (
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// comparable: operands of one type, and of complex numbers no order.
func comparable(a op.Attrs, t shape.ElementType, from []shape.ElementType) bool {
	attrs, ok := a.(*op.CompareAttrs)
	if !ok || t != shape.Pred || from[0] != from[1] || attrs.Direction == op.NoDirection {
		return false
	}
	return !from[0].IsComplex() || attrs.Direction == op.EQ || attrs.Direction == op.NE
}

// The predicates by direction.
var (
	signedPreds = [...]loop.Pred{op.EQ: loop.EQ, op.NE: loop.NE, op.GE: loop.GE, op.GT: loop.GT,
		op.LE: loop.LE, op.LT: loop.LT}
	unsignedPreds = [...]loop.Pred{op.EQ: loop.EQ, op.NE: loop.NE, op.GE: loop.UGE, op.GT: loop.UGT,
		op.LE: loop.ULE, op.LT: loop.ULT}
)

func direction(a op.Attrs) op.Direction { return a.(*op.CompareAttrs).Direction }

func compareSigned(b *loop.Builder, a op.Attrs, t shape.ElementType, x []Value) Value {
	return Value{Type: t, Re: b.Cmp(signedPreds[direction(a)], x[0].Re, x[1].Re)}
}

func compareUnsigned(b *loop.Builder, a op.Attrs, t shape.ElementType, x []Value) Value {
	return Value{Type: t, Re: b.Cmp(unsignedPreds[direction(a)], x[0].Re, x[1].Re)}
}

// predCompare is a comparison of truth values: an operation on x and y, or on y and x, or its opposite.
type predCompare struct {
	op              loop.Op
	swapped, negate bool
}

var predCompares = [...]predCompare{
	op.EQ: {op: loop.Xor, negate: true},
	op.NE: {op: loop.Xor},
	op.LT: {op: loop.AndNot},
	op.GE: {op: loop.AndNot, negate: true},
	op.GT: {op: loop.AndNot, swapped: true},
	op.LE: {op: loop.AndNot, swapped: true, negate: true},
}

func comparePred(b *loop.Builder, a op.Attrs, t shape.ElementType, x []Value) Value {
	c, p := calc{b, loop.Mask}, predCompares[direction(a)]
	l, r := x[0].Re, x[1].Re
	if p.swapped {
		l, r = r, l
	}
	v := c.op(p.op, l, r)
	if p.negate {
		v = c.op(loop.Not, v)
	}
	return Value{Type: t, Re: v}
}

// compareFloat compares as IEEE says, or in the total order.
func compareFloat(b *loop.Builder, a op.Attrs, t shape.ElementType, x []Value) Value {
	x = []Value{Settle(b, x[0]), Settle(b, x[1])} // what is equal as stored is equal
	if a.(*op.CompareAttrs).Type != op.ComparisonTotalOrder {
		return compareSigned(b, a, t, x)
	}
	return Value{Type: t, Re: b.Cmp(signedPreds[direction(a)], totalKey(b, x[0].Re), totalKey(b, x[1].Re))}
}

// totalKey is an integer in the total order of floats: -NaN < -inf < ... < -0 < +0 < ... < +NaN. The
// bits of negative numbers fall where the number rises, so all but the sign are inverted.
func totalKey(b *loop.Builder, x loop.Value) loop.Value {
	c := bitsOf(b, b.Kind(x))
	v, width := c.cast(x), c.k.Bits()
	negative := c.op(loop.Sar, v, c.num(float64(width-1)))
	return c.op(loop.Xor, v, c.op(loop.Shr, negative, c.num(1)))
}

func compareComplex(b *loop.Builder, a op.Attrs, t shape.ElementType, x []Value) Value {
	p, join := signedPreds[direction(a)], loop.And
	if direction(a) == op.NE {
		join = loop.Or
	}
	re, im := b.Cmp(p, x[0].Re, x[1].Re), b.Cmp(p, x[0].Im, x[1].Im)
	return Value{Type: t, Re: b.Op(join, loop.Mask, re, im)}
}

// selects: a truth value and two of the result's type.
func selects(_ op.Attrs, t shape.ElementType, from []shape.ElementType) bool {
	return len(from) == 3 && from[0] == shape.Pred && from[1] == t && from[2] == t
}

func selectOf(b *loop.Builder, _ op.Attrs, _ shape.ElementType, x []Value) Value {
	return Select(b, x[0].Re, x[1], x[2])
}

// clamp is least(most(low, x), high).
//
//go:noinline
func clamp(most, least loop.Op) form {
	most2, least2 := keep(most), keep(least)
	return func(b *loop.Builder, a op.Attrs, t shape.ElementType, x []Value) Value {
		return least2(b, a, t, []Value{most2(b, a, t, x[:2]), x[2]})
	}
}
