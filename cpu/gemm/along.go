package gemm

import "github.com/goxla/xla/cpu/asm"

// Few rows of A read B once or a few times, and what takes time is how it comes. From a last cache that is far away,
// panel by panel it comes line by line: a panel is a short piece of each row, and pieces of rows that are far apart
// fall on few sets and push each other out before the next rows of A need them. So long pieces of rows are read, which
// the hardware asks for by itself, and go to several panels, which stay in the second-level cache until all rows of A
// are multiplied with them.

const (
	// alongRows is the number of rows from which on it is better that the first ones lay panels down, whatever B is.
	alongRows = 48
	// alongFrom is the number of rows, which read a panel three times, from which on it pays for half as large a B, unless
	// that would be laid down if it were larger.
	alongFrom = 16
)

// packsAlong reports whether B, whose rows are contiguous and so many bytes apart, is packed so.
func (p *Product) packsAlong(apart int) bool {
	if !p.config.FarL3 || !p.native() || p.kind > kindS32 || !p.loadsRows() || apart < crowdedFrom || p.laysFar(apart) {
		return false
	}
	near := p.config.l2()
	if p.m >= alongFrom && p.m < reuseRows && p.panels[0].nv*p.lanes*p.spec.B.Type.ByteSize() < leastLaid {
		near /= 2
	}
	return p.m >= heldRows && p.m < alongRows && p.k*apart > near
}

// copiesRows reports whether what threads pack for themselves, several narrow panels at a time, is copied row by row:
// panel by panel, lines of rows that are pages apart fall on the same few sets of the nearest cache, where they push
// each other out before their neighbours are read.
func (p *Product) copiesRows() bool {
	return p.native() && !p.regs.wide() && p.routeB == packedBy && p.orderB == copied && p.kind <= kindS32 &&
		p.bundle > 1 && p.runDepthB >= p.k
}

// bundleAlong is how many panels are packed at a time.
func (p *Product) bundleAlong() int {
	return min(p.group, max(1, p.config.l2()/4/(p.kc*p.panels[0].nv*p.regs.vector)))
}

// packAlong packs depths [k0, k1) of panels [first, last).
func (w *task) packAlong(n, k0, k1, first, last int) {
	p := w.p
	for i := first; i < last && k0 < k1; {
		pn, count := &p.panels[i], p.alike(i, last)
		f := &p.forms[pn.form]
		if f.alongPacker == 0 {
			count = 1
			p.packPanel(w.panel(n, pn, k0), w.b, n, pn, k0, k1)
		} else {
			args := packArgs{count: k1 - k0, src: w.inB(n, pn, k0), dst: w.panel(n, pn, k0), vectors: count,
				lastDst: pn.nv * p.regs.vector * p.ownDepth}
			invoke(p, f.alongPacker, &args)
		}
		i += count
	}
}

// copyAlong copies rows to panels that lie side by side in the source and so many bytes apart in the result.
func (e *packer) copyAlong() {
	row := e.Here()
	e.RM(asm.MOV, asm.W64, regSteps, asm.M(asm.RDI, argVectors))
	e.RR(asm.MOV, asm.W64, asm.R10, regB)
	e.RR(asm.MOV, asm.W64, asm.R11, regC)
	panel := e.Here()
	for j := range e.nv {
		from := asm.M(asm.R10, int32(j*e.width()))
		e.Prefetch(asm.PREFETCHT0, asm.M(asm.R10, int32(e.ld+j*e.width())))
		e.load(e.typ, asm.Vec(j), from, false)
	}
	for j := range e.nv {
		e.MV(move[e.loader.kind], e.vl, asm.M(asm.R11, int32(j*e.vector)), asm.Vec(j))
	}
	e.RI(asm.ADD, asm.W64, asm.R10, int64(e.nv*e.width()))
	e.RM(asm.ADD, asm.W64, asm.R11, asm.M(asm.RDI, argLastDst))
	e.RI(asm.SUB, asm.W64, regSteps, 1)
	e.Jcc(asm.NE, panel)
	e.RI(asm.ADD, asm.W64, regB, int64(e.ld))
	e.RI(asm.ADD, asm.W64, regC, int64(e.to))
	e.RI(asm.SUB, asm.W64, regDepth, 1)
	e.Jcc(asm.NE, row)
}
