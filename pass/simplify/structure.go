package simplify

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// structures is about operations that only hold others together.
var structures = Family{Name: "structure", Doc: "Tuple, map, sort, get-dimension-size.", Rules: []Rule{
	rule("element-of-tuple", "get-tuple-element(tuple(..., x, ...)) -> x", elementOfTuple, op.GetTupleElement),
	rule("tuple-of-elements", "tuple of all elements of x in order -> x", tupleOfElements, op.Tuple),
	rule("map-inline", "map of element-wise operations -> those operations", mapInline, op.Map),
	rule("sort-one", "sort along a dimension of size 1 -> the operands", sortOne, op.Sort),
	rule("dimension-size", "get-dimension-size of a static dimension -> its size", dimensionSize, op.GetDimensionSize),
}}

func elementOfTuple(i *hlo.Instruction) *hlo.Instruction {
	if !is(i.Operand(0), op.Tuple) {
		return nil
	}
	return i.Operand(0).Operand(attrsOf[*op.GetTupleElementAttrs](i).Index)
}

func tupleOfElements(i *hlo.Instruction) *hlo.Instruction {
	var x *hlo.Instruction
	for k, e := range i.Operands() {
		if !is(e, op.GetTupleElement) || attrsOf[*op.GetTupleElementAttrs](e).Index != k {
			return nil
		}
		if x != nil && e.Operand(0) != x {
			return nil
		}
		x = e.Operand(0)
	}
	return x
}

func mapInline(i *hlo.Instruction) *hlo.Instruction {
	c := i.Called()[0]
	if !inlinable(c) || c.Root().Type() != i.Type() {
		return nil
	}
	for k, p := range c.Params() {
		if p.Type() != i.Operand(k).Type() {
			return nil
		}
	}
	return inline(i, c, i.Shape(), i.Operands())[0]
}

func sortOne(i *hlo.Instruction) *hlo.Instruction {
	s, dims := i.Operand(0).Shape(), attrsOf[*op.SortAttrs](i).Dimensions
	if len(dims) != 1 || s.Dims[dims[0]] > 1 {
		return nil
	}
	return together(i, i.Operands())
}

func dimensionSize(i *hlo.Instruction) *hlo.Instruction {
	d := attrsOf[*op.DimensionAttrs](i).Dimensions
	if len(d) != 1 || i.Type() != shape.S32 {
		return nil
	}
	return constant(i, literal.Scalar(int32(i.Operand(0).Dims()[d[0]])))
}
