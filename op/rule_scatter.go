package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// inferScatter: operands are n inputs, the indices, n updates. The result has the
// shapes of the inputs.
func inferScatter(in *Inputs) (shape.Shape, error) {
	n := len(in.Operands) / 2
	if n == 0 || len(in.Operands) != 2*n+1 {
		return shape.Shape{}, labelErr("scatter_c5", "expected n inputs, the indices and n updates, got %d operands",
			len(in.Operands))
	}
	if err := wantArrays(in, "scatter_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantType(in, n, integerTypes, "scatter_i2"); err != nil {
		return shape.Shape{}, err
	}
	a, indices := in.Attrs.(*ScatterAttrs), in.Operands[n]
	if err := wantIndexVectorDim(a.IndexVectorDim, indices, "scatter_c22"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantSameDims(in, 0, n, "scatter_c1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantSameDims(in, n+1, 2*n+1, "scatter_c3"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantUpdates(a, in.Operands[0], indices, in.Operands[n+1]); err != nil {
		return shape.Shape{}, err
	}
	if err := wantScatterCombiner(in, n); err != nil {
		return shape.Shape{}, err
	}
	return tupleOf(slices.Clone(in.Operands[:n])), nil
}

// wantUpdates checks the dimension numbers and the dimensions of the updates.
func wantUpdates(a *ScatterAttrs, s, indices, updates shape.Shape) error {
	const attr = "update_window_dims"
	if err := wantAscending(attr, a.UpdateWindowDims, "scatter_c7"); err != nil {
		return err
	}
	if err := wantDims(attr, a.UpdateWindowDims, updates.Rank(), "scatter_c8", "scatter_c7"); err != nil {
		return err
	}
	n, m, k := len(a.UpdateWindowDims), len(a.InsertedWindowDims), len(a.InputBatchingDims)
	if err := a.numbers().check(s, indices); err != nil {
		return err
	}
	if s.Rank() != n+m+k {
		return labelErr("scatter_c2",
			"expected as many window, inserted and batching dimensions as %v has, got %d + %d + %d",
			s, n, m, k)
	}
	if want := n + batchRank(indices, a.IndexVectorDim); updates.Rank() != want {
		return labelErr("scatter_c4", "expected updates of rank %d, got %v", want, updates)
	}
	return wantUpdateSizes(a, s, indices, updates)
}

// wantUpdateSizes checks each dimension of the updates: a window is no larger than
// the operand, another dimension is that of the indices.
func wantUpdateSizes(a *ScatterAttrs, s, indices, updates shape.Shape) error {
	window, batch := a.WindowDims(s.Rank()), withoutDim(indices, a.IndexVectorDim)
	for i, got := range updates.Dims {
		if j := slices.Index(a.UpdateWindowDims, i); j >= 0 {
			if most := s.Dims[window[j]]; most != shape.Unbounded && got > most {
				return labelErr("scatter_c4",
					"expected at most %d in dimension %d of the updates as of dimension %d of %v, got %d",
					most, i, window[j], s, got)
			}
			continue
		}
		want := batch[0].size
		batch = batch[1:]
		if got != want && got != shape.Unbounded && want != shape.Unbounded {
			return labelErr("scatter_c4",
				"expected size %d in dimension %d of the updates as in %v, got %d", want, i, indices, got)
		}
	}
	return nil
}

// wantScatterCombiner checks the computation: it takes the current values, then the updates.
func wantScatterCombiner(in *Inputs, n int) error {
	f, err := in.called(0, "scatter_c23")
	if err != nil {
		return err
	}
	current, types := make([]shape.Shape, n), make([]shape.ElementType, n)
	for i := range n {
		current[i] = shape.Make(in.Operands[i].Type)
		types[i] = in.Operands[n+1+i].Type
		if !sameTypeIgnoringPrecision(current[i].Type, types[i]) {
			return operandErr(n+1+i, "scatter_c6", "expected the element type %v of operand %d, got %v",
				current[i].Type, i, types[i])
		}
	}
	return wantReducer(f, current, types, "scatter_c23")
}
