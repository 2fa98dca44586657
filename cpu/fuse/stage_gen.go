package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// staged makes the loops of s: over what is neither a place nor in lanes, over tiles and blocks of features, and in
// them what brings the input near and the loops over the places of a tile.
func (g *gen) staged(s Spec, st *staging, lanes int, idx []Expr, body func()) {
	st.buffer = g.temporary(Ref{st.conv, scratchLeaf},
		loop.Buffer{Name: "near", Bytes: st.bytes(), Write: true, Scratch: true})
	g.stage = st
	all := func() {
		g.outside(s, st, lanes, idx, 0, func() {
			g.tiles(st, func() {
				g.features(st, lanes, idx, func() {
					g.bringNear(st, lanes, idx)
					g.placesOf(st, lanes, idx, 0, body)
				})
			})
		})
	}
	if st.outer > 1 || st.tiles > 1 {
		all()
		return
	}
	g.each(loop.Spec{Extent: 1, Parallel: true}, func(int) { all() })
}

// outside opens the loops over dimensions of the result from d on that no window slides over and that are not in lanes.
func (g *gen) outside(s Spec, st *staging, lanes int, idx []Expr, d int, body func()) {
	if d == len(s.Dims) {
		body()
		return
	}
	slid := slices.ContainsFunc(st.dims, func(n stagedDim) bool { return n.place == d })
	if slid || d == lanes {
		g.outside(s, st, lanes, idx, d+1, body)
		return
	}
	g.count(int64(s.Dims[d]), false, func(e Expr) {
		idx[d] = e
		g.outside(s, st, lanes, idx, d+1, body)
	})
}

// count is a loop of n iterations, or none for one.
func (g *gen) count(n int64, lanes bool, body func(Expr)) {
	if n == 1 && !lanes {
		body(constant(0))
		return
	}
	g.each(loop.Spec{Extent: n, Lanes: lanes, Parallel: true}, func(v int) { body(variable(v)) })
}

func (g *gen) tiles(st *staging, body func()) {
	g.count(int64(st.tiles), false, func(e Expr) {
		st.tile = e
		body()
	})
}

// features opens the loop over blocks of features, if these are in lanes. The last block has code of its own if it has
// fewer.
func (g *gen) features(st *staging, lanes int, idx []Expr, body func()) {
	if st.block == 0 {
		body()
		return
	}
	all := st.conv.Dims()[lanes]
	whole, rest := int64(all/st.block), all%st.block
	st.features = st.block
	if rest == 0 {
		g.count(whole, false, func(e Expr) {
			idx[lanes] = g.times(e, int64(st.block))
			body()
		})
		return
	}
	g.each(loop.Spec{Extent: whole + 1, Parallel: true}, func(v int) {
		idx[lanes] = g.times(variable(v), int64(st.block))
		g.between(v, 0, whole, body)
		st.features = rest
		g.between(v, whole, whole+1, body)
	})
}

// bringNear fills near memory with what the windows of a tile reach.
func (g *gen) bringNear(st *staging, lanes int, idx []Expr) {
	f := &filling{g: g, st: st, idx: idx, lanes: lanes, at: make([]Expr, st.conv.Operand(0).Rank())}
	f.at[st.labels().InputBatch] = idx[st.labels().OutputBatch]
	if st.block == 0 {
		f.at[st.labels().InputFeature] = g.group(st.conv, idx[st.labels().OutputFeature])
	}
	if st.tiled < 0 {
		f.fill(0, Expr{}, 0)
		return
	}
	d := &st.dims[st.tiled]
	first := max(floorDiv(-d.lo+d.step-1, d.step), 0)
	behind := min(floorDiv(int64(d.base)-d.count-d.lo, d.step)+1, int64(st.tiles))
	g.clear(st.tile.Terms[0].Var, cutPhase{count: int64(st.tiles), lo: first, hi: behind},
		func() { f.fill(0, Expr{}, 0) })
}

func (st *staging) labels() *op.DimLabels {
	return &st.conv.Attrs().(*op.ConvolutionAttrs).DimLabels
}

// group returns the feature of the input of which feature e of the result is made.
func (g *gen) group(i *hlo.Instruction, e Expr) Expr {
	a := i.Attrs().(*op.ConvolutionAttrs)
	q, _ := g.split(e, int64(i.Dims()[a.DimLabels.OutputFeature]/max(a.FeatureGroupCount, 1)))
	return q
}

// filling is the state of bringNear.
type filling struct {
	g     *gen
	st    *staging
	idx   []Expr
	lanes int
	at    []Expr // the element of the input
}

// fill makes the loops over dimensions of the window from k on. near is the place in near memory; on holds where the
// element is sure to be there, or is 0.
func (f *filling) fill(k int, near Expr, on loop.Value) {
	g, st := f.g, f.st
	if k == len(st.dims) {
		f.lanesOf(near, on)
		return
	}
	d := &st.dims[k]
	if k == st.tiled {
		g.count(d.count, false, func(c Expr) { f.element(k, c, near, on) })
		return
	}
	if d.place == f.lanes {
		f.fillLanes(k, near, on)
		return
	}
	for rest := range d.split {
		count, first, behind := d.inBase(rest)
		f.clear(k, rest, 0, first, near)
		f.part(k, rest, first, behind, near, on)
		f.clear(k, rest, behind, count, near)
	}
}

// fillLanes is fill for dimension k, which is in lanes: first zeros, of which there are whole lines, then the elements
// of all rests side by side, and those that have no neighbours of every other rest.
func (f *filling) fillLanes(k int, near Expr, on loop.Value) {
	d := &f.st.dims[k]
	from, to := int64(0), int64(d.base)
	for rest := range d.split {
		count, first, behind := d.inBase(rest)
		before, row := d.before[rest], floorDiv(d.lo+rest, d.split)
		f.clear(k, rest, -before, first, near)
		if behind < count {
			end := (before + count + nearLanes - 1) / nearLanes * nearLanes
			f.clear(k, rest, (before+behind)/nearLanes*nearLanes-before, end-before, near)
		}
		from, to = max(from, first+row), min(to, behind+row)
	}
	if to = max(from, to); from < to {
		f.g.count(to-from, true, func(e Expr) {
			for rest := range d.split {
				c := f.g.times(e.plus(from-floorDiv(d.lo+rest, d.split)), d.split)
				f.element(k, c.plus(rest), near, on)
			}
		})
	}
	for rest := range d.split {
		_, first, behind := d.inBase(rest)
		row := floorDiv(d.lo+rest, d.split)
		middle := min(max(first, from-row), behind)
		f.part(k, rest, first, middle, near, on)
		f.part(k, rest, max(middle, min(to-row, behind)), behind, near, on)
	}
}

// clear sets elements from to to-1 of dimension k, of those with the given rest, to zero, with all that they hold.
func (f *filling) clear(k int, rest, from, to int64, near Expr) {
	g, d := f.g, &f.st.dims[k]
	if from >= to {
		return
	}
	near = g.add(near, g.near(d, constant(from*d.split+rest)))
	g.count((to-from)*d.stride, true, func(e Expr) {
		elem.Store(g.b, g.zero(f.st.t), g.addressOf(f.st.buffer, g.add(near, e)), 0)
	})
}

// copied is how many elements that follow one another have code of their own in a loop that copies them.
const copied = 4

// part makes the loop over elements from to to-1, of those with the given rest.
func (f *filling) part(k int, rest, from, to int64, near Expr, on loop.Value) {
	d := &f.st.dims[k]
	each := func(from, to, block int64) {
		if from >= to {
			return
		}
		f.g.count((to-from)/block, d.place == f.lanes, func(e Expr) {
			for u := range block {
				f.element(k, f.g.times(f.g.times(e, block).plus(from+u), d.split).plus(rest), near, on)
			}
		})
	}
	whole := from
	if k == f.st.inmost() {
		whole += (to - from) / copied * copied
		each(from, whole, copied)
	}
	each(whole, to, 1)
}

// element goes on with element c of dimension k.
func (f *filling) element(k int, c, near Expr, on loop.Value) {
	g, d := f.g, &f.st.dims[k]
	e := c.plus(d.lo)
	if k == f.st.tiled {
		e = g.add(e, g.times(f.st.tile, d.step))
	}
	f.at[d.source] = e
	f.fill(k+1, g.add(near, g.near(d, c)), g.and(on, g.within(e, d.base)))
}

// near is the place in near memory of element c of dimension d.
func (g *gen) near(d *stagedDim, c Expr) Expr {
	q, r := g.split(c, d.split)
	if len(r.Terms) == 0 {
		q = q.plus(d.before[r.Const])
	}
	return g.times(g.add(g.times(r, d.part), q), d.stride)
}

// lanesOf stores an element, or those of a block of features.
func (f *filling) lanesOf(near Expr, on loop.Value) {
	g, st := f.g, f.st
	if st.block == 0 {
		f.store(near, on)
		return
	}
	g.count(int64(st.features), true, func(e Expr) {
		f.at[st.labels().InputFeature] = g.group(st.conv, g.add(f.idx[f.lanes], e))
		f.store(g.add(near, e), on)
	})
}

func (f *filling) store(near Expr, on loop.Value) {
	g, st := f.g, f.st
	v := g.zero(st.t)
	if on == 0 || !g.never(on) {
		x := elem.Convert(g.b, g.one(st.conv.Operand(0), slices.Clone(f.at), on), st.t)
		if on != 0 {
			x = elem.Select(g.b, on, x, v)
		}
		v = x
	}
	elem.Store(g.b, v, g.addressOf(st.buffer, near), 0)
}

// placesOf makes the loops over the places of a tile, from dimension k of the window on, and over lanes.
func (g *gen) placesOf(st *staging, lanes int, idx []Expr, k int, body func()) {
	if k == len(st.dims) {
		if st.block == 0 {
			body()
			return
		}
		first := idx[lanes]
		g.count(int64(st.features), true, func(e Expr) {
			idx[lanes] = g.add(first, e)
			body()
		})
		idx[lanes] = first
		return
	}
	d := &st.dims[k]
	next := func(e Expr) {
		if k == st.tiled {
			e = g.add(e, g.times(st.tile, int64(d.places)))
		}
		idx[d.place] = e
		g.placesOf(st, lanes, idx, k+1, body)
	}
	if d.place == lanes {
		g.count(int64(d.places), true, next)
		return
	}
	for r := range min(d.every, int64(d.places)) {
		n := (int64(d.places) - r + d.every - 1) / d.every
		whole := n
		if k == st.inmost() {
			whole = wholeBlocks(n)
		}
		for _, span := range [][2]int64{{0, whole}, {whole, n}} {
			if span[0] < span[1] {
				g.count(span[1]-span[0], false, func(e Expr) { next(g.times(e.plus(span[0]), d.every).plus(r)) })
			}
		}
	}
}

// emitStaged is the sum of products of a place whose input is near.
func (g *gen) emitStaged(st *staging, idx []Expr) []elem.Value {
	if st.sum.Re != 0 {
		return []elem.Value{st.sum}
	}
	i, l := st.conv, st.labels()
	k := i.Operand(1).Shape()
	window := i.Attrs().(*op.ConvolutionAttrs).Window.Dims
	order, extents := g.sums(i, idx)
	if last := len(st.dims) - 1; st.dims[last].split > 1 { // the rest of each of its taps is to be known
		n := slices.Index(order, st.by[last])
		d, extent := order[n], extents[n]
		order, extents = append(slices.Delete(order, n, n+1), d), append(slices.Delete(extents, n, n+1), extent)
	}
	writes := g.writes
	defer func() { g.writes = writes }()
	g.writes = maxTaps
	return g.sumProducts(i, extents, func(pos []Expr) step {
		taps, yi := make([]Expr, len(window)), make([]Expr, k.Rank())
		for n, d := range order {
			if d == len(window) {
				continue
			}
			hit := g.hits(window[d], idx[l.OutputSpatial[d]])
			taps[d] = g.times(pos[n], int64(hit.step)).plus(int64(hit.first))
			yi[l.KernelSpatial[d]] = taps[d]
		}
		yi[l.KernelOutputFeature] = idx[l.OutputFeature]
		near := Expr{}
		for n := range st.dims {
			near = g.add(near, g.near(&st.dims[n], g.reached(st, n, idx, taps[st.by[n]])))
		}
		if st.block > 0 {
			near = g.add(near, variable(g.laneVar))
		}
		return step{elems: []elem.Value{elem.Load(g.b, st.t, g.addressOf(st.buffer, near), 0)},
			by: []elem.Value{elem.Convert(g.b, g.one(i.Operand(1), yi, 0), st.t)}}
	})
}

// reached returns which of the elements that are near in dimension n lies under a tap.
func (g *gen) reached(st *staging, n int, idx []Expr, tap Expr) Expr {
	d := &st.dims[n]
	at, w := idx[d.place], d.window
	if n == st.tiled {
		at = g.add(at, g.times(st.tile, int64(-d.places)))
	}
	if w.Reversal {
		tap = g.times(tap, -1).plus(int64(w.Size - 1))
	}
	e := g.add(g.times(at, d.moves()), g.times(tap, int64(max(w.WindowDilation, 1)))).plus(int64(-w.PaddingLow))
	q, _ := g.split(e.plus(-d.lo*d.holes()), d.holes())
	return q
}
