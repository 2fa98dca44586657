package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// inferCopy: any value, in any layout.
func inferCopy(in *Inputs) (shape.Shape, error) { return in.Operands[0], nil }

// inferConstant takes layouts from the declared shape and the rest from the literal.
func inferConstant(in *Inputs) (shape.Shape, error) {
	value := in.Attrs.(*ConstantAttrs).Value
	if !value.IsValid() {
		return shape.Shape{}, attrErr("value", "constant_i1", "expected a literal, got none")
	}
	return in.agreeInType(value.Shape(), "constant_c1")
}

func inferParameter(in *Inputs) (shape.Shape, error) {
	a := in.Attrs.(*ParameterAttrs)
	if a.Number < 0 {
		return shape.Shape{}, attrErr("number", "parameter_o1", "expected at least 0, got %d", a.Number)
	}
	if !in.hasDeclared() {
		return shape.Shape{}, labelErr("parameter_o2", "expected a shape, got none")
	}
	if a.Replication == nil {
		return in.Declared, nil
	}
	return in.Declared, wantLen("parameter_replication", len(a.Replication), countLeaves(in.Declared), "parameter_o3")
}

// countLeaves returns the number of values in s that are not tuples.
func countLeaves(s shape.Shape) int {
	if !s.IsTuple() {
		return 1
	}
	n := 0
	for _, e := range s.Elems {
		n += countLeaves(e)
	}
	return n
}

// inferIota: the whole result shape is declared.
func inferIota(in *Inputs) (shape.Shape, error) {
	if err := wantDeclared(in, "iota_o1"); err != nil {
		return shape.Shape{}, err
	}
	s := in.Declared
	if !isNumber(s.Type) {
		return shape.Shape{}, labelErr("iota_o2",
			"expected a result of element type %s, got %v", numberTypes.words, s.Type)
	}
	return s, wantDim("iota_dimension", in.Attrs.(*IotaAttrs).Dimension, s.Rank(), "iota_c1")
}

// inferBroadcast takes the sizes that are not the operand's from the declared
// shape. Where there is none the attribute is what XLA takes it for in text
// without a shape: sizes of new dimensions in front of the operand's.
func inferBroadcast(in *Inputs) (shape.Shape, error) {
	if err := wantArray(in, 0, "broadcast_in_dim_i1"); err != nil {
		return shape.Shape{}, err
	}
	s, dims := in.Operands[0], in.Attrs.(*BroadcastAttrs).Dimensions
	if !in.hasDeclared() {
		return prependDims(s, dims)
	}
	if err := wantDeclared(in, "broadcast_in_dim_o1"); err != nil {
		return shape.Shape{}, err
	}
	result := in.Declared
	if s.Type != result.Type {
		return shape.Shape{}, labelErr("broadcast_in_dim_c1",
			"expected a result of element type %v, got %v", s.Type, result.Type)
	}
	if err := wantLen("dimensions", len(dims), s.Rank(), "broadcast_in_dim_c2"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantDims("dimensions", dims, result.Rank(), "broadcast_in_dim_c3", "broadcast_in_dim_c4"); err != nil {
		return shape.Shape{}, err
	}
	for i, d := range dims {
		if a, b := s.Dims[i], result.Dims[d]; a != b && a != shape.Unbounded && b != shape.Unbounded {
			return shape.Shape{}, attrErr(at("dimensions", i), "broadcast_in_dim_c5",
				"expected size %d in dimension %d of the result, got %d", a, d, b)
		}
	}
	return result, nil
}

// prependDims returns s with new dimensions of the given sizes in front.
func prependDims(s shape.Shape, sizes []int) (shape.Shape, error) {
	for i, n := range sizes {
		if n < 0 {
			return shape.Shape{}, attrErr(at("dimensions", i), "broadcast_in_dim_o2",
				"expected a size of at least 0, got %d", n)
		}
	}
	dims := slices.Concat(sizes, s.Dims)
	return shape.MakeDynamic(s.Type, dims, append(make([]bool, len(sizes)), dynamicDims(s)...)), nil
}

// inferReshape takes the sizes from the declared shape.
func inferReshape(in *Inputs) (shape.Shape, error) {
	if err := wantArray(in, 0, "reshape_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantDeclared(in, "reshape_o1"); err != nil {
		return shape.Shape{}, err
	}
	d := in.Attrs.(*ReshapeAttrs).InferredDimension
	if d.Present && d.Value != -1 {
		if err := wantDim("inferred_dimension", d.Value, in.Declared.Rank(), "reshape_o2"); err != nil {
			return shape.Shape{}, err
		}
	}
	return sameElements(in.Operands[0], in.Declared, "reshape")
}

// sameElements returns result after checking that it has the element type and, so
// far as known, the element count of s.
func sameElements(s, result shape.Shape, op string) (shape.Shape, error) {
	if s.Type != result.Type {
		return shape.Shape{}, labelErr(op+"_c1", "expected a result of element type %v, got %v", s.Type, result.Type)
	}
	if s.HasUnbounded() || result.HasUnbounded() {
		return result, nil
	}
	from, err := s.Elements()
	if err != nil {
		return shape.Shape{}, labelErr(op+"_c2", "%w", err)
	}
	to, err := result.Elements()
	if err != nil {
		return shape.Shape{}, labelErr(op+"_c2", "%w", err)
	}
	if from != to {
		return shape.Shape{}, labelErr(op+"_c2",
			"expected a result of %d elements as %v has, got %v with %d", from, s, result, to)
	}
	return result, nil
}

func inferReverse(in *Inputs) (shape.Shape, error) {
	if err := wantArray(in, 0, "reverse_i1"); err != nil {
		return shape.Shape{}, err
	}
	s := in.Operands[0]
	return s, wantDims("dimensions", in.Attrs.(*ReverseAttrs).Dimensions, s.Rank(), "reverse_c3", "reverse_c2")
}

// inferTranspose permutes dimensions and layout: the elements stay where they are.
func inferTranspose(in *Inputs) (shape.Shape, error) {
	if err := wantArray(in, 0, "transpose_i1"); err != nil {
		return shape.Shape{}, err
	}
	s, perm := in.Operands[0], in.Attrs.(*TransposeAttrs).Dimensions
	if err := wantLen("dimensions", len(perm), s.Rank(), "transpose_c2"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantDims("dimensions", perm, s.Rank(), "transpose_c2", "transpose_c2"); err != nil {
		return shape.Shape{}, err
	}
	return permuteDims(s, perm), nil
}

// permuteDims returns the shape whose dimension i is dimension perm[i] of s, with
// the same order in memory.
func permuteDims(s shape.Shape, perm []int) shape.Shape {
	dims, dynamic := make([]int, len(perm)), make([]bool, len(perm))
	inverse := make([]int, len(perm))
	for i, p := range perm {
		dims[i], dynamic[i] = s.Dims[p], s.IsDynamicDim(p)
		inverse[p] = i
	}
	layout := shape.Layout{}
	if s.Layout != nil {
		layout = *s.Layout
	}
	order := s.MinorToMajor()
	layout.MinorToMajor = make([]int, len(order))
	for i, d := range order {
		layout.MinorToMajor[i] = inverse[d]
	}
	return shape.MakeDynamic(s.Type, dims, dynamic).WithLayout(layout.Normalize())
}
