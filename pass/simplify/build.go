package simplify

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// emit adds an instruction to the computation of i; nil attributes are the default ones.
func emit(i *hlo.Instruction, code op.Code, s shape.Shape, attrs op.Attrs, operands ...*hlo.Instruction,
) *hlo.Instruction {
	if attrs == nil {
		attrs = op.NewAttrs(code)
	}
	return i.Computation().Add("", code, s, operands, attrs)
}

// like emits an operation with the shape of i.
//
//go:noinline
func like(i *hlo.Instruction, code op.Code, operands ...*hlo.Instruction) *hlo.Instruction {
	return emit(i, code, i.Shape(), nil, operands...)
}

// constant emits a constant.
func constant(i *hlo.Instruction, v literal.Literal) *hlo.Instruction {
	return emit(i, op.Constant, v.Shape(), &op.ConstantAttrs{Value: v})
}

// fill emits an array of shape s with every element equal to the scalar v.
func fill(i *hlo.Instruction, s shape.Shape, v literal.Literal) *hlo.Instruction {
	return spread(i, s, constant(i, v))
}

// fillLike is fill for the shape of i.
//
//go:noinline
func fillLike(i *hlo.Instruction, v literal.Literal) *hlo.Instruction { return fill(i, i.Shape(), v) }

// spread emits the broadcast of the scalar x to shape s; x itself where s is scalar.
func spread(i *hlo.Instruction, s shape.Shape, x *hlo.Instruction) *hlo.Instruction {
	if s.IsScalar() {
		return x
	}
	return emit(i, op.Broadcast, s, &op.BroadcastAttrs{}, x)
}

// truth emits an array of preds like i that are all v.
func truth(i *hlo.Instruction, v bool) *hlo.Instruction { return fillLike(i, literal.Scalar(v)) }

// number returns the scalar v of an integer or floating-point type.
func number(t shape.ElementType, v int64) literal.Literal {
	l := literal.Zero(t)
	l.SetInt(0, v)
	return l
}

// bitsOf returns the scalar of type t with the low bits of v.
func bitsOf(t shape.ElementType, v uint64) literal.Literal {
	l := literal.Zero(t)
	l.SetBits(0, v)
	return l
}

// reshapeTo emits x with the shape s; x itself where it has that shape.
func reshapeTo(i *hlo.Instruction, s shape.Shape, x *hlo.Instruction) *hlo.Instruction {
	if x.Shape().Equal(s) {
		return x
	}
	return emit(i, op.Reshape, s, nil, x)
}

// transposeTo emits the transposition of x with shape s, in which dimension d is
// dimension perm[d] of x; x itself where that changes nothing.
func transposeTo(i *hlo.Instruction, s shape.Shape, x *hlo.Instruction, perm []int) *hlo.Instruction {
	if isIdentity(perm) && x.Shape().Equal(s) {
		return x
	}
	return emit(i, op.Transpose, s, &op.TransposeAttrs{Dimensions: perm}, x)
}

// broadcastTo emits the broadcast of x to s, dimension d of x becoming dims[d]. Where the
// dimensions do not ascend, x is transposed first.
func broadcastTo(i *hlo.Instruction, s shape.Shape, x *hlo.Instruction, dims []int) *hlo.Instruction {
	if !slices.IsSorted(dims) {
		perm := identity(len(dims))
		slices.SortStableFunc(perm, func(a, b int) int { return dims[a] - dims[b] })
		x = transposeTo(i, shape.Make(x.Type(), gatherInts(x.Dims(), perm)...), x, perm)
		dims = gatherInts(dims, perm)
	}
	if isIdentity(dims) && x.Shape().Equal(s) {
		return x
	}
	return emit(i, op.Broadcast, s, &op.BroadcastAttrs{Dimensions: dims}, x)
}

// sliceTo emits the slice of x; x itself where the ranges take all of it.
func sliceTo(i *hlo.Instruction, x *hlo.Instruction, ranges []op.SliceRange) *hlo.Instruction {
	dims := make([]int, len(ranges))
	for d, r := range ranges {
		dims[d] = r.Len()
	}
	if slices.Equal(dims, x.Dims()) {
		return x
	}
	return emit(i, op.Slice, shape.Make(x.Type(), dims...), &op.SliceAttrs{Slice: ranges}, x)
}

// identity returns 0, 1, ... n-1.
func identity(n int) []int {
	list := make([]int, n)
	for k := range list {
		list[k] = k
	}
	return list
}

// isIdentity reports whether list is 0, 1, ...
func isIdentity(list []int) bool {
	for k, v := range list {
		if v != k {
			return false
		}
	}
	return true
}

// gatherInts returns list[at[0]], list[at[1]], ...
func gatherInts(list, at []int) []int {
	out := make([]int, len(at))
	for k, a := range at {
		out[k] = list[a]
	}
	return out
}
