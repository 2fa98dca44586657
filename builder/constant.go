package builder

import (
	"fmt"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Parameter returns parameter number of the computation, of shape s. Numbers go from 0
// without gaps; an empty name stands for "Arg_" and the number. It fails if the number is
// negative or taken, or if s is not a valid shape. Spec: OPS.md section 4.
func (b *Builder) Parameter(number int, s shape.Shape, name string) Op {
	const code = op.Parameter
	if !b.open(code) {
		return b.invalid()
	}
	if err := s.Check(); err != nil {
		b.errorf(code, "", "parameter_o2", "expected a valid shape: %w", err)
		return b.invalid()
	}
	if params := b.comp.Params(); number >= 0 && number < len(params) && params[number] != nil {
		b.errorf(code, "number", "", "expected a number that is free, got %d, which is %%%s", number, params[number].Name())
		return b.invalid()
	}
	if name == "" {
		name = fmt.Sprintf("Arg_%d", number)
	}
	return b.add(code, nil, &op.ParameterAttrs{Number: number}, s).Named(name)
}

// Const returns a constant: v is a literal, a number or bool of Go, or a slice or array of
// those nested to any depth. The element type is that of Go: float32 gives f32, int s64. It
// fails for other values and for slices of uneven lengths.
func (b *Builder) Const(v any) Op {
	if !b.open(op.Constant) {
		return b.invalid()
	}
	l, err := literal.FromAny(v)
	if err != nil {
		b.errorf(op.Constant, "value", "", "%w", err)
		return b.invalid()
	}
	return b.Constant(l)
}

// Constant returns the constant l, also called ConstantLiteral; the result has its shape.
// The literal is not copied and not to be changed. It fails if l is the zero Literal.
// Spec: OPS.md section 3.
func (b *Builder) Constant(l literal.Literal) Op {
	if !b.open(op.Constant) {
		return b.invalid()
	}
	return b.add(op.Constant, nil, &op.ConstantAttrs{Value: l}, shape.Shape{})
}

// Zero returns the scalar 0 of type t, false for pred: the identity of Add. It fails if t
// is not an array type.
func (b *Builder) Zero(t shape.ElementType) Op {
	return b.scalar(t, func() (literal.Literal, error) { return literal.Zero(t), nil })
}

// One returns the scalar 1 of type t, true for pred: the identity of Mul. It fails if t is
// not an array type.
func (b *Builder) One(t shape.ElementType) Op {
	return b.scalar(t, func() (literal.Literal, error) { return literal.One(t), nil })
}

// MinValue returns the scalar that is the identity of Max in type t: false, the lowest
// integer, -infinity. It fails for complex types and what is not an array type.
func (b *Builder) MinValue(t shape.ElementType) Op {
	return b.scalar(t, func() (literal.Literal, error) { return literal.MinValue(t) })
}

// MaxValue returns the scalar that is the identity of Min in type t: true, the highest
// integer, infinity. It fails for complex types and what is not an array type.
func (b *Builder) MaxValue(t shape.ElementType) Op {
	return b.scalar(t, func() (literal.Literal, error) { return literal.MaxValue(t) })
}

func (b *Builder) scalar(t shape.ElementType, value func() (literal.Literal, error)) Op {
	if !b.open(op.Constant) {
		return b.invalid()
	}
	if !t.IsArray() {
		b.errorf(op.Constant, "value", "", "expected an array type, got %v", t)
		return b.invalid()
	}
	l, err := value()
	if err != nil {
		b.errorf(op.Constant, "value", "", "%w", err)
		return b.invalid()
	}
	return b.Constant(l)
}

// ScalarLike returns the scalar constant v, a Go number or bool, of the element type of x
// and in its computation: 2 of an f32 array is the f32 2. It fails if v is no scalar or x no array.
func ScalarLike(x Op, v any) Op {
	b, ok := enter(op.Constant, x)
	if !ok {
		return b.invalid()
	}
	l, err := literal.FromAny(v)
	if err == nil && l.Shape().Rank() != 0 {
		err = fmt.Errorf("expected a scalar, got %v", l.Shape())
	}
	if err == nil {
		l, err = literal.Convert(l, x.Type())
	}
	if err != nil {
		b.errorf(op.Constant, "value", "", "%w", err)
		return b.invalid()
	}
	return b.Constant(l)
}

// FullLike returns an array of the shape of x with every element v, a Go number or bool.
// It fails if v is no scalar or x no array.
func FullLike(x Op, v any) Op {
	c := ScalarLike(x, v)
	if !c.IsValid() {
		return c
	}
	return c.b.expandTo(c, nil, x)
}

// Iota returns an array of shape s in which every element is its index along dimension
// dim. It fails if s is not an array of numbers or has no such dimension. Spec: OPS.md section 3.
func (b *Builder) Iota(s shape.Shape, dim int) Op {
	if !b.open(op.Iota) {
		return b.invalid()
	}
	return b.add(op.Iota, nil, &op.IotaAttrs{Dimension: dim}, s)
}
