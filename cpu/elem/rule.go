package elem

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// form computes an operation with a result of type t on operands of one class of types.
type form func(b *loop.Builder, a op.Attrs, t shape.ElementType, x []Value) Value

// rule is the meaning of an operation: a form for each class of types, which that of the
// last operand selects. nil: the operation is not defined for the class.
type rule struct {
	pred, signed, unsigned, float, complex form
	// fits reports whether operands of types from have a result of type t; nil: if all are one type.
	fits func(a op.Attrs, t shape.ElementType, from []shape.ElementType) bool
	// mixes: operands may be floats of different types; they are computed with in f64, and
	// the result is rounded once.
	mixes bool
}

// of returns the form for operands of type t.
func (r *rule) of(t shape.ElementType) form {
	switch {
	case t == shape.Pred:
		return r.pred
	case t.IsSigned():
		return r.signed
	case t.IsUnsigned():
		return r.unsigned
	case t.IsFloat():
		return r.float
	case t.IsComplex():
		return r.complex
	}
	return nil
}

// everywhere is the rule with one form for all classes.
func everywhere(f form) rule {
	return rule{pred: f, signed: f, unsigned: f, float: f, complex: f}
}

// Supports reports whether Apply can compute operation c with attributes a, a result of type t and
// operands of types from.
func Supports(c op.Code, a op.Attrs, t shape.ElementType, from []shape.ElementType) bool {
	r := &rules[c]
	if len(from) == 0 || r.of(from[len(from)-1]) == nil {
		return false
	}
	if r.fits != nil {
		return r.fits(a, t, from)
	}
	return oneType(t, from) || r.mixes && t.IsFloat() && !slices.ContainsFunc(from, notFloat)
}

func notFloat(t shape.ElementType) bool { return !t.IsFloat() }

// oneType reports whether all of from are t.
func oneType(t shape.ElementType, from []shape.ElementType) bool {
	return !slices.ContainsFunc(from, func(f shape.ElementType) bool { return f != t })
}

// Apply computes operation c with attributes a on elements; t is the type of the result. It fails
// where Supports says so.
func Apply(b *loop.Builder, c op.Code, a op.Attrs, t shape.ElementType, x []Value) (Value, error) {
	from := make([]shape.ElementType, len(x))
	for i, v := range x {
		from[i] = v.Type
	}
	if !Supports(c, a, t, from) {
		return Value{}, fmt.Errorf("%v: expects types with a vector form, got %v of %v", c, t, from)
	}
	r := &rules[c]
	f := r.of(from[len(from)-1])
	if r.fits != nil || oneType(t, from) {
		return f(b, a, t, x), nil
	}
	wide := make([]Value, len(x))
	for i, v := range x {
		wide[i] = Convert(b, v, shape.F64)
	}
	return Convert(b, f(b, a, shape.F64, wide), t), nil
}
