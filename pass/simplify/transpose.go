package simplify

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// transposes is about transpose.
var transposes = Family{Name: "transpose", Doc: "Transpose.", Rules: []Rule{
	rule("transpose-identity", "transpose that moves no dimension -> x", transposeIdentity, op.Transpose),
	rule("transpose-transpose", "transpose(transpose(x)) -> transpose(x)", transposeTranspose, op.Transpose),
	rule("transpose-degenerate", "transpose that moves only dimensions of size 1 -> reshape",
		transposeDegenerate, op.Transpose),
	rule("transpose-broadcast", "transpose(broadcast(x)) -> broadcast(transpose(x))", transposeBroadcast, op.Transpose),
	rule("transpose-iota", "transpose(iota) -> iota", transposeIota, op.Transpose),
}}

func permOf(i *hlo.Instruction) []int { return attrsOf[*op.TransposeAttrs](i).Dimensions }

func transposeIdentity(i *hlo.Instruction) *hlo.Instruction {
	if !isIdentity(permOf(i)) {
		return nil
	}
	return i.Operand(0)
}

func transposeTranspose(i *hlo.Instruction) *hlo.Instruction {
	inner := i.Operand(0)
	if !is(inner, op.Transpose) {
		return nil
	}
	return transposeTo(i, i.Shape(), inner.Operand(0), gatherInts(permOf(inner), permOf(i)))
}

func transposeDegenerate(i *hlo.Instruction) *hlo.Instruction {
	perm := permOf(i)
	large := without(perm, func(d int) bool { return i.Operand(0).Dims()[d] == 1 })
	if isIdentity(perm) || !slices.IsSorted(large) {
		return nil
	}
	return like(i, op.Reshape, i.Operand(0))
}

// transposeBroadcast: dimension d of the broadcast becomes dimension inverse(perm)[d].
func transposeBroadcast(i *hlo.Instruction) *hlo.Instruction {
	b := i.Operand(0)
	if !is(b, op.Broadcast) {
		return nil
	}
	dims := gatherInts(inverse(permOf(i)), attrsOf[*op.BroadcastAttrs](b).Dimensions)
	if elements(b.Operand(0)) == elements(b) && !slices.IsSorted(dims) {
		return nil
	}
	return broadcastTo(i, i.Shape(), b.Operand(0), dims)
}

func transposeIota(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	if !is(x, op.Iota) {
		return nil
	}
	d := inverse(permOf(i))[attrsOf[*op.IotaAttrs](x).Dimension]
	return emit(i, op.Iota, i.Shape(), &op.IotaAttrs{Dimension: d})
}
