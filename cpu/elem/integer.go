package elem

import (
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

func signOfSigned(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	c := calcOf(b, t)
	return Value{Type: t, Re: c.op(loop.Min, c.op(loop.Max, x[0].Re, c.num(-1)), c.num(1))}
}

func signOfUnsigned(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	c := calcOf(b, t)
	return Value{Type: t, Re: c.op(loop.UMin, x[0].Re, c.num(1))}
}

// powerOfPred: 0 to the power of 1 alone is 0.
func powerOfPred(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	c := calc{b, loop.Mask}
	return Value{Type: t, Re: c.op(loop.Or, x[0].Re, c.op(loop.Not, x[1].Re))}
}

// powerOfInteger multiplies squares of the base, a bit of the exponent at a time. A negative
// power is 0, but 1 for the base 1.
func powerOfInteger(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	c := calcOf(b, t)
	one, bitsOfPower := c.num(1), t.Bits()
	if t.IsSigned() {
		bitsOfPower = max(bitsOfPower-1, 1)
	}
	start := []loop.Reduction{{Init: one}, {Init: x[0].Re}, {Init: x[1].Re}}
	out := b.For(loop.Spec{Extent: int64(bitsOfPower)}, start, func(_ int, v []loop.Value) []loop.Value {
		product, square, power := v[0], v[1], v[2]
		odd := b.Cmp(loop.NE, c.op(loop.And, power, one), c.num(0))
		return []loop.Value{c.pick(odd, c.op(loop.Mul, product, square), product),
			c.op(loop.Mul, square, square), c.op(loop.Shr, power, one)}
	})
	r := out[0]
	if t.IsSigned() {
		inverse := c.pick(b.Cmp(loop.EQ, x[0].Re, one), one, c.num(0))
		r = c.pick(b.Cmp(loop.LT, x[1].Re, c.num(0)), inverse, r)
	}
	return Normalize(b, Value{Type: t, Re: r})
}

// mulhi is the upper half of the product: by one operation, or of narrow integers by a shift.
func mulhi(o, shift loop.Op) form {
	return func(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
		c := calcOf(b, t)
		if !isNarrow(t) {
			return Value{Type: t, Re: c.op(o, x[0].Re, x[1].Re)}
		}
		return Value{Type: t, Re: c.op(shift, c.op(loop.Mul, x[0].Re, x[1].Re), c.num(float64(t.Bits())))}
	}
}

// shiftSignOfUnsigned takes the top bit for a sign.
func shiftSignOfUnsigned(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	c, v := calcOf(b, t), x[0].Re
	if isNarrow(t) {
		n := c.num(float64(32 - t.Bits()))
		v = c.op(loop.Sar, c.op(loop.Shl, v, n), n)
	}
	return Normalize(b, Value{Type: t, Re: c.op(loop.Sar, v, x[1].Re)})
}

// shiftZerosIntoSigned takes the sign for the top bit.
func shiftZerosIntoSigned(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	v := calcOf(b, t).op(loop.Shr, unsignedBits(b, t, x[0].Re), x[1].Re)
	return Normalize(b, Value{Type: t, Re: v})
}

// unsignedBits are the bits of a value of integer type t, without a sign in front.
func unsignedBits(b *loop.Builder, t shape.ElementType, x loop.Value) loop.Value {
	if !isNarrow(t) || t.IsUnsigned() {
		return x
	}
	c := calc{b, loop.I32}
	return c.op(loop.And, x, c.raw(1<<t.Bits()-1))
}

func leadingZeros(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	c := calcOf(b, t)
	n := c.op(loop.Clz, unsignedBits(b, t, x[0].Re))
	if isNarrow(t) {
		n = c.op(loop.Sub, n, c.num(float64(32-t.Bits())))
	}
	return Normalize(b, Value{Type: t, Re: n})
}

func populationCount(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
	return Normalize(b, Value{Type: t, Re: calcOf(b, t).op(loop.Popcnt, unsignedBits(b, t, x[0].Re))})
}
