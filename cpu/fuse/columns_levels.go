package fuse

import (
	"slices"
	"sort"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// A softmax over rows has sums of what is made from other sums, and results made from both. With a few columns at a
// time and all sums in registers, each of its passes touches a few lines of every row, at another page each, and where
// rows are a power of two apart these lines drive each other out of the caches. So here, too, a block of columns is
// gone through row by row, once for each level of sums and once for the results, with the sums of the block in memory
// of the worker's own.

const (
	// leastLeveled is the least bytes of a row: lines of shorter ones are near enough.
	leastLeveled = 1 << 10
	// leastApart is the least bytes of a block where blocks are for more threads.
	leastApart = 128
	// mostLeveled is how many bytes of an array a block has at most, if it has more columns than the fewest.
	mostLeveled = 4 << 20
)

// columnLevels is how reductions over rows are computed of which some are made from others, or are wanted at each row.
type columnLevels struct {
	levels []*columns // in the order in which they are computed
	made   []madeOfSums
	slots  int // of all sums, and of what is made of them
	whole  []Root
	keep   *keeper
}

// levelsOf returns how the reductions of s over rows are computed level by level, nil if they are not such.
func levelsOf(s Spec, lanes int) *columnLevels {
	const most = 8 // bytes of a sum
	base := overRows(s, lanes)
	if base == nil || s.Dims[lanes]*most < leastLeveled || product(s.Dims)*most < leastFar {
		return nil
	}
	if slices.ContainsFunc(s.Roots, func(r Root) bool { return r.Spread || r.Update != nil || r.From != nil }) {
		return nil
	}
	l := &columnLevels{}
	if !l.find(s, base) {
		return nil
	}
	size := 1
	for _, c := range l.levels {
		size = max(size, c.size())
	}
	if row := s.Dims[lanes] * size; row < leastLeveled || product(s.Dims)*size < leastFar {
		return nil
	}
	l.cut(s, lanes, size)
	return l
}

// find groups the reductions by their levels.
func (l *columnLevels) find(s Spec, base *columns) bool {
	d, idx, kept := discover(s)
	d.walkRoots(s, idx, kept)
	d.follow(s, idx, kept)
	sort.SliceStable(d.found, func(x, y int) bool { return d.found[x].level < d.found[y].level })
	var c *columns
	for n, r := range d.found {
		if n == 0 || r.level != d.found[n-1].level {
			c = new(*base)
			l.levels = append(l.levels, c)
		}
		if !c.take(s, r, d.g.places.of(r.idx) == d.g.places.of(kept)) || n >= mostSums {
			return false
		}
	}
	for _, c := range l.levels {
		for k, i := range c.over {
			c.kinds = append(c.kinds, sumKindOf(i.Type(), c.by.lanes[k], false))
		}
		if c.lengthen(); !c.haveKinds() || len(c.over) == 0 {
			return false
		}
		c.alone = !slices.ContainsFunc(c.over, func(i *hlo.Instruction) bool { return isDearFor(s, i.Operand(0), &set{}) })
		c.slots = l.slots
		l.slots += c.levels() * len(c.over)
	}
	for _, r := range s.Roots {
		if s.isFull(r) {
			l.whole = append(l.whole, r)
		}
	}
	l.keep = d.keep(s.Roots, nil)
	if len(l.levels) == 0 {
		return false
	}
	l.findMade(s, d, idx)
	return true
}

// isDearFor reports whether something dear is computed of each element for i.
func isDearFor(s Spec, i *hlo.Instruction, seen *set) bool {
	if s.InMemory(i) && !isRoot(s, i) || i.Code() == op.Reduce || !seen.add(i) {
		return false
	}
	return isDear(i) || slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool { return isDearFor(s, o, seen) })
}

// cut chooses blocks of columns that are kept with sums of so many bytes: as wide as they may be, but several for
// each thread.
func (l *columnLevels) cut(s Spec, lanes, size int) {
	c := l.levels[0]
	n, line := s.Dims[lanes], memoryLine/size
	blocks := (n*size-1)/mostWide + 1
	if n%line != 0 && n*size <= mostAlone { // else blocks begin within lines
		blocks = 1
	}
	blocks = max(blocks, min(product(c.rows)*n*size/mostLeveled, n*size/leastWide))
	if beside := product(s.Dims) / product(c.rows) / n; beside < s.Threads {
		threads := s.Threads / beside
		blocks = min((blocks+threads-1)/threads*threads, max(1, n*size/leastApart))
	}
	width := min(n, ((n-1)/blocks/line+1)*line)
	for even := width; even > width/2; even-- { // without a rest that has code of its own
		if n%even == 0 && (even%line == 0 || n%line != 0) {
			width = even
			break
		}
	}
	for _, c := range l.levels {
		c.width, c.rest = width, n%width
	}
}

// sumLevels makes the loops of s.
func (g *gen) sumLevels(s Spec, l *columnLevels) {
	first := l.levels[0]
	memory := g.temporary(first.named(), loop.Buffer{Name: "sums", Bytes: int64(l.slots) * first.slot(), Write: true,
		Scratch: true})
	for _, c := range l.levels {
		c.memory = memory
	}
	g.flat = -1
	w := &summing{gen: g, columns: first, s: s, idx: make([]Expr, len(s.Dims)), leveled: l}
	w.outside(0)
}

// everyLevel makes the loops of a block: those of each level, and those of the results.
func (w *summing) everyLevel() {
	w.done, w.made, w.keep = nil, 0, nil
	if k := w.leveled.keep; k != nil {
		w.keep = new(*k)
	}
	for _, c := range w.leveled.levels {
		w.columns = c
		w.begin()
		w.from(0, nil)
		if w.done = append(w.done, c); w.keep != nil {
			w.keep.stored = w.keep.used
		}
		w.computeMade(len(w.done))
	}
	if len(w.leveled.whole) < len(w.s.Roots) {
		w.columnwise(func(lane Expr) {
			w.lower(lane)
			w.storeKept()
		})
	}
	if len(w.leveled.whole) > 0 {
		w.results(nil)
	}
}

// lower has the sums of lower levels for what is computed for a column, at w.idx if that is a row.
func (w *summing) lower(lane Expr) {
	if w.leveled == nil {
		return
	}
	at := w.columns
	for _, c := range w.done {
		w.columns = c
		w.known(lane)
	}
	w.columns, w.full = at, w.places.of(w.idx)
	w.lowerMade(lane)
}

// results stores the rows at pos of the outer dimensions.
func (w *summing) results(pos []Expr) {
	if len(pos) < len(w.rows) {
		w.each(loop.Spec{Extent: int64(w.rows[len(pos)])}, func(v int) { w.results(append(pos, variable(v))) })
		return
	}
	for k, d := range w.inner {
		w.idx[d] = pos[k]
	}
	w.columnwise(func(lane Expr) {
		w.lower(lane)
		for _, r := range w.leveled.whole { // all are computed before one is stored over what an earlier pass kept
			w.compute(r, w.idx)
		}
		for _, r := range w.leveled.whole {
			w.store(r, w.idx)
		}
	})
}
