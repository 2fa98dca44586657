package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

const (
	// NarrowDim is the most elements of a last dimension that is made one with those in front of it.
	NarrowDim = 12
	// flatLanes is how many lanes that makes, where there are so many.
	flatLanes = 512
	// mostLanes is the most lanes of a vector.
	mostLanes = 16
	// mostFlat is how many lanes are one loop where there are more: so few that a table has the elements that they want.
	mostFlat = 2048
	// nearRows is how many elements apart rows may begin.
	nearRows = 16
	// leastParts is how many such loops there are at least where rows are laid out in front of them.
	leastParts = 8
	// mostWalked is how many values are looked at to see whether it is worth it.
	mostWalked = 64
)

// flatFrom is the dimension from which on all are one loop of lanes, or -1. That is so where the last one is too short
// to fill vectors, and what is stored and read lies side by side in memory in the order of the result; a few elements
// that are repeated, or rows, are gathered.
func flatFrom(s Spec, lanes int) int {
	last := len(s.Dims) - 1
	for last > 0 && s.Dims[last] == 1 {
		last--
	}
	if last < 1 || lanes != last || s.Dims[last] > NarrowDim && !mayRepeat(s, last) || slices.Contains(s.Inner, true) {
		return -1
	}
	from, n := last, s.Dims[last]
	for from > 0 && n < flatLanes {
		from--
		n *= s.Dims[from]
	}
	if n < flatLanes/8 {
		return -1
	}
	for _, r := range s.Roots {
		if !s.isPlain(r) {
			return -1
		}
	}
	breaks, pads := flattens(s, from, last)
	for breaks < 0 && pads && from+1 < last && n/s.Dims[from] >= flatLanes/8 { // rows that are padded are not one
		n /= s.Dims[from]
		from++
		breaks, pads = flattens(s, from, last)
	}
	if breaks <= 0 { // without, the loops collapse anyway
		return -1
	}
	if n /= s.Dims[from]; from+1 < last && n >= flatLanes/8 && breaksOf(s, from+1, last) == 0 {
		return -1 // they do but for the first
	}
	switch narrow := func(r Root) bool { return r.Shape().Type.ByteSize() < mostMoved }; {
	case onlyMoves(s):
		return periodicFrom(s, from, last, breaks, leastPeriodic)
	case s.Wide && slices.ContainsFunc(s.Roots, narrow):
		return periodicFrom(s, from, last, breaks, leastComputed)
	}
	return from
}

// mayRepeat reports whether rows of dimension last are a part of a line only, and so many that those that are repeated
// are laid out in front of them (loop.LayOut). No others are gathered then.
func mayRepeat(s Spec, last int) bool {
	return s.Code && product(s.Dims) >= mostFlat*leastParts && !slices.ContainsFunc(s.Roots, func(r Root) bool {
		return s.Dims[last]*r.Shape().Type.ByteSize() >= memoryLine
	})
}

// flattens returns in how many ways, in one loop of lanes from dimension from on, what s reads does not lie side by
// side; -1 if that does not fit such a loop. pads: there is a pad.
func flattens(s Spec, from, last int) (breaks int, pads bool) {
	inMemory := func(i *hlo.Instruction) bool { return s.InMemory(i) && !isRoot(s, i) }
	f := flattening{g: &gen{inMemory: inMemory, kind: loop.I32}, moves: onlyMoves(s),
		repeats: s.Dims[last] > NarrowDim, breaks: map[int]bool{}}
	idx := make([]Expr, len(s.Dims))
	for d := range s.Dims[:from] {
		idx[d] = f.g.later(s.Dims[d])
	}
	f.lane, f.width = -1-len(f.g.pending), int64(s.Dims[last])
	f.g.unflatten(s.Dims[from:], f.g.later(product(s.Dims[from:])), idx[from:])
	for _, r := range s.Roots {
		if !f.fits(r.Inst, idx) {
			return -1, f.pads
		}
	}
	return len(f.breaks), f.pads
}

// breaksOf is the first result of flattens.
func breaksOf(s Spec, from, last int) int {
	breaks, _ := flattens(s, from, last)
	return breaks
}

// cutFlat makes one loop of lanes of all dimensions from d on, or several, in a loop around them, where a pad cuts the
// first of them.
func (g *gen) cutFlat(d int, s Spec, idx []Expr, body func()) {
	dims := s.Dims[d:]
	part := func(from, to int64) {
		if from >= to {
			return
		}
		g.flatLoops(append([]int{int(to - from)}, dims[1:]...), idx, func() {
			idx[0] = idx[0].plus(from)
			body()
		})
	}
	n := int64(dims[0])
	c := cutPhase{hi: n}
	cuts := g.cuts[d].phases
	if len(cuts) == 1 && cuts[0].outside && !g.rough && product(s.Dims[:d]) > 1 {
		c = cuts[0]
	}
	part(0, c.lo)
	part(c.lo, c.hi)
	part(c.hi, n)
}

// flatLoops makes one loop of lanes of all dimensions, for body, which idx is set for; in a loop over parts of them
// where they are many, of which the last one may have fewer rows.
func (g *gen) flatLoops(dims []int, idx []Expr, body func()) {
	rows := dims[0]
	if !g.line {
		rows = flatRows(rows, product(dims[1:]))
	}
	part := func(rows int, from Expr) {
		g.each(loop.Spec{Extent: int64(rows * product(dims[1:])), Lanes: true, Parallel: true}, func(v int) {
			g.unflatten(append([]int{rows}, dims[1:]...), variable(v), idx)
			idx[0] = g.add(from, idx[0])
			body()
		})
	}
	parts, rest := dims[0]/rows, dims[0]%rows
	if parts == 1 && rest == 0 {
		part(rows, constant(0))
		return
	}
	whole := int64(parts)
	g.each(loop.Spec{Extent: int64((dims[0] + rows - 1) / rows), Parallel: true}, func(p int) {
		g.between(p, 0, whole, func() { part(rows, g.times(variable(p), int64(rows))) })
		if rest > 0 {
			g.between(p, whole, whole+1, func() { part(rest, constant(whole*int64(rows))) })
		}
	})
}

// flatRows is how many of n rows of so many elements a loop of lanes has: all, or, of many, as many as divide them, or
// else as many as fill vectors.
func flatRows(n, elements int) int {
	if n*elements <= mostFlat {
		return n
	}
	rows, full := n, mostFlat/elements
	for f := 1; f*elements <= mostFlat; f++ {
		whole := f*elements%mostLanes == 0
		if n%f == 0 && f*elements >= flatLanes/2 && (whole || rows == n || rows*elements%mostLanes != 0) {
			rows = f
		}
		if whole {
			full = f
		}
	}
	if rows == n {
		return full
	}
	return rows
}

// unflatten sets idx to the index of element e of an array of dimensions dims.
func (g *gen) unflatten(dims []int, e Expr, idx []Expr) {
	for d := len(dims) - 1; d > 0; d-- {
		e, idx[d] = g.split(e, int64(dims[d]))
	}
	idx[0] = e
}

// flattening looks at how values are read where all dimensions are one.
type flattening struct {
	g      *gen
	lane   int   // the variable of the loop
	width  int64 // of rows
	walked int
	seen   visits
	moves  bool         // elements are only moved
	breaks map[int]bool // the atoms by which something is not read side by side
	pads   bool         // there is a pad
	// repeats: what is not read side by side is one row, again and again.
	repeats bool
	line    *line // if not nil, all is to be read side by side but for seams
}

// fits reports whether what is computed for i at idx is read side by side, or repeats.
func (f *flattening) fits(i *hlo.Instruction, idx []Expr) bool {
	if !f.seen.first(visit{inst: i, at: f.g.places.of(idx)}) {
		return true
	}
	if f.walked++; f.walked > mostWalked {
		return false
	}
	if f.g.inMemory(i) {
		return f.reads(f.g.linear(i.Shape(), idx))
	}
	switch c := i.Code(); {
	case c == op.Constant:
		return true
	case c == op.Iota:
		f.counts(idx[i.Attrs().(*op.IotaAttrs).Dimension])
		return true
	case indexMaps[c] != nil:
		return f.fits(i.Operand(0), indexMaps[c](f.g, i, idx))
	case c == op.Pad:
		return f.fitsPad(i, idx)
	case c == op.Concatenate:
		return f.fitsParts(i, idx)
	case !isElementwise(i) || !i.IsArray():
		return false
	}
	return !slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool {
		if o.Rank() == 0 {
			return !f.fits(o, nil)
		}
		return !f.fits(o, idx)
	})
}

// counts takes note of what in e, which is a value itself, is not the number of a lane.
func (f *flattening) counts(e Expr) {
	for _, t := range e.Terms[e.loops():] {
		if f.ofLane(t) {
			f.breaks[t.Var] = true
		}
	}
}

// fitsPad is fits of a pad: of rows that are moved, within each, else of rows in front and behind, which are a
// condition on the number of a lane.
func (f *flattening) fitsPad(i *hlo.Instruction, idx []Expr) bool {
	f.pads = true
	if f.repeats || f.line != nil {
		return false
	}
	at := slices.Clone(idx)
	for d, p := range i.Attrs().(*op.PadAttrs).Padding {
		at[d] = idx[d].plus(int64(-p.Low))
		if p == (op.PadDim{}) || d == len(idx)-1 && f.moves {
			continue
		}
		if p.Interior != 0 || !f.countsRows(at[d]) {
			return false
		}
	}
	f.breaks[-1] = true
	return f.fits(i.Operand(0), at) && f.fits(i.Operand(1), nil)
}

// countsRows reports whether a bound of e is one of the number of a lane.
func (f *flattening) countsRows(e Expr) bool {
	whole, _ := f.g.undivided(e, 1)
	return !slices.ContainsFunc(whole.Terms[whole.loops():], f.ofLane)
}

// ofLane reports whether t differs between lanes.
func (f *flattening) ofLane(t loop.Term) bool {
	return f.g.uses(Expr{Terms: []loop.Term{t}}, func(v int) bool { return v == f.lane })
}

// fitsParts is fits for what has elements of an operand in some places only: of parts of rows that are moved, or of
// rows that something is computed for, which are a condition on the number of a lane.
func (f *flattening) fitsParts(i *hlo.Instruction, idx []Expr) bool {
	at := slices.Clone(idx)
	dim, start := i.Attrs().(*op.ConcatenateAttrs).Dimensions[0], 0
	switch {
	case f.line != nil:
		if !f.line.joins(i, idx, f.lane) {
			return false
		}
	case f.repeats || f.moves != (dim == len(idx)-1):
		return false
	case !f.moves:
		f.pads = true
		if !f.countsRows(idx[dim]) {
			return false
		}
	}
	f.breaks[-1] = true
	for _, o := range i.Operands() {
		at[dim] = idx[dim].plus(int64(-start))
		start += o.Dims()[dim]
		if !f.fits(o, at) {
			return false
		}
	}
	return true
}

// reads reports whether rows of lanes read what is near in memory, from element at on: within a row, elements may be
// far apart, as where it is transposed.
func (f *flattening) reads(at Expr) bool {
	if f.line != nil {
		return isLane(at, f.lane)
	}
	row := int64(0) // the step from one row to the next
	for _, t := range at.Terms {
		switch {
		case t.Var == f.lane:
			row += t.Stride * f.width
		case t.Var >= firstAtom && f.g.numbersRows(t.Var, f.lane, f.width):
			row += t.Stride
		}
	}
	for _, t := range at.Terms[at.loops():] {
		if f.ofLane(t) {
			f.breaks[t.Var] = true
			if f.repeats && (row != 0 || !f.g.numbersRows(t.Var, f.lane, f.width)) {
				return false
			}
		}
	}
	return f.repeats && row == f.width || -nearRows <= row && row <= nearRows
}

// numbersRows reports whether atom v is the quotient of variable lane by width.
func (g *gen) numbersRows(v, lane int, width int64) bool {
	a := g.atoms[v-firstAtom]
	return a.exact && a.by == width && slices.Equal(a.of.Terms, variable(lane).Terms)
}
