package op

import "github.com/goxla/xla/shape"

// BroadcastShapes returns the shape of a binary operation in a builder, which may
// broadcast: operands of one rank stretch dimensions of size 1; a scalar goes with
// anything; with other ranks broadcastDims gives for each dimension of the
// lower-rank operand the dimension of the other one that it meets, ascending. The
// result has the more precise of two floating-point types and the default layout.
// It is an error if element types differ, if broadcastDims does not fit, or if
// two sizes meet that are neither equal nor 1. Spec: OPS.md section 1.
func BroadcastShapes(lhs, rhs shape.Shape, broadcastDims []int) (result shape.Shape, err error) {
	in := &Inputs{Operands: []shape.Shape{lhs, rhs}}
	if err := wantArrays(in, "_i1"); err != nil {
		return result, err
	}
	if err := wantSameType(in, 0, 1, "_c1"); err != nil {
		return result, err
	}
	small, large := lhs, rhs
	if lhs.Rank() > rhs.Rank() {
		small, large = rhs, lhs
	}
	if err := wantBroadcastDims(small, large, broadcastDims); err != nil {
		return result, err
	}
	if lhs.Rank() == rhs.Rank() {
		broadcastDims = allDims(large.Rank())
	}
	dims, dynamic := append([]int(nil), large.Dims...), dynamicDims(large)
	for i, d := range broadcastDims {
		met, err := broadcastDim(dimOf(small, i), dimOf(large, d), d)
		if err != nil {
			return result, err
		}
		dims[d], dynamic[d] = met.split()
	}
	return shape.MakeDynamic(higherPrecision(lhs.Type, rhs.Type), dims, dynamic), nil
}

// wantBroadcastDims checks the map of dimensions of small to those of large.
func wantBroadcastDims(small, large shape.Shape, dims []int) error {
	const attr, label = "broadcast_dimensions", "_o1"
	equal := small.Rank() == large.Rank()
	if equal && len(dims) == 0 {
		return nil
	}
	if len(dims) == 0 && small.Rank() > 0 {
		return attrErr(attr, label, "expected the dimensions of %v that %v meets, got none", large, small)
	}
	if err := wantLen(attr, len(dims), small.Rank(), label); err != nil {
		return err
	}
	for i, d := range dims {
		if d < 0 || d >= large.Rank() {
			return wantDim(at(attr, i), d, large.Rank(), label)
		}
		if i > 0 && d <= dims[i-1] {
			return attrErr(at(attr, i), label, "expected ascending dimensions, got %d after %d", d, dims[i-1])
		}
		if equal && d != i {
			return attrErr(at(attr, i), label, "expected %d between operands of equal rank, got %d", i, d)
		}
	}
	return nil
}

// broadcastDim returns the extent of dimension d where a meets b: the other one
// where either has size 1.
func broadcastDim(a, b dimension, d int) (dimension, error) {
	switch {
	case a.size == b.size:
		return mergeDims(a, b), nil
	case a.size == 1:
		return b, nil
	case b.size == 1:
		return a, nil
	case a.unbounded() || b.unbounded():
		return mergeDims(a, b), nil
	}
	return dimension{}, labelErr("_o2", "expected equal sizes or 1 in dimension %d, got %d and %d", d, a.size, b.size)
}

// allDims returns 0, ..., rank-1.
func allDims(rank int) []int {
	dims := make([]int, rank)
	for i := range dims {
		dims[i] = i
	}
	return dims
}
