package fuse

import (
	"cmp"
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// beginOf is where window w begins that is at position at, without its padding.
func (g *gen) beginOf(w op.WindowDim, at Expr) Expr { return g.times(at, int64(max(w.Stride, 1))) }

// beginsOf are where the windows begin that are at the positions that at gives.
func (g *gen) beginsOf(window []op.WindowDim, at func(d int) Expr) []Expr {
	list := g.exprs.take(len(window))
	for d, w := range window {
		list[d] = g.beginOf(w, at(d))
	}
	return list
}

// under returns which element of a base of n elements lies under position tap of a window that
// starts at start, and the mask of there being one (0: always).
func (g *gen) under(w op.WindowDim, n int, start, tap Expr) (Expr, loop.Value) {
	if w.Reversal {
		tap = g.times(tap, -1).plus(int64(w.Size - 1))
	}
	e := g.add(start, g.times(tap, int64(max(w.WindowDilation, 1))))
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
	base := i.Operand(0).Dims()
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
	writes := g.writes
	defer func() { g.writes = writes }()
	if g.slidesOver(window, idx) {
		g.writes = maxTaps
	}
	starts := g.beginsOf(window, func(d int) Expr { return idx[d] })
	out := g.reduce(r, acc, extents, func(pos []Expr) step {
		at := g.exprs.take(len(base))
		on := loop.Value(0)
		for d, w := range window {
			var in loop.Value
			at[d], in = g.under(w, base[d], starts[d], pos[d])
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

// slidesOver reports whether windows at idx reach beyond the ends of rows whose places go side by side: written out,
// what is between the ends has code without masks.
func (g *gen) slidesOver(window []op.WindowDim, idx []Expr) bool {
	for d, w := range window {
		if g.lane && w.Size > 1 && w.BaseDilation <= 1 && max(w.PaddingLow, w.PaddingHigh) > 0 && g.inLanes(idx[d]) == 1 {
			return true
		}
	}
	return false
}

func admitReduceWindow(i *hlo.Instruction) bool {
	return i.Operand(0).Size() > 0 && inlines(i.Called()[0])
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
	t := productType(i.Operand(0).Type(), i.Operand(1).Type(), i.Type())
	return g.sumProducts(i, extents, func(pos []Expr) step {
		xi, yi, on := at(pos)
		if on != 0 && g.never(on) {
			return step{}
		}
		inner := g.and(guard, on)
		both := g.elems.take(2)
		both[0] = elem.Convert(g.b, g.one(i.Operand(0), xi, inner), t)
		both[1] = elem.Convert(g.b, g.one(i.Operand(1), yi, inner), t)
		return step{elems: both[:1:1], by: both[1:], on: on}
	})
}

// sumProducts sums what body gives, products of the type that those of i have, over extents.
func (g *gen) sumProducts(i *hlo.Instruction, extents []int, body func(pos []Expr) step) []elem.Value {
	t := productType(i.Operand(0).Type(), i.Operand(1).Type(), i.Type())
	zero := g.zero(t)
	add := reducer{lanes: []loop.Op{loop.Add}}
	if product(extents) == 0 {
		return []elem.Value{elem.Convert(g.b, zero, i.Type())}
	}
	out := g.reduce(add, []elem.Value{zero}, extents, body)
	sum := elem.Normalize(g.b, out[0])
	return []elem.Value{elem.Convert(g.b, sum, i.Type())}
}

// zero is 0 of type t.
func (g *gen) zero(t shape.ElementType) elem.Value {
	switch k := elem.KindOf(t); {
	case t == shape.Pred:
		return elem.Value{Type: t, Re: g.b.Bool(false)}
	case t == shape.F32 || t == shape.F64:
		return elem.Value{Type: t, Re: g.b.Float(k, 0)}
	}
	return elem.Convert(g.b, elem.Value{Type: shape.S32, Re: g.b.Int(loop.I32, 0)}, t)
}

// emitDot is the plain sum of products; package plan has better forms for large ones.
func emitDot(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	return g.contract(i, contracted(i), guard, func(pos []Expr) (xi, yi []Expr, on loop.Value) {
		xi, yi = factorsAt(i, idx, pos)
		return xi, yi, 0
	})
}

// contracted are the sizes of the dimensions that dot i sums over.
func contracted(i *hlo.Instruction) (extents []int) {
	for _, d := range i.Attrs().(*op.DotAttrs).LHSContracting {
		extents = append(extents, i.Operand(0).Dims()[d])
	}
	return extents
}

// factorsAt are the places of the factors, in the operands of dot i, of the product at pos of element idx.
func factorsAt(i *hlo.Instruction, idx, pos []Expr) (xi, yi []Expr) {
	a := i.Attrs().(*op.DotAttrs)
	x, y := i.Operand(0).Shape(), i.Operand(1).Shape()
	nb := len(a.LHSBatch)
	free := x.Rank() - nb - len(a.LHSContracting)
	xi = side(x.Rank(), a.LHSBatch, a.LHSContracting, idx[:nb], pos, idx[nb:nb+free])
	return xi, side(y.Rank(), a.RHSBatch, a.RHSContracting, idx[:nb], pos, idx[nb+free:])
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
	return a.Algorithm == "" && a.Sparsity == nil && i.Operand(0).Size() > 0 && i.Operand(1).Size() > 0 &&
		i.Type() != shape.Pred
}

// maxTaps is the most products of an element of a convolution that are written out: then elements of the kernel, and
// what tells whether a tap is inside of the input, are not computed again for each of them, and places of the result
// that are computed side by side read once what their windows share.
const maxTaps = 32

// roughTaps is the same for places that are few.
const roughTaps = 9

func product(extents []int) int {
	n := 1
	for _, e := range extents {
		n *= e
	}
	return n
}

// sums is in which order the products of a convolution are added: order holds the dimensions of the window, and the
// number of them for the input features, the outermost first; extents is how many there are of each.
func (g *gen) sums(i *hlo.Instruction, idx []Expr) (order, extents []int) {
	a := i.Attrs().(*op.ConvolutionAttrs)
	window, features := a.Window.Dims, i.Operand(1).Dims()[a.DimLabels.KernelInputFeature]
	n := len(window)
	for d := range window {
		order = append(order, d)
	}
	switch {
	case g.lane:
		// Next to each other are the taps of the places that go side by side, which are not those in lanes.
		slices.SortStableFunc(order, func(x, y int) int {
			return cmp.Compare(g.inLanes(idx[a.DimLabels.OutputSpatial[y]]), g.inLanes(idx[a.DimLabels.OutputSpatial[x]]))
		})
		order = slices.Insert(order, max(0, n-1), n)
	case n > 0 && window[n-1].Size > features: // long windows are neighbours in memory more often
		order = slices.Insert(order, 0, n)
	default:
		order = append(order, n)
	}
	for _, d := range order {
		if d == n {
			extents = append(extents, features)
			continue
		}
		extents = append(extents, g.hits(window[d], idx[a.DimLabels.OutputSpatial[d]]).count)
	}
	return order, extents
}

// taps are elements first, first+step, .. of a dimension of a window, count of them.
type taps struct{ first, step, count int }

// hits returns the taps of window w at position at that are not between the elements of its base, as far as is known.
func (g *gen) hits(w op.WindowDim, at Expr) taps {
	holes, dilation := max(w.BaseDilation, 1), max(w.WindowDilation, 1)
	if holes == 1 {
		return taps{0, 1, w.Size}
	}
	_, rest, ok := g.splitAffine(g.beginOf(w, at).plus(int64(-w.PaddingLow)), int64(holes))
	if !ok || len(rest.Terms) > 0 {
		return taps{0, 1, w.Size}
	}
	for t := range w.Size {
		if (int(rest.Const)+t*dilation)%holes != 0 {
			continue
		}
		step := holes / int(gcd(int64(holes), int64(dilation)))
		hit := taps{t, step, (w.Size-t-1)/step + 1}
		if w.Reversal {
			hit.first, hit.step = w.Size-1-t, -step
		}
		return hit
	}
	return taps{}
}

// inLanes is 1 if e changes from lane to lane, else 0.
func (g *gen) inLanes(e Expr) int {
	if g.uses(e, func(v int) bool { return v == g.laneVar }) {
		return 1
	}
	return 0
}

// emitConvolution is the plain sum of products; package plan has better forms for large ones.
func emitConvolution(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	if g.stage != nil && g.stage.conv == i {
		return g.emitStaged(g.stage, idx)
	}
	a := i.Attrs().(*op.ConvolutionAttrs)
	l := a.DimLabels
	x, k := i.Operand(0).Shape(), i.Operand(1).Shape()
	window := a.Window.Dims
	features := k.Dims[l.KernelInputFeature]
	order, extents := g.sums(i, idx)
	out := idx[l.OutputFeature]
	group, _ := g.split(out, int64(i.Dims()[l.OutputFeature]/max(a.FeatureGroupCount, 1)))
	batchGroup, _ := g.split(out, int64(i.Dims()[l.OutputFeature]/max(a.BatchGroupCount, 1)))
	firstFeature := g.times(group, int64(features))
	starts := g.beginsOf(window, func(d int) Expr { return idx[l.OutputSpatial[d]] })
	hits := make([]taps, len(window))
	for d, w := range window {
		hits[d] = g.hits(w, idx[l.OutputSpatial[d]])
	}
	outer := g.writes
	defer func() { g.writes = outer }()
	switch g.writes = 0; {
	case g.lane && g.rough:
		g.writes = roughTaps
	case g.lane:
		g.writes = maxTaps
	}
	return g.contract(i, extents, guard, func(pos []Expr) (xi, yi []Expr, on loop.Value) {
		xi, yi = g.exprs.take(x.Rank()), g.exprs.take(k.Rank())
		feature := Expr{}
		for n, d := range order {
			if d == len(window) {
				feature = pos[n]
				continue
			}
			tap := g.times(pos[n], int64(hits[d].step)).plus(int64(hits[d].first))
			e, in := g.under(window[d], x.Dims[l.InputSpatial[d]], starts[d], tap)
			xi[l.InputSpatial[d]], yi[l.KernelSpatial[d]] = e, tap
			on = g.and(on, in)
		}
		yi[l.KernelInputFeature], yi[l.KernelOutputFeature] = feature, out
		xi[l.InputFeature] = g.add(feature, firstFeature)
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
	return len(i.Operands()) == 2 && a.Sparsity == nil && i.Type() != shape.Pred &&
		i.Operand(0).Size() > 0 && i.Operand(1).Size() > 0
}
