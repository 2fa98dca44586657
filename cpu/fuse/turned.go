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
	// turnedRows is how many rows are in a block, and leastRows the fewest that there are.
	turnedRows, leastRows = 32, 64
	// mostTurnedArrays is how many arrays of all dimensions are turned at most.
	mostTurnedArrays = 6
)

// turning is how the rows of a Spec are brought into lanes.
type turning struct {
	rows  int // the dimension that is in lanes; the elements of rows are the last
	named Ref // of the memory
	// reads are the arrays that are turned in front, writes those that are turned back; at is where each begins, in
	// bytes.
	reads, writes []Ref
	at            map[Ref]int64
	bytes         int64
	buffer        int
	first         Expr // the first row of the block, while code is being made
}

// turningOf returns how the rows of s are turned, nil if they are not.
func turningOf(s Spec) *turning {
	last := len(s.Dims) - 1
	if last < 1 || slices.Index(s.Inner, true) != last || s.Dims[last] < leastTurned || s.Dims[last] > mostTurned {
		return nil
	}
	t := &turning{rows: lastDim(s, func(d int) bool { return d != last && s.Dims[d] > 1 }), at: map[Ref]int64{}}
	if t.rows < 0 || s.Dims[t.rows] < leastRows {
		return nil
	}
	t.named = Ref{s.Roots[0].Inst, scratchLeaf}
	w := turnWalk{g: &gen{kind: loop.I32}, s: s, t: t}
	for d, n := range s.Dims {
		w.idx = append(w.idx, w.g.later(n))
		if d == t.rows {
			w.lane = -len(w.g.pending)
		}
	}
	w.g.inMemory = func(i *hlo.Instruction) bool { return s.InMemory(i) && !isRoot(s, i) }
	w.full = w.g.places.of(w.idx)
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
	if len(t.writes) == 0 && elements <= shortDim { // those are read in steps
		return false
	}
	return !slices.ContainsFunc(slices.Concat(t.reads, t.writes), func(r Ref) bool {
		size := r.Shape().Type.ByteSize()
		return size > 2 && elements*size > turnedBytes
	})
}

// layOut gives the arrays their places.
func (t *turning) layOut(elements int64) {
	for _, r := range slices.Concat(t.reads, t.writes) {
		t.at[r] = t.bytes
		t.bytes += elements * turnedRows * int64(turnedType(r.Shape().Type).ByteSize())
	}
}

// turnedType is the type that elements of type t have while they are turned, or shape.Invalid if they cannot be.
func turnedType(t shape.ElementType) shape.ElementType {
	switch t {
	case shape.F32, shape.F64, shape.S32, shape.U32:
		return t
	case shape.BF16, shape.F16:
		return shape.F32
	}
	return shape.Invalid
}

// turnWalk looks at what the roots of s are made from.
type turnWalk struct {
	g       *gen
	s       Spec
	t       *turning
	idx     []Expr // the position
	full    place  // its key
	lane    int    // the variable of rows
	seen    visits
	reduces bool  // there is a reduction
	others  []Ref // arrays that are read at other places
}

// root reports whether r can be computed with rows in lanes.
func (w *turnWalk) root(r Root) bool {
	strided := w.s.Strides != nil && w.s.Strides(r.Inst) != nil
	if r.Into.Inst != nil || r.Spread || r.Update != nil || r.Offset != nil || strided {
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

// fits reports whether what is computed for i at idx reads whole rows, or neighbours of neighbouring rows.
func (w *turnWalk) fits(i *hlo.Instruction, idx []Expr) bool {
	key := visit{inst: i, at: w.g.places.of(idx)}
	if !w.seen.first(key) {
		return true
	}
	switch c := i.Code(); {
	case w.g.inMemory(i):
		return i.Shape().IsArray() && w.reads(i, key.at, idx)
	case c == op.Constant, c == op.Iota:
		return true
	case c == op.Reduce:
		return w.reduce(i, key.at)
	case indexMaps[c] != nil:
		return w.fits(i.Operand(0), indexMaps[c](w.g, i, idx))
	case c == op.GetTupleElement, c == op.Tuple, isElementwise(i):
		return !slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool {
			if o.Shape().IsArray() && o.Shape().Rank() == 0 {
				return !w.fits(o, nil)
			}
			return !w.fits(o, idx)
		})
	}
	return false
}

// reduce looks at a reduction at the position with key at, which is to be one of rows as they are.
func (w *turnWalk) reduce(i *hlo.Instruction, at place) bool {
	n, last := len(i.Operands())/2, len(w.s.Dims)-1
	dims := i.Attrs().(*op.ReduceAttrs).Dimensions
	if !slices.Equal(dims, []int{last}) || at != w.g.places.of(keptOf(w.s, w.idx)) ||
		!slices.Equal(i.Operand(0).Shape().Dims, w.s.Dims) {
		return false
	}
	w.reduces = true
	for k, o := range i.Operands() {
		if k < n && !w.fits(o, w.idx) || k >= n && !w.fits(o, nil) {
			return false
		}
	}
	return true
}

// reads looks at a read of i at idx, which has key at.
func (w *turnWalk) reads(i *hlo.Instruction, at place, idx []Expr) bool {
	if at == w.full && slices.Equal(i.Shape().Dims, w.s.Dims) {
		w.t.reads = append(w.t.reads, Ref{Inst: i})
		return turnedType(i.Shape().Type) != shape.Invalid
	}
	w.others = append(w.others, Ref{Inst: i})
	e := w.g.linear(i.Shape(), idx)
	loops := e.loops()
	far := slices.ContainsFunc(e.Terms[:loops], func(t loop.Term) bool { return t.Var == w.lane && t.Stride != 1 })
	return !far && !w.g.uses(Expr{Terms: e.Terms[loops:]}, func(v int) bool { return v == w.lane })
}

// turn makes the loops of s: over what is in front of the rows and over blocks of rows, and in them what turns rows,
// computes and turns back.
func (g *gen) turn(s Spec, t *turning) {
	t.buffer = g.temporary(t.named, loop.Buffer{Name: "turned", Bytes: t.bytes, Write: true, Scratch: true})
	g.flat = -1
	g.cuts = make([]cut, len(s.Dims))
	idx := make([]Expr, len(s.Dims))
	g.inFront(s, t, idx, 0, func() {
		rows := int64(s.Dims[t.rows])
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

// inFront opens the loops over dimensions from d on that stand in front of the rows.
func (g *gen) inFront(s Spec, t *turning, idx []Expr, d int, body func()) {
	if d == len(s.Dims) {
		body()
		return
	}
	next := func() { g.inFront(s, t, idx, d+1, body) }
	if d == t.rows || s.Inner[d] {
		next()
		return
	}
	g.count(int64(s.Dims[d]), false, func(e Expr) {
		idx[d] = e
		next()
	})
}

// block computes so many rows.
func (g *gen) block(s Spec, t *turning, idx []Expr, rows int64) {
	last := len(s.Dims) - 1
	elements := int64(s.Dims[last])
	for _, r := range t.reads {
		g.count(elements, false, func(k Expr) {
			g.count(rows, true, func(row Expr) {
				idx[t.rows], idx[last] = g.add(t.first, row), k
				v := g.one(r.Inst, slices.Clone(idx), 0)
				g.storeTurned(t, r, v, idx)
			})
		})
	}
	g.count(rows, true, func(row Expr) {
		g.turned, idx[t.rows] = t, g.add(t.first, row)
		g.element(s, t.rows, idx)
		g.turned = nil
	})
	for _, r := range t.writes {
		g.count(rows, false, func(row Expr) {
			g.count(elements, true, func(k Expr) {
				idx[t.rows], idx[last] = g.add(t.first, row), k
				elem.Store(g.b, g.loadTurned(t, r, idx), g.address(g.buffer(r, true), idx), 0)
			})
		})
	}
}

// turnedAddress is where element idx of r is in the block.
func (g *gen) turnedAddress(t *turning, r Ref, idx []Expr) elem.Address {
	row := g.add(idx[t.rows], g.times(t.first, -1))
	at := g.add(g.times(idx[len(idx)-1], turnedRows), row)
	return g.addressOf(t.buffer, at.plus(t.at[r]/int64(turnedType(r.Shape().Type).ByteSize())))
}

func (g *gen) loadTurned(t *turning, r Ref, idx []Expr) elem.Value {
	v := elem.Load(g.b, turnedType(r.Shape().Type), g.turnedAddress(t, r, idx), 0)
	v.Type = r.Shape().Type
	return v
}

func (g *gen) storeTurned(t *turning, r Ref, v elem.Value, idx []Expr) {
	v.Type = turnedType(v.Type)
	elem.Store(g.b, v, g.turnedAddress(t, r, idx), 0)
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
		return g.loadTurned(g.turned, r, idx)
	}
	if a := g.facedAt(r, idx); a != nil {
		return g.loadFaced(a, idx)
	}
	return elem.Load(g.b, r.Shape().Type, g.address(g.buffer(r, write), idx), mask)
}

// write stores element idx of an array.
func (g *gen) write(r Ref, v elem.Value, idx []Expr) {
	if g.isTurned(r) {
		g.storeTurned(g.turned, r, v, idx)
		return
	}
	elem.Store(g.b, v, g.address(g.buffer(r, true), idx), 0)
}
