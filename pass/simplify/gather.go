package simplify

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// gathers is about gather and scatter.
var gathers = Family{Name: "gather", Doc: "Gather, scatter.", Rules: []Rule{
	rule("gather-one", "gather of one slice -> dynamic-slice", gatherOne, op.Gather),
	rule("gather-same", "gather of one element by equal indices -> broadcast(dynamic-slice)",
		gatherSame, op.Gather),
	rule("scatter-empty", "scatter of nothing -> the operands", scatterEmpty, op.Scatter),
	rule("scatter-columns", "scatter by concatenate(x[..., 1], y[..., 1]) -> by concatenate(x[1, ...], y[1, ...])",
		scatterColumns, op.Scatter),
}}

// gatherOne: with a single index vector the result is one slice, reshaped. Gather clamps
// as dynamic-slice does.
func gatherOne(i *hlo.Instruction) *hlo.Instruction {
	a, x, indices := attrsOf[*op.GatherAttrs](i), i.Operand(0), i.Operand(1)
	n := len(a.StartIndexMap)
	if len(a.OperandBatchingDims) > 0 || n == 0 || elements(indices) != n || !slices.IsSorted(a.OffsetDims) {
		return nil
	}
	t := indices.Type()
	vector := reshapeTo(i, shape.Make(t, n), indices)
	operands := []*hlo.Instruction{x}
	for d := range x.Rank() {
		k := slices.Index(a.StartIndexMap, d)
		if k < 0 {
			operands = append(operands, constant(i, literal.Zero(t)))
			continue
		}
		element := sliceTo(i, vector, []op.SliceRange{{Start: k, Limit: k + 1, Stride: 1}})
		operands = append(operands, reshapeTo(i, shape.Make(t), element))
	}
	s := shape.Make(x.Type(), a.SliceSizes...)
	slice := emit(i, op.DynamicSlice, s, &op.DynamicSliceAttrs{SliceSizes: a.SliceSizes}, operands...)
	return reshapeTo(i, i.Shape(), slice)
}

// gatherSame: where all index vectors consist of one number and slices are elements, the result is one of these.
func gatherSame(i *hlo.Instruction) *hlo.Instruction {
	a, x, indices := attrsOf[*op.GatherAttrs](i), i.Operand(0), i.Operand(1)
	other := func(n int) bool { return n != 1 }
	if indices.Code() != op.Broadcast || indices.Operand(0).Rank() > 0 || len(a.OperandBatchingDims) > 0 ||
		slices.ContainsFunc(a.SliceSizes, other) {
		return nil
	}
	start := indices.Operand(0)
	operands := []*hlo.Instruction{x}
	for d := range x.Rank() {
		at := start
		if !slices.Contains(a.StartIndexMap, d) {
			at = constant(i, literal.Zero(start.Type()))
		}
		operands = append(operands, at)
	}
	s := shape.Make(x.Type(), a.SliceSizes...)
	element := emit(i, op.DynamicSlice, s, &op.DynamicSliceAttrs{SliceSizes: a.SliceSizes}, operands...)
	return emit(i, op.Broadcast, i.Shape(), &op.BroadcastAttrs{}, reshapeTo(i, shape.Make(x.Type()), element))
}

func scatterEmpty(i *hlo.Instruction) *hlo.Instruction {
	n := len(i.Operands()) / 2
	if elements(i.Operand(n+1)) != 0 {
		return nil
	}
	return together(i, i.Operands()[:n])
}

// scatterColumns puts the components of index vectors, which are joined element by element, one behind the other.
func scatterColumns(i *hlo.Instruction) *hlo.Instruction {
	n := len(i.Operands()) / 2
	a, indices := attrsOf[*op.ScatterAttrs](i), i.Operand(n)
	dims := indices.Dims()
	last := len(dims) - 1
	wide := func(x *hlo.Instruction) bool { return x.Dims()[last] != 1 }
	if last < 1 || a.IndexVectorDim != last || !is(indices, op.Concatenate) || !oneUser(indices) ||
		!indices.IsStatic() || concatenated(indices) != last || slices.ContainsFunc(indices.Operands(), wide) {
		return nil
	}
	t := indices.Type()
	var rows []*hlo.Instruction
	for _, x := range indices.Operands() {
		rows = append(rows, reshapeTo(i, shape.Make(t, append([]int{1}, dims[:last]...)...), x))
	}
	b := op.CloneAttrs(a).(*op.ScatterAttrs)
	b.IndexVectorDim, b.ScatterIndicesBatchingDims = 0, slices.Clone(a.ScatterIndicesBatchingDims)
	for k := range b.ScatterIndicesBatchingDims {
		b.ScatterIndicesBatchingDims[k]++
	}
	operands := slices.Clone(i.Operands())
	operands[n] = emit(i, op.Concatenate, shape.Make(t, append([]int{dims[last]}, dims[:last]...)...),
		&op.ConcatenateAttrs{Dimensions: []int{0}}, rows...)
	return i.Computation().Add("", op.Scatter, i.Shape(), operands, b, i.Called()...)
}
