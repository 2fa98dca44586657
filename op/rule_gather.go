package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// inferGather: the result's offset dimensions come from the slices, the others, in
// order, from start_indices without the index vector.
func inferGather(in *Inputs) (shape.Shape, error) {
	if err := wantArray(in, 0, "gather_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantType(in, 1, integerTypes, "gather_i2"); err != nil {
		return shape.Shape{}, err
	}
	a, s, indices := in.Attrs.(*GatherAttrs), in.Operands[0], in.Operands[1]
	if err := wantIndexVectorDim(a.IndexVectorDim, indices, "gather_c2"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantOffsetDims(a, s, indices); err != nil {
		return shape.Shape{}, err
	}
	if err := a.numbers().check(s, indices); err != nil {
		return shape.Shape{}, err
	}
	if err := wantSliceSizes(a, s); err != nil {
		return shape.Shape{}, err
	}
	return gatherShape(a, s, indices), nil
}

// wantOffsetDims checks offset_dims; together with the collapsed and the batching
// dimensions they must make up the operand's rank.
func wantOffsetDims(a *GatherAttrs, s, indices shape.Shape) error {
	rank := len(a.OffsetDims) + batchRank(indices, a.IndexVectorDim)
	if err := wantAscending("offset_dims", a.OffsetDims, "gather_c4"); err != nil {
		return err
	}
	if err := wantDims("offset_dims", a.OffsetDims, rank, "gather_c5", "gather_c4"); err != nil {
		return err
	}
	n, m, k := len(a.OffsetDims), len(a.CollapsedSliceDims), len(a.OperandBatchingDims)
	if s.Rank() != n+m+k {
		return labelErr("gather_c1",
			"expected as many offset, collapsed and batching dimensions as %v has, got %d + %d + %d",
			s, n, m, k)
	}
	return nil
}

// wantSliceSizes checks slice_sizes: in range, and at most 1 in the dimensions that
// do not show in the result.
func wantSliceSizes(a *GatherAttrs, s shape.Shape) error {
	const attr = "slice_sizes"
	if err := wantLen(attr, len(a.SliceSizes), s.Rank(), "gather_c20"); err != nil {
		return err
	}
	for i, n := range a.SliceSizes {
		if d := s.Dims[i]; n < 0 || d != shape.Unbounded && n > d {
			return attrErr(at(attr, i), "gather_c21", "%d is not in [0, %d]", n, d)
		}
	}
	for _, d := range a.CollapsedSliceDims {
		if n := a.SliceSizes[d]; n > 1 {
			return attrErr(at(attr, d), "gather_c9", "expected at most 1 in a collapsed dimension, got %d", n)
		}
	}
	for _, d := range a.OperandBatchingDims {
		if n := a.SliceSizes[d]; n > 1 {
			return attrErr(at(attr, d), "gather_c12", "expected at most 1 in a batching dimension, got %d", n)
		}
	}
	return nil
}

// gatherShape returns the result of a gather that was checked. A slice over a whole
// dynamic dimension is dynamic.
func gatherShape(a *GatherAttrs, s, indices shape.Shape) shape.Shape {
	window := a.WindowDims(s.Rank())
	batch := withoutDim(indices, a.IndexVectorDim)
	rank := len(window) + len(batch)
	dims, dynamic := make([]int, rank), make([]bool, rank)
	for i := range dims {
		if j := slices.Index(a.OffsetDims, i); j >= 0 {
			d := window[j]
			dims[i] = a.SliceSizes[d]
			dynamic[i] = s.IsDynamicDim(d) && dims[i] == s.Dims[d]
			continue
		}
		dims[i], dynamic[i] = batch[0].split()
		batch = batch[1:]
	}
	return shape.MakeDynamic(s.Type, dims, dynamic)
}

// WindowDims returns the dimensions of an operand of the given rank that show in
// the result, in order: offset_dims[i] of the result is WindowDims[i].
func (a *GatherAttrs) WindowDims(rank int) []int { return a.numbers().windowDims(rank) }

// WindowDims returns the dimensions of an operand of the given rank that show in
// the updates, in order: update_window_dims[i] of the updates is WindowDims[i].
func (a *ScatterAttrs) WindowDims(rank int) []int { return a.numbers().windowDims(rank) }

// IndexVectorLen returns the number of entries of an index vector of start_indices
// or scatter_indices: 1 where index_vector_dim is the rank.
func IndexVectorLen(indices shape.Shape, indexVectorDim int) int {
	if indexVectorDim == indices.Rank() {
		return 1
	}
	return indices.Dims[indexVectorDim]
}

// batchRank returns the number of dimensions of indices without the index vector.
func batchRank(indices shape.Shape, indexVectorDim int) int {
	if indexVectorDim == indices.Rank() {
		return indices.Rank()
	}
	return indices.Rank() - 1
}

// withoutDim returns the dimensions of s but d, which may be the rank.
func withoutDim(s shape.Shape, d int) []dimension {
	var dims []dimension
	for i := range s.Dims {
		if i != d {
			dims = append(dims, dimOf(s, i))
		}
	}
	return dims
}

func wantIndexVectorDim(d int, indices shape.Shape, label string) error {
	if d < 0 || d > indices.Rank() {
		return attrErr("index_vector_dim", label, "%d is not in [0, %d]", d, indices.Rank())
	}
	return nil
}
