package emit

import (
	"math/bits"
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// A store that goes past the caches saves reading the line that it is about to overwrite, and pushes out nothing that
// is wanted. It needs whole, aligned vectors. Long rows that begin anywhere are done under a mask up to the first line.

// StreamAlignment is what the address of a buffer with Stream is a multiple of. So is [loop.RangeUnit].
const StreamAlignment = 64

// leastStream is the smallest store, in bytes, that may go past the caches.
const leastStream = 16

// storeUnit writes x to neighbouring elements from at on, all of its lanes if on is 0.
func (g *gen) storeUnit(a *loop.Access, at mem, x, on reg) {
	if on != 0 || g.streamPiece(a) == 0 {
		g.askAlong(a, at)
		g.t.storeUnit(a.Mem, at, x, on)
		return
	}
	g.storeWhole(a, at, g.t.pack(a.Mem, x))
}

// storeWhole writes all lanes of x, which holds them as memory does.
func (g *gen) storeWhole(a *loop.Access, at mem, x reg) {
	n := g.lanes.elements() * a.Mem.Bytes()
	piece := g.streamPiece(a)
	if piece == 0 {
		g.c.store(asm.VMOVUPS, asm.Size(8*n), at, -1, x)
		return
	}
	g.c.streams = true
	g.askWritten(a, at)
	for k := range n / piece {
		part := g.pieceOf(x, int(k), asm.Size(8*n), asm.Size(8*piece))
		g.c.store(asm.VMOVNTPS, asm.Size(8*piece), at.add(k*piece), -1, part)
	}
}

// streamPiece is how many bytes at a time whole vectors are written past the caches, or 0: they are not.
func (g *gen) streamPiece(a *loop.Access) int64 {
	piece := min(g.lanes.elements()*a.Mem.Bytes(), g.alignment(a))
	if !g.nest.Buffers[a.Buffer].Stream || piece < leastStream || g.along[a] != 0 {
		return 0
	}
	if a != g.lanes.toLines && g.endsInLines() || g.worksLong(g.lanes.loop, g.lanes.lanes) ||
		g.lanes.across != nil && piece < StreamAlignment && g.lanes.copies > g.mostOpenLines() || g.leavesLines(piece) {
		return 0
	}
	return piece
}

// leavesLines reports whether writing so many bytes at a time leaves lines half written, to come back to them when a
// loop inside of the lane loop is through: each half is written to memory for itself then.
func (g *gen) leavesLines(piece int64) bool {
	if g.lanes.across != nil || piece*int64(max(1, g.lanes.copies)) >= StreamAlignment {
		return false
	}
	inside := g.loops[len(g.loops)-1].loop != g.lanes.loop
	return inside || g.streamed(g.lanes.loop) > mostHalfLines
}

// mostHalfLines is how many lines may be written by turns in a loop that leaves them half written.
const mostHalfLines = 2

// streamed returns how many stores of l, without the loops inside of it, are to memory that may be written past the
// caches.
func (g *gen) streamed(l *loop.Loop) int {
	n := 0
	for _, node := range l.Body {
		if i := g.nest.Inst(node.Value); node.Loop == nil && i.Op == loop.Store &&
			g.nest.Buffers[g.nest.Accesses[i.Access].Buffer].Stream {
			n++
		}
	}
	return n
}

// mostBetween is how many instructions there may be for each line that goes past the caches, where a line is more than
// one vector.
const mostBetween = 64

// worksLong reports whether l, a lane loop of w lanes, computes so much for each line it writes that memory is not
// what it waits for: the caches take its stores at once, whereas a line that stays half written for long goes to memory
// in parts.
func (g *gen) worksLong(l *loop.Loop, w int) bool {
	if g.c.target.AVX512 {
		return false
	}
	instructions, written := 0, int64(0)
	for _, n := range l.Body {
		if n.Loop != nil {
			return false
		}
		i := g.nest.Inst(n.Value)
		if i.Op != loop.Const {
			instructions++
		}
		if i.Op == loop.Store {
			written += g.nest.Accesses[i.Access].Mem.Bytes() * int64(w)
		}
	}
	return int64(instructions)*StreamAlignment > mostBetween*written
}

// streams reports whether l, a lane loop of w lanes without loops, waits for memory that it writes.
func (g *gen) streams(l *loop.Loop, w int) bool {
	return !g.worksLong(l, w) && slices.ContainsFunc(l.Body, func(n loop.Node) bool {
		i := g.nest.Inst(n.Value)
		return i.Op == loop.Store && g.nest.Buffers[g.nest.Accesses[i.Access].Buffer].Stream
	})
}

// mostPaired is how many values of a vector there may be at once, beside those that are read, for two vectors to run
// side by side where registers are few: what is read is a memory operand then.
const mostPaired = 6

// writesHalfLines reports whether l, a lane loop of w lanes without loops that writes to several lines by turns, writes
// half of each, and two vectors side by side would write whole ones past the caches.
func (g *gen) writesHalfLines(l *loop.Loop, w int) bool {
	if g.c.target.AVX512 || l.Extent%int64(2*w) != 0 || !g.streams(l, w) ||
		g.streamed(l) <= mostHalfLines || g.liveIn(l.Body, true) > mostPaired {
		return false
	}
	return !slices.ContainsFunc(l.Body, func(n loop.Node) bool {
		i := g.nest.Inst(n.Value)
		return i.Op == loop.Store && 2*int64(w)*g.nest.Accesses[i.Access].Mem.Bytes() != StreamAlignment
	})
}

// mostOpenLines is how many lines may be written by turns, part by part: as many as a core collects at a time, or half
// of them where the arrays fit the caches, which others use too: loads from there come in time to push out lines that
// are half written. From memory they come so late that reading the lines first would take longer.
func (g *gen) mostOpenLines() int {
	bytes := int64(0)
	for _, b := range g.nest.Buffers {
		bytes += b.Bytes
	}
	if bytes <= g.c.target.Cache/4 {
		return coreLines / 2
	}
	return coreLines
}

// coreLines is how many lines a core collects at a time.
const coreLines = 8

// endsInLines reports whether rows end with a part of a vector, which is written to the cache: where the next row goes
// on in that line, it would be written to memory twice.
func (g *gen) endsInLines() bool {
	l := g.lanes.loop
	return !g.isRanged(l) && l.Extent%g.lanes.iterations() != 0
}

// pieceOf is piece number n of a vector, in the low part of a register.
func (g *gen) pieceOf(x reg, n int, size, piece asm.Size) reg {
	switch {
	case n == 0:
		return x
	case piece == asm.VL256:
		return g.c.upperHalf(x, 256)
	}
	return g.part(x, n, size)
}

// alignment is a power of two, at most StreamAlignment, that divides the address of every vector of a, if it divides
// that of the buffer.
func (g *gen) alignment(a *loop.Access) int64 {
	if a == g.lanes.toLines {
		return StreamAlignment
	}
	all := StreamAlignment | a.Offset*a.Mem.Bytes()
	if a.Index != 0 {
		all |= g.factor(a.Index) * a.Mem.Bytes()
	}
	for _, t := range a.Terms {
		step := t.Stride * a.Mem.Bytes()
		if t.Var == g.lanes.loop.Var {
			if c := g.lanes.clear; c != nil {
				all |= step * c.lo
			}
			step *= g.lanes.elements()
		}
		all |= step
	}
	return all & -all
}

// factor is a number of which v, a whole number, is known to be a multiple.
func (g *gen) factor(v loop.Value) int64 {
	i := g.nest.Inst(v)
	if i.Op != loop.Mul {
		return 1
	}
	n := int64(1)
	for _, a := range i.Operands() {
		if c := g.nest.Inst(a); c.Op == loop.Const && c.Kind == loop.I32 {
			n *= int64(int32(c.Imm))
		} else {
			n *= g.factor(a)
		}
	}
	return n
}

// leastToLines is how many vectors a row must have for the part in front of a line to be worth code of its own. Vectors
// that are half of a line begin in the middle of one, too: that line, and the last, are written to memory twice.
func (g *gen) leastToLines() int64 {
	if int64(g.c.vl)/8 < StreamAlignment {
		return 512
	}
	return 16
}

// linesOf finds the store of the lane loop l that goes past the caches if vectors begin with a line, which
// rows do not. It returns nil if there is none, or more than one.
func (g *gen) linesOf(l *loop.Loop, o *openLoop, s *laneState) (found *loop.Access) {
	if g.isRanged(l) || len(l.Carries) > 0 || len(o.strides) > 0 || !o.innermost {
		return nil
	}
	g.lanes = s
	defer func() { g.lanes = nil }()
	if g.worksLong(g.lanes.loop, g.lanes.lanes) {
		return nil
	}
	for _, n := range l.Body {
		i := g.nest.Inst(n.Value)
		if i.Op != loop.Store || !g.nest.Buffers[g.nest.Accesses[i.Access].Buffer].Stream {
			continue
		}
		a := &g.nest.Accesses[i.Access]
		whole := int64(s.lanes)*a.Mem.Bytes() == int64(g.c.vl)/8
		if found != nil || !whole || i.Args[1] != 0 || a.Index != 0 || g.laneStride(a) != 1 {
			return nil
		}
		found = a
	}
	if found == nil || l.Extent < g.leastToLines()*int64(s.lanes) ||
		g.alignment(found) >= int64(g.c.vl)/8 && !g.endsInLines() {
		return nil
	}
	return found
}

// toLines does the iterations up to where vectors of a begin with a line, under a mask.
func (b *laneBuilder) toLines(a *loop.Access) {
	g := b.g
	at := g.address(a)
	n := g.c.gload(asm.LEA, asm.W64, at)
	g.c.gun(asm.NEG, asm.W64, n)
	g.c.gopi(asm.AND, n, int64(g.c.vl)/8-1)
	g.c.gopi(asm.SHR, n, int64(bits.TrailingZeros64(uint64(a.Mem.Bytes()))))
	end := g.c.asm.NewLabel()
	g.c.gcmpi(asm.CMP, n, 0)
	g.c.jcc(asm.E, end)
	b.body(1, g.t.tailOf(b.s.lanes, 0, n))
	g.c.gop(asm.ADD, b.o.counter, n)
	g.c.bind(end)
	b.s.toLines, b.hi = a, g.c.imm(b.s.loop.Extent)
}

// clearInLines makes what is left behind toLines, of a row with a clear part c. Vectors begin anywhere, so those that
// are partly in it have masks.
func (b *laneBuilder) clearInLines(c *clearPart, copies int) {
	g, w := b.g, int64(b.s.lanes)
	if c.lo > 0 {
		b.hi = g.c.imm(c.lo + w - 1)
		b.vectors(1)
	}
	b.s.clear, b.accs, b.hi = c, make([][]reg, copies), g.c.imm(c.hi)
	b.vectors(copies)
	if copies > 1 {
		b.vectors(1)
	}
	b.s.clear, b.hi = nil, g.c.imm(b.s.loop.Extent)
	b.rests()
}
