package pass

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds what gather and scatter have in common: the index vectors.

// oneVector reports whether indices, with index vectors along vectorDim, hold exactly one.
func oneVector(indices shape.Shape, vectorDim int) bool {
	for d, n := range indices.Dims {
		if d != vectorDim && n != 1 {
			return false
		}
	}
	return indices.IsStatic()
}

// components returns the elements of the only index vector as scalars.
func (b *maker) components(indices *hlo.Instruction, count int) []*hlo.Instruction {
	list := make([]*hlo.Instruction, count)
	flat := b.reshape(indices, count)
	for k := range list {
		part := flat
		if count > 1 {
			part = b.slice(flat, op.SliceRange{Start: k, Limit: k + 1, Stride: 1})
		}
		list[k] = b.reshape(part)
	}
	return list
}

// slice returns a part of x.
func (b *maker) slice(x *hlo.Instruction, ranges ...op.SliceRange) *hlo.Instruction {
	if b.err != nil {
		return nil
	}
	dims := make([]int, len(ranges))
	for d, r := range ranges {
		dims[d] = (r.Limit - r.Start + r.Stride - 1) / r.Stride
	}
	return b.shaped(op.Slice, shape.Make(x.Type(), dims...), &op.SliceAttrs{Slice: ranges}, []*hlo.Instruction{x})
}

// starts returns the start index in each of rank dimensions: components[k] in dimension dims[k],
// 0 elsewhere.
func (b *maker) starts(t shape.ElementType, rank int, components []*hlo.Instruction, dims []int) []*hlo.Instruction {
	list := make([]*hlo.Instruction, rank)
	for d := range list {
		if k := slices.Index(dims, d); k >= 0 {
			list[d] = components[k]
		} else {
			list[d] = b.constant(literal.Zero(t))
		}
	}
	return list
}

// dynamicSlice returns the part of x of the given sizes at starts.
func (b *maker) dynamicSlice(x *hlo.Instruction, starts []*hlo.Instruction, sizes []int) *hlo.Instruction {
	if b.err != nil {
		return nil
	}
	return b.shaped(op.DynamicSlice, shape.Make(x.Type(), sizes...),
		&op.DynamicSliceAttrs{SliceSizes: slices.Clone(sizes)}, append([]*hlo.Instruction{x}, starts...))
}
