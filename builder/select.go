package builder

import (
	"fmt"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Clamp returns min(max(lo, x), hi) element by element, in x's shape; lo and hi each have
// x's dimensions or are scalars. It fails if types or dimensions do not match.
// Spec: OPS.md section 2.
func Clamp(lo, x, hi Op) Op {
	b, ok := enter(op.Clamp, lo, x, hi)
	if !ok {
		return b.invalid()
	}
	for i, bound := range []*Op{&lo, &hi} {
		if bound.Type() != x.Type() {
			b.errorf(op.Clamp, fmt.Sprintf("operand %d", 2*i), "clamp_c3", "expected the element type %v of operand 1, got %v",
				x.Type(), bound.Type())
			return b.invalid()
		}
		*bound = b.stretchScalar(*bound, x)
	}
	if b.s.err != nil {
		return b.invalid()
	}
	return b.add(op.Clamp, []Op{lo, x, hi}, nil, shape.Shape{})
}

// stretchScalar returns the scalar x with the dimensions of the array like; anything else as it is.
func (b *Builder) stretchScalar(x, like Op) Op {
	if !x.Shape().IsScalar() || !like.Type().IsArray() {
		return x
	}
	return b.expandTo(x, nil, like)
}

// Select returns the elements of onTrue where pred is true and of onFalse where it is false,
// in their shape; pred has their dimensions or is a scalar. With a scalar pred they may be
// tuples, of which the result is one. It fails if types or dimensions do not match.
// Spec: OPS.md section 2.
func Select(pred, onTrue, onFalse Op) Op {
	b, ok := enter(op.Select, pred, onTrue, onFalse)
	if !ok {
		return b.invalid()
	}
	if onTrue.Type() == shape.Tuple && pred.Type() == shape.Pred && pred.Rank() == 0 {
		return Conditional(pred, onTrue, itself, onFalse, itself)
	}
	if t, f := onTrue.Type(), onFalse.Type(); t != f {
		b.errorf(op.Select, "operand 2", "select_c2", "expected the element type %v of operand 1, got %v", t, f)
		return b.invalid()
	}
	pred = b.stretchScalar(pred, onTrue)
	if b.s.err != nil {
		return b.invalid()
	}
	return b.add(op.Select, []Op{pred, onTrue, onFalse}, nil, shape.Shape{})
}

// itself is the computation that returns its parameter.
func itself(x Op) Op { return x }
