package pass

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// maker adds instructions to a computation, with shapes that the operations' rules give. The
// first error stays and makes all that follows do nothing; finish returns it.
type maker struct {
	c   *hlo.Computation
	err error
}

func newMaker(i *hlo.Instruction) *maker { return &maker{c: i.Computation()} }

// finish returns x and the first error.
//
//go:noinline
func (b *maker) finish(x *hlo.Instruction) (*hlo.Instruction, error) {
	if b.err != nil {
		return nil, b.err
	}
	return x, nil
}

// add adds an operation whose shape follows from the operands.
//
//go:noinline
func (b *maker) add(code op.Code, a op.Attrs, operands ...*hlo.Instruction) *hlo.Instruction {
	return b.shaped(code, shape.Shape{}, a, operands)
}

// shaped adds an operation with a result of shape s; an s without a type stands for what the rule gives.
func (b *maker) shaped(code op.Code, s shape.Shape, a op.Attrs, operands []*hlo.Instruction,
	called ...*hlo.Computation) *hlo.Instruction {
	if b.err != nil {
		return nil
	}
	in := &op.Inputs{Attrs: a, Declared: s}
	for _, o := range operands {
		in.Operands = append(in.Operands, o.Shape())
	}
	for _, c := range called {
		in.Called = append(in.Called, c.Signature())
	}
	inferred, err := op.Infer(code, in)
	if err != nil {
		b.err = err
		return nil
	}
	if s.Type == shape.Invalid {
		s = inferred
	}
	return b.c.Add("", code, s, operands, a, called...)
}

// shapeOf returns the shape of x; the zero Shape after an error.
func (b *maker) shapeOf(x *hlo.Instruction) shape.Shape {
	if b.err != nil {
		return shape.Shape{}
	}
	return x.Shape()
}

func (b *maker) constant(v literal.Literal) *hlo.Instruction {
	if b.err != nil {
		return nil
	}
	return b.c.Add("", op.Constant, v.Shape(), nil, &op.ConstantAttrs{Value: v})
}

// number adds a scalar of type t with the value v, rounded as conversions do.
func (b *maker) number(t shape.ElementType, v float64) *hlo.Instruction {
	l := literal.New(shape.Make(t))
	l.SetFloat(0, v)
	return b.constant(l)
}

// reshape returns x with other dimensions; x itself if it has them.
func (b *maker) reshape(x *hlo.Instruction, dims ...int) *hlo.Instruction {
	if b.err != nil || slices.Equal(x.Dims(), dims) {
		return x
	}
	return b.shaped(op.Reshape, shape.Make(x.Type(), dims...), &op.ReshapeAttrs{}, []*hlo.Instruction{x})
}

// transpose returns x with its dimensions in another order; x itself if that is the same.
func (b *maker) transpose(x *hlo.Instruction, perm []int) *hlo.Instruction {
	if b.err != nil || slices.IsSorted(perm) {
		return x
	}
	return b.add(op.Transpose, &op.TransposeAttrs{Dimensions: slices.Clone(perm)}, x)
}

// broadcast returns x repeated to the sizes of s: dimension i of x becomes dimension dims[i].
func (b *maker) broadcast(x *hlo.Instruction, s shape.Shape, dims ...int) *hlo.Instruction {
	if b.err != nil || x.Shape().SameDims(s) {
		return x
	}
	if dims == nil {
		dims = []int{}
	}
	to := shape.Make(x.Type(), s.Dims...)
	return b.shaped(op.Broadcast, to, &op.BroadcastAttrs{Dimensions: dims}, []*hlo.Instruction{x})
}

// convert returns x with elements of type t; x itself if it has such.
func (b *maker) convert(x *hlo.Instruction, t shape.ElementType) *hlo.Instruction {
	if b.err != nil || x.Type() == t {
		return x
	}
	return b.shaped(op.Convert, x.Shape().WithType(t), nil, []*hlo.Instruction{x})
}

// element returns element k of the tuple x: what a tuple instruction is made of, or a
// get-tuple-element.
func (b *maker) element(x *hlo.Instruction, k int) *hlo.Instruction {
	if b.err != nil {
		return nil
	}
	if x.Code() == op.Tuple {
		return x.Operand(k)
	}
	return b.add(op.GetTupleElement, &op.GetTupleElementAttrs{Index: k}, x)
}

// tuple adds a tuple with the exact shapes of elems.
func (b *maker) tuple(elems ...*hlo.Instruction) *hlo.Instruction {
	if b.err != nil {
		return nil
	}
	shapes := make([]shape.Shape, len(elems))
	for k, e := range elems {
		shapes[k] = e.Shape()
	}
	return b.c.Add("", op.Tuple, shape.MakeTuple(shapes...), elems, nil)
}

// reducer adds a computation of two scalars of type t, named for the operation that combines them.
func (b *maker) reducer(code op.Code, t shape.ElementType) *hlo.Computation {
	c, s := b.c.Module().AddComputation(code.String()), shape.Make(t)
	c.ExecutionThread = b.c.ExecutionThread
	x := c.Add("x", op.Parameter, s, nil, &op.ParameterAttrs{})
	y := c.Add("y", op.Parameter, s, nil, &op.ParameterAttrs{Number: 1})
	c.SetRoot(c.Add("", code, s, []*hlo.Instruction{x, y}, nil))
	return c
}
