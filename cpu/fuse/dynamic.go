package fuse

import (
	"math"
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// start returns a start index, of any integer type, clamped to [0, limit].
func (g *gen) start(v elem.Value, limit int) Expr {
	if limit == 0 {
		return constant(0)
	}
	if v.Type == shape.U64 || v.Type == shape.U32 && limit <= math.MaxInt32 { // of so many bits, no more are needed
		k := g.b.Kind(v.Re)
		x := g.b.Op(loop.UMin, k, v.Re, g.b.Int(k, int64(limit)))
		return g.dynamic(g.asIndex(x, k), 0, int64(limit))
	}
	x, k := g.unclamped(v)
	top := g.b.Int(k, int64(limit))
	x = g.b.Op(loop.Min, k, g.b.Op(loop.Max, k, x, g.b.Int(k, 0)), top)
	return g.dynamic(g.asIndex(x, k), 0, int64(limit))
}

// startWithin is the index that v is where that is from 0 to limit: nothing else may be addressed by it, nor may it be
// divided.
func (g *gen) startWithin(v elem.Value, limit int) Expr {
	if limit == 0 {
		return constant(0)
	}
	return g.dynamic(g.asIndex(g.unclamped(v)), 0, int64(limit))
}

// unclamped is v as an integer with sign, unless it has 64 bits without one, and its kind.
func (g *gen) unclamped(v elem.Value) (loop.Value, loop.Kind) {
	switch k := g.b.Kind(v.Re); {
	case k == loop.I64:
		return v.Re, k
	case v.Type == shape.U32:
		return g.b.Op(loop.ZExt, loop.I64, v.Re), loop.I64
	}
	return v.Re, loop.I32
}

// asIndex is x, of kind k, in the kind of indices.
func (g *gen) asIndex(x loop.Value, k loop.Kind) loop.Value {
	switch {
	case k == g.kind:
		return x
	case k == loop.I64:
		return g.b.Op(loop.Trunc, loop.I32, x)
	}
	return g.b.Op(loop.SExt, loop.I64, x)
}

// starts returns the start indices of a dynamic-slice or dynamic-update-slice: operands
// from first on are scalars, or one is an array of all.
func (g *gen) starts(i *hlo.Instruction, first int, guard loop.Value, limits []int) []Expr {
	out := make([]Expr, len(limits))
	ops := i.Operands()[first:]
	for d := range out {
		if len(ops) == 1 && ops[0].Rank() == 1 {
			out[d] = g.start(g.one(ops[0], []Expr{constant(int64(d))}, guard), limits[d])
			continue
		}
		out[d] = g.start(g.one(ops[d], nil, guard), limits[d])
	}
	return out
}

func limitsOf(whole, part []int) []int {
	out := make([]int, len(whole))
	for d := range out {
		out[d] = whole[d] - part[d]
	}
	return out
}

func emitDynamicSlice(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	starts := g.starts(i, 1, guard, limitsOf(i.Operand(0).Dims(), i.Dims()))
	at := g.exprs.take(len(idx))
	for d := range at {
		at[d] = g.add(idx[d], starts[d])
	}
	return g.at(i.Operand(0), at, guard)
}

// emitDynamicUpdateSlice takes the update's element where the update is.
func emitDynamicUpdateSlice(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	update := i.Operand(1)
	starts := g.starts(i, 2, guard, limitsOf(i.Dims(), update.Dims()))
	at := g.exprs.take(len(idx))
	in := loop.Value(0)
	for d := range at {
		at[d] = g.add(idx[d], g.times(starts[d], -1))
		in = g.and(in, g.within(at[d], update.Dims()[d]))
	}
	if in == 0 {
		return g.at(update, at, guard)
	}
	v := g.one(update, at, g.and(guard, in))
	return []elem.Value{elem.Select(g.b, in, v, g.one(i.Operand(0), idx, guard))}
}

func admitUpdate(i *hlo.Instruction) bool { return i.Operand(1).Size() > 0 }

// emitGather adds to the offset in the slice where the slice starts.
func emitGather(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	a := i.Attrs().(*op.GatherAttrs)
	operand, indices := i.Operand(0).Shape(), i.Operand(1)
	batch := batchIndex(idx, a.OffsetDims)
	at := make([]Expr, operand.Rank())
	for k, d := range a.WindowDims(operand.Rank()) {
		at[d] = idx[a.OffsetDims[k]]
	}
	for k, d := range a.OperandBatchingDims {
		at[d] = g.add(at[d], batch[batchPosition(a.StartIndicesBatchingDims[k], a.IndexVectorDim)])
	}
	for k, d := range a.StartIndexMap {
		v := g.one(indices, indexVector(indices.Shape(), batch, a.IndexVectorDim, k), guard)
		at[d] = g.add(at[d], g.start(v, operand.Dims[d]-a.SliceSizes[d]))
	}
	return g.at(i.Operand(0), at, guard)
}

func admitGather(i *hlo.Instruction) bool { return i.Operand(0).Size() > 0 }

// batchIndex is idx without the dimensions in skip.
func batchIndex(idx []Expr, skip []int) []Expr {
	var out []Expr
	for d, e := range idx {
		if !slices.Contains(skip, d) {
			out = append(out, e)
		}
	}
	return out
}

// batchPosition is the place among the batch dimensions of dimension d of the indices.
func batchPosition(d, vectorDim int) int {
	if d > vectorDim {
		return d - 1
	}
	return d
}

// indexVector is the index of component k of the index vector at batch.
func indexVector(s shape.Shape, batch []Expr, vectorDim, k int) []Expr {
	if vectorDim == s.Rank() {
		return batch
	}
	out := append([]Expr(nil), batch[:vectorDim]...)
	return append(append(out, constant(int64(k))), batch[vectorDim:]...)
}
