package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// wantReduceOperands checks operands that are n >= 1 inputs of equal dimensions and
// n scalars of their element types.
func wantReduceOperands(in *Inputs, countLabel, dimsLabel, typeLabel string) error {
	n := len(in.Operands) / 2
	if n == 0 || len(in.Operands) != 2*n {
		return labelErr(countLabel, "expected n inputs and n initial values, got %d operands", len(in.Operands))
	}
	if err := wantArrays(in, countLabel); err != nil {
		return err
	}
	if err := wantSameDims(in, 0, n, dimsLabel); err != nil {
		return err
	}
	for i := range n {
		if err := wantSameType(in, i, n+i, typeLabel); err != nil {
			return err
		}
		if err := wantScalar(in, n+i, arrayTypes, typeLabel); err != nil {
			return err
		}
	}
	return nil
}

// inferReduce: the dimensions that stay, with the element types that the computation
// returns; a tuple where it returns a tuple.
func inferReduce(in *Inputs) (shape.Shape, error) {
	if err := wantReduceOperands(in, "reduce_c3", "reduce_c1", "reduce_c2"); err != nil {
		return shape.Shape{}, err
	}
	n := len(in.Operands) / 2
	s, reduced := in.Operands[0], in.Attrs.(*ReduceAttrs).Dimensions
	if err := wantDims("dimensions", reduced, s.Rank(), "reduce_c4", "reduce_c5"); err != nil {
		return shape.Shape{}, err
	}
	f, err := in.called(0, "reduce_c6")
	if err != nil {
		return shape.Shape{}, err
	}
	if err := wantReducer(f, in.Operands[n:], operandTypes(in.Operands[:n]), "reduce_c6"); err != nil {
		return shape.Shape{}, err
	}
	var dims []int
	var dynamic []bool
	for i := range s.Dims {
		if !slices.Contains(reduced, i) {
			size, isDynamic := dimOf(s, i).split()
			dims, dynamic = append(dims, size), append(dynamic, isDynamic)
		}
	}
	kept := func(e shape.Shape) shape.Shape { return shape.MakeDynamic(e.Type, dims, dynamic) }
	return mapElements(f.Result, kept), nil
}

// mapElements returns s with g done to it, or to each element where it is a tuple.
func mapElements(s shape.Shape, g func(shape.Shape) shape.Shape) shape.Shape {
	if !s.IsTuple() {
		return g(s)
	}
	elems := make([]shape.Shape, len(s.Elems))
	for i, e := range s.Elems {
		elems[i] = g(e)
	}
	return shape.MakeTuple(elems...)
}

// inferMap: the computation takes one scalar an operand; all dimensions are mapped.
func inferMap(in *Inputs) (shape.Shape, error) {
	if len(in.Operands) == 0 {
		return shape.Shape{}, labelErr("map_c2", "expected at least one operand, got none")
	}
	if err := wantArrays(in, "map_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantSameDims(in, 0, len(in.Operands), "map_c1"); err != nil {
		return shape.Shape{}, err
	}
	s, mapped := in.Operands[0], in.Attrs.(*MapAttrs).Dimensions
	if mapped != nil && !slices.Equal(mapped, allDims(s.Rank())) {
		return shape.Shape{}, attrErr("dimensions", "map_c3",
			"expected all dimensions in order, %v, got %v", allDims(s.Rank()), mapped)
	}
	f, err := in.called(0, "map_c4")
	if err != nil {
		return shape.Shape{}, err
	}
	if len(f.Params) != len(in.Operands) {
		return shape.Shape{}, labelErr("map_c4",
			"expected a computation of %d parameters, got %d", len(in.Operands), len(f.Params))
	}
	for i, p := range f.Params {
		if t := in.Operands[i].Type; !p.IsScalar() || !sameTypeIgnoringPrecision(p.Type, t) {
			return shape.Shape{}, labelErr("map_c4", "expected parameter %d of shape %v, got %v", i, shape.Make(t), p)
		}
	}
	if !f.Result.IsScalar() {
		return shape.Shape{}, labelErr("map_c4", "expected a computation that returns a scalar, got %v", f.Result)
	}
	return shape.MakeDynamic(f.Result.Type, s.Dims, dynamicDims(s)), nil
}
