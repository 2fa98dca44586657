package builder

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file makes implicit broadcasting explicit. Spec: OPS.md section 1.

// broadcastPair returns lhs and rhs, valid values of b, stretched to the shape that they
// have in common.
func (b *Builder) broadcastPair(code op.Code, lhs, rhs Op, dims []int) (l, r Op, ok bool) {
	if lt, rt := lhs.Type(), rhs.Type(); lt != rt && lt.IsArray() && rt.IsArray() {
		b.fail(op.ErrorOf(code, &op.Error{Attr: "operand 1", Label: "_c1",
			Err: fmt.Errorf("expected the element type %v of operand 0, got %v", lt, rt)}))
		return lhs, rhs, false
	}
	target, err := op.BroadcastShapes(lhs.Shape(), rhs.Shape(), dims)
	if err != nil {
		b.fail(op.ErrorOf(code, err))
		return lhs, rhs, false
	}
	l = b.expand(lhs, mapTo(lhs, rhs, dims), target, rhs, mapTo(rhs, lhs, dims))
	r = b.expand(rhs, mapTo(rhs, lhs, dims), target, lhs, mapTo(lhs, rhs, dims))
	return l, r, b.s.err == nil
}

// mapTo returns which dimension of the result each dimension of x becomes, in an
// operation of x and y with the given broadcast_dimensions.
func mapTo(x, y Op, dims []int) []int {
	if x.Rank() < y.Rank() {
		return dims
	}
	return sequence(x.Rank())
}

// sequence returns 0, ..., n-1.
func sequence(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// expandTo is expand to the shape of like.
func (b *Builder) expandTo(x Op, dims []int, like Op) Op {
	return b.expand(x, dims, like.Shape().WithType(x.Type()).WithLayout(nil), like, sequence(like.Rank()))
}

// expand returns x with the sizes of target, whose dimension dims[i] is dimension i of x;
// a dimension of size 1 that is larger in target is dropped and made anew. Sizes that
// are known only when the program runs are those of other, whose dimension i is
// dimension otherDims[i] of target.
func (b *Builder) expand(x Op, dims []int, target shape.Shape, other Op, otherDims []int) Op {
	s := x.Shape()
	var keep, kept []int // dimensions of x, and of target, that stay
	for i, d := range dims {
		if stays(s.Dims[i], target.Dims[d]) {
			keep, kept = append(keep, i), append(kept, d)
		}
	}
	if len(keep) == target.Rank() {
		return x
	}
	if target.HasUnbounded() && makesUnbounded(kept, target) {
		return b.expandUnbounded(x, dims, kept, target, other, otherDims)
	}
	if len(keep) < s.Rank() {
		x = b.add(op.Reshape, []Op{x}, &op.ReshapeAttrs{}, pickDims(s, keep))
	}
	return b.expandNew(x, kept, target, other, otherDims)
}

// stays reports whether a dimension of the given size needs no broadcast to be one of size want.
func stays(size, want int) bool { return size == want || size == shape.Unbounded }

// expandNew broadcasts x, whose dimension i is dimension kept[i] of target. A new
// dimension of dynamic size gets the size that it has in other.
func (b *Builder) expandNew(x Op, kept []int, target shape.Shape, other Op, otherDims []int) Op {
	if !x.IsValid() {
		return x
	}
	dynamic := make([]bool, target.Rank())
	dimsOf := slices.Clone(target.Dims)
	for i, d := range kept {
		dynamic[d], dimsOf[d] = x.Shape().IsDynamicDim(i), x.Shape().Dims[i]
	}
	s := shape.MakeDynamic(target.Type, dimsOf, dynamic)
	y := b.add(op.Broadcast, []Op{x}, &op.BroadcastAttrs{Dimensions: kept}, s)
	for d := range dynamic {
		if i := slices.Index(otherDims, d); target.IsDynamicDim(d) && !slices.Contains(kept, d) && i >= 0 {
			y = SetDimensionSize(y, GetDimensionSize(other, i), d)
		}
	}
	return y
}

// pickDims returns the array shape with dimensions keep of s.
func pickDims(s shape.Shape, keep []int) shape.Shape {
	dims, dynamic := make([]int, len(keep)), make([]bool, len(keep))
	for i, d := range keep {
		dims[i], dynamic[i] = s.Dims[d], s.IsDynamicDim(d)
	}
	return shape.MakeDynamic(s.Type, dims, dynamic)
}

// makesUnbounded reports whether an unbounded dimension of target is not among kept.
func makesUnbounded(kept []int, target shape.Shape) bool {
	for d, n := range target.Dims {
		if n == shape.Unbounded && !slices.Contains(kept, d) {
			return true
		}
	}
	return false
}

// dynamicBroadcast is the custom call that broadcasts to sizes without a bound.
const dynamicBroadcast = "mhlo.dynamic_broadcast_in_dim"

// expandUnbounded broadcasts x by a custom call that takes the result's sizes as operand.
func (b *Builder) expandUnbounded(x Op, dims, kept []int, target shape.Shape, other Op, otherDims []int) Op {
	sizes := make([]Op, target.Rank())
	for d := range sizes {
		from, i := other, slices.Index(otherDims, d)
		if slices.Contains(kept, d) || i < 0 {
			from, i = x, slices.Index(dims, d)
		}
		sizes[d] = Reshape(GetDimensionSize(from, i), 1)
	}
	return CustomCall(dynamicBroadcast, []Op{x, ConcatInDim(sizes, 0)}, target,
		CustomCallOptions{BackendConfig: "{broadcast_dimensions=" + listText(dims) + "}"})
}

// listText returns list as [0,1].
func listText(list []int) string {
	text := []byte{'['}
	for i, n := range list {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(n), 10)
	}
	return string(append(text, ']'))
}
