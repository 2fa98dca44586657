package simplify

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// padding is about pad.
var padding = Family{Name: "pad", Doc: "Pad.", Rules: []Rule{
	rule("pad-zero", "pad by nothing -> x", padZero, op.Pad),
	rule("pad-empty", "pad of an array without elements -> broadcast", padEmpty, op.Pad),
	rule("pad-interior-one", "interior padding of a dimension of size 1 -> none", padInteriorOne, op.Pad),
	rule("pad-splat", "pad(broadcast(c), c) -> broadcast(c)", padSplat, op.Pad),
	rule("pad-negative", "pad by less than nothing -> slice, then pad", padNegative, op.Pad),
	rule("pad-pad", "pad(pad(x, c), c) -> pad(x, c)", padPad, op.Pad),
}}

func paddingOf(i *hlo.Instruction) op.Padding { return attrsOf[*op.PadAttrs](i).Padding }

func padZero(i *hlo.Instruction) *hlo.Instruction {
	for d, p := range paddingOf(i) {
		if p.Low != 0 || p.High != 0 || p.Interior != 0 && i.Operand(0).Dims()[d] > 1 {
			return nil
		}
	}
	return i.Operand(0)
}

func padEmpty(i *hlo.Instruction) *hlo.Instruction {
	if elements(i.Operand(0)) != 0 {
		return nil
	}
	return spread(i, i.Shape(), i.Operand(1))
}

func padInteriorOne(i *hlo.Instruction) *hlo.Instruction {
	padding, found := slices.Clone(paddingOf(i)), false
	for d, size := range i.Operand(0).Dims() {
		if size == 1 && padding[d].Interior != 0 {
			padding[d].Interior, found = 0, true
		}
	}
	if !found {
		return nil
	}
	return emit(i, op.Pad, i.Shape(), &op.PadAttrs{Padding: padding}, i.Operands()...)
}

func padSplat(i *hlo.Instruction) *hlo.Instruction {
	x, ok := scalarOf(i.Operand(0))
	if !ok || i.Operand(0).IsScalar() || !sameLiteral(x, i.Operand(1)) {
		return nil
	}
	return spread(i, i.Shape(), i.Operand(1))
}

// padNegative cuts off first. It leaves a dimension alone of which nothing would remain,
// and interior padding, between which a cut may fall.
func padNegative(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	padding, ranges := slices.Clone(paddingOf(i)), whole(x.Dims())
	found := false
	for d, p := range padding {
		if p.Low >= 0 && p.High >= 0 {
			continue
		}
		r := op.SliceRange{Start: max(-p.Low, 0), Limit: x.Dims()[d] - max(-p.High, 0), Stride: 1}
		if p.Interior != 0 || r.Start >= r.Limit {
			return nil
		}
		padding[d].Low, padding[d].High = max(p.Low, 0), max(p.High, 0)
		ranges[d], found = r, true
	}
	switch {
	case !found:
		return nil
	case slices.ContainsFunc(padding, func(p op.PadDim) bool { return p != op.PadDim{} }):
		return emit(i, op.Pad, i.Shape(), &op.PadAttrs{Padding: padding}, sliceTo(i, x, ranges), i.Operand(1))
	}
	return emit(i, op.Slice, i.Shape(), &op.SliceAttrs{Slice: ranges}, x)
}

func padPad(i *hlo.Instruction) *hlo.Instruction {
	inner := i.Operand(0)
	if !is(inner, op.Pad) || !sameLiteral(inner.Operand(1), i.Operand(1)) {
		return nil
	}
	padding := slices.Clone(paddingOf(i))
	for d, p := range paddingOf(inner) {
		q := padding[d]
		if p.Interior != 0 || q.Interior != 0 || min(p.Low, p.High, q.Low, q.High) < 0 {
			return nil
		}
		padding[d].Low += p.Low
		padding[d].High += p.High
	}
	return emit(i, op.Pad, i.Shape(), &op.PadAttrs{Padding: padding}, inner.Operand(0), i.Operand(1))
}

// resized returns the array shape like that of x with dimension d of another size.
func resized(x *hlo.Instruction, d, size int) shape.Shape {
	dims := slices.Clone(x.Dims())
	dims[d] = size
	return shape.Make(x.Type(), dims...)
}
