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

// canLay reports whether the first rows of A can lay down panels.
func (p *Product) canLay() bool {
	return p.native() && p.routeB == packedBy && p.orderB == copied && p.kind <= kindS32 && p.loadsRows() &&
		!p.keeps() && !p.packsWhole() && p.runsOfA == nil && !p.tabled()
}

// laysNear reports whether the first rows of A may lay down panels of a B that comes from a last cache that is far
// away. What waits for that fills the queue behind the first-level cache, so the panels that are read again and again
// are to stay in front of it.
func (p *Product) laysNear() bool {
	if !p.config.FarL3 || p.m < alongRows || p.routeB != packed && p.routeB != packedBy {
		return false
	}
	return p.native() && p.orderB == copied && p.kind <= kindS32 && p.loadsRows() && p.k*p.rowB > p.config.l2()/2 &&
		p.runRows >= p.m && p.runDepth >= p.k && p.m*min(p.k, p.mostDepth())*p.kind.size() <= p.wholeBytes()
}

// paysToLay reports whether panels of B, whose rows are so many bytes apart, are better laid down than read in place
// for all rows of A: vectors would cross lines, or rows fall on few sets of the nearest cache.
func (p *Product) paysToLay(apart int) bool {
	_, flat := p.spec.A.Free.Stride()
	switch {
	case !p.native() || p.kind > kindS32 || !flat || p.spec.placed() || p.spec.Together > 0 && !p.ownByBatch():
		return false
	case p.m < reuseRows || p.m < alwaysLay && p.k*apart <= 2*p.config.l1():
		return false
	case 2*p.panels[0].nv <= p.regs.most: // many rows go with each vector of B
		return false
	case p.m*min(p.k, p.mostDepth())*p.kind.size() > p.wholeBytes(): // several blocks
		return false
	}
	return apart%line != 0 || gcd(apart/line, nearSets) > p.panels[0].nv*p.regs.vector/line
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
