package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Rows of a few elements that are reduced, as where the softmax of some classes is wanted, leave vectors empty at their
// ends, and each pays for the fold of its lanes and for what is computed of the sum in one lane of many. Where there
// are enough of them lanes are the rows. A block of them is brought into memory of the worker's own and turned on the
// way: there the same element of all rows is side by side. Everything is computed there, element by element, and what
// has all dimensions is turned back.

const (
	// A row that is turned has so many elements.
	leastTurned, mostTurned = 2, 64
	// Where elements have 4 bytes or more, rows of more bytes than that are better left as they are: they fill vectors,
	// and memory of two blocks no longer stays near. Narrower ones have to be made wider in any case.
	turnedBytes = 80
	// manyNarrow is from how many elements on rows of narrower numbers are folded in lanes.
	manyNarrow = 48
	// turnedRows is how many rows are in a block, leastRows the fewest that there are, and those of rows of more than
	// NarrowDim elements: of these a block that is not full costs more than it saves.
	turnedRows, leastRows, leastLongRows = 32, 32, 64
	// mostTurnedArrays is how many arrays of all dimensions are turned at most.
	mostTurnedArrays = 6
)

// turning is how the rows of a Spec are brought into lanes.
type turning struct {
	// The dimensions that rows are counted in, which is done in lanes, are those from from on up to rows; the elements of
	// rows are the last.
	from, rows int
	named      Ref // of the memory
	// reads are the arrays that are turned in front, writes those that are turned back; at is where each begins, in
	// bytes.
	reads, writes []Ref
	at            map[Ref]int64
	bytes         int64
	elements      int64 // of a row
	buffer        int
	// While code is being made, first is the first row of the block, and row the one in it that is at work.
	first, row Expr
}

// turningOf returns how the rows of s are turned, nil if they are not.
func turningOf(s Spec) *turning {
	last := len(s.Dims) - 1
	if last < 1 || slices.Index(s.Inner, true) != last || s.Dims[last] < leastTurned || s.Dims[last] > mostTurned {
		return nil
	}
	rows := lastDim(s, func(d int) bool { return d != last && s.Dims[d] > 1 })
	if rows < 0 {
		return nil
	}
	if s.Dims[rows]%turnedRows != 0 { // blocks are full, or fuller, with rows of several dimensions
		for from := range rows {
			if t := turningFrom(s, from, rows); s.Dims[from] > 1 && t != nil {
				return t
			}
		}
	}
	return turningFrom(s, rows, rows)
}

// turningFrom is turningOf with rows that are counted in dimensions from from on up to rows.
func turningFrom(s Spec, from, rows int) *turning {
	t := &turning{from: from, rows: rows, at: map[Ref]int64{}, named: Ref{s.Roots[0].Inst, scratchLeaf}}
	last, n := len(s.Dims)-1, product(s.Dims[from:rows+1])
	if n < leastRows || n < leastLongRows && s.Dims[last] > NarrowDim {
		return nil
	}
	w := turnWalk{laneWalk: newLaneWalk(s), t: t}
	row := w.g.later(n)
	t.place(w.g, s, w.idx, row)
	w.read, w.lane, w.counted = w.reads, row.Terms[0].Var, from < rows
	if slices.ContainsFunc(s.Roots, func(r Root) bool { return !w.root(r) }) || !w.reduces ||
		len(t.reads) == 0 || len(t.reads)+len(t.writes) > mostTurnedArrays || !t.short(s) ||
		slices.ContainsFunc(w.others, func(r Ref) bool { return slices.Contains(t.reads, r) }) {
		return nil
	}
	t.layOut(int64(s.Dims[last]))
	return t
}

// short reports whether the rows of all arrays that are turned are short.
func (t *turning) short(s Spec) bool {
	elements := s.Dims[len(s.Dims)-1]
	if len(t.writes) == 0 && elements <= shortDim || folds(s) { // the shortest are read in steps
		return false
	}
	if len(t.writes) > 0 && s.Code && !s.Wide && elements < shortDim { // too little is turned back at a time
		return false
	}
	return !slices.ContainsFunc(slices.Concat(t.reads, t.writes), func(r Ref) bool {
		size := r.Shape().Type.ByteSize()
		return size > 2 && elements*size > turnedBytes
	})
}

// folds reports whether s only combines the elements of rows that are in memory, or products, and these fill so much
// of a vector that nothing is gained: sums, of which several are folded at once, half of one, others all of a wide one,
// and narrow numbers several.
func folds(s Spec) bool {
	elements := s.Dims[len(s.Dims)-1]
	return s.Code && !slices.ContainsFunc(s.Roots, func(r Root) bool {
		i := r.Inst
		if i.Code() != op.Reduce || len(i.Operands()) != 2 || !isPlainRow(s, i.Operand(0)) {
			return true
		}
		narrow := i.Type().ByteSize() < 4 && elements < manyNarrow
		lanes := reducerOf(i.Called()[0], 1).lanes
		sums := len(lanes) == 1 && lanes[0] == loop.Add && elements >= longDim
		return len(lanes) == 0 || narrow || !sums && !(s.Wide && elements > NarrowDim)
	})
}

// isPlainRow reports whether x is in memory, or a product of what is or is the same for many rows.
func isPlainRow(s Spec, x *hlo.Instruction) bool {
	return s.InMemory(x) || x.Code() == op.Multiply && !slices.ContainsFunc(x.Operands(), func(o *hlo.Instruction) bool {
		return !s.InMemory(o) && o.Code() != op.Broadcast
	})
}

// place sets idx to that of a row.
func (t *turning) place(g *gen, s Spec, idx []Expr, row Expr) {
	g.unflatten(s.Dims[t.from:t.rows+1], row, idx[t.from:t.rows+1])
}

// layOut gives the arrays their places.
func (t *turning) layOut(elements int64) {
	t.elements = elements
	for _, r := range slices.Concat(t.reads, t.writes) {
		t.at[r] = t.bytes
		t.bytes += elements * turnedRows * turnedSize(r)
	}
}

// turnWalk finds the arrays that are turned.
type turnWalk struct {
	*laneWalk
	t      *turning
	lane   int   // the variable of rows
	others []Ref // arrays that are read at other places
}

// root reports whether r can be computed with rows in lanes.
func (w *turnWalk) root(r Root) bool {
	if !w.s.isPlain(r) {
		return false
	}
	if !w.s.isFull(r) {
		return w.fits(r.Inst, keptOf(w.s, w.idx))
	}
	if turnedType(r.Shape().Type) == shape.Invalid {
		return false
	}
	w.t.writes = append(w.t.writes, r.Ref)
	return w.fits(r.Inst, w.idx)
}

// reads looks at a read of element idx of r: one of whole rows, or of neighbours for neighbouring rows.
func (w *turnWalk) reads(r Ref, idx []Expr) bool {
	if w.isRow(r, idx) {
		w.t.reads = append(w.t.reads, r)
		return turnedType(r.Shape().Type) != shape.Invalid
	}
	w.others = append(w.others, r)
	stride, ok := w.strideInLanes(w.g.linear(r.Shape(), idx), w.lane)
	return ok && (stride == 0 || stride == 1)
}

// isRow reports whether element idx of r is that of the space, maybe by way of a reshape.
func (w *turnWalk) isRow(r Ref, idx []Expr) bool {
	space := shape.Shape{Dims: w.s.Dims}
	return r.Shape().Size() == space.Size() && w.g.places.of([]Expr{w.g.linear(r.Shape(), idx)}) ==
		w.g.places.of([]Expr{w.g.linear(space, w.idx)})
}

// inRows is the index of r, whose elements are those of the space in their order, that is idx there.
func (g *gen) inRows(s Spec, r Ref, idx []Expr) []Expr {
	dims := r.Shape().Dims
	if slices.Equal(dims, s.Dims) {
		return slices.Clone(idx)
	}
	of := make([]Expr, len(dims))
	g.unflatten(dims, g.linear(shape.Shape{Dims: s.Dims}, idx), of)
	return of
}

// turn makes the loops of s: over what is in front of the rows and over blocks of rows, and in them what turns rows,
// computes and turns back.
func (g *gen) turn(s Spec, t *turning) {
	t.buffer = g.temporary(t.named, loop.Buffer{Name: "turned", Bytes: t.bytes, Write: true, Scratch: true})
	g.flat = -1
	g.cuts = make([]cut, len(s.Dims))
	idx := make([]Expr, len(s.Dims))
	var counted []int
	for d := t.from; d <= t.rows; d++ {
		counted = append(counted, d)
	}
	g.inFront(s, counted, idx, 0, func() {
		rows := int64(product(s.Dims[t.from : t.rows+1]))
		blocks := (rows + turnedRows - 1) / turnedRows
		g.each(loop.Spec{Extent: blocks, Parallel: true}, func(v int) {
			t.first = g.times(variable(v), turnedRows)
			whole := rows / turnedRows
			g.between(v, 0, whole, func() { g.block(s, t, idx, turnedRows) })
			if whole < blocks {
				g.between(v, whole, blocks, func() { g.block(s, t, idx, rows%turnedRows) })
			}
		})
	})
}

// block computes so many rows.
func (g *gen) block(s Spec, t *turning, idx []Expr, rows int64) {
	last := len(s.Dims) - 1
	elements := int64(s.Dims[last])
	place := func(row Expr) {
		t.row = row
		t.place(g, s, idx, g.add(t.first, row))
	}
	for _, r := range t.reads {
		g.count(elements, false, func(k Expr) {
			g.count(rows, true, func(row Expr) {
				place(row)
				idx[last] = k
				of := g.inRows(s, r, idx)
				v := g.one(r.Inst, of, 0)
				g.storeTurned(v, g.turnedAddress(t, r, of))
			})
		})
	}
	g.count(rows, true, func(row Expr) {
		place(row)
		g.turned = t
		g.element(s, t.rows, idx)
		g.turned = nil
	})
	for _, r := range t.writes {
		g.count(rows, false, func(row Expr) {
			g.count(elements, true, func(k Expr) {
				place(row)
				idx[last] = k
				v := g.loadTurned(r.Shape().Type, g.turnedAddress(t, r, idx))
				elem.Store(g.b, v, g.address(g.buffer(r, true), idx), 0)
			})
		})
	}
}

// turnedAddress is where element idx of r is in the block.
func (g *gen) turnedAddress(t *turning, r Ref, idx []Expr) elem.Address {
	last := len(idx) - 1
	k := idx[last]
	if int64(r.Shape().Dims[last]) != t.elements {
		_, k = g.split(g.linear(r.Shape(), idx), t.elements)
	}
	at := g.add(g.times(k, turnedRows), t.row)
	return g.addressOf(t.buffer, at.plus(t.at[r]/turnedSize(r)))
}

// isTurned reports whether r is in the block while its rows are computed.
func (g *gen) isTurned(r Ref) bool {
	if g.turned == nil {
		return false
	}
	_, ok := g.turned.at[r]
	return ok
}

// read loads element idx of an array, which is inside.
func (g *gen) read(r Ref, write bool, idx []Expr, mask loop.Value) elem.Value {
	if g.isTurned(r) {
		return g.loadTurned(r.Shape().Type, g.turnedAddress(g.turned, r, idx))
	}
	if a := g.facedAt(r, idx); a != nil {
		return g.loadTurned(r.Shape().Type, g.facedAddress(g.faced, a, idx))
	}
	return elem.Load(g.b, r.Shape().Type, g.address(g.buffer(r, write), idx), mask)
}

// write stores element idx of an array.
func (g *gen) write(r Ref, v elem.Value, idx []Expr) {
	if g.isTurned(r) {
		g.storeTurned(v, g.turnedAddress(g.turned, r, idx))
		return
	}
	elem.Store(g.b, v, g.address(g.buffer(r, true), idx), 0)
}
