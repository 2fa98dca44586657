package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
)

// summing makes the loops of columns.
type summing struct {
	*gen
	*columns
	s    Spec
	idx  []Expr
	now  int  // columns of the block that is being made
	base Expr // the first of them
	// firsts are the first indices of the block in the dimensions beside.
	firsts []Expr
	// done are the sums of lower levels, of made of them there is what is made of the sums; leveled, if not nil, has all.
	done    []*columns
	made    int
	leveled *columnLevels
}

// sumColumns makes the loops of s.
func (g *gen) sumColumns(s Spec, c *columns) {
	c.memory = g.temporary(c.named(), loop.Buffer{Name: "sums", Bytes: c.bytes(), Write: true, Scratch: true})
	g.flat = -1
	w := &summing{gen: g, columns: c, s: s, idx: make([]Expr, len(s.Dims)), firsts: make([]Expr, len(c.beside))}
	w.outside(0)
}

// outside opens the loops over kept dimensions from d on, and over blocks of columns.
func (w *summing) outside(d int) {
	for ; d < len(w.s.Dims); d++ {
		w.idx[d] = constant(0)
		if w.s.Inner[d] || d == w.lanes || w.s.Dims[d] == 1 {
			continue
		}
		count, first := 1, &w.idx[d]
		if k := slices.IndexFunc(w.columns.beside, func(b besideDim) bool { return b.dim == d }); k >= 0 {
			count, first = w.columns.beside[k].count, &w.firsts[k]
		}
		w.each(loop.Spec{Extent: int64(w.s.Dims[d] / count), Parallel: true}, func(v int) {
			*first = w.times(variable(v), int64(count))
			w.outside(d + 1)
		})
		return
	}
	whole, all := int64(w.s.Dims[w.lanes]/w.width), int64((w.s.Dims[w.lanes]-1)/w.width+1)
	w.each(loop.Spec{Extent: all, Parallel: true}, func(v int) {
		w.base = w.times(variable(v), int64(w.width))
		w.between(v, 0, whole, func() { w.block(w.width) })
		if w.rest > 0 {
			w.between(v, whole, all, func() { w.block(w.rest) })
		}
	})
}

// block makes the loops of a block of so many columns.
func (w *summing) block(columns int) {
	if w.now = columns; w.leveled != nil {
		w.everyLevel()
		return
	}
	w.begin()
	w.from(0, nil)
	w.finish()
}

// columnwise runs body for each column of the block, whose number in it is lane.
func (w *summing) columnwise(body func(lane Expr)) {
	w.columnsOf(len(w.columns.beside), constant(0), body)
}

// columnsOf does so for those that follow number first in the last n of the dimensions beside, and in lanes.
func (w *summing) columnsOf(n int, first Expr, body func(lane Expr)) {
	if n == 0 {
		w.each(loop.Spec{Extent: int64(w.now), Lanes: true}, func(v int) {
			w.idx[w.lanes] = w.add(w.base, variable(v))
			body(w.add(w.times(first, int64(w.now)), variable(v)))
		})
		return
	}
	b := w.columns.beside[n-1]
	w.each(loop.Spec{Extent: int64(b.count)}, func(v int) {
		w.idx[b.dim] = w.add(w.firsts[n-1], variable(v))
		w.columnsOf(n-1, w.add(w.times(first, int64(b.count)), variable(v)), body)
	})
}

// sum reads the sums of a level.
func (w *summing) sum(level int, lane Expr) []elem.Value {
	var out []elem.Value
	for k, i := range w.over {
		v := elem.Load(w.b, w.kinds[k].in, w.place(level, k, lane), 0)
		if v.Type = i.Type(); w.kinds[k].keys {
			v.Type = w.kinds[k].in
		}
		out = append(out, v)
	}
	return out
}

// keepSum writes them.
func (w *summing) keepSum(level int, lane Expr, sums []elem.Value) {
	for k, v := range sums {
		v.Type = w.kinds[k].in
		elem.Store(w.b, v, w.place(level, k, lane), 0)
	}
}

// place is where sum k of a level is.
func (w *summing) place(level, k int, lane Expr) elem.Address {
	size := int64(w.kinds[k].in.ByteSize())
	return w.addressOf(w.memory, lane.plus(int64(w.slots+level*len(w.over)+k)*w.slot()/size))
}

// begin gives the sums what reductions begin with.
func (w *summing) begin() {
	w.columnwise(func(lane Expr) {
		var sums []elem.Value
		for k, i := range w.over {
			sums = append(sums, w.asKept(k, w.one(i.Operand(1), nil, 0)))
		}
		w.keepSum(0, lane, sums)
	})
}

// keys are those of sum k.
func (w *summing) keys(k int) keys { return keysOf(w.gen, w.over[k].Type(), w.by.lanes[k]) }

// asKept is v as sum k is kept.
func (w *summing) asKept(k int, v elem.Value) elem.Value {
	if !w.kinds[k].keys {
		return v
	}
	return elem.Value{Type: w.kinds[k].in, Re: w.keys(k).of(v.Re)}
}

// clear begins the sums of a part anew.
func (w *summing) clear(level int) {
	w.columnwise(func(lane Expr) {
		sums := w.sum(level, lane) // for their kinds: what is not used is not read
		for k := range sums {
			sums[k].Re = w.identity(w.by.lanes[k], w.b.Kind(sums[k].Re))
		}
		w.keepSum(level, lane, sums)
	})
}

// from adds all rows at pos of the outer dimensions to the sums of a level, as sums does.
func (w *summing) from(level int, pos []Expr) {
	extent, inner := w.rows[len(pos)], product(w.rows[len(pos)+1:])
	if !w.long || extent*inner <= longChain {
		w.all(level, pos)
		return
	}
	rows := nearDivisor(extent, max(1, partOfChain/inner))
	w.each(loop.Spec{Extent: int64(extent / rows)}, func(v int) {
		w.part(level, pos, w.times(variable(v), int64(rows)), rows)
	})
	if rest := extent % rows; rest > 0 {
		w.part(level, pos, constant(int64(extent-rest)), rest)
	}
}

// part adds a part that begins anew: count rows of the next dimension from first on.
func (w *summing) part(level int, pos []Expr, first Expr, count int) {
	w.clear(level + 1)
	if count == 1 && len(pos)+1 < len(w.rows) {
		w.from(level+1, append(slices.Clone(pos), first))
	} else {
		w.some(level+1, pos, first, count)
	}
	w.columnwise(func(lane Expr) {
		part := step{elems: w.sum(level+1, lane)}
		w.keepSum(level, lane, w.combineSimple(w.by, w.sum(level, lane), part))
	})
}

// all opens the loops over what is left of the dimensions of rows.
func (w *summing) all(level int, pos []Expr) {
	if len(pos) == len(w.rows) {
		w.beside(level, [][]Expr{pos})
		return
	}
	w.some(level, pos, constant(0), w.rows[len(pos)])
}

// some does so for count rows of the next dimension from first on: several at a time where it is the last one.
func (w *summing) some(level int, pos []Expr, first Expr, count int) {
	n := 1
	if w.alone && len(pos)+1 == len(w.rows) {
		n = min(w.rowsAtOnce(), count)
	}
	next := func(first Expr, n int) {
		rows := make([][]Expr, n)
		for k := range rows {
			rows[k] = append(slices.Clone(pos), first.plus(int64(k)))
		}
		if n == 1 {
			w.all(level, rows[0])
			return
		}
		w.beside(level, rows)
	}
	w.each(loop.Spec{Extent: int64(count / n)}, func(v int) {
		next(w.add(first, w.times(variable(v), int64(n))), n)
	})
	if rest := count % n; rest > 0 {
		next(first.plus(int64(count-rest)), rest)
	}
}

// rowsAtOnce is how many rows are added at a time where there is nothing but sums.
func (w *summing) rowsAtOnce() int {
	of := w.over[0].Operand(0).Shape()
	far := w.s.Far != nil && w.s.Far(w.over[0].Operand(0))
	if w.s.AskFrom > 0 && (far || product(of.Dims)*of.Type.ByteSize() >= w.s.AskFrom) {
		return farBeside
	}
	return rowsBeside
}

// beside stores what there is for each element of rows, and adds it to the sums.
func (w *summing) beside(level int, rows [][]Expr) {
	w.columnwise(func(lane Expr) {
		var sums []elem.Value
		for _, pos := range rows {
			for k, d := range w.inner {
				w.idx[d] = pos[k]
			}
			w.lower(lane)
			elems := w.row()
			if sums == nil { // which need no registers before
				sums = w.sum(level, lane)
			}
			sums = w.combineSimple(w.by, sums, step{elems: elems})
		}
		w.keepSum(level, lane, sums)
	})
}

// row stores what there is for an element of a row, and returns what is summed of it.
func (w *summing) row() []elem.Value {
	w.reducing = true
	var elems []elem.Value
	for k, i := range w.over {
		elems = append(elems, w.asKept(k, w.one(i.Operand(0), w.idx, 0)))
	}
	w.reducing = false
	for _, r := range w.whole { // all are computed before one is stored
		w.compute(r, w.idx)
	}
	for _, r := range w.whole {
		w.store(r, w.idx)
	}
	return elems
}

// finish stores what is made from the sums.
func (w *summing) finish() {
	w.columnwise(func(lane Expr) {
		w.known(lane)
		w.storeKept()
	})
}

// known has the sums, which are complete, for what is computed for a column.
func (w *summing) known(lane Expr) {
	kept, sums := keptOf(w.s, w.idx), w.normalize(w.sum(0, lane))
	for k, i := range w.over {
		if w.kinds[k].keys {
			sums[k] = elem.Value{Type: i.Type(), Re: w.keys(k).number(sums[k].Re)}
		}
		w.remember(i, kept, sums[k:k+1])
	}
}

// storeKept stores the roots that are no rows, for a column.
func (w *summing) storeKept() {
	kept := keptOf(w.s, w.idx)
	for _, r := range w.s.Roots {
		if !w.s.isFull(r) {
			w.store(r, kept)
		}
	}
}
