package simplify

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// constants is about the values of constants and about arrays without elements.
func constants() Family {
	return Family{Name: "constant", Doc: "Constants, and operations on them.", Rules: []Rule{
		rule("constant-splat", "{c, c, ...} -> broadcast(c)", constantSplat, op.Constant),
		rule("constant-iota", "{0, 1, 2, ...} -> iota", constantIota, op.Constant),
		rule("constant-right", "c + x -> x + c, for commutative operations but on complex numbers",
			constantRight, commutative()...),
		rule("zero-elements", "an array without elements -> an empty constant", zeroElements, pureArrays()...),
	}}
}

func constantSplat(i *hlo.Instruction) *hlo.Instruction {
	v := attrsOf[*op.ConstantAttrs](i).Value
	if !i.IsArray() || v.IsElided() || v.Len() < 2 {
		return nil
	}
	c, ok := uniform(v)
	if !ok {
		return nil
	}
	return fillLike(i, c)
}

func constantIota(i *hlo.Instruction) *hlo.Instruction {
	v := attrsOf[*op.ConstantAttrs](i).Value
	if i.Rank() != 1 || !i.Type().IsInteger() || v.IsElided() || v.Len() < 2 {
		return nil
	}
	for k := range v.Len() {
		if v.IntAt(k) != int64(k) {
			return nil
		}
	}
	return emit(i, op.Iota, i.Shape(), &op.IotaAttrs{})
}

// constantRight leaves complex numbers alone: a product that keeps more bits of its first
// terms depends on the order.
func constantRight(i *hlo.Instruction) *hlo.Instruction {
	x, y := i.Operand(0), i.Operand(1)
	if !isConstant(x) || isConstant(y) || i.Type().IsComplex() {
		return nil
	}
	return emit(i, i.Code(), i.Shape(), i.Attrs(), y, x)
}

// commutative returns the operations that are.
func commutative() []op.Code {
	var list []op.Code
	for _, c := range op.Codes() {
		if c.Info().Has(op.Commutative) {
			list = append(list, c)
		}
	}
	return list
}

// zeroElements keeps constants and parameters as they are.
func zeroElements(i *hlo.Instruction) *hlo.Instruction {
	if !i.IsArray() || elements(i) != 0 {
		return nil
	}
	return constant(i, literal.New(i.Shape()))
}

// pureArrays returns the operations that do nothing but make one array.
func pureArrays() []op.Code {
	list := []op.Code{op.BitcastConvert, op.Broadcast, op.Concatenate, op.Convolution, op.Copy, op.Dot,
		op.DynamicSlice, op.DynamicUpdateSlice, op.Gather, op.Iota, op.Map, op.Pad, op.Reduce, op.ReduceWindow,
		op.Reshape, op.Reverse, op.Scatter, op.SelectAndScatter, op.Slice, op.Sort, op.Transpose}
	for _, c := range op.Codes() {
		if c.Info().Has(op.Elementwise) {
			list = append(list, c)
		}
	}
	return list
}
