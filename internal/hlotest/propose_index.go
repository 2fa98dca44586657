package hlotest

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file proposes gather and scatter. Both are drawn as slices of an array: where
// they start is read from indices, and in another array they lie one beside the other.

// slicing is a set of slices of an array.
type slicing struct {
	sizes   []int // of a slice, by dimension
	dropped []int // dimensions of size 1 that a slice in the other array does not have
	window  []int // the dimensions of a slice, in the other array
	starts  []int // the dimensions whose start the indices give
	indices *hlo.Instruction
	vector  int   // the dimension of indices along which a start lies
	other   []int // sizes of the other array
}

// slicing draws slices of x; ok is false for a scalar and for what is empty.
func (g *generator) slicing(x *hlo.Instruction) (s slicing, ok bool) {
	rank := x.Rank()
	if rank == 0 || x.Size() == 0 {
		return s, false
	}
	s.sizes, s.starts = g.part(x), g.rng.Perm(rank)[:1+g.rng.IntN(rank)]
	for d, size := range s.sizes {
		if size == 1 && g.rng.IntN(2) == 0 {
			s.dropped = append(s.dropped, d)
		}
	}
	batch := make([]int, g.rng.IntN(3))
	for i := range batch {
		batch[i] = 1 + g.rng.IntN(3)
	}
	s.vector = g.rng.IntN(len(batch) + 1)
	s.indices = g.varied(shape.Make(shape.S32, slices.Insert(slices.Clone(batch), s.vector, len(s.starts))...))
	s.spread(g, batch)
	return s, true
}

// spread places the dimensions of the slices among those of the batch.
func (s *slicing) spread(g *generator, batch []int) {
	var kept []int
	for d, size := range s.sizes {
		if !slices.Contains(s.dropped, d) {
			kept = append(kept, size)
		}
	}
	rank := len(kept) + len(batch)
	s.window = g.rng.Perm(rank)[:len(kept)]
	slices.Sort(s.window)
	s.other = make([]int, rank)
	for d := range s.other {
		if slices.Contains(s.window, d) {
			s.other[d], kept = kept[0], kept[1:]
		} else {
			s.other[d], batch = batch[0], batch[1:]
		}
	}
}

func proposeGather(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	s, ok := g.slicing(x)
	if !ok {
		return proposal{}, false
	}
	return proposal{operands: []*hlo.Instruction{x, s.indices}, declared: shape.Make(x.Type(), s.other...),
		attrs: &op.GatherAttrs{OffsetDims: notNil(s.window), CollapsedSliceDims: notNil(s.dropped),
			StartIndexMap: s.starts, IndexVectorDim: s.vector, SliceSizes: s.sizes}}, true
}

func proposeScatter(g *generator, _ op.Code) (proposal, bool) {
	x := g.value()
	s, ok := g.slicing(x)
	if !ok {
		return proposal{}, false
	}
	t := x.Type()
	updates := g.varied(shape.Make(t, s.other...))
	return proposal{operands: []*hlo.Instruction{x, s.indices, updates}, declared: x.Shape(),
		attrs: &op.ScatterAttrs{UpdateWindowDims: notNil(s.window), InsertedWindowDims: notNil(s.dropped),
			ScatterDimsToOperandDims: s.starts, IndexVectorDim: s.vector},
		called: []*hlo.Computation{g.reducer(g.reducerCode(t), t, t, nil)}}, true
}

// notNil returns an empty list for nil: the attribute is given.
func notNil(list []int) []int {
	if list == nil {
		return []int{}
	}
	return list
}
