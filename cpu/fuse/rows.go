package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// The last dimensions of an array of points, small matrices or colours hold a few elements. Where these come from
// different places, lanes are the rows, and the elements of a row are written out one after the other: each is then
// known to be of one operand of a concatenation, what is the same for a row is computed once, and machine code joins
// the vectors of elements to rows in registers.

const (
	// longestRow is how many elements a row has at most: those of a matrix of three rows.
	longestRow = 9
	// longestProduct is how many products are added for an element of a row at most, and how many elements there are
	// then in a row.
	longestProduct = 8
	// longestJoined is how many elements a row has at most that has longPart or more of one array side by side.
	longestJoined, longPart = 8, 3
	// fewestRows is how many rows there are at least in the dimension in front of them.
	fewestRows = 32
	// mostVisited is how many values a row may be made from, each element counted.
	mostVisited = 256
)

// RowsFrom returns the dimension from which on the elements of s are rows that may be written out, or -1.
func RowsFrom(s shape.Shape) int {
	if !s.IsArray() || s.Type.ByteSize() < 4 {
		return -1
	}
	return shortRowsFrom(s, longestRow)
}

// shortRowsFrom is RowsFrom for rows of most elements.
func shortRowsFrom(s shape.Shape, most int) int {
	from, n := s.Rank(), 1
	if s.Type.IsComplex() {
		n = 2
	}
	for from > 0 && n*s.Dims[from-1] <= most {
		from--
		n *= s.Dims[from]
	}
	if from == 0 || s.Dims[from-1] < fewestRows || product(s.Dims[from:]) < 2 {
		return -1
	}
	return from
}

// longestBytes is how many bytes a row has at most: machine code joins them in words.
const longestBytes = 4

// writtenFrom is RowsFrom for a root of s, which may be of bytes that something is computed for.
func writtenFrom(s Spec, r shape.Shape) int {
	if s.Code && r.IsArray() && (r.Type == shape.U8 || r.Type == shape.S8) && !onlyMoves(s) {
		return shortRowsFrom(r, longestBytes)
	}
	return RowsFrom(r)
}

// rowsFrom is the dimension from which on the elements of the roots of s are written out, or -1.
func rowsFrom(s Spec) int {
	from := -1
	for k, r := range s.Roots {
		f := writtenFrom(s, r.Shape())
		if !s.isPlain(r) || f < 0 || k > 0 && f != from {
			return -1
		}
		from = f
	}
	if from < 0 || slices.Contains(s.Inner, true) {
		return -1
	}
	g := &gen{inMemory: func(i *hlo.Instruction) bool {
		return s.InMemory(i) && !isRoot(s, i)
	}, kind: loop.I32}
	idx := make([]Expr, len(s.Dims))
	for d := range idx[:from] {
		idx[d] = g.later(s.Dims[d])
	}
	w := rowsWalk{g: g, lane: -len(g.pending), row: product(s.Dims[from:]), first: map[*hlo.Instruction]int64{}}
	fits := true
	elementsOf(s.Dims[from:], idx[from:], func() {
		for _, r := range s.Roots {
			fits = fits && w.fits(r.Inst, idx)
		}
	})
	if !fits || !w.gathers {
		return -1
	}
	return from
}

// JoinsRows reports whether rows of so many elements, of which concatenation c is made a part, may be written out.
func JoinsRows(c *hlo.Instruction, row int) bool {
	dim := c.Attrs().(*op.ConcatenateAttrs).Dimensions[0]
	return row <= longestJoined || !slices.ContainsFunc(c.Operands(), func(o *hlo.Instruction) bool {
		return o.Dims()[dim] >= longPart
	})
}

// WritesRows reports whether the elements of rows of the roots of s are written out, one after the other.
func WritesRows(s Spec) bool { return rowsFrom(s) >= 0 }

// elementsOf sets idx to each index into dims and calls f.
func elementsOf(dims []int, idx []Expr, f func()) {
	if len(dims) == 0 {
		f()
		return
	}
	for n := range dims[0] {
		idx[0] = constant(int64(n))
		elementsOf(dims[1:], idx[1:], f)
	}
}

// rowsWalk looks at how the elements of rows are read, one after the other.
type rowsWalk struct {
	g    *gen
	lane int // the variable that numbers rows
	row  int // elements of a row
	// first is where the first element of an array that is read is.
	first   map[*hlo.Instruction]int64
	visited int
	gathers bool // elements of a row come from different places
}

// fits reports whether what is computed for i at idx is read side by side by neighbouring rows, or in short steps.
func (w *rowsWalk) fits(i *hlo.Instruction, idx []Expr) bool {
	if w.visited++; w.visited > mostVisited {
		return false
	}
	if w.g.inMemory(i) {
		return i.IsArray() && w.reads(i, w.g.linear(i.Shape(), idx))
	}
	switch c := i.Code(); {
	case c == op.Constant, c == op.Iota:
		return true
	case c == op.Concatenate:
		return w.picked(i, idx)
	case c == op.Dot:
		return w.turns(i, idx)
	case c == op.Pad:
		return w.padded(i, idx)
	case indexMaps[c] != nil:
		return w.fits(i.Operand(0), indexMaps[c](w.g, i, idx))
	case !isElementwise(i) || !i.IsArray():
		return false
	}
	return !slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool {
		if o.Rank() == 0 {
			return !w.fits(o, nil)
		}
		return !w.fits(o, idx)
	})
}

// turns looks at dot i, whose operands have rows as short as that.
func (w *rowsWalk) turns(i *hlo.Instruction, idx []Expr) bool {
	extents := contracted(i)
	if product(extents) > longestProduct || w.row > longestProduct {
		return false
	}
	w.gathers = true
	fits, pos := true, make([]Expr, len(extents))
	elementsOf(extents, pos, func() {
		x, y := factorsAt(i, idx, pos)
		fits = fits && w.fits(i.Operand(0), x) && w.fits(i.Operand(1), y)
	})
	return fits
}

// padded looks at what pad i has at idx, if it pads nothing but rows.
func (w *rowsWalk) padded(i *hlo.Instruction, idx []Expr) bool {
	at := slices.Clone(idx)
	for d, p := range i.Attrs().(*op.PadAttrs).Padding {
		switch {
		case p == (op.PadDim{}):
			continue
		case p.Interior != 0 || len(idx[d].Terms) > 0:
			return false
		}
		if at[d] = idx[d].plus(int64(-p.Low)); !w.g.inside(at[d], i.Operand(0).Dims()[d]) {
			return w.fits(i.Operand(1), nil)
		}
	}
	return w.fits(i.Operand(0), at)
}

// picked looks at the operand of concatenation i that has idx, if it is one in all lanes.
func (w *rowsWalk) picked(i *hlo.Instruction, idx []Expr) bool {
	dim := i.Attrs().(*op.ConcatenateAttrs).Dimensions[0]
	at := slices.Clone(idx)
	for _, o := range i.Operands() {
		if n := o.Dims()[dim]; w.g.inside(at[dim], n) {
			w.gathers = true
			return (n < longPart || w.row <= longestJoined) && w.fits(o, at)
		}
		at[dim] = at[dim].plus(int64(-o.Dims()[dim]))
	}
	return false
}

// reads looks at a read of element at of i.
func (w *rowsWalk) reads(i *hlo.Instruction, at Expr) bool {
	step := int64(0)
	for _, t := range at.Terms {
		if t.Var == w.lane {
			step = t.Stride
		}
	}
	if w.g.uses(Expr{Terms: at.Terms[at.loops():]}, func(v int) bool { return v == w.lane }) {
		return false
	}
	first, seen := w.first[i]
	if !seen {
		w.first[i] = at.Const
	} else if step == 1 && max(at.Const-first, first-at.Const) > nearRows {
		w.gathers = true
	}
	return step >= -1 && step <= longestRow
}

// runRows makes the loops of s, with all elements from dimension from on written out.
func (g *gen) runRows(s Spec, from int) {
	around := s
	around.Dims, around.Inner = s.Dims[:from], s.Inner[:from]
	g.flat = -1
	g.cuts = make([]cut, from)
	idx := make([]Expr, len(s.Dims))
	writes := g.writes
	defer func() { g.writes = writes }()
	g.writes = longestRow
	g.loops(around, from-1, false, idx[:from], 0, func() {
		elementsOf(s.Dims[from:], idx[from:], func() {
			for _, r := range s.Roots {
				g.compute(r, idx)
			}
		})
		for _, r := range s.Roots {
			elementsOf(s.Dims[from:], idx[from:], func() { g.store(r, idx) })
		}
	})
}
