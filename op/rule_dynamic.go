package op

import (
	"math"
	"slices"

	"github.com/goxla/xla/shape"
)

// inferDynamicSlice: the result is dynamic where a slice takes a whole dynamic
// dimension of more than one element.
func inferDynamicSlice(in *Inputs) (shape.Shape, error) {
	if len(in.Operands) == 0 {
		return shape.Shape{}, labelErr("dynamic_slice_i1", "expected an operand, got none")
	}
	if err := wantArray(in, 0, "dynamic_slice_i1"); err != nil {
		return shape.Shape{}, err
	}
	s, sizes := in.Operands[0], in.Attrs.(*DynamicSliceAttrs).SliceSizes
	if err := wantStartIndices(in, 1, "dynamic_slice_i2", "dynamic_slice_c2", "dynamic_slice_c3"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantLen("dynamic_slice_sizes", len(sizes), s.Rank(), "dynamic_slice_c2"); err != nil {
		return shape.Shape{}, err
	}
	dynamic := make([]bool, len(sizes))
	for i, n := range sizes {
		if d := s.Dims[i]; n < 0 || d != shape.Unbounded && n > d {
			return shape.Shape{}, attrErr(at("dynamic_slice_sizes", i), "dynamic_slice_c4",
				"%d is not in [0, %d]", n, d)
		}
		dynamic[i] = s.IsDynamicDim(i) && n > 1 && n == s.Dims[i]
	}
	return in.agree(shape.MakeDynamic(s.Type, slices.Clone(sizes), dynamic), "dynamic_slice_c5")
}

// wantStartIndices checks the operands from first on: an integer scalar for each
// dimension of operand 0, all of one type, or one array of rank 1 with that many elements.
func wantStartIndices(in *Inputs, first int, typeLabel, countLabel, sameLabel string) error {
	rank, indices := in.Operands[0].Rank(), in.Operands[first:]
	for i := range indices {
		if err := wantType(in, first+i, integerTypes, typeLabel); err != nil {
			return err
		}
	}
	if len(indices) == 1 && indices[0].Rank() == 1 {
		if n := indices[0].Dims[0]; n != rank {
			return operandErr(first, countLabel, "expected %d indices for %v, got %d", rank, in.Operands[0], n)
		}
		return nil
	}
	if len(indices) != rank {
		return labelErr(countLabel, "expected %d index operands for %v, got %d", rank, in.Operands[0], len(indices))
	}
	for i, s := range indices {
		if s.Rank() != 0 {
			return operandErr(first+i, typeLabel, "expected a scalar, got %v", s)
		}
		if s.Type != indices[0].Type {
			return operandErr(first+i, sameLabel,
				"expected element type %v as of the other indices, got %v", indices[0].Type, s.Type)
		}
	}
	return nil
}

// inferDynamicUpdateSlice: the result is the operand's shape, dynamic also where
// the update is dynamic and replaces a whole dimension.
func inferDynamicUpdateSlice(in *Inputs) (shape.Shape, error) {
	if len(in.Operands) < 2 {
		return shape.Shape{}, labelErr("dynamic_update_slice_i2",
			"expected at least 2 operands, got %d", len(in.Operands))
	}
	for i := range 2 {
		if err := wantArray(in, i, "dynamic_update_slice_i1"); err != nil {
			return shape.Shape{}, err
		}
	}
	err := wantStartIndices(in, 2, "dynamic_update_slice_i3", "dynamic_update_slice_c4", "dynamic_update_slice_c5")
	if err != nil {
		return shape.Shape{}, err
	}
	if err := wantSameType(in, 0, 1, "dynamic_update_slice_c2"); err != nil {
		return shape.Shape{}, err
	}
	s, update := in.Operands[0], in.Operands[1]
	if update.Rank() != s.Rank() {
		return shape.Shape{}, operandErr(1, "dynamic_update_slice_c3", "expected rank %d, got %v", s.Rank(), update)
	}
	dynamic := dynamicDims(s)
	for i, n := range update.Dims {
		if d := s.Dims[i]; n != shape.Unbounded && d != shape.Unbounded && n > d {
			return shape.Shape{}, operandErr(1, "dynamic_update_slice_c6",
				"expected at most %d in dimension %d as in %v, got %d", d, i, s, n)
		}
		dynamic[i] = dynamic[i] || update.IsDynamicDim(i) && n == s.Dims[i]
	}
	return in.agreeInType(shape.MakeDynamic(s.Type, s.Dims, dynamic).WithLayout(s.Layout), "dynamic_update_slice_c1")
}

// inferDynamicReshape takes bounds and dynamic dimensions from the declared shape;
// there is one s32 scalar a dimension behind the operand.
func inferDynamicReshape(in *Inputs) (shape.Shape, error) {
	if len(in.Operands) == 0 {
		return shape.Shape{}, labelErr("dynamic_reshape_i1", "expected an operand, got none")
	}
	if err := wantArray(in, 0, "dynamic_reshape_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantDeclared(in, "dynamic_reshape_o1"); err != nil {
		return shape.Shape{}, err
	}
	if sizes, rank := len(in.Operands)-1, in.Declared.Rank(); sizes != rank {
		return shape.Shape{}, labelErr("dynamic_reshape_c4",
			"expected %d size operands for %v, got %d", rank, in.Declared, sizes)
	}
	for i := 1; i < len(in.Operands); i++ {
		if err := wantScalar(in, i, s32Types, "dynamic_reshape_i2"); err != nil {
			return shape.Shape{}, err
		}
	}
	return sameElements(in.Operands[0], in.Declared, "dynamic_reshape")
}

func inferGetDimensionSize(in *Inputs) (shape.Shape, error) {
	_, err := wantSizedDim(in, "get_dimension_size")
	return shape.Make(shape.S32), err
}

// inferSetDimensionSize: the dimension becomes dynamic, its size the bound.
func inferSetDimensionSize(in *Inputs) (shape.Shape, error) {
	d, err := wantSizedDim(in, "set_dimension_size")
	if err != nil {
		return shape.Shape{}, err
	}
	if err := wantScalar(in, 1, s32Types, "set_dimension_size_i2"); err != nil {
		return shape.Shape{}, err
	}
	s := in.Operands[0]
	s.Dynamic = dynamicDims(s)
	s.Dynamic[d] = true
	return s, nil
}

// wantSizedDim returns the dimension that the operation named op is about, after
// checking that its size can be told in an s32.
func wantSizedDim(in *Inputs, op string) (int, error) {
	if err := wantArray(in, 0, op+"_i1"); err != nil {
		return 0, err
	}
	s := in.Operands[0]
	d, err := wantOneDim("dimensions", in.Attrs.(*DimensionAttrs).Dimensions, s.Rank(), op+"_c1")
	if err != nil {
		return 0, err
	}
	if s.Dims[d] > math.MaxInt32 {
		return 0, operandErr(0, op+"_o1", "expected at most 2^31-1 in dimension %d, got %d", d, s.Dims[d])
	}
	return d, nil
}
