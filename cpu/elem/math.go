package elem

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// function computes a function of one number of kind k, function2 one of two.
type (
	function  = func(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value
	function2 = func(b *loop.Builder, k loop.Kind, x, y loop.Value) loop.Value
)

// elementary is the form of f on floats; those kept in F32 are rounded twice.
func elementary(f function) form {
	return func(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
		return Normalize(b, Value{Type: t, Re: f(b, KindOf(t), x[0].Re)})
	}
}

// partial is elementary for a function that not every number has a value of. The NaN that it gives
// then has no sign, whatever instruction made it: sorts by the total order see that.
func partial(f function) form {
	return elementary(func(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value {
		return unsignedNaN(b, k, f(b, k, x))
	})
}

// periodic is partial for a function that all finite numbers, and no others, have a value of: what tells is known
// before the value is.
func periodic(f function) form {
	return elementary(func(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value {
		c := calc{b, k}
		y := f(b, k, x)
		return c.pick(c.isFinite(x), y, c.num(math.NaN()))
	})
}

// partial2 is partial for a function of two numbers.
func partial2(f function2) form {
	return elementary2(func(b *loop.Builder, k loop.Kind, x, y loop.Value) loop.Value {
		return unsignedNaN(b, k, f(b, k, x, y))
	})
}

func unsignedNaN(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value {
	return b.Op(loop.Select, k, b.Cmp(loop.Unordered, x, x), b.Float(k, math.NaN()), x)
}

// elementary2 is elementary for a function of two numbers.
func elementary2(f function2) form {
	return func(b *loop.Builder, _ op.Attrs, t shape.ElementType, x []Value) Value {
		return Normalize(b, Value{Type: t, Re: f(b, KindOf(t), x[0].Re, x[1].Re)})
	}
}

// call and call2 compute a function in the kind of c.
func (c calc) call(f function, x loop.Value) loop.Value      { return f(c.Builder, c.k, x) }
func (c calc) call2(f function2, x, y loop.Value) loop.Value { return f(c.Builder, c.k, x, y) }

// Arithmetic, for formulas.
func (c calc) add(x, y loop.Value) loop.Value { return c.op(loop.Add, x, y) }
func (c calc) sub(x, y loop.Value) loop.Value { return c.op(loop.Sub, x, y) }
func (c calc) mul(x, y loop.Value) loop.Value { return c.op(loop.Mul, x, y) }
func (c calc) div(x, y loop.Value) loop.Value { return c.op(loop.Div, x, y) }
func (c calc) neg(x loop.Value) loop.Value    { return c.op(loop.Neg, x) }
func (c calc) abs(x loop.Value) loop.Value    { return c.op(loop.Abs, x) }
func (c calc) sqrt(x loop.Value) loop.Value   { return c.op(loop.Sqrt, x) }
func (c calc) square(x loop.Value) loop.Value { return c.op(loop.Mul, x, x) }
