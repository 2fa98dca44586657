package builder

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Slice returns the elements of x at start, start + stride, ... below limit along each
// dimension; nil strides are 1. It fails if there is not one entry a dimension, if not
// 0 <= start <= limit <= size, or if a stride is below 1. Spec: OPS.md section 3.
func Slice(x Op, start, limit, strides []int) Op {
	b, ok := enterArray(op.Slice, x)
	if !ok || !b.wantLen(op.Slice, "start_indices", len(start), x.Rank()) ||
		!b.wantLen(op.Slice, "limit_indices", len(limit), x.Rank()) {
		return b.invalid()
	}
	if strides == nil {
		strides = filled(x.Rank(), 1)
	}
	if !b.wantLen(op.Slice, "strides", len(strides), x.Rank()) {
		return b.invalid()
	}
	ranges := make(op.SliceRanges, x.Rank())
	for i := range ranges {
		ranges[i] = op.SliceRange{Start: start[i], Limit: limit[i], Stride: strides[i]}
	}
	return b.add(op.Slice, []Op{x}, &op.SliceAttrs{Slice: ranges}, shape.Shape{})
}

// filled returns n entries v.
func filled(n, v int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = v
	}
	return list
}

// SliceInDim returns Slice along dimension dim, and all of the other dimensions. It fails
// where Slice does and if there is no such dimension.
func SliceInDim(x Op, start, limit, stride, dim int) Op {
	b, ok := enterArray(op.Slice, x)
	if !ok || !b.wantDim(op.Slice, "dimension", dim, x.Rank()) {
		return b.invalid()
	}
	starts, strides := make([]int, x.Rank()), filled(x.Rank(), 1)
	limits := append([]int{}, x.Shape().Dims...)
	starts[dim], limits[dim], strides[dim] = start, limit, stride
	return Slice(x, starts, limits, strides)
}

// DynamicSlice returns the part of x of the given sizes that begins at starts, one integer
// scalar a dimension, all of one type; a start is clamped so that the part is inside of x. It
// fails if there is not one start and one size a dimension or a size is above x's.
// Spec: OPS.md section 3.
func DynamicSlice(x Op, starts []Op, sizes []int) Op {
	return apply(op.DynamicSlice, &op.DynamicSliceAttrs{SliceSizes: nonNil(sizes)}, append([]Op{x}, starts...)...)
}

// DynamicSliceVector is the 2017 edition's DynamicSlice: starts is one integer array of rank 1
// with an element for each dimension, which is taken apart. Spec: OPS.md section 3.
func DynamicSliceVector(x, starts Op, sizes []int) Op {
	elems, b := startElements(op.DynamicSlice, x, starts)
	if elems == nil {
		return b.invalid()
	}
	return DynamicSlice(x, elems, sizes)
}

// DynamicUpdateSlice returns x with the part that begins at starts replaced by update, in
// x's shape; starts are as in DynamicSlice. It fails if the types of x and update differ, if
// update is larger than x in a dimension, or if there is not one start a dimension.
// Spec: OPS.md section 3.
func DynamicUpdateSlice(x, update Op, starts []Op) Op {
	return apply(op.DynamicUpdateSlice, nil, append([]Op{x, update}, starts...)...)
}

// DynamicUpdateSliceVector is the 2017 edition's DynamicUpdateSlice: starts is one integer
// array of rank 1 with an element for each dimension, which is taken apart. Spec: OPS.md section 3.
func DynamicUpdateSliceVector(x, update, starts Op) Op {
	elems, b := startElements(op.DynamicUpdateSlice, x, starts)
	if elems == nil {
		return b.invalid()
	}
	return DynamicUpdateSlice(x, update, elems)
}

// startElements returns the elements of starts as scalars, nil after an error.
func startElements(code op.Code, x, starts Op) ([]Op, *Builder) {
	b, ok := enter(code, x, starts)
	if !ok || !b.wantArray(code, 0, x) || !b.wantArray(code, 1, starts) {
		return nil, b
	}
	if s := starts.Shape(); s.Rank() != 1 || s.Dims[0] != x.Rank() {
		b.errorf(code, "start_indices", "", "expected an array of rank 1 with %d elements, got %v", x.Rank(), s)
		return nil, b
	}
	elems := make([]Op, x.Rank())
	for i := range elems {
		elems[i] = Reshape(SliceInDim(starts, i, i+1, 1, 0))
	}
	return elems, b
}

// Gather returns parts of x of sizes a.SliceSizes that begin at the places in indices, an
// integer array whose dimension a.IndexVectorDim holds the index vectors (the rank of indices:
// each element is one). The result has the dimensions of indices, without that one, and those
// of the parts at a.OffsetDims. It fails if the numbers do not fit each other and the shapes.
// Spec: OPS.md section 3.
func Gather(x, indices Op, a op.GatherAttrs) Op {
	for _, list := range []*[]int{&a.OffsetDims, &a.CollapsedSliceDims, &a.StartIndexMap, &a.SliceSizes} {
		*list = nonNil(*list)
	}
	return apply(op.Gather, &a, x, indices)
}

// Scatter returns x with the parts of updates that a tells combined into it at the places in
// indices, in x's shape: f gets the present value and the update. Parts that are not wholly
// inside of x are left out; the order among updates of one place is free. It fails if the
// numbers do not fit each other and the shapes, or f is not a reducer for x's type.
// Spec: OPS.md section 3.
func Scatter[F BinaryFunc](x, indices, updates Op, f F, a op.ScatterAttrs) Op {
	return scatter([]Op{x}, indices, []Op{updates}, f, a)
}

// ScatterMany is Scatter on several arrays of equal dimensions at once, each with its
// updates. It returns the arrays. Spec: OPS.md section 3.
func ScatterMany[F ReducerOfMany](operands []Op, indices Op, updates []Op, f F, a op.ScatterAttrs) []Op {
	return elements(scatter(operands, indices, updates, f, a), len(operands))
}

func scatter(operands []Op, indices Op, updates []Op, f any, a op.ScatterAttrs) Op {
	all := append(append(append([]Op{}, operands...), indices), updates...)
	b, ok := enter(op.Scatter, all...)
	if !ok || !b.wantSome(op.Scatter, operands) || !b.wantLen(op.Scatter, "updates", len(updates), len(operands)) {
		return b.invalid()
	}
	c, ok := b.callee(op.Scatter, "scatter_reducer", f, append(scalarsOf(operands...), scalarsOf(updates...)...)...)
	if !ok {
		return b.invalid()
	}
	a.UpdateWindowDims, a.InsertedWindowDims = nonNil(a.UpdateWindowDims), nonNil(a.InsertedWindowDims)
	a.ScatterDimsToOperandDims = nonNil(a.ScatterDimsToOperandDims)
	return b.add(op.Scatter, all, &a, shape.Shape{}, c)
}
