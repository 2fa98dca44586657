package verify

import (
	"slices"

	"github.com/goxla/xla/stablehlo"
)

func (c *check) scatterDims() *stablehlo.ScatterDims {
	d, _ := c.op.Attr("scatter_dimension_numbers").(*stablehlo.ScatterDims)
	return d
}

// checkScatter: scatter_c1 to scatter_c23.
func checkScatter(c *check) error {
	inputs, updates := c.tensors(0), c.tensors(2)
	d, indices := c.scatterDims(), c.tensors(1)[0]
	for i, t := range updates {
		if !compatibleDims(updates[0].Dims, t.Dims) {
			return c.errorf("updates", "c3", "expected update %d of shape %s, got %v", i, sizes(updates[0].Dims), t)
		}
	}
	if err := c.sameShapes("c1", inputs); err != nil {
		return err
	}
	if v := d.IndexVectorDim; v < 0 || v > int64(indices.Rank()) {
		return c.errorf("index_vector_dim", "c22", "expected a dimension in [0, %d], got %d", indices.Rank(), v)
	}
	var inits []*stablehlo.TensorType
	for _, t := range updates {
		inits = append(inits, tensor(nil, t.Elem, nil))
	}
	if err := c.reducer(0, "c23", inputs, inits, nil); err != nil {
		return err
	}
	full := indices.Dims
	if int(d.IndexVectorDim) == len(full) {
		full = append(slices.Clone(full), 1)
	}
	if n := len(full) - 1 + len(d.UpdateWindowDims); updates[0].Rank() != n {
		return c.errorf("updates", "c4", "expected rank %d, got %v", n, updates[0])
	}
	return first(
		func() error { return c.scatterWindow(inputs[0], updates[0]) },
		func() error { return c.scatterBatches(inputs[0], full) },
		func() error { return c.scatterMap(inputs[0], full) },
		func() error { return c.scatterSizes(inputs[0], updates[0], full) },
	)
}

// scatterWindow: scatter_c2, scatter_c7 to scatter_c13.
func (c *check) scatterWindow(t, update *stablehlo.TensorType) error {
	d := c.scatterDims()
	if n := len(d.UpdateWindowDims) + len(d.InsertedWindowDims) + len(d.InputBatchingDims); n != t.Rank() {
		return c.errorf("scatter_dimension_numbers", "c2",
			"expected %d dimensions in update_window_dims, inserted_window_dims and input_batching_dims, got %d", t.Rank(), n)
	}
	return first(
		func() error { return c.sorted("update_window_dims", "c7", d.UpdateWindowDims) },
		func() error { return c.unique("update_window_dims", "c7", d.UpdateWindowDims) },
		func() error { return c.inRange("update_window_dims", "c8", d.UpdateWindowDims, update.Rank()) },
		func() error {
			return c.distinct("inserted_window_dims", "c9", d.InsertedWindowDims, d.InputBatchingDims)
		},
		func() error { return c.sorted("inserted_window_dims", "c10", d.InsertedWindowDims) },
		func() error { return c.inRange("inserted_window_dims", "c11", d.InsertedWindowDims, t.Rank()) },
		func() error { return c.sorted("input_batching_dims", "c12", d.InputBatchingDims) },
		func() error { return c.inRange("input_batching_dims", "c13", d.InputBatchingDims, t.Rank()) },
	)
}

// scatterBatches: scatter_c14 to scatter_c18.
func (c *check) scatterBatches(t *stablehlo.TensorType, indices []int64) error {
	d, name := c.scatterDims(), "scatter_indices_batching_dims"
	return first(
		func() error { return c.unique(name, "c14", d.ScatterIndicesBatching) },
		func() error { return c.inRange(name, "c15", d.ScatterIndicesBatching, len(indices)) },
		func() error {
			return c.indexBatches(name, [3]string{"c16", "c17", "c18"},
				d.ScatterIndicesBatching, d.InputBatchingDims, d.IndexVectorDim, indices, t.Dims)
		},
	)
}

// scatterMap: scatter_c19 to scatter_c21.
func (c *check) scatterMap(t *stablehlo.TensorType, indices []int64) error {
	d, name := c.scatterDims(), "scatter_dims_to_operand_dims"
	if n := indices[d.IndexVectorDim]; !compatibleDim(n, int64(len(d.ScatterDimsToOperand))) {
		return c.errorf(name, "c19", "expected %d dimensions, got %d", n, len(d.ScatterDimsToOperand))
	}
	return first(
		func() error { return c.distinct(name, "c20", d.ScatterDimsToOperand, d.InputBatchingDims) },
		func() error { return c.inRange(name, "c21", d.ScatterDimsToOperand, t.Rank()) },
	)
}

// scatterSizes: scatter_c4: the windows fit into the input, the other dimensions are
// those of the indices.
func (c *check) scatterSizes(t, update *stablehlo.TensorType, indices []int64) error {
	d := c.scatterDims()
	most := keep(extents(t), slices.Concat(d.InsertedWindowDims, d.InputBatchingDims))
	for i, dim := range d.UpdateWindowDims {
		if n := update.Dims[dim]; n != stablehlo.Dynamic && most[i].size != stablehlo.Dynamic && n > most[i].size {
			return c.errorf("updates", "c4", "expected at most %d in dimension %d, got %d", most[i].size, dim, n)
		}
	}
	rest := slices.Delete(slices.Clone(indices), int(d.IndexVectorDim), int(d.IndexVectorDim)+1)
	for i, n := range update.Dims {
		if slices.Contains(d.UpdateWindowDims, int64(i)) {
			continue
		}
		if !compatibleDim(n, rest[0]) {
			return c.errorf("updates", "c4", "expected the size of the indices, %d, in dimension %d, got %d", rest[0], i, n)
		}
		rest = rest[1:]
	}
	return nil
}
