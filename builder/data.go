package builder

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Broadcast returns x repeated along new dimensions of the given sizes, which stand in front
// of x's: result[i..., j...] = x[j...]. It fails if x is no array or a size is negative.
// Spec: OPS.md section 3.
func Broadcast(x Op, sizes ...int) Op {
	b, ok := enterArray(op.Broadcast, x)
	if !ok {
		return b.invalid()
	}
	for i, n := range sizes {
		if n < 0 {
			b.errorf(op.Broadcast, at("broadcast_sizes", i), "broadcast_in_dim_o2", "expected a size of at least 0, got %d", n)
			return b.invalid()
		}
	}
	s, dims := x.Shape(), sequence(x.Rank())
	for i := range dims {
		dims[i] += len(sizes)
	}
	dynamic := make([]bool, len(sizes)+len(dims))
	for i, d := range dims {
		dynamic[d] = s.IsDynamicDim(i)
	}
	result := shape.MakeDynamic(s.Type, slices.Concat(sizes, s.Dims), dynamic)
	return b.add(op.Broadcast, []Op{x}, &op.BroadcastAttrs{Dimensions: dims}, result)
}

// BroadcastInDim returns x stretched to the sizes outDimSizes, where dimension i of x becomes
// dimension broadcastDims[i]; its size is the same or 1. It fails if x is no array, if there is
// not one entry a dimension, distinct and in range, or if a size does not fit. Spec: OPS.md section 3.
func BroadcastInDim(x Op, outDimSizes, broadcastDims []int) Op {
	const code, attr = op.Broadcast, "broadcast_dimensions"
	b, ok := enterArray(code, x)
	if !ok {
		return b.invalid()
	}
	s, target := x.Shape(), shape.Make(x.Type(), outDimSizes...)
	if len(broadcastDims) != s.Rank() {
		b.errorf(code, attr, "broadcast_in_dim_c2", "expected %d entries, got %d", s.Rank(), len(broadcastDims))
		return b.invalid()
	}
	var keep, kept []int
	for i, d := range broadcastDims {
		switch {
		case d < 0 || d >= len(outDimSizes):
			b.errorf(code, at(attr, i), "broadcast_in_dim_c3", "%d is not in [0, %d)", d, len(outDimSizes))
			return b.invalid()
		case s.Dims[i] != outDimSizes[d] && s.Dims[i] != 1:
			b.errorf(code, at(attr, i), "broadcast_in_dim_c5", "expected size 1 or %d as dimension %d of the result, got %d",
				outDimSizes[d], d, s.Dims[i])
			return b.invalid()
		case s.Dims[i] == outDimSizes[d]:
			keep, kept = append(keep, i), append(kept, d)
		}
	}
	if d, ok := repeated(broadcastDims); ok {
		b.errorf(code, attr, "broadcast_in_dim_c4", "expected each dimension once, got %d twice", d)
		return b.invalid()
	}
	if len(keep) < s.Rank() {
		x = b.add(op.Reshape, []Op{x}, &op.ReshapeAttrs{}, pickDims(s, keep))
	}
	return b.expandNew(x, kept, target, x, nil)
}

// repeated returns a number that is in list twice.
func repeated(list []int) (n int, ok bool) {
	for i, n := range list {
		if slices.Contains(list[:i], n) {
			return n, true
		}
	}
	return 0, false
}

// Reshape returns the elements of x, taken in row-major order, as an array of the given
// sizes. It fails if x is no array or the number of elements differs. Spec: OPS.md section 3.
func Reshape(x Op, sizes ...int) Op {
	b, ok := enterArray(op.Reshape, x)
	if !ok {
		return b.invalid()
	}
	return ReshapeTo(x, shape.Make(x.Type(), sizes...))
}

// ReshapeTo is Reshape in its explicit form, to shape s, which may have dynamic dimensions and
// a layout. It fails also if the element type differs. Spec: OPS.md section 3.
func ReshapeTo(x Op, s shape.Shape) Op {
	b, ok := enter(op.Reshape, x)
	if !ok {
		return b.invalid()
	}
	if err := s.Check(); err != nil {
		b.errorf(op.Reshape, "dimensions", "", "expected a valid shape: %w", err)
		return b.invalid()
	}
	return b.add(op.Reshape, []Op{x}, &op.ReshapeAttrs{}, s)
}

// ReshapeInOrder is the 2017 edition's Reshape: the elements of x are taken in the order in
// which its dimensions are listed, the last one the fastest, and fill an array of the given
// sizes: Transpose and Reshape. It fails if order is not a permutation of x's dimensions or
// the number of elements differs. Spec: OPS.md section 3.
func ReshapeInOrder(x Op, order, sizes []int) Op {
	if !slices.Equal(order, sequence(x.Rank())) {
		x = Transpose(x, order...)
	}
	return Reshape(x, sizes...)
}

// Collapse returns x with the given dimensions, consecutive and in order, made one, which
// stands where they stood. It fails if they are not so. Spec: OPS.md section 3.
func Collapse(x Op, dims ...int) Op {
	b, ok := enterArray(op.Reshape, x)
	if !ok {
		return b.invalid()
	}
	for i, d := range dims {
		if d < 0 || d >= x.Rank() {
			b.errorf(op.Reshape, at("dimensions", i), "", "%d is not in [0, %d)", d, x.Rank())
			return b.invalid()
		}
		if i > 0 && d != dims[i-1]+1 {
			b.errorf(op.Reshape, at("dimensions", i), "", "expected consecutive dimensions in order, %d behind %d, got %d",
				dims[i-1]+1, dims[i-1], d)
			return b.invalid()
		}
	}
	if len(dims) <= 1 {
		return x
	}
	s := x.Shape()
	product, err := shape.Make(s.Type, s.Dims[dims[0]:dims[0]+len(dims)]...).Elements()
	if err != nil {
		b.errorf(op.Reshape, "dimensions", "", "%w", err)
		return b.invalid()
	}
	sizes := slices.Replace(slices.Clone(s.Dims), dims[0], dims[0]+len(dims), product)
	return Reshape(x, sizes...)
}

// Transpose returns x with its dimensions reordered: dimension i of the result is dimension
// permutation[i] of x. It fails if that is not a permutation of x's dimensions.
// Spec: OPS.md section 3.
func Transpose(x Op, permutation ...int) Op {
	y := apply(op.Transpose, &op.TransposeAttrs{Dimensions: nonNil(permutation)}, x)
	if y.IsValid() && x.Shape().Layout == nil { // the rule's layout is that of a transpose that moves nothing
		y.instr.SetShape(y.Shape().WithLayout(nil))
	}
	return y
}

// Rev returns x with the elements along the given dimensions in reverse order, in x's shape.
// It fails if a dimension repeats or is out of range. Spec: OPS.md section 3.
func Rev(x Op, dims ...int) Op {
	return apply(op.Reverse, &op.ReverseAttrs{Dimensions: nonNil(dims)}, x)
}

// nonNil returns list, empty where it is nil.
func nonNil(list []int) []int {
	if list == nil {
		return []int{}
	}
	return list
}

// Pad returns x with the scalar value put between its elements, in front and behind, as
// padding tells for each dimension: interior first, then low and high, which may be negative
// and then crop. It fails if value is no scalar of x's type, an interior padding is negative,
// there is not one entry a dimension, or a size gets negative. Spec: OPS.md section 3.
func Pad(x, value Op, padding []op.PadDim) Op {
	return apply(op.Pad, &op.PadAttrs{Padding: padding}, x, value)
}

// PadInDim is Pad with low elements in front and high behind, along dimension dim.
func PadInDim(x, value Op, dim, low, high int) Op {
	b, ok := enterArray(op.Pad, x)
	if !ok || !b.wantDim(op.Pad, "dimension", dim, x.Rank()) {
		return b.invalid()
	}
	padding := make([]op.PadDim, x.Rank())
	padding[dim] = op.PadDim{Low: low, High: high}
	return Pad(x, value, padding)
}

// ConcatInDim returns the operands one behind the other along dimension dim. It fails if there
// is none, if element types, ranks or other dimensions differ, or if there is no such
// dimension. Spec: OPS.md section 3.
func ConcatInDim(operands []Op, dim int) Op {
	if len(operands) == 0 {
		return alone(op.Concatenate).invalid()
	}
	return operands[0].b.ConcatInDim(operands, dim)
}

// ConcatInDim is the function ConcatInDim, for lists that may be empty, which is an error of b.
func (b *Builder) ConcatInDim(operands []Op, dim int) Op {
	if !b.open(op.Concatenate) || !b.ownsAll(op.Concatenate, operands) {
		return b.invalid()
	}
	for i, x := range operands {
		if t := operands[0].Type(); x.Type() != t {
			b.errorf(op.Concatenate, fmt.Sprintf("operand %d", i), "concatenate_c1",
				"expected the element type %v of operand 0, got %v", t, x.Type())
			return b.invalid()
		}
	}
	return b.add(op.Concatenate, operands, &op.ConcatenateAttrs{Dimensions: []int{dim}}, shape.Shape{})
}

// Concatenate is ConcatInDim under the name of HLO.
func Concatenate(operands []Op, dim int) Op { return ConcatInDim(operands, dim) }
