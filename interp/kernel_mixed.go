package interp

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// The rules of shapes let floating-point operands differ in precision, as XLA's do. This file brings them to
// one type before the kernels, which see equal types.

// likeType returns x as elements of type t: x itself, or an array that fill sets to what x holds at that
// time. t holds every value of x's type, or is the type of the result.
func likeType(x literal.Literal, t shape.ElementType) (fill func(), same literal.Literal) {
	if x.Type() == t {
		return func() {}, x
	}
	s := x.Shape()
	s.Type = t
	same = literal.New(s)
	return func() {
		if v, err := literal.Convert(x, t); err == nil {
			copy(same.Bytes(), v.Bytes())
		}
	}, same
}

// oneFloatType is a kernel that compares floats of different types in f64, which holds all of them.
func oneFloatType(kernel kernelFunc) kernelFunc {
	return func(n *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
		if args[0].Type() == args[1].Type() {
			return kernel(n, dst, args)
		}
		fillX, x := likeType(args[0], shape.F64)
		fillY, y := likeType(args[1], shape.F64)
		run, err := kernel(n, dst, []literal.Literal{x, y})
		if err != nil {
			return nil, err
		}
		return func() { fillX(); fillY(); run() }, nil
	}
}

// resultType is a kernel of select whose values are brought to the type of the result.
func resultType(kernel kernelFunc) kernelFunc {
	return func(n *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
		if args[1].Type() == dst.Type() && args[2].Type() == dst.Type() {
			return kernel(n, dst, args)
		}
		fillX, x := likeType(args[1], dst.Type())
		fillY, y := likeType(args[2], dst.Type())
		run, err := kernel(n, dst, []literal.Literal{args[0], x, y})
		if err != nil {
			return nil, err
		}
		return func() { fillX(); fillY(); run() }, nil
	}
}
