package lower

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

func dataRules() map[string]rule {
	return map[string]rule{
		"stablehlo.bitcast_convert":      bitcastConvert,
		"stablehlo.broadcast":            broadcast,
		"stablehlo.broadcast_in_dim":     broadcastInDim,
		"stablehlo.concatenate":          concatenate,
		"stablehlo.constant":             constantRule,
		"stablehlo.dynamic_slice":        dynamicSlice,
		"stablehlo.dynamic_update_slice": dynamicUpdateSlice,
		"stablehlo.gather":               gather,
		"stablehlo.get_dimension_size":   getDimensionSize,
		"stablehlo.iota":                 iota,
		"stablehlo.pad":                  pad,
		"stablehlo.reshape":              reshape,
		"stablehlo.reverse":              reverse,
		"stablehlo.scatter":              scatter,
		"stablehlo.set_dimension_size":   setDimensionSize,
		"stablehlo.slice":                slice,
		"stablehlo.torch_index_select":   torchIndexSelect,
		"stablehlo.transpose":            transpose,
	}
}

func bitcastConvert(c *call) []builder.Op {
	return one(builder.BitcastConvertType(c.arg(0), c.result(0).Type))
}

func broadcast(c *call) []builder.Op {
	return one(builder.Broadcast(c.arg(0), c.ints("broadcast_sizes")...))
}

func broadcastInDim(c *call) []builder.Op {
	return one(builder.BroadcastInDim(c.arg(0), c.staticResult().Dims, c.ints("broadcast_dimensions")))
}

// staticResult returns the shape of result 0, whose sizes must be known: nothing else
// tells them.
func (c *call) staticResult() shape.Shape {
	s := c.result(0)
	if !c.failed() && s.HasUnbounded() {
		c.fail("", "", "expected a result of known sizes, got %v", c.resultType(0))
	}
	return s
}

func concatenate(c *call) []builder.Op {
	return one(c.b.ConcatInDim(c.args, c.int("dimension")))
}

func dynamicSlice(c *call) []builder.Op {
	if len(c.args) == 0 {
		c.arg(0)
		return nil
	}
	return one(builder.DynamicSlice(c.arg(0), c.args[1:], c.ints("slice_sizes")))
}

func dynamicUpdateSlice(c *call) []builder.Op {
	if len(c.args) < 2 {
		c.arg(1)
		return nil
	}
	return one(builder.DynamicUpdateSlice(c.arg(0), c.arg(1), c.args[2:]))
}

func gather(c *call) []builder.Op { return c.gather(c.ints("slice_sizes")) }

// gather makes a gather of slices of the given sizes.
func (c *call) gather(sizes []int) []builder.Op {
	d, ok := structAttr[*stablehlo.GatherDims](c, "dimension_numbers")
	if !ok {
		return nil
	}
	list := func(v []int64) []int { return c.toInts("dimension_numbers", v) }
	return one(builder.Gather(c.arg(0), c.arg(1), op.GatherAttrs{
		OffsetDims: list(d.OffsetDims), CollapsedSliceDims: list(d.CollapsedSliceDims),
		StartIndexMap: list(d.StartIndexMap), OperandBatchingDims: list(d.OperandBatchingDims),
		StartIndicesBatchingDims: list(d.StartIndicesBatching), IndexVectorDim: int(d.IndexVectorDim),
		SliceSizes: sizes, IndicesAreSorted: c.flag("indices_are_sorted")}))
}

func scatter(c *call) []builder.Op {
	d, ok := structAttr[*stablehlo.ScatterDims](c, "scatter_dimension_numbers")
	inputs, indices, updates := c.group(0), c.group(1), c.group(2)
	if !ok || c.failed() || len(inputs) == 0 {
		c.fail("", "", "expected inputs, indices and updates, got %d operands", len(c.args))
		return nil
	}
	list := func(v []int64) []int { return c.toInts("scatter_dimension_numbers", v) }
	a := op.ScatterAttrs{
		UpdateWindowDims: list(d.UpdateWindowDims), InsertedWindowDims: list(d.InsertedWindowDims),
		ScatterDimsToOperandDims: list(d.ScatterDimsToOperand), InputBatchingDims: list(d.InputBatchingDims),
		ScatterIndicesBatchingDims: list(d.ScatterIndicesBatching), IndexVectorDim: int(d.IndexVectorDim),
		IndicesAreSorted: c.flag("indices_are_sorted"), UniqueIndices: c.flag("unique_indices")}
	inputs, updates = c.promote(0, inputs, updates)
	f, more := c.fold(0, "scatter")
	if c.failed() {
		return nil
	}
	all := append(inputs, spread(more, inputs[0])...)
	return builder.ScatterMany(all, indices[0], append(updates, spread(more, updates[0])...), f, a)[:len(inputs)]
}

// getDimensionSize is a constant where the size is known.
func getDimensionSize(c *call) []builder.Op {
	x, d := c.arg(0), c.int("dimension")
	if c.failed() || d < 0 || d >= x.Rank() || x.Shape().IsDynamicDim(d) {
		return one(builder.GetDimensionSize(x, d))
	}
	return one(c.b.Const(int32(x.Dim(d))))
}

func setDimensionSize(c *call) []builder.Op {
	size := c.arg(1)
	if !c.failed() && size.Rank() == 1 && size.Shape().Size() == 1 {
		size = builder.Reshape(size)
	}
	return one(builder.SetDimensionSize(c.arg(0), builder.ConvertElementType(size, shape.S32), c.int("dimension")))
}

func iota(c *call) []builder.Op { return one(c.iota(c.staticResult())) }

// iota makes an iota of shape s. HLO has none of truth values: they are whether the
// index is not zero.
func (c *call) iota(s shape.Shape) builder.Op {
	d := c.int("iota_dimension")
	if c.failed() || s.Type != shape.Pred {
		return c.b.Iota(s, d)
	}
	return builder.ConvertElementType(c.b.Iota(s.WithType(shape.S32), d), shape.Pred)
}

func pad(c *call) []builder.Op {
	return c.pad(c.ints("edge_padding_low"), c.ints("edge_padding_high"), c.ints("interior_padding"))
}

// pad makes a pad with the given lists.
func (c *call) pad(low, high, interior []int) []builder.Op {
	if len(low) != len(high) || len(low) != len(interior) {
		c.fail("", "pad_c2", "expected padding lists of equal lengths, got %d, %d and %d",
			len(low), len(high), len(interior))
		return nil
	}
	padding := make([]op.PadDim, len(low))
	for i := range padding {
		padding[i] = op.PadDim{Low: low[i], High: high[i], Interior: interior[i]}
	}
	return one(builder.Pad(c.arg(0), c.arg(1), padding))
}

func reshape(c *call) []builder.Op {
	s := c.staticResult()
	if c.failed() || s.IsStatic() {
		return one(builder.Reshape(c.arg(0), s.Dims...))
	}
	return one(builder.ReshapeTo(c.arg(0), s))
}

func reverse(c *call) []builder.Op { return one(builder.Rev(c.arg(0), c.ints("dimensions")...)) }

func slice(c *call) []builder.Op {
	return one(builder.Slice(c.arg(0), c.ints("start_indices"), c.ints("limit_indices"), c.ints("strides")))
}

func transpose(c *call) []builder.Op {
	return one(builder.Transpose(c.arg(0), c.ints("permutation")...))
}

// torchIndexSelect takes slices along dim; leading batch_dims of index go with those of
// the operand.
func torchIndexSelect(c *call) []builder.Op {
	x, index := c.arg(0), c.arg(1)
	dim, batch := c.int("dim"), c.int("batch_dims")
	if c.failed() || dim < 0 || dim >= x.Rank() || batch < 0 || batch > dim || batch > index.Rank() {
		c.fail("dim", "", "expected 0 <= batch_dims <= dim < rank, got %d and %d of %v", batch, dim, x.Shape())
		return nil
	}
	a := op.GatherAttrs{CollapsedSliceDims: []int{dim}, StartIndexMap: []int{dim}, IndexVectorDim: index.Rank()}
	for i := range x.Rank() {
		size := x.Dim(i)
		switch {
		case i < batch:
			a.OperandBatchingDims = append(a.OperandBatchingDims, i)
			a.StartIndicesBatchingDims = append(a.StartIndicesBatchingDims, i)
			size = 1
		case i < dim:
			a.OffsetDims = append(a.OffsetDims, i)
		case i == dim:
			size = 1
		default:
			a.OffsetDims = append(a.OffsetDims, i-1+index.Rank()-batch)
		}
		a.SliceSizes = append(a.SliceSizes, size)
	}
	return one(builder.Gather(x, index, a))
}
