package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// A transpose reads lanes that are far apart in memory, and their neighbours in the next iterations of a loop around
// the lane loop:
//
//	parallel for i { parallel lanes j { .. x[i + j*4096] .. } }
//
// Here as many iterations of i as there are lanes run side by side, as the copies of the body: a square of x is read
// row by row and turned in registers.

// across finds out whether l is such a loop, and returns it with all that it holds in its lane loop.
func (g *gen) across(l *loop.Loop) (outer, lanes *loop.Loop) {
	if g.isRanged(l) || g.lanes != nil || !l.Parallel || l.Cond != 0 || len(l.Carries) > 0 || len(l.Body) == 0 ||
		len(l.Body) > maxAcross {
		return nil, nil
	}
	last := len(l.Body) - 1
	in := l.Body[last].Loop
	if in == nil || !in.Lanes || len(in.Carries) > 0 || len(in.Body) > maxAcross || g.loopsUnder[in] != 0 {
		return nil, nil
	}
	lanes = &loop.Loop{Var: in.Var, Extent: in.Extent, Lanes: true, Parallel: true,
		Body: slices.Concat(l.Body[:last], in.Body)}
	outer = &loop.Loop{Var: l.Var, Extent: l.Extent, Parallel: true, Body: loop.Block{{Loop: lanes}}}
	w := g.lanesOf(lanes)
	if l.Extent < int64(w/2) || in.Extent < int64(w/2) {
		return nil, nil
	}
	found := false
	for _, n := range lanes.Body {
		if n.Loop != nil {
			return nil, nil
		}
		i := g.nest.Inst(n.Value)
		if i.Op == loop.Load || i.Op == loop.Store {
			a := &g.nest.Accesses[i.Access]
			turns := g.turns(i, l.Var, in.Var)
			if a.Index != 0 || turns && a.Mem.Bytes() < 4 && !g.t.masksNarrow() && l.Extent%int64(w) != 0 {
				return nil, nil
			}
			found = found || turns
		}
	}
	if !found {
		return nil, nil
	}
	return outer, lanes
}

// maxAcross is how many instructions are worth so many copies.
const maxAcross = 24

// turns reports whether i reads lanes far apart that are neighbours in loop v.
func (g *gen) turns(i *loop.Inst, v, lane int) bool {
	if i.Op != loop.Load || i.Args[0] != 0 {
		return false
	}
	a := &g.nest.Accesses[i.Access]
	bytes := a.Mem.Bytes()
	return a.Mem != loop.MemPred && stride(a, v) == bytes && stride(a, lane) != 0 && stride(a, lane) != bytes
}

// acrossLoop makes l with copies, squares by squares, and then with fewer what is left of it.
func (g *gen) acrossLoop(l, lanes *loop.Loop) {
	if g.moveSquares(l, lanes) {
		return
	}
	w := g.lanesOf(lanes)
	o := newOpenLoop(l, g.c.imm(0))
	g.push(o)
	if whole := l.Extent / int64(w) * int64(w); whole > 0 {
		start := g.c.newLoop()
		g.startPointers(o)
		g.strip(l, lanes, w, w)
		g.c.gopi(asm.ADD, o.counter, int64(w))
		g.c.gcmpi(asm.CMP, o.counter, whole)
		g.c.jcc(asm.L, start)
		g.c.endLoop()
	}
	if rest := int(l.Extent) % w; rest > 0 {
		g.startPointers(o)
		g.strip(l, lanes, w, rest)
	}
	g.pop()
}

// strip makes the lane loop for some iterations of outer at once.
func (g *gen) strip(outer, l *loop.Loop, w, copies int) {
	o := newOpenLoop(l, g.c.imm(0))
	g.push(o)
	g.startScaled(o)
	b := &laneBuilder{g: g, o: o, s: &laneState{loop: l, lanes: w, across: outer}, accs: make([][]reg, copies),
		left: l.Extent}
	b.vectors(copies)
	b.rest(copies)
	g.pop()
}

// turned computes the load i, which turns, of all copies.
func (g *gen) turned(v loop.Value, i *loop.Inst) {
	a := &g.nest.Accesses[i.Access]
	k := a.Mem.Kind()
	at := g.address(a)
	step := stride(a, g.lanes.loop.Var)
	rows, on := g.lanes.lanes, reg(0)
	if t := g.lanes.tail; t != nil {
		rows = t.n
	}
	if g.lanes.copies < g.lanes.lanes {
		on = g.t.tailOf(g.lanes.lanes, g.lanes.copies, 0).mask
	}
	square, asks := make([]reg, g.lanes.lanes), g.asksRows(a)
	for r := range square {
		if r < rows {
			g.askRow(at.add(int64(r)*step), asks)
			square[r] = g.t.loadUnit(a.Mem, at.add(int64(r)*step), on)
		} else {
			square[r] = g.zeroOf(k)
		}
	}
	for u, x := range g.turn(square, k)[:g.lanes.copies] {
		g.copy = u
		g.define(v, x)
	}
	g.copy = 0
}

// turn transposes a square of elements of kind k, whose rows are vectors: first within parts of 128 bits, then the
// parts.
func (g *gen) turn(rows []reg, k loop.Kind) []reg {
	size, per := g.size(k), 128/k.Bits()
	if per == 4 {
		rows = g.zip(rows, 1, asm.VUNPCKLPS, asm.VUNPCKHPS, size)
	}
	rows = g.zip(rows, per/2, asm.VUNPCKLPD, asm.VUNPCKHPD, size)
	parts := len(rows) / per
	out := make([]reg, len(rows))
	for c := range per {
		column := make([]reg, parts)
		for p := range column {
			column[p] = rows[p*per+c]
		}
		for p, x := range g.turnParts(column) {
			out[p*per+c] = x
		}
	}
	return out
}

// zip interleaves rows that are step apart by the instructions for the lower and the upper halves, and puts the results
// in the order of columns.
func (g *gen) zip(rows []reg, step int, low, high asm.Op, size asm.Size) []reg {
	out := make([]reg, len(rows))
	for base := 0; base < len(rows); base += 2 * step {
		for r := range step {
			x, y := rows[base+r], rows[base+step+r]
			out[base+2*r], out[base+2*r+1] = g.c.v(low, size, x, y), g.c.v(high, size, x, y)
		}
	}
	return out
}

// turnParts transposes a square of parts of 128 bits.
func (g *gen) turnParts(x []reg) []reg {
	both := func(imm uint8, a, b reg) reg { return g.c.vi(asm.VSHUFF32X4, asm.VL512, imm, a, b) }
	const even, odd = 0x88, 0xDD
	switch len(x) {
	case 1:
		return x
	case 2:
		if g.c.target.AVX512 {
			return []reg{g.c.vi(asm.VSHUFF32X4, asm.VL256, 0, x[0], x[1]), g.c.vi(asm.VSHUFF32X4, asm.VL256, 3, x[0], x[1])}
		}
		return []reg{g.c.vi(asm.VPERM2F128, asm.VL256, 0x20, x[0], x[1]), g.c.vi(asm.VPERM2F128, asm.VL256, 0x31, x[0], x[1])}
	}
	e, f := both(even, x[0], x[1]), both(even, x[2], x[3])
	o, p := both(odd, x[0], x[1]), both(odd, x[2], x[3])
	return []reg{both(even, e, f), both(even, o, p), both(odd, e, f), both(odd, o, p)}
}
