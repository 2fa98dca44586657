package fuse

import (
	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// under returns which element of a base of n elements lies under position tap of a window at
// position at, and the mask of there being one (0: always).
func (g *gen) under(w op.WindowDim, n int, at, tap Expr) (Expr, loop.Value) {
	if w.Reversal {
		tap = g.times(tap, -1).plus(int64(w.Size - 1))
	}
	e := g.add(g.times(at, int64(max(w.Stride, 1))), g.times(tap, int64(max(w.WindowDilation, 1))))
	e = e.plus(int64(-w.PaddingLow))
	dilation := int64(max(w.BaseDilation, 1))
	in := g.within(e, int(int64(n-1)*dilation)+1)
	if dilation > 1 {
		q, r := g.split(e, dilation)
		return q, g.and(in, g.within(r, 1))
	}
	return e, in
}

// emitReduceWindow combines the elements under the window.
func emitReduceWindow(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	n := len(i.Operands()) / 2
	window := i.Attrs().(*op.WindowAttrs).Window.Dims
	base := i.Operand(0).Shape().Dims
	acc := make([]elem.Value, n)
	for k := range acc {
		acc[k] = g.one(i.Operand(n+k), nil, guard)
	}
	var extents []int
	for _, w := range window {
		extents = append(extents, w.Size)
	}
	r := reducerOf(i.Called()[0], n)
	if root := i.Called()[0].Root(); rounds(root) {
		r.lanes = nil
	}
	out := g.reduce(r, acc, extents, func(pos []Expr) step {
		at := make([]Expr, len(base))
		on := loop.Value(0)
		for d, w := range window {
			var in loop.Value
			at[d], in = g.under(w, base[d], idx[d], pos[d])
			on = g.and(on, in)
		}
		s := step{on: on}
		for _, o := range i.Operands()[:n] {
			s.elems = append(s.elems, g.one(o, at, g.and(guard, on)))
		}
		return s
	})
	return g.normalize(out)
}

func admitReduceWindow(i *hlo.Instruction) bool {
	return i.Operand(0).Shape().Size() > 0 && inlines(i.Called()[0])
}

// product is the operations of a contraction of elements of types x and y with results of type t:
// the type in which products are made and added.
func productType(x, y, t shape.ElementType) shape.ElementType {
	switch {
	case t.IsComplex() || t.IsInteger():
		return t
	case t == shape.F64 || x == shape.F64 || y == shape.F64 || t == shape.F8E8M0FNU: // products of that pass f32
		return shape.F64
	}
	return shape.F32
}

// contract sums products over extents; at gives the indices of both sides and where they count.
func (g *gen) contract(i *hlo.Instruction, extents []int, guard loop.Value,
	at func(pos []Expr) (x, y []Expr, on loop.Value)) []elem.Value {
	t := productType(i.Operand(0).Shape().Type, i.Operand(1).Shape().Type, i.Shape().Type)
	zero := elem.Convert(g.b, elem.Value{Type: shape.S32, Re: g.b.Int(loop.I32, 0)}, t)
	if t == shape.Pred {
		zero = elem.Value{Type: t, Re: g.b.Bool(false)}
	}
	add := reducer{lanes: []loop.Op{loop.Add}}
	out := g.reduce(add, []elem.Value{zero}, extents, func(pos []Expr) step {
		xi, yi, on := at(pos)
		inner := g.and(guard, on)
		x := elem.Convert(g.b, g.one(i.Operand(0), xi, inner), t)
		y := elem.Convert(g.b, g.one(i.Operand(1), yi, inner), t)
		return step{elems: []elem.Value{x}, by: []elem.Value{y}, on: on}
	})
	sum := elem.Normalize(g.b, out[0])
	return []elem.Value{elem.Convert(g.b, sum, i.Shape().Type)}
}

// emitDot is the plain sum of products; package plan has better forms for large ones.
func emitDot(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	a := i.Attrs().(*op.DotAttrs)
	x, y := i.Operand(0).Shape(), i.Operand(1).Shape()
	var extents []int
	for _, d := range a.LHSContracting {
		extents = append(extents, x.Dims[d])
	}
	nb := len(a.LHSBatch)
	free := x.Rank() - nb - len(a.LHSContracting)
	return g.contract(i, extents, guard, func(pos []Expr) (xi, yi []Expr, on loop.Value) {
		xi = side(x.Rank(), a.LHSBatch, a.LHSContracting, idx[:nb], pos, idx[nb:nb+free])
		yi = side(y.Rank(), a.RHSBatch, a.RHSContracting, idx[:nb], pos, idx[nb+free:])
		return xi, yi, 0
	})
}

// side is the index into one operand of a dot.
func side(rank int, batchDims, contractDims []int, batch, pos, free []Expr) []Expr {
	at := make([]Expr, rank)
	taken := make([]bool, rank)
	for k, d := range batchDims {
		at[d], taken[d] = batch[k], true
	}
	for k, d := range contractDims {
		at[d], taken[d] = pos[k], true
	}
	for d := range at {
		if !taken[d] {
			at[d], free = free[0], free[1:]
		}
	}
	return at
}

func admitDot(i *hlo.Instruction) bool {
	a := i.Attrs().(*op.DotAttrs)
	return a.Algorithm == "" && a.Sparsity == nil && i.Operand(0).Shape().Size() > 0 && i.Operand(1).Shape().Size() > 0 &&
		i.Shape().Type != shape.Pred
}

// maxTaps is the most products of an element of a convolution that are written out: then elements of the kernel, and
// what tells whether a tap is inside of the input, are not computed again for each of them.
const maxTaps = 27

func product(extents []int) int {
	n := 1
	for _, e := range extents {
		n *= e
	}
	return n
}

// emitConvolution is the plain sum of products; package plan has better forms for large ones.
func emitConvolution(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	a := i.Attrs().(*op.ConvolutionAttrs)
	l := a.DimLabels
	x, k := i.Operand(0).Shape(), i.Operand(1).Shape()
	window := a.Window.Dims
	features := k.Dims[l.KernelInputFeature]
	// A loop over features goes around long windows, which are neighbours in memory more often.
	extents, outside := []int{}, 0
	if n := len(window); n > 0 && window[n-1].Size > features {
		extents, outside = append(extents, features), 1
	}
	for _, w := range window {
		extents = append(extents, w.Size)
	}
	if outside == 0 {
		extents = append(extents, features)
	}
	out := idx[l.OutputFeature]
	group, _ := g.split(out, int64(i.Shape().Dims[l.OutputFeature]/max(a.FeatureGroupCount, 1)))
	batchGroup, _ := g.split(out, int64(i.Shape().Dims[l.OutputFeature]/max(a.BatchGroupCount, 1)))
	outer := g.unrolls
	defer func() { g.unrolls = outer }()
	g.unrolls = g.lane && product(extents) <= maxTaps
	return g.contract(i, extents, guard, func(pos []Expr) (xi, yi []Expr, on loop.Value) {
		xi, yi = make([]Expr, x.Rank()), make([]Expr, k.Rank())
		for d, w := range window {
			tap := pos[outside+d]
			e, in := g.under(w, x.Dims[l.InputSpatial[d]], idx[l.OutputSpatial[d]], tap)
			xi[l.InputSpatial[d]], yi[l.KernelSpatial[d]] = e, tap
			on = g.and(on, in)
		}
		feature := pos[(len(window)+outside)%len(pos)]
		yi[l.KernelInputFeature], yi[l.KernelOutputFeature] = feature, out
		xi[l.InputFeature] = g.add(feature, g.times(group, int64(features)))
		xi[l.InputBatch] = idx[l.OutputBatch]
		if a.BatchGroupCount > 1 {
			per := int64(x.Dims[l.InputBatch] / a.BatchGroupCount)
			xi[l.InputBatch] = g.add(idx[l.OutputBatch], g.times(batchGroup, per))
		}
		return xi, yi, on
	})
}

func admitConvolution(i *hlo.Instruction) bool {
	a := i.Attrs().(*op.ConvolutionAttrs)
	return len(i.Operands()) == 2 && a.Sparsity == nil && i.Shape().Type != shape.Pred &&
		i.Operand(0).Shape().Size() > 0 && i.Operand(1).Shape().Size() > 0
}
