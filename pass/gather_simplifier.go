package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// GatherSimplifier makes dynamic slices of gathers of one slice, drops index components that
// can only be 0, and makes a slice and a broadcast of a gather that no index is left of.
func GatherSimplifier() Pass {
	return Pass{
		Name: "gather-simplifier",
		Doc: "A gather of one slice is a dynamic slice; index components along dimensions that are taken whole are " +
			"dropped, and without any the gather is a broadcast.",
		About: []op.Code{op.Gather},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, simplifyGather)
		},
	}
}

func simplifyGather(i *hlo.Instruction) (*hlo.Instruction, error) {
	if i.Code() != op.Gather || !i.IsStatic() || !i.Operand(0).IsStatic() || i.Size() == 0 {
		return nil, nil
	}
	a, b := i.Attrs().(*op.GatherAttrs), newMaker(i)
	needed := neededComponents(i, a)
	switch {
	case len(needed) == 0 && len(a.OperandBatchingDims) == 0:
		return b.finish(b.gatherWithoutIndex(i, a))
	case oneVector(i.Operand(1).Shape(), a.IndexVectorDim):
		starts := b.starts(i.Operand(1).Type(), i.Operand(0).Rank(),
			b.components(i.Operand(1), len(a.StartIndexMap)), a.StartIndexMap)
		slice := b.dynamicSlice(i.Operand(0), starts, a.SliceSizes)
		return b.finish(b.reshape(slice, i.Dims()...))
	case len(needed) < len(a.StartIndexMap) && len(needed) > 0:
		return b.finish(b.gatherNeeded(i, a, needed))
	}
	return nil, nil
}

// neededComponents returns which components of the index vectors say anything: along a
// dimension that is taken whole the start is always clamped to 0.
func neededComponents(i *hlo.Instruction, a *op.GatherAttrs) (needed []int) {
	for k, d := range a.StartIndexMap {
		if a.SliceSizes[d] != i.Operand(0).Dims()[d] {
			needed = append(needed, k)
		}
	}
	return needed
}

// gatherWithoutIndex returns the first slice, for every index vector.
func (b *maker) gatherWithoutIndex(i *hlo.Instruction, a *op.GatherAttrs) *hlo.Instruction {
	x := i.Operand(0)
	ranges := make([]op.SliceRange, len(a.SliceSizes))
	var dims []int
	for d, n := range a.SliceSizes {
		ranges[d] = op.SliceRange{Limit: n, Stride: 1}
		if !slices.Contains(a.CollapsedSliceDims, d) {
			dims = append(dims, n)
		}
	}
	if !slices.Equal(a.SliceSizes, x.Dims()) {
		x = b.slice(x, ranges...)
	}
	return b.broadcast(b.reshape(x, dims...), i.Shape(), slices.Clone(a.OffsetDims)...)
}

// gatherNeeded returns the gather with the needed components of the index vectors only.
func (b *maker) gatherNeeded(i *hlo.Instruction, a *op.GatherAttrs, needed []int) *hlo.Instruction {
	indices := i.Operand(1)
	var parts []*hlo.Instruction
	n := op.CloneAttrs(a).(*op.GatherAttrs)
	n.StartIndexMap = nil
	for _, k := range needed {
		ranges := make([]op.SliceRange, indices.Rank())
		for d, size := range indices.Dims() {
			ranges[d] = op.SliceRange{Limit: size, Stride: 1}
		}
		ranges[a.IndexVectorDim] = op.SliceRange{Start: k, Limit: k + 1, Stride: 1}
		parts = append(parts, b.slice(indices, ranges...))
		n.StartIndexMap = append(n.StartIndexMap, a.StartIndexMap[k])
	}
	joined := parts[0]
	if len(parts) > 1 {
		joined = b.add(op.Concatenate, &op.ConcatenateAttrs{Dimensions: []int{a.IndexVectorDim}}, parts...)
	}
	return b.add(op.Gather, n, i.Operand(0), joined)
}
