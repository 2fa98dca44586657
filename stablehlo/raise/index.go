package raise

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/stablehlo"
)

// indexRules are the operations with dimension numbers for indices.
func indexRules() map[op.Code]rule {
	return map[op.Code]rule{
		op.DynamicSlice:       dynamicSlice,
		op.DynamicUpdateSlice: dynamicUpdateSlice,
		op.Gather:             gather,
		op.Scatter:            scatter,
	}
}

func dynamicSlice(c *call) value {
	operands := append([]*stablehlo.Value{c.arg(0)}, c.indices(1)...)
	return c.result("stablehlo.dynamic_slice", operands,
		attr("slice_sizes", ints(attrs[op.DynamicSliceAttrs](c).SliceSizes)))
}

func dynamicUpdateSlice(c *call) value {
	operands := c.likeFirst([]*stablehlo.Value{c.arg(0), c.arg(1)})
	return c.result("stablehlo.dynamic_update_slice", append(operands, c.indices(2)...))
}

// indices returns the operands from first on, which are scalars, or the elements of the
// one vector that stands there.
func (c *call) indices(first int) []*stablehlo.Value {
	n := len(c.i.Operands())
	if n != first+1 || c.i.Operand(first).Rank() != 1 {
		return c.leaves(first, n)
	}
	vector, size := c.arg(first), c.i.Operand(first).Dims()[0]
	var list []*stablehlo.Value
	for k := range size {
		one := c.make("stablehlo.slice", staticType(elemOf(vector.Type), 1), []*stablehlo.Value{vector},
			attr("start_indices", ints([]int{k})), attr("limit_indices", ints([]int{k + 1})),
			attr("strides", ints([]int{1})))
		list = append(list, c.reshape(one))
	}
	return list
}

func gather(c *call) value {
	a := attrs[op.GatherAttrs](c)
	c.wantDisjoint("operand_batching_dims", a.StartIndexMap, a.OperandBatchingDims)
	return c.result("stablehlo.gather", c.args(),
		attr("dimension_numbers", &stablehlo.GatherDims{
			OffsetDims: int64s(a.OffsetDims), CollapsedSliceDims: int64s(a.CollapsedSliceDims),
			OperandBatchingDims:  int64s(a.OperandBatchingDims),
			StartIndicesBatching: int64s(a.StartIndicesBatchingDims),
			StartIndexMap:        int64s(a.StartIndexMap), IndexVectorDim: int64(a.IndexVectorDim)}),
		attr("slice_sizes", ints(a.SliceSizes)), attr("indices_are_sorted", flag(a.IndicesAreSorted)))
}

func scatter(c *call) value {
	a := attrs[op.ScatterAttrs](c)
	c.wantDisjoint("input_batching_dims", a.ScatterDimsToOperandDims, a.InputBatchingDims)
	n := len(c.i.Operands()) / 2
	params := c.called(0).Params()
	if len(c.i.Operands()) != 2*n+1 || len(params) != 2*n {
		c.fail("", "", "expected inputs, indices and as many updates, got %d operands", len(c.i.Operands()))
		return value{}
	}
	operands := c.args()
	for k := range n {
		operands[k] = c.convert(operands[k], c.paramElem(params[k]))
		operands[n+1+k] = c.convert(operands[n+1+k], c.paramElem(params[n+k]))
	}
	o := c.emit("stablehlo.scatter", operands, typesOf(operands[:n]),
		attr("scatter_dimension_numbers", &stablehlo.ScatterDims{
			UpdateWindowDims: int64s(a.UpdateWindowDims), InsertedWindowDims: int64s(a.InsertedWindowDims),
			InputBatchingDims:      int64s(a.InputBatchingDims),
			ScatterIndicesBatching: int64s(a.ScatterIndicesBatchingDims),
			ScatterDimsToOperand:   int64s(a.ScatterDimsToOperandDims), IndexVectorDim: int64(a.IndexVectorDim)}),
		attr("indices_are_sorted", flag(a.IndicesAreSorted)), attr("unique_indices", flag(a.UniqueIndices)))
	c.region(o, c.called(0))
	return c.regionResults(o)
}

// wantDisjoint refuses a dimension that is both indexed and a batching one, which HLO takes.
func (c *call) wantDisjoint(name string, indexed, batching []int) {
	for _, d := range batching {
		for _, e := range indexed {
			if d == e {
				c.refuse("dimension numbers in which " + name + " are indexed too")
			}
		}
	}
}
