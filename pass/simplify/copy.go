package simplify

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// copies is about operations that move elements without choosing among them.
var copies = Family{Name: "copy", Doc: "Copy, bitcast, reverse.", Rules: []Rule{
	rule("copy-same", "copy(x) -> x where the layout stays", same, op.Copy),
	rule("copy-copy", "copy(copy(x)) -> copy(x)", twice, op.Copy),
	rule("bitcast-same", "bitcast of x to x's shape -> x", same, op.Bitcast),
	rule("bitcast-bitcast", "bitcast(bitcast(x)) -> bitcast(x)", twice, op.Bitcast),
	rule("reverse-degenerate", "reverse leaves out dimensions of size 1", reverseDegenerate, op.Reverse),
	rule("reverse-reverse", "reverse(reverse(x)) -> reverse along what only one of them reverses",
		reverseReverse, op.Reverse),
	rule("reverse-broadcast", "reverse(broadcast(x)) leaves out what the broadcast repeats",
		reverseBroadcast, op.Reverse),
}}

// same returns the operand; its guard asks for the same shape and layout.
func same(i *hlo.Instruction) *hlo.Instruction { return i.Operand(0) }

// twice emits i once in place of i on an operation of its own kind.
func twice(i *hlo.Instruction) *hlo.Instruction {
	if !is(i.Operand(0), i.Code()) {
		return nil
	}
	return like(i, i.Code(), i.Operand(0).Operand(0))
}

// reverse emits x reversed along dims; x itself where there are none.
func reverse(i, x *hlo.Instruction, dims []int) *hlo.Instruction {
	if len(dims) == 0 {
		return x
	}
	return emit(i, op.Reverse, i.Shape(), &op.ReverseAttrs{Dimensions: dims}, x)
}

// without returns the elements of list for which drop is false.
//
//go:noinline
func without(list []int, drop func(int) bool) []int {
	return slices.DeleteFunc(slices.Clone(list), drop)
}

func reverseDegenerate(i *hlo.Instruction) *hlo.Instruction {
	dims := attrsOf[*op.ReverseAttrs](i).Dimensions
	kept := without(dims, func(d int) bool { return i.Dims()[d] <= 1 })
	if len(kept) == len(dims) && len(dims) > 0 {
		return nil
	}
	return reverse(i, i.Operand(0), kept)
}

func reverseReverse(i *hlo.Instruction) *hlo.Instruction {
	inner := i.Operand(0)
	if !is(inner, op.Reverse) {
		return nil
	}
	a, b := attrsOf[*op.ReverseAttrs](inner).Dimensions, attrsOf[*op.ReverseAttrs](i).Dimensions
	dims := append(without(a, func(d int) bool { return slices.Contains(b, d) }),
		without(b, func(d int) bool { return slices.Contains(a, d) })...)
	slices.Sort(dims)
	return reverse(i, inner.Operand(0), dims)
}

func reverseBroadcast(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	if !is(x, op.Broadcast) {
		return nil
	}
	dims, kept := attrsOf[*op.ReverseAttrs](i).Dimensions, attrsOf[*op.BroadcastAttrs](x).Dimensions
	left := without(dims, func(d int) bool { return !slices.Contains(kept, d) })
	if len(left) == len(dims) {
		return nil
	}
	return reverse(i, x, left)
}
