package builder

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// GetDimensionSize returns the size of dimension dim of x in this run, an s32 scalar. It fails
// if x is no array, has no such dimension, or one above 2^31-1. Spec: OPS.md section 3.
func GetDimensionSize(x Op, dim int) Op {
	return apply(op.GetDimensionSize, &op.DimensionAttrs{Dimensions: []int{dim}}, x)
}

// SetDimensionSize returns x with only the first size elements, an s32 scalar, along dimension
// dim, which becomes dynamic; its size in x is the bound. It fails if x is no array or has no
// such dimension, or if size is no s32 scalar. Spec: OPS.md section 3.
func SetDimensionSize(x, size Op, dim int) Op {
	return apply(op.SetDimensionSize, &op.DimensionAttrs{Dimensions: []int{dim}}, x, size)
}

// DynamicReshape returns the elements of x as an array whose sizes are the s32 scalars sizes,
// with the given bounds; isDynamic tells which dimensions may be smaller. It fails if there is
// not one size, bound and flag a dimension or the numbers of elements differ. Spec: OPS.md section 3.
func DynamicReshape(x Op, sizes []Op, bounds []int, isDynamic []bool) Op {
	const code = op.DynamicReshape
	operands := append([]Op{x}, sizes...)
	b, ok := enter(code, operands...)
	if !ok || !b.wantLen(code, "dim_sizes", len(sizes), len(bounds)) ||
		!b.wantLen(code, "dims_are_dynamic", len(isDynamic), len(bounds)) {
		return b.invalid()
	}
	return b.add(code, operands, nil, shape.MakeDynamic(x.Type(), bounds, isDynamic))
}
