package simplify

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// reshapes is about reshape.
var reshapes = Family{Name: "reshape", Doc: "Reshape.", Rules: []Rule{
	rule("reshape-same", "reshape of x to x's shape -> x", same, op.Reshape),
	rule("reshape-reshape", "reshape(reshape(x)) -> reshape(x)", twice, op.Reshape),
	rule("reshape-broadcast", "reshape(broadcast(x)) -> broadcast(reshape(x))", reshapeBroadcast, op.Reshape),
	rule("reshape-iota", "reshape(iota) -> iota where only dimensions of size 1 come or go", reshapeIota, op.Reshape),
}}

// reshapeBroadcast works where each group of dimensions that belong together comes from
// the operand as a whole or from the broadcast as a whole.
func reshapeBroadcast(i *hlo.Instruction) *hlo.Instruction {
	b := i.Operand(0)
	if !is(b, op.Broadcast) || elements(i) == 0 {
		return nil
	}
	x, dims := b.Operand(0), attrsOf[*op.BroadcastAttrs](b).Dimensions
	if !slices.IsSorted(dims) {
		return nil
	}
	var sizes, to []int
	for _, g := range groups(b.Dims(), i.Dims()) {
		kept, repeated := 0, 0
		for d := g.From[0]; d < g.From[1]; d++ {
			switch {
			case b.Dims()[d] == 1:
			case slices.Contains(dims, d):
				kept++
			default:
				repeated++
			}
		}
		if kept > 0 && repeated > 0 {
			return nil
		}
		for d := g.To[0]; kept > 0 && d < g.To[1]; d++ {
			sizes, to = append(sizes, i.Dims()[d]), append(to, d)
		}
	}
	if product(sizes) != elements(x) {
		return nil
	}
	if elements(x) == elements(i) {
		return like(i, op.Reshape, x)
	}
	return broadcastTo(i, i.Shape(), reshapeTo(i, shape.Make(x.Type(), sizes...), x), to)
}

func reshapeIota(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	if !is(x, op.Iota) {
		return nil
	}
	toFrom, ok := degenerate(x.Dims(), i.Dims())
	d := slices.Index(toFrom, attrsOf[*op.IotaAttrs](x).Dimension)
	if !ok || d < 0 {
		return nil
	}
	return emit(i, op.Iota, i.Shape(), &op.IotaAttrs{Dimension: d})
}
