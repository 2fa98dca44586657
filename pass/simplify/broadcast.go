package simplify

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// broadcasts is about broadcast and iota.
func broadcasts() Family {
	var elementwise []op.Code
	for _, c := range op.Codes() {
		if info := c.Info(); info.Has(op.Elementwise) && info.Arity > 0 && info.Calls == nil {
			elementwise = append(elementwise, c)
		}
	}
	return Family{Name: "broadcast", Doc: "Broadcast, iota.", Rules: []Rule{
		rule("broadcast-same", "broadcast of x to x's shape -> x", broadcastSame, op.Broadcast),
		rule("broadcast-transpose", "broadcast that only moves dimensions -> transpose", broadcastMoves, op.Broadcast),
		rule("broadcast-degenerate", "broadcast that only adds dimensions of size 1 -> reshape",
			broadcastDegenerate, op.Broadcast),
		rule("broadcast-broadcast", "broadcast(broadcast(x)) -> broadcast(x)", broadcastBroadcast, op.Broadcast),
		rule("broadcast-reshape", "broadcast(reshape(x)) -> broadcast(x) where the reshape adds dimensions of size 1",
			broadcastReshape, op.Broadcast),
		rule("broadcast-iota", "broadcast(iota) -> iota", broadcastIota, op.Broadcast),
		rule("iota-degenerate", "iota along a dimension of size 1 -> 0", iotaDegenerate, op.Iota),
		rule("elementwise-broadcast", "f(broadcast(x), broadcast(y)) -> broadcast(f(x, y)), every element-wise f",
			elementwiseBroadcast, elementwise...),
	}}
}

func broadcastDims(i *hlo.Instruction) []int { return attrsOf[*op.BroadcastAttrs](i).Dimensions }

func broadcastSame(i *hlo.Instruction) *hlo.Instruction {
	if !isIdentity(broadcastDims(i)) {
		return nil
	}
	return i.Operand(0)
}

func broadcastMoves(i *hlo.Instruction) *hlo.Instruction {
	dims := broadcastDims(i)
	if len(dims) != i.Rank() || isIdentity(dims) || elements(i) != elements(i.Operand(0)) {
		return nil
	}
	return transposeTo(i, i.Shape(), i.Operand(0), inverse(dims))
}

func broadcastDegenerate(i *hlo.Instruction) *hlo.Instruction {
	x, dims := i.Operand(0), broadcastDims(i)
	if elements(x) != elements(i) || elements(i) == 0 || len(dims) == i.Rank() || !slices.IsSorted(dims) {
		return nil
	}
	return like(i, op.Reshape, x)
}

func broadcastBroadcast(i *hlo.Instruction) *hlo.Instruction {
	inner := i.Operand(0)
	if !is(inner, op.Broadcast) {
		return nil
	}
	dims := gatherInts(broadcastDims(i), broadcastDims(inner))
	return emit(i, op.Broadcast, i.Shape(), &op.BroadcastAttrs{Dimensions: dims}, inner.Operand(0))
}

func broadcastReshape(i *hlo.Instruction) *hlo.Instruction {
	r := i.Operand(0)
	if !is(r, op.Reshape) {
		return nil
	}
	x := r.Operand(0)
	toFrom, ok := degenerate(x.Dims(), r.Dims())
	if !ok || slices.Contains(x.Dims(), 1) {
		return nil
	}
	var dims []int
	for d, from := range toFrom {
		if from >= 0 {
			dims = append(dims, broadcastDims(i)[d])
		}
	}
	return emit(i, op.Broadcast, i.Shape(), &op.BroadcastAttrs{Dimensions: dims}, x)
}

func broadcastIota(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	if !is(x, op.Iota) {
		return nil
	}
	d := broadcastDims(i)[attrsOf[*op.IotaAttrs](x).Dimension]
	if i.Dims()[d] != x.Dims()[attrsOf[*op.IotaAttrs](x).Dimension] {
		return nil
	}
	return emit(i, op.Iota, i.Shape(), &op.IotaAttrs{Dimension: d})
}

func iotaDegenerate(i *hlo.Instruction) *hlo.Instruction {
	if i.Dims()[attrsOf[*op.IotaAttrs](i).Dimension] != 1 {
		return nil
	}
	return fillLike(i, literal.Zero(i.Type()))
}

// elementwiseBroadcast computes on the operands of the broadcasts, which have fewer
// elements: all of one shape spread in the same way, and scalars. Operands that are
// scalars themselves, such as the bounds of clamp, stay.
func elementwiseBroadcast(i *hlo.Instruction) *hlo.Instruction {
	small, ok := commonBroadcast(i)
	if !ok {
		return nil
	}
	s := small.Operand(0).Shape()
	s = shape.Make(s.Type, s.Dims...)
	operands := make([]*hlo.Instruction, len(i.Operands()))
	for k, x := range i.Operands() {
		switch {
		case x.IsScalar():
			operands[k] = x
		case x.Operand(0).IsScalar():
			operands[k] = spread(i, s.WithType(x.Type()), x.Operand(0))
		default:
			operands[k] = x.Operand(0)
		}
	}
	f := emit(i, i.Code(), s.WithType(i.Type()), i.Attrs(), operands...)
	return emit(i, op.Broadcast, i.Shape(), small.Attrs(), f)
}

// commonBroadcast returns one of the largest broadcasts among the operands of i, where
// all operands are broadcasts like it, broadcasts of scalars, or scalars.
func commonBroadcast(i *hlo.Instruction) (largest *hlo.Instruction, ok bool) {
	for _, x := range i.Operands() {
		if x.IsScalar() {
			continue
		}
		if !is(x, op.Broadcast) {
			return nil, false
		}
		if largest == nil || x.Operand(0).Rank() > largest.Operand(0).Rank() {
			largest = x
		}
	}
	if largest == nil || elements(largest.Operand(0)) >= elements(i) {
		return nil, false
	}
	for _, x := range i.Operands() {
		if x.IsScalar() || x.Operand(0).IsScalar() {
			continue
		}
		if !slices.Equal(x.Operand(0).Dims(), largest.Operand(0).Dims()) ||
			!slices.Equal(broadcastDims(x), broadcastDims(largest)) {
			return nil, false
		}
	}
	return largest, true
}
