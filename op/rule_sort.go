package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// inferSort: n arrays of equal dimensions, sorted together by a comparator of 2n
// scalars: the left and the right element of each operand in turn.
func inferSort(in *Inputs) (shape.Shape, error) {
	if len(in.Operands) == 0 {
		return shape.Shape{}, labelErr("sort_c1", "expected at least one operand, got none")
	}
	if err := wantArrays(in, "sort_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantSameDims(in, 0, len(in.Operands), "sort_c3"); err != nil {
		return shape.Shape{}, err
	}
	rank := in.Operands[0].Rank()
	if _, err := wantOneDim("dimensions", in.Attrs.(*SortAttrs).Dimensions, rank, "sort_c4"); err != nil {
		return shape.Shape{}, err
	}
	f, err := in.called(0, "sort_c5")
	if err != nil {
		return shape.Shape{}, err
	}
	return tupleOf(slices.Clone(in.Operands)), wantComparator(f, in.Operands)
}

func wantComparator(f shape.Program, operands []shape.Shape) error {
	const label = "sort_c5"
	if n := 2 * len(operands); len(f.Params) != n {
		return labelErr(label, "expected a comparator of %d parameters, got %d", n, len(f.Params))
	}
	for i, p := range f.Params {
		if t := operands[i/2].Type; !p.IsScalar() || !sameTypeIgnoringPrecision(p.Type, t) {
			return labelErr(label, "expected parameter %d of the comparator of shape %v, got %v", i, shape.Make(t), p)
		}
	}
	if f.Result.Type != shape.Pred || f.Result.Rank() != 0 {
		return labelErr(label, "expected a comparator that returns pred[], got %v", f.Result)
	}
	return nil
}

// inferTopk: the k largest (or smallest) of the last dimension and their s32 indices.
func inferTopk(in *Inputs) (shape.Shape, error) {
	if err := wantType(in, 0, realTypes, "topk_i1"); err != nil {
		return shape.Shape{}, err
	}
	s, k := in.Operands[0], in.Attrs.(*TopKAttrs).K
	last := s.Rank() - 1
	if last < 0 {
		return shape.Shape{}, operandErr(0, "topk_c1", "expected rank 1 or more, got %v", s)
	}
	if n := s.Dims[last]; k < 0 || n != shape.Unbounded && k > n {
		return shape.Shape{}, attrErr("k", "topk_c2", "%d is not in [0, %d]", k, n)
	}
	dims, dynamic := slices.Clone(s.Dims), dynamicDims(s)
	dims[last], dynamic[last] = k, false
	values := shape.MakeDynamic(s.Type, dims, dynamic)
	return shape.MakeTuple(values, values.WithType(shape.S32)), nil
}
