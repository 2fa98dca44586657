package elem

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/shape"
)

// calc adds operations of one kind to a nest.
type calc struct {
	*loop.Builder
	k loop.Kind
}

// calcOf is a calc of the kind that holds elements of type t.
func calcOf(b *loop.Builder, t shape.ElementType) calc { return calc{b, KindOf(t)} }

// bitsOf is a calc of the integer kind as wide as k.
func bitsOf(b *loop.Builder, k loop.Kind) calc {
	if k.Bits() == 64 {
		return calc{b, loop.I64}
	}
	return calc{b, loop.I32}
}

// op adds operation o.
//
//go:noinline
func (c calc) op(o loop.Op, x ...loop.Value) loop.Value { return c.Op(o, c.k, x...) }

// num is the constant v, which the kind can hold or rounds.
func (c calc) num(v float64) loop.Value {
	if c.k.IsFloat() {
		return c.Float(c.k, v)
	}
	return c.Int(c.k, int64(v))
}

// raw is the constant with the low bits of v.
func (c calc) raw(v uint64) loop.Value {
	if c.k.Bits() == 32 {
		v = uint64(uint32(v))
	}
	return c.Const(c.k, v)
}

// pick is m ? x : y.
func (c calc) pick(m, x, y loop.Value) loop.Value { return c.op(loop.Select, m, x, y) }

// cast gives the bits of x the kind of c; both are equally wide.
func (c calc) cast(x loop.Value) loop.Value {
	if c.Kind(x) == c.k {
		return x
	}
	return c.op(loop.Bitcast, x)
}

// isNaN is the mask of NaN.
func (c calc) isNaN(x loop.Value) loop.Value { return c.Cmp(loop.Unordered, x, x) }

// isInf is the mask of the infinities.
func (c calc) isInf(x loop.Value) loop.Value {
	return c.Cmp(loop.EQ, c.op(loop.Abs, x), c.num(math.Inf(1)))
}

// isFinite is the mask of what is neither an infinity nor NaN.
func (c calc) isFinite(x loop.Value) loop.Value {
	return c.Cmp(loop.LT, c.op(loop.Abs, x), c.num(math.Inf(1)))
}

// signOf is the sign bit of x alone: a zero of its sign.
func (c calc) signOf(x loop.Value) loop.Value {
	return c.op(loop.And, x, c.raw(1<<(c.k.Bits()-1)))
}

// copySign is x, which is not negative, with the sign of y.
func (c calc) copySign(x, y loop.Value) loop.Value { return c.op(loop.Or, x, c.signOf(y)) }

// both and either combine masks.
func (c calc) both(x, y loop.Value) loop.Value   { return c.Op(loop.And, loop.Mask, x, y) }
func (c calc) either(x, y loop.Value) loop.Value { return c.Op(loop.Or, loop.Mask, x, y) }
func (c calc) not(x loop.Value) loop.Value       { return c.Op(loop.Not, loop.Mask, x) }
