package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// A thread that packs panels of B for itself need not go through them before: the micro-kernel of the first rows reads
// them in place and lays them down packed on its way, where it has the stores to spare. The others read what it left.
// That costs less than another step of rows. Panels that several blocks of rows read are packed in small parts instead:
// they go to memory that has left the cache.

// alwaysLay is how many rows of A make laying down pay even if the nearest cache, or little more, has all of B.
const alwaysLay = 128

const (
	// laysFrom is how many rows of A make it pay where B comes from a last cache that is far away: three steps, two of
	// which ask for the next panel.
	laysFrom = 2*fewRows + 1
	// leastLaid is the least row of a panel then, for fewer than alongRows.
	leastLaid = 3 * line
)

// canLay reports whether the first rows of A can lay down panels.
func (p *Product) canLay() bool {
	return p.native() && p.routeB == packedBy && p.orderB == copied && p.kind <= kindS32 && p.loadsRows() &&
		!p.keeps() && !p.packsWhole() && p.runsOfA == nil && !p.tabled()
}

// laysFar reports whether B, whose rows are so many bytes apart, comes from a last cache that is far away, and its
// panels are better laid down if they can be. What waits for that cache fills the queue behind the first one, so what
// is read again and again is to stay in front of it. Few rows ask for all of a panel in time if its rows are some lines
// each, and it comes from no further.
func (p *Product) laysFar(apart int) bool {
	size := p.k * apart
	switch {
	case !p.config.FarL3 || p.m < laysFrom:
		return false
	case p.m >= alongRows:
		return size > p.config.l2()/2
	}
	return p.mayLay() && p.panels[0].nv*p.lanes*p.spec.B.Type.ByteSize() >= leastLaid && size >= p.config.l2() &&
		size <= p.config.L3*5/8
}

// laysNear reports whether panels are as deep as that takes.
func (p *Product) laysNear() bool {
	if p.routeB != packed && p.routeB != packedBy || !p.laysFar(p.rowB) {
		return false
	}
	return p.native() && p.orderB == copied && p.kind <= kindS32 && p.loadsRows() && p.runRows >= p.m &&
		p.runDepth >= p.k && p.oneBlock()
}

// oneBlock reports whether all rows of A are one block, in place.
func (p *Product) oneBlock() bool {
	return p.m*min(p.k, p.mostDepth())*p.kind.size() <= p.wholeBytes()
}

// mayLay reports whether nothing that A and C are is in the way of laying panels down, as far as is known before items
// are cut.
func (p *Product) mayLay() bool {
	_, flat := p.spec.A.Free.Stride()
	return p.native() && p.kind <= kindS32 && flat && !p.spec.placed() && (p.spec.Together == 0 || p.ownByBatch()) &&
		p.oneBlock()
}

// paysToLay reports whether panels of B, whose rows are so many bytes apart, are better laid down than read in place
// for all rows of A: vectors would cross lines, rows fall on few sets of the nearest cache, or B comes too late.
func (p *Product) paysToLay(apart int) bool {
	switch {
	case !p.mayLay() || 2*p.panels[0].nv <= p.regs.most: // many rows go with each vector of B
		return false
	case p.m < alongRows && p.laysFar(apart), p.laysCrowded(apart):
		return true
	case p.m < reuseRows || p.m < alwaysLay && p.k*apart <= 2*p.config.l1():
		return false
	}
	return apart%line != 0 || gcd(apart/line, nearSets) > p.panels[0].nv*p.regs.vector/line ||
		p.m >= alongRows && p.rowsToPackWide(apart) == wideRows
}

// laysCrowded reports whether narrow panels are better laid down for so few rows that packing them does not pay: rows
// of B that are so many bytes apart push each other out of a cache before the second step of rows of A needs them. That
// is the nearest one, on whose sets neighbours fall together if they are about a page apart, of a B of some times its
// size, or the second-level one, which does not have all of B. (AVX2 on Zen 4: 16x1024x1024 67 and then 97 G op/s,
// 24x3072x768 75 and 105, 24x1025x1024 62 and 90; on Zen 3: 24x32x4096 27 and 54, 24x64x1024 31 and 49.)
func (p *Product) laysCrowded(apart int) bool {
	if p.regs.wide() || p.m >= reuseRows || p.m <= p.regs.rowsFor(p.panels[0].nv) {
		return false
	}
	size, off := p.k*apart, apart%(nearSets*line)
	return size >= 2*p.config.l1() && min(off, nearSets*line-off) < line ||
		size > p.config.l2() && p.rowsToPack(apart) == reuseRows
}

// stay leaves B in place if it was to be packed by a thread for itself, and is not.
func (p *Product) stay(own bool) {
	if p.mayStay && !own && p.routeB == packed {
		p.routeB, p.nc = inPlace, len(p.panels)
	}
}

// layForm finds the kernel of f that lays panels down.
func (p *Product) layForm(f *form) {
	if !p.lays {
		return
	}
	st := p.steps(p.together(0, min(p.mc, p.m)), f.nv)
	k := *f.micro[st.mr]
	k.lays, k.packedB, k.typeB, k.ldb, k.stream = true, false, p.spec.B.Type, p.rowB, false
	f.lay = &k
}

// inB returns where the depths of panel pn of B, which is not packed, begin with k.
func (w *task) inB(n int, pn *panel, k int) unsafe.Pointer {
	p := w.p
	at := p.spec.B.Offset + p.batchB.at(n) + p.freeB.at(pn.col) + p.depthOfB.at(k)
	return unsafe.Add(w.b, at*p.spec.B.Type.ByteSize())
}

// laidSource says what is needed after panel i of [first, last).
func (w *task) laidSource(n, row, k, i, first, last int) {
	w.firstOwn, w.depthOwn = i, w.p.ownFrom(k)
	switch {
	case !w.p.listed:
	case i+1 == last:
		w.askNext(n, row, k, first, last)
	default:
		w.packNext(n, k, w.args.depth, i+1, i+2)
	}
}

// askOn has the next call ask for so many lines more of the next panel. The steps of a panel that is laid down ask for
// all of that, after the first one, which waits for this panel and asks for nothing.
func (w *task) askOn(lines int) {
	b, list := &w.coming, w.p.sources.part
	w.rest()
	if b.depth > 0 && b.asked < len(list) {
		w.args.next, w.args.list = uintptr(w.inB(b.n, &w.p.panels[b.first], b.k)), unsafe.Pointer(&list[b.asked])
		b.asked += lines
	}
}

// lay has the next call read panel pn in place, and leave it where it is read from then on.
func (w *task) lay(n int, pn *panel, k int) {
	w.args.lay, w.args.b = w.args.b, w.inB(n, pn, k)
}

// layDown stores vector j of depth d of B.
func (m *micro) layDown(v asm.Vec, j, d int) {
	if m.lays {
		at := (d*m.nv + j) * m.vector
		m.MV(move[m.microKey.kind], m.vl, asm.M(regLay, int32(at)), v)
	}
}

// layNext goes on to what is laid down of the next n depths.
func (m *micro) layNext(n int) {
	if m.lays {
		m.RI(asm.ADD, asm.W64, regLay, int64(n*m.nv*m.vector))
	}
}
