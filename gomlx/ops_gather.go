package gomlx

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapeinference"
	"github.com/gomlx/compute/shapes"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/pkg/errors"
)

// Gather returns the parts of x of sliceSizes that begin where starts say. A start is moved so that the part is
// inside of x.
func (f *Function) Gather(x, starts compute.Value, indexVectorAxis int,
	offsetOutputAxes, collapsedSliceAxes, startIndexMap, sliceSizes []int, sorted bool) (compute.Value, error) {
	in, err := f.values("Gather", x, starts)
	if err != nil {
		return nil, err
	}
	if err := checkIndices(compute.OpTypeGather, in, indexVectorAxis, startIndexMap); err != nil {
		return nil, err
	}
	s, err := shapeinference.Gather(in[0].shape, in[1].shape, indexVectorAxis, offsetOutputAxes, collapsedSliceAxes,
		startIndexMap, sliceSizes, sorted)
	if err != nil {
		return nil, err
	}
	a := op.GatherAttrs{OffsetDims: slices.Clone(offsetOutputAxes), CollapsedSliceDims: slices.Clone(collapsedSliceAxes),
		StartIndexMap: slices.Clone(startIndexMap), IndexVectorDim: indexVectorAxis, SliceSizes: slices.Clone(sliceSizes),
		IndicesAreSorted: sorted}
	return f.add(compute.OpTypeGather, s, in, func(_ *lowering, in []xb.Op) xb.Op {
		a := a
		a.SliceSizes = slices.Clone(a.SliceSizes)
		for i, n := range a.SliceSizes {
			if n == shapes.DynamicDim {
				a.SliceSizes[i] = in[0].Dim(i)
			}
		}
		return xb.Gather(in[0], in[1], a)
	})
}

// ScatterSum returns x with the elements of updates added where indices say.
func (f *Function) ScatterSum(x, indices, updates compute.Value, indexVectorAxis int,
	updateWindowAxes, insertedWindowAxes, scatterAxesToOperandAxes []int, sorted, unique bool) (compute.Value, error) {
	return f.scatter(compute.OpTypeScatterSum, xb.Add, []compute.Value{x, indices, updates}, op.ScatterAttrs{
		IndexVectorDim: indexVectorAxis, UpdateWindowDims: updateWindowAxes, InsertedWindowDims: insertedWindowAxes,
		ScatterDimsToOperandDims: scatterAxesToOperandAxes, IndicesAreSorted: sorted, UniqueIndices: unique})
}

// ScatterMax is ScatterSum that keeps the larger element.
func (f *Function) ScatterMax(x, indices, updates compute.Value, indexVectorAxis int,
	updateWindowAxes, insertedWindowAxes, scatterAxesToOperandAxes []int, sorted, unique bool) (compute.Value, error) {
	return f.scatter(compute.OpTypeScatterMax, xb.Max, []compute.Value{x, indices, updates}, op.ScatterAttrs{
		IndexVectorDim: indexVectorAxis, UpdateWindowDims: updateWindowAxes, InsertedWindowDims: insertedWindowAxes,
		ScatterDimsToOperandDims: scatterAxesToOperandAxes, IndicesAreSorted: sorted, UniqueIndices: unique})
}

// ScatterMin is ScatterSum that keeps the smaller element.
func (f *Function) ScatterMin(x, indices, updates compute.Value, indexVectorAxis int,
	updateWindowAxes, insertedWindowAxes, scatterAxesToOperandAxes []int, sorted, unique bool) (compute.Value, error) {
	return f.scatter(compute.OpTypeScatterMin, xb.Min, []compute.Value{x, indices, updates}, op.ScatterAttrs{
		IndexVectorDim: indexVectorAxis, UpdateWindowDims: updateWindowAxes, InsertedWindowDims: insertedWindowAxes,
		ScatterDimsToOperandDims: scatterAxesToOperandAxes, IndicesAreSorted: sorted, UniqueIndices: unique})
}

func (f *Function) scatter(code compute.OpType, combine binaryFunc, operands []compute.Value, a op.ScatterAttrs) (
	compute.Value, error) {
	in, err := f.values(code.String(), operands...)
	if err != nil {
		return nil, err
	}
	if err := checkIndices(code, in, a.IndexVectorDim, a.ScatterDimsToOperandDims); err != nil {
		return nil, err
	}
	s, err := shapeinference.Scatter(in[0].shape, in[1].shape, in[2].shape, a.IndexVectorDim, a.UpdateWindowDims,
		a.InsertedWindowDims, a.ScatterDimsToOperandDims)
	if err != nil {
		return nil, err
	}
	a.UpdateWindowDims, a.InsertedWindowDims = slices.Clone(a.UpdateWindowDims), slices.Clone(a.InsertedWindowDims)
	a.ScatterDimsToOperandDims = slices.Clone(a.ScatterDimsToOperandDims)
	return f.add(code, s, in, func(_ *lowering, in []xb.Op) xb.Op {
		return xb.Scatter(in[0], in[1], in[2], combine, a)
	})
}

// checkIndices returns an error if indices of in[0] are no vectors, and not for one axis. The rules of shapeinference
// leave that to their callers.
func checkIndices(code compute.OpType, in []*value, vectorAxis int, axes []int) error {
	if vectorAxis == in[1].shape.Rank() && len(axes) != 1 {
		return errors.Errorf("%s: expected one axis of %s for indices %s that are no vectors, got %v", code, in[0].shape,
			in[1].shape, axes)
	}
	return nil
}
