package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// ScatterFits reports whether BuildScatter can make the nest of a scatter or select-and-scatter.
func ScatterFits(i *hlo.Instruction) bool {
	if !typesFit(i) || slices.ContainsFunc(i.Called(), func(c *hlo.Computation) bool { return !inlines(c) }) {
		return false
	}
	return !slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool { return o.Size() == 0 })
}

// BuildScatter makes the nest that combines the updates of scatter i, or the sources of
// select-and-scatter i, into its result, which holds the operand, or the initial value,
// already. Updates are combined in row-major order. Windows that are long enough are cut into parts, at most one a
// thread, which go through all updates side by side.
func BuildScatter(i *hlo.Instruction, inMemory func(*hlo.Instruction) bool, m Machine) (*Kernel, error) {
	spec := Spec{Name: i.Name(), InMemory: inMemory, Code: m.Code, Wide: m.Wide, Split: m.Split}
	return build(spec, indexKindOf(i), func(g *gen) {
		if i.Code() == op.SelectAndScatter {
			g.selectAndScatter(i)
			return
		}
		g.scatter(i, m)
	})
}

// shortestPart is how many bytes of a window a part has at least: with fewer, lines of the cache are fetched twice, as
// they are where a core reads ahead of what it was asked for, past the end of its part.
func shortestPart(m Machine) int {
	if m.Wide {
		return 128
	}
	return 2 << 10
}

// partsOf is the number of parts, at most one a thread, that the last dimension of windows of n elements is cut into.
func partsOf(n, bytes int, m Machine) int {
	for p := m.Threads; p > 1; p-- {
		if n%p == 0 && n/p*bytes >= shortestPart(m) {
			return p
		}
	}
	return 1
}

// nesting says what the loops of nested are: the last one may have lanes, all may be parallel.
type nesting struct {
	lanes, parallel bool
	// apart, if not nil, tells for which loops that is so: what their iterations do may be done in any order, and these
	// loops come first.
	apart []bool
}

// nested opens loops over extents and runs body with the index of the iteration.
func (g *gen) nested(extents []int, n nesting, body func(idx []Expr)) {
	idx := make([]Expr, len(extents))
	last := len(extents) - 1
	for last >= 0 && extents[last] == 1 {
		last--
	}
	isApart := func(d int) bool { return n.apart == nil || n.apart[d] }
	order := make([]int, len(extents))
	for d := range order {
		order[d] = d
	}
	slices.SortStableFunc(order[:last+1], func(a, b int) int {
		return rank(isApart(a) && !(n.lanes && a == last)) - rank(isApart(b) && !(n.lanes && b == last))
	})
	var from func(k int, parallel bool)
	from = func(k int, parallel bool) {
		if k == len(order) {
			body(idx)
			return
		}
		d := order[k]
		if extents[d] == 1 {
			idx[d] = constant(0)
			from(k+1, parallel)
			return
		}
		parallel = parallel && isApart(d)
		s := loop.Spec{Extent: int64(extents[d]), Lanes: n.lanes && isApart(d) && d == last, Parallel: parallel}
		g.each(s, func(v int) {
			idx[d] = variable(v)
			from(k+1, parallel)
		})
	}
	from(0, n.parallel)
}

// rank puts what is first in front of the others.
func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

// scatter loops over the windows, and in each over its elements, of which no two have the same place.
func (g *gen) scatter(i *hlo.Instruction, m Machine) {
	a := i.Attrs().(*op.ScatterAttrs)
	updates := i.Operands()[len(i.Operands())/2+1:]
	updateDims := updates[0].Dims()
	var batch, window []int // dimensions of the updates
	for d := range updateDims {
		if slices.Contains(a.UpdateWindowDims, d) {
			window = append(window, d)
			continue
		}
		batch = append(batch, d)
	}
	sizes, last, parts := pick(updateDims, window), len(window)-1, 1
	if rows := rowsBefore(i, batch, window); len(rows) > 0 && product(pick(sizes, rows)) >= m.Threads {
		g.scatterRows(i, batch, window, sizes, rows, m)
		return
	}
	if n := rangesOf(i, window, m); n > 0 {
		g.scatterRanges(i, batch, window, sizes, n)
		return
	}
	if last >= 0 && !windowsSlide(a, i.Operand(0).Dims(), updateDims) {
		parts = partsOf(sizes[last], updates[0].Type().ByteSize(), m)
	}
	if parts <= 1 {
		g.scatterWindows(i, batch, window, sizes, func(offset []Expr) []Expr { return offset }, nil)
		return
	}
	sizes[last] /= parts
	g.each(loop.Spec{Extent: int64(parts), Parallel: true}, func(v int) {
		g.scatterWindows(i, batch, window, sizes, func(offset []Expr) []Expr {
			moved := slices.Clone(offset)
			moved[last] = g.add(moved[last], g.times(variable(v), int64(sizes[last])))
			return moved
		}, nil)
	})
}

// rowsBefore lists those of the window's dimensions in which all windows begin at 0 and which are in front of the
// positions in the updates, as the rows are where columns are scattered.
func rowsBefore(i *hlo.Instruction, batch, window []int) (rows []int) {
	a := i.Attrs().(*op.ScatterAttrs)
	k := 0
	for d := range i.Operand(0).Dims() {
		if slices.Contains(a.InsertedWindowDims, d) || slices.Contains(a.InputBatchingDims, d) {
			continue
		}
		if len(batch) > 0 && window[k] < batch[0] && !slices.Contains(a.ScatterDimsToOperandDims, d) {
			rows = append(rows, k)
		}
		k++
	}
	return rows
}

const (
	// rowsScattered is how many rows go together at most, and fewestScattered at least: so many that it costs little to
	// ask whether there is a window at a position.
	rowsScattered, fewestScattered = 8, 4
	// nearScattered is the most bytes of such rows: half of the first cache, as the updates have rows, too.
	nearScattered = 16 << 10
)

// scatterRows goes through all positions for some of these rows, side by side: no two have an element in common, and
// what is read of the updates lies closer together. A position without a window is passed over once for them.
func (g *gen) scatterRows(i *hlo.Instruction, batch, window, sizes, rows []int, m Machine) {
	extents, inside, last := pick(sizes, rows), slices.Clone(sizes), len(rows)-1
	for _, k := range rows {
		inside[k] = 1
	}
	n := extents[last]
	together := min(rowsScattered, n, product(extents)/max(m.Threads, 1), nearScattered/rowSize(i))
	if product(inside) > 1 || together < fewestScattered {
		together = 1
	}
	extents[last] = (n + together - 1) / together
	g.nested(extents, nesting{parallel: true}, func(at []Expr) {
		first := slices.Clone(at)
		first[last] = g.times(at[last], int64(together))
		some := func(count int) {
			g.eachWindow(i, batch, func(position, start []Expr, on loop.Value) {
				g.rowsWhere(on, count, func(row int, on loop.Value) {
					g.scatterWindow(i, batch, window, inside, position, start, on, func(offset []Expr) []Expr {
						moved := slices.Clone(offset)
						spread(moved, rows, first)
						moved[rows[last]] = moved[rows[last]].plus(int64(row))
						return moved
					})
				})
			})
		}
		if n%together == 0 {
			some(together)
			return
		}
		v, whole := at[last].Terms[0].Var, int64(n/together)
		g.between(v, 0, whole, func() { some(together) })
		g.between(v, whole, whole+1, func() { some(n % together) })
	})
}

// rowSize is the bytes of a row of the result of scatter i, in its last dimension.
func rowSize(i *hlo.Instruction) int {
	s := i.Operand(0).Shape()
	return max(s.Dims[s.Rank()-1]*s.Type.ByteSize(), 1)
}

// rowsWhere makes code for n rows, of several a jump over all where on does not hold.
func (g *gen) rowsWhere(on loop.Value, n int, row func(row int, on loop.Value)) {
	if on == 0 || n == 1 {
		for k := range n {
			row(k, on)
		}
		return
	}
	first := g.b.Op(loop.Select, loop.I32, on, g.b.Int(loop.I32, 1), g.b.Int(loop.I32, 0))
	g.b.While([]loop.Value{first}, func(v []loop.Value) loop.Value {
		return g.b.Cmp(loop.NE, v[0], g.b.Int(loop.I32, 0))
	}, func([]loop.Value) []loop.Value {
		before := len(g.values)
		for k := range n {
			row(k, 0)
		}
		g.computed.cut(before)
		g.values = g.values[:before]
		return []loop.Value{g.b.Int(loop.I32, 0)}
	})
}

// windowsSlide reports whether windows begin at different places along their last dimension. Where one has its first
// part, another may have its second one then.
func windowsSlide(a *op.ScatterAttrs, dims, updateDims []int) bool {
	sizes := windowSizes(a, dims, updateDims)
	for d := len(dims) - 1; d >= 0; d-- {
		if !slices.Contains(a.InsertedWindowDims, d) && !slices.Contains(a.InputBatchingDims, d) {
			return sizes[d] < dims[d] && slices.Contains(a.ScatterDimsToOperandDims, d)
		}
	}
	return false
}

// scatterWindows combines elements of all windows: sizes says how many, and place which number in the window each has.
// With own, which gives the mask for where a window begins, it is those of some windows.
func (g *gen) scatterWindows(i *hlo.Instruction, batch, window, sizes []int, place func(offset []Expr) []Expr,
	own func(start []Expr) loop.Value) {
	g.eachWindow(i, batch, func(position, start []Expr, on loop.Value) {
		if own != nil {
			on = g.and(on, own(start))
		}
		g.scatterWindow(i, batch, window, sizes, position, start, on, place)
	})
}

// eachWindow calls body for each window, with its position in the updates, where it begins, and the mask of its fitting
// there, 0 if it always does.
func (g *gen) eachWindow(i *hlo.Instruction, batch []int, body func(position, start []Expr, on loop.Value)) {
	a := i.Attrs().(*op.ScatterAttrs)
	n := len(i.Operands()) / 2
	dims, updateDims := i.Operand(0).Dims(), i.Operand(n+1).Dims()
	apart := nesting{parallel: true, apart: batchesApart(a, len(batch))}
	g.nested(pick(updateDims, batch), apart, func(position []Expr) {
		start, on := g.windowStart(a, i, i.Operand(n), position, windowSizes(a, dims, updateDims))
		body(position, start, g.unlessAlways(on))
	})
}

// scatterWindow combines elements of the window that begins at start, where on holds.
func (g *gen) scatterWindow(i *hlo.Instruction, batch, window, sizes []int, position, start []Expr, on loop.Value,
	place func(offset []Expr) []Expr) {
	a := i.Attrs().(*op.ScatterAttrs)
	updates := i.Operands()[len(i.Operands())/2+1:]
	g.nested(sizes, nesting{lanes: true}, func(offset []Expr) {
		offset = place(offset)
		from := make([]Expr, updates[0].Rank())
		spread(from, batch, position)
		spread(from, window, offset)
		to := slices.Clone(start)
		k := 0
		for d := range to {
			if !slices.Contains(a.InsertedWindowDims, d) && !slices.Contains(a.InputBatchingDims, d) {
				to[d] = g.add(to[d], offset[k])
				k++
			}
		}
		g.combineInto(i, updates, from, to, on)
	})
}

// batchesApart tells in which dimensions of the positions windows are in parts of the operand of their own.
func batchesApart(a *op.ScatterAttrs, positions int) []bool {
	apart := make([]bool, positions)
	for _, d := range a.ScatterIndicesBatchingDims {
		apart[batchPosition(d, a.IndexVectorDim)] = true
	}
	return apart
}

func pick(dims, which []int) []int {
	out := make([]int, len(which))
	for k, d := range which {
		out[k] = dims[d]
	}
	return out
}

func spread(to []Expr, which []int, from []Expr) {
	for k, d := range which {
		to[d] = from[k]
	}
}

// windowSizes are the sizes of a window of updates in the dimensions of the operand.
func windowSizes(a *op.ScatterAttrs, dims, updateDims []int) []int {
	sizes := make([]int, len(dims))
	k := 0
	for d := range dims {
		if sizes[d] = 1; !slices.Contains(a.InsertedWindowDims, d) && !slices.Contains(a.InputBatchingDims, d) {
			sizes[d] = updateDims[a.UpdateWindowDims[k]]
			k++
		}
	}
	return sizes
}

// windowStart is where a window begins, and the mask of its fitting there.
func (g *gen) windowStart(a *op.ScatterAttrs, i, indices *hlo.Instruction, position []Expr,
	sizes []int) ([]Expr, loop.Value) {
	dims := i.Operand(0).Dims()
	start := make([]Expr, len(dims))
	on := loop.Value(0)
	for k, d := range a.InputBatchingDims {
		start[d] = position[batchPosition(a.ScatterIndicesBatchingDims[k], a.IndexVectorDim)]
	}
	for k, d := range a.ScatterDimsToOperandDims {
		v := g.one(indices, indexVector(indices.Shape(), position, a.IndexVectorDim, k), 0)
		limit := dims[d] - sizes[d]
		if limit < 0 {
			return start, g.b.Bool(false)
		}
		on = g.and(on, g.inRange(v, limit))
		start[d] = g.add(start[d], g.startWithin(v, limit))
	}
	return start, on
}

// inRange is the mask of 0 <= v <= limit.
func (g *gen) inRange(v elem.Value, limit int) loop.Value {
	k := g.b.Kind(v.Re)
	p := loop.ULE
	if k == loop.I32 && int64(limit) >= 1<<31 {
		return g.b.Cmp(loop.GE, v.Re, g.b.Int(k, 0))
	}
	return g.b.Cmp(p, v.Re, g.b.Int(k, int64(limit)))
}

// unlessAlways is the mask on, or 0 if that is known to hold.
func (g *gen) unlessAlways(on loop.Value) loop.Value {
	if bits, ok := g.b.ConstBits(on); on != 0 && ok && bits != 0 {
		return 0
	}
	return on
}

// combineInto combines the updates at from with what the result has at to, where on holds.
func (g *gen) combineInto(i *hlo.Instruction, updates []*hlo.Instruction, from, to []Expr, on loop.Value) {
	args := make([]elem.Value, 0, 2*len(updates))
	places := make([]elem.Address, len(updates))
	for k := range updates {
		r := Ref{i, k}
		places[k] = g.address(g.buffer(r, true), to)
		args = append(args, elem.Load(g.b, r.Shape().Type, places[k], on))
	}
	for _, u := range updates {
		args = append(args, g.one(u, from, on))
	}
	for k, v := range g.inline(i.Called()[len(i.Called())-1], args) {
		elem.Store(g.b, v, places[k], on)
	}
}

// windowsApart tells along which dimensions windows have no element in common.
func windowsApart(window []op.WindowDim) []bool {
	apart := make([]bool, len(window))
	for d, w := range window {
		apart[d] = (w.Size-1)*max(w.WindowDilation, 1) < max(w.Stride, 1)
	}
	return apart
}

// ScattersWhole reports whether the kernel of select-and-scatter i writes all of the result, so that nothing has to be
// there before: its windows have each element once, and are in rows of neighbours, which vectors write.
func ScattersWhole(i *hlo.Instruction) bool {
	base, places := i.Operand(0).Dims(), i.Operand(1).Dims()
	window := i.Attrs().(*op.WindowAttrs).Window.Dims
	if n := len(window); n == 0 || window[n-1].Size > 1 {
		return false
	}
	for d, w := range window {
		if w.Size != max(w.Stride, 1) || w.PaddingLow != 0 || w.PaddingHigh != 0 || base[d] != places[d]*w.Size ||
			max(w.WindowDilation, w.BaseDilation) > 1 {
			return false
		}
	}
	return true
}

// selectAndScatter loops over the windows. In each the element that the select computation
// prefers is found, the first under the window to begin with.
func (g *gen) selectAndScatter(i *hlo.Instruction) {
	window := i.Attrs().(*op.WindowAttrs).Window.Dims
	operand, source := i.Operand(0), i.Operand(1)
	base := operand.Dims()
	var taps []int
	for _, w := range window {
		taps = append(taps, w.Size)
	}
	whole := ScattersWhole(i)
	g.nested(source.Dims(), nesting{lanes: true, parallel: true, apart: windowsApart(window)}, func(at []Expr) {
		best := elem.Value{Type: operand.Type()}
		zero := elem.Convert(g.b, elem.Value{Type: shape.S32, Re: g.b.Int(loop.I32, 0)}, best.Type)
		acc := []elem.Value{zero, {Type: shape.S32, Re: g.b.Int(g.kind, 0)}, {Type: shape.Pred, Re: g.b.Bool(false)}}
		choose := reducer{choose: func(acc, next []elem.Value) []elem.Value {
			keep := g.inline(i.Called()[0], []elem.Value{acc[0], next[0]})[0].Re
			keep = g.b.Op(loop.And, loop.Mask, keep, acc[2].Re)
			best, place := elem.Select(g.b, keep, acc[0], next[0]), elem.Select(g.b, keep, acc[1], next[1])
			return []elem.Value{best, place, next[2]}
		}}
		starts := g.beginsOf(window, func(d int) Expr { return at[d] })
		under := func(pos []Expr) (e []Expr, on loop.Value) {
			e = make([]Expr, len(base))
			for d, w := range window {
				var in loop.Value
				e[d], in = g.under(w, base[d], starts[d], pos[d])
				on = g.and(on, in)
			}
			return e, on
		}
		out := g.reduce(choose, acc, taps, func(pos []Expr) step {
			e, on := under(pos)
			v := g.one(operand, e, on)
			place := g.linear(operand.Shape(), e)
			if whole {
				place = g.linear(shape.Make(shape.S32, taps...), pos)
			}
			return step{elems: []elem.Value{v, {Type: shape.S32, Re: g.value(place)},
				{Type: shape.Pred, Re: g.b.Bool(true)}}, on: on}
		})
		if !whole {
			g.addSource(i, source, at, out)
			return
		}
		init := g.one(i.Operand(2), nil, 0)
		sum := g.inline(i.Called()[1], []elem.Value{init, g.one(source, at, 0)})[0]
		g.nested(taps, nesting{}, func(pos []Expr) {
			e, _ := under(pos)
			here := g.b.Cmp(loop.EQ, out[1].Re, g.value(g.linear(shape.Make(shape.S32, taps...), pos)))
			elem.Store(g.b, elem.Select(g.b, here, sum, init), g.address(g.buffer(Ref{Inst: i}, true), e), 0)
		})
	})
}

// addSource combines the source at with the element that was chosen, if one was.
func (g *gen) addSource(i, source *hlo.Instruction, at []Expr, chosen []elem.Value) {
	r := Ref{Inst: i}
	place := elem.Address{Buffer: g.buffer(r, true), Index: chosen[1].Re}
	on := chosen[2].Re
	old := elem.Load(g.b, r.Shape().Type, place, on)
	v := g.inline(i.Called()[1], []elem.Value{old, g.one(source, at, 0)})[0]
	elem.Store(g.b, v, place, on)
}
