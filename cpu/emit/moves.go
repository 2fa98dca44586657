package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Lanes are at least 32 bits wide: narrow elements are extended when they are read, and cut when they are written. A
// lane loop that only moves elements of 1 or 2 bytes needs none of that: its vectors hold them as memory does, so there
// are two or four times as many lanes. What does not fill such vectors is left to the usual lanes.

// moveCopies is how many vectors of moved elements run side by side.
const moveCopies = 4

// moveLanes is how many elements, as memory has them, fit a vector, if l only moves narrow ones; else 0.
func (g *gen) moveLanes(l *loop.Loop, across int) int {
	bytes := g.moves(l, across)
	if bytes == 0 {
		return 0
	}
	return int(g.c.vl) / 8 / int(bytes)
}

// moves is the size of the elements that l moves, if it does nothing else; with across, a variable or -1, those that
// are neighbours in that loop. 0: there is no form for it.
func (g *gen) moves(l *loop.Loop, across int) (bytes int64) {
	loaded := map[loop.Value]loop.Mem{}
	if len(l.Carries) > 0 {
		return 0
	}
	for _, n := range l.Body {
		if n.Loop != nil {
			return 0
		}
		i := g.nest.Inst(n.Value)
		switch {
		case i.Op == loop.Const:
			continue
		case i.Op != loop.Load && i.Op != loop.Store:
			return 0
		}
		a := &g.nest.Accesses[i.Access]
		if bytes == 0 {
			bytes = a.Mem.Bytes()
		}
		if a.Mem.Bytes() != bytes || bytes > 2 || a.Index != 0 && g.inBody(l, a.Index) {
			return 0
		}
		step := stride(a, l.Var) / bytes
		if i.Op == loop.Load {
			loaded[n.Value] = a.Mem
			if g.maskOf(i) != 0 || !g.canMove(a, step, across) {
				return 0
			}
			continue
		}
		if m, ok := loaded[i.Args[0]]; !ok || m != a.Mem || step != 1 || g.maskOf(i) != 0 {
			return 0
		}
	}
	return bytes
}

// canMove reports whether there is a form for a load whose lanes are step elements apart.
func (g *gen) canMove(a *loop.Access, step int64, across int) bool {
	if across >= 0 {
		return stride(a, across) == a.Mem.Bytes() && step != 0 && step != 1 && a.Index == 0
	}
	return step == -1 || step >= 1 && step <= mostStep
}

// move is the code of a load or store of such a loop.
func (g *gen) move(v loop.Value, i *loop.Inst) {
	a := &g.nest.Accesses[i.Access]
	if i.Op == loop.Load && g.lanes.across != nil {
		g.defineAll(v, g.movedSquare(a))
		return
	}
	for u := range g.copies() {
		g.copy = u
		if i.Op == loop.Store {
			g.storeWhole(a, g.address(a), g.value(i.Args[0]))
			continue
		}
		g.define(v, g.moved(a))
	}
	g.copy = 0
}

// defineAll makes x the registers of v in the copies.
func (g *gen) defineAll(v loop.Value, x []reg) {
	for u := range g.copies() {
		g.copy = u
		g.define(v, x[u])
	}
	g.copy = 0
}

// partBytes is the size of the parts of a vector that most shuffles stay in.
const partBytes = 16

// parts reads a part from each place and joins them to a vector.
func (g *gen) parts(size asm.Size, place func(part int) mem) reg {
	x := g.c.vm(asm.VMOVUPS, asm.VL128, place(0))
	for p := 1; p < int(size)/8/partBytes; p++ {
		i := ins{in: inst(asm.VINSERTI32X4, size, 3)}
		i.in.Imm, i.in.HasImm = int64(p), true
		i.r[1] = x
		g.c.place(&i, place(p), asm.InLoad)
		x = g.c.define(i)
	}
	return x
}

// moved reads elements that are neighbours, one way or the other, or a few steps apart.
func (g *gen) moved(a *loop.Access) reg {
	bytes, at := int(a.Mem.Bytes()), g.address(a)
	switch step := int(g.laneStride(a)); step {
	case 1:
		return g.c.vm(asm.VMOVUPS, g.c.vl, at)
	case -1:
		return g.movedBack(at.add(int64(bytes-int(g.c.vl)/8)), bytes)
	default:
		return g.movedSteps(g.c.vl, at, bytes, step)
	}
}

// movedSteps reads a vector of elements of so many bytes that are a few steps apart. Each part of the result has its
// elements in as many parts of memory as there are steps; the last part of all ends with the last element.
func (g *gen) movedSteps(size asm.Size, at mem, bytes, step int) reg {
	if size == asm.VL512 && (bytes == 2 || g.c.target.VBMI) {
		return g.pickedSteps(at, bytes, step)
	}
	last := int(size)/8/partBytes - 1
	back := func(part, k int) int {
		if part == last && k == step-1 {
			return (step - 1) * bytes
		}
		return 0
	}
	var all reg
	for k := range step {
		x := g.parts(size, func(p int) mem { return at.add(int64(partBytes*(step*p+k) - back(p, k))) })
		pick := make([]byte, int(g.c.vl)/8) // as long as constants are, whatever of it is wanted
		for n := range pick {
			from := n%partBytes/bytes*step*bytes + n%bytes - partBytes*k
			if pick[n] = 0x80; from >= 0 && from < partBytes {
				pick[n] = byte(from + back(n/partBytes, k))
			}
		}
		if x = g.c.v(asm.VPSHUFB, size, x, g.c.vector(pick)); k > 0 {
			x = g.c.v(asm.VPORD, size, all, x)
		}
		all = x
	}
	return all
}

// movedBack reads a vector of elements of so many bytes and turns it around: its parts, and each in itself.
func (g *gen) movedBack(at mem, bytes int) reg {
	pick := make([]byte, int(g.c.vl)/8)
	for n := range pick {
		pick[n] = byte(partBytes - bytes - n%partBytes/bytes*bytes + n%bytes)
	}
	x := g.c.v(asm.VPSHUFB, g.c.vl, g.c.vm(asm.VMOVUPS, g.c.vl, at), g.c.vector(pick))
	if g.c.vl == asm.VL512 {
		return g.c.vi(asm.VSHUFI64X2, g.c.vl, 0x1B, x, x)
	}
	return g.c.vi(asm.VPERMQI, g.c.vl, 0x4E, x)
}

// movedSquare reads squares of as many rows and columns as a part has elements, one in each part of the vectors, and
// turns them: a step interleaves the upper half of the rows with the lower one, which moves a bit of the number of the
// row into that of the column, and one of that into the row's.
func (g *gen) movedSquare(a *loop.Access) []reg {
	step, at := stride(a, g.lanes.loop.Var), g.address(a)
	n := partBytes / int(a.Mem.Bytes())
	read := func(row int) mem { return at.add(int64(row) * step) }
	if g.lanes.copies == 2*n {
		return g.movedPairs(a.Mem, read)
	}
	rows := make([]reg, n)
	for r := range rows {
		rows[r] = g.parts(g.c.vl, func(p int) mem { return read(p*n + r) })
	}
	return g.turnSmall(a.Mem, rows)
}

// movedPairs is movedSquare for squares in pairs that are side by side, so that lines are read in halves and not in
// quarters: two vectors hold those of two parts of the rows each.
func (g *gen) movedPairs(m loop.Mem, read func(row int) mem) []reg {
	n := partBytes / int(m.Bytes())
	var halves [2][]reg
	for h := range halves {
		rows := make([]reg, n)
		for r := range rows {
			row := 2*h*n + r
			i := ins{in: inst(asm.VINSERTI64X4, g.c.vl, 3)}
			i.in.Imm, i.in.HasImm = 1, true
			i.r[1] = g.c.vm(asm.VMOVUPS, asm.VL256, read(row))
			g.c.place(&i, read(row+n), asm.InLoad)
			rows[r] = g.c.define(i)
		}
		halves[h] = g.turnSmall(m, rows)
	}
	const even, odd = 0x88, 0xDD
	out := make([]reg, 2*n)
	for c := range n {
		x, y := halves[0][c], halves[1][c]
		out[c], out[n+c] = g.c.vi(asm.VSHUFI64X2, g.c.vl, even, x, y), g.c.vi(asm.VSHUFI64X2, g.c.vl, odd, x, y)
	}
	return out
}

// turnSmall turns a square of narrow elements in each part of the vectors.
func (g *gen) turnSmall(m loop.Mem, rows []reg) []reg {
	low, high := asm.VPUNPCKLBW, asm.VPUNPCKHBW
	if m.Bytes() == 2 {
		low, high = asm.VPUNPCKLWD, asm.VPUNPCKHWD
	}
	for n := 1; n < len(rows); n *= 2 {
		rows = g.zip(rows, len(rows)/2, low, high, g.c.vl)
	}
	return rows
}

// moveSquares makes the loop l around the lane loop by turned squares, if these only move narrow elements and nothing
// is left over, and reports whether it did.
func (g *gen) moveSquares(l, lanes *loop.Loop) bool {
	w := g.moveLanes(lanes, l.Var)
	if w == 0 || lanes.Extent%int64(w) != 0 {
		return false
	}
	rows := partBytes * w / (int(g.c.vl) / 8)
	if l.Extent%int64(rows) != 0 {
		return false
	}
	if g.c.target.AVX512 && 2*rows <= maxCopies && l.Extent%int64(2*rows) == 0 {
		rows *= 2
	}
	o := newOpenLoop(l, g.c.imm(0))
	g.push(o)
	start := g.c.newLoop()
	g.startPointers(o)
	in := newOpenLoop(lanes, g.c.imm(0))
	g.push(in)
	g.startScaled(in)
	b := &laneBuilder{g: g, o: in, left: lanes.Extent, accs: make([][]reg, rows),
		s: &laneState{loop: lanes, lanes: w, across: l, moves: true}}
	b.vectors(rows)
	g.pop()
	g.c.gopi(asm.ADD, o.counter, int64(rows))
	g.c.gcmpi(asm.CMP, o.counter, l.Extent)
	g.c.jcc(asm.L, start)
	g.c.endLoop()
	g.pop()
	return true
}
