package verify

import (
	"slices"

	"github.com/goxla/xla/stablehlo"
)

// gatherDims are the dimension numbers of a gather.
func (c *check) gatherDims() *stablehlo.GatherDims {
	d, _ := c.op.Attr("dimension_numbers").(*stablehlo.GatherDims)
	return d
}

// sliceSizes returns the sizes of the slices that a gather or dynamic_gather takes:
// those of dynamic_gather are known if they are a constant.
func (c *check) sliceSizes() []int64 {
	if c.op.Name == "stablehlo.gather" {
		v, _ := c.ints("slice_sizes")
		return v
	}
	if v, ok := constant(c.op.Operands[2]); ok {
		return v
	}
	return unknown(min(int(c.operand(2).Dims[0]), c.operand(0).Rank()+1))
}

// inferGather: gather_c1 to gather_c23, and those of dynamic_gather, which have the same labels.
func inferGather(c *check) ([]stablehlo.Type, error) {
	for _, step := range []func() error{c.gatherRanks, c.gatherOffsets, c.gatherBatches, c.gatherMap, c.gatherSlices} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	d, starts := c.gatherDims(), extents(c.operand(1))
	if int(d.IndexVectorDim) < len(starts) {
		starts = slices.Delete(starts, int(d.IndexVectorDim), int(d.IndexVectorDim)+1)
	}
	rank := len(d.OffsetDims) + len(starts)
	if err := c.inRange("offset_dims", "c5", d.OffsetDims, rank); err != nil {
		return nil, err
	}
	skip := slices.Concat(d.CollapsedSliceDims, d.OperandBatchingDims)
	var cut []extent
	for i, n := range c.sliceSizes() {
		if !slices.Contains(skip, int64(i)) {
			cut = append(cut, extent{size: n, bound: stablehlo.Dynamic})
		}
	}
	return one(ofExtents(interleave(rank, d.OffsetDims, cut, starts), c.operand(0).Elem))
}

// interleave puts the dimensions of inner at the places of dims, those of outer at the others.
func interleave(rank int, dims []int64, inner, outer []extent) []extent {
	list := make([]extent, 0, rank)
	for i := range rank {
		from := &outer
		if slices.Contains(dims, int64(i)) {
			from = &inner
		}
		list = append(list, (*from)[0])
		*from = (*from)[1:]
	}
	return list
}

// gatherRanks: gather_c1 to gather_c3.
func (c *check) gatherRanks() error {
	d, t, starts := c.gatherDims(), c.operand(0), c.operand(1)
	if n := len(d.OffsetDims) + len(d.CollapsedSliceDims) + len(d.OperandBatchingDims); n != t.Rank() {
		return c.errorf("dimension_numbers", "c1",
			"expected %d dimensions in offset_dims, collapsed_slice_dims and operand_batching_dims, got %d", t.Rank(), n)
	}
	v := int(d.IndexVectorDim)
	if v < 0 || v > starts.Rank() {
		return c.errorf("index_vector_dim", "c2", "expected a dimension in [0, %d], got %d", starts.Rank(), v)
	}
	n := int64(1)
	if v < starts.Rank() {
		n = starts.Dims[v]
	}
	if !compatibleDim(n, int64(len(d.StartIndexMap))) {
		return c.errorf("start_index_map", "c3", "expected %d dimensions, got %d", n, len(d.StartIndexMap))
	}
	return nil
}

// gatherOffsets: gather_c4, gather_c6 to gather_c8.
func (c *check) gatherOffsets() error {
	d, rank := c.gatherDims(), c.operand(0).Rank()
	return first(
		func() error { return c.sorted("offset_dims", "c4", d.OffsetDims) },
		func() error { return c.unique("offset_dims", "c4", d.OffsetDims) },
		func() error {
			return c.distinct("collapsed_slice_dims", "c6", d.CollapsedSliceDims, d.OperandBatchingDims)
		},
		func() error { return c.sorted("collapsed_slice_dims", "c7", d.CollapsedSliceDims) },
		func() error { return c.inRange("collapsed_slice_dims", "c8", d.CollapsedSliceDims, rank) },
	)
}

// gatherBatches: gather_c10, gather_c11, gather_c13 to gather_c17.
func (c *check) gatherBatches() error {
	d, t, starts := c.gatherDims(), c.operand(0), c.operand(1)
	return first(
		func() error { return c.sorted("operand_batching_dims", "c10", d.OperandBatchingDims) },
		func() error { return c.inRange("operand_batching_dims", "c11", d.OperandBatchingDims, t.Rank()) },
		func() error { return c.unique("start_indices_batching_dims", "c13", d.StartIndicesBatching) },
		func() error {
			return c.inRange("start_indices_batching_dims", "c14", d.StartIndicesBatching, starts.Rank())
		},
		func() error {
			return c.indexBatches("start_indices_batching_dims", [3]string{"c15", "c16", "c17"},
				d.StartIndicesBatching, d.OperandBatchingDims, d.IndexVectorDim, starts.Dims, t.Dims)
		},
	)
}

// indexBatches checks the batching dimensions of indices: they are not the dimension of
// the index vectors, as many as those of the operand, and of their sizes.
func (c *check) indexBatches(attr string, labels [3]string, dims, of []int64, vector int64,
	sizes, ofSizes []int64) error {
	if slices.Contains(dims, vector) {
		return c.errorf(attr, labels[0], "expected dimensions other than index_vector_dim, got %d", vector)
	}
	if len(dims) != len(of) {
		return c.errorf(attr, labels[1], "expected as many batching dimensions as of the operand, %d, got %d",
			len(of), len(dims))
	}
	for i, d := range dims {
		if !compatibleDim(sizes[d], ofSizes[of[i]]) {
			return c.errorf(attr, labels[2], "expected the size of dimension %d of the operand, %d, got %d",
				of[i], ofSizes[of[i]], sizes[d])
		}
	}
	return nil
}

// gatherMap: gather_c18, gather_c19.
func (c *check) gatherMap() error {
	d := c.gatherDims()
	return first(
		func() error { return c.distinct("start_index_map", "c18", d.StartIndexMap, d.OperandBatchingDims) },
		func() error { return c.inRange("start_index_map", "c19", d.StartIndexMap, c.operand(0).Rank()) },
	)
}

// gatherSlices: gather_c9, gather_c12, gather_c20, gather_c21.
func (c *check) gatherSlices() error {
	d, t, list := c.gatherDims(), c.operand(0), c.sliceSizes()
	if len(list) != t.Rank() {
		return c.errorf("slice_sizes", "c20", "expected %d sizes, got %d", t.Rank(), len(list))
	}
	for _, group := range []struct {
		name, label string
		dims        []int64
	}{{"collapsed_slice_dims", "c9", d.CollapsedSliceDims}, {"operand_batching_dims", "c12", d.OperandBatchingDims}} {
		for _, i := range group.dims {
			if list[i] > 1 {
				return c.errorf("slice_sizes", group.label, "expected at most 1 for dimension %d of %s, got %d",
					i, group.name, list[i])
			}
		}
	}
	for i, n := range list {
		if n != stablehlo.Dynamic && (n < 0 || t.Dims[i] != stablehlo.Dynamic && n > t.Dims[i]) {
			return c.errorf("slice_sizes", "c21", "expected a size in [0, %s] in dimension %d, got %d", size(t.Dims[i]), i, n)
		}
	}
	return nil
}

// first returns the first fault.
func first(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// checkTorchIndexSelect checks the dimensions.
func checkTorchIndexSelect(c *check) error {
	t, index, batch := c.operand(0), c.operand(1), c.integer("batch_dims")
	if batch < 0 || batch > int64(min(t.Rank(), index.Rank())) {
		return c.errorf("batch_dims", "", "expected a number in [0, %d], got %d", min(t.Rank(), index.Rank()), batch)
	}
	if d := c.integer("dim"); d < batch || d >= int64(t.Rank()) {
		return c.errorf("dim", "", "expected a dimension in [%d, %d), got %d", batch, t.Rank(), d)
	}
	return nil
}
