package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// Rows of A in place cost more than packed ones. Where they are whole pages apart, their lines fall on the same few
// sets of the nearest cache, where those of a step push each other out. So the micro-kernels of the first panel of an
// item read them in place and lay them down packed on their way, with loads and stores that they have to spare. Those
// of the other panels read what they left.

const (
	// leastLaidRows is how many rows of A make it pay to lay them down, and leastReaders how many panels of an item.
	leastLaidRows = 64
	leastReaders  = 3
	// mostLaid is how much memory, beside that of the operands, the blocks of all threads may have.
	mostLaid = 4 << 20
)

// laysRows reports whether A, whose rows are so many bytes apart, is laid down: where that are whole pages, or B is
// packed meanwhile for several blocks of rows.
func (p *Product) laysRows(apart int) bool {
	switch {
	case !p.native() || p.kind > kindS32 || p.spec.placed() || p.m < leastLaidRows || len(p.panels) < leastReaders ||
		p.config.Threads*p.wholeBytes() > mostLaid+(p.m*p.k+p.k*p.n+p.m*p.n)*p.kind.size():
		return false
	case apart > 0 && apart%(nearSets*line) == 0:
		return p.routeB == packed || p.routeB == constant && !p.oneBlock()
	}
	return p.routeB == packed && p.m*min(p.k, leastDepth)*p.kind.size() > p.wholeBytes()
}

// rowsForm finds the kernels of f that lay rows of A down.
func (p *Product) rowsForm(f *form) {
	if !p.laysA {
		return
	}
	lay := func(k *microKey) *microKey {
		if k == nil {
			return nil
		}
		lay := *k
		lay.lda, lay.laid, lay.stream = p.sourceA, p.rowA, false
		return &lay
	}
	f.rows = new(byRows)
	for mr, k := range f.micro {
		f.rows.key[mr] = lay(k)
	}
	f.layBoth = lay(f.lay)
}

// beginRows is where a step lays down its rows.
func (m *micro) beginRows() {
	if m.laid > 0 {
		m.RR(asm.MOV, asm.W64, regLaid, regNextLaid)
	}
}

// layRows stores what the next n depths have of A, which are neighbours: one, or those of a turn.
func (m *micro) layRows(n int) {
	if m.laid == 0 {
		return
	}
	size := m.microKey.kind.size()
	op, vl := asm.VMOVUPS, asm.VL128
	switch n * size {
	case 4:
		op = asm.VMOVSS
	case 8:
		op = asm.VMOVSD
	case 32:
		vl = asm.VL256
	}
	for i := range m.mr {
		v := asm.Vec(m.firstBc + i%m.countBc)
		m.V2M(op, vl, v, asm.M(regA, int32(i*m.lda)))
		m.MV(op, vl, asm.M(regLaid, int32(i*m.laid)), v)
	}
	m.RI(asm.ADD, asm.W64, regLaid, int64(n*size))
}

// nextRows goes to the rows of the next step.
func (m *micro) nextRows() {
	m.RI(asm.ADD, asm.W64, regNextA, int64(m.mr*m.lda))
	if m.laid > 0 {
		m.RI(asm.ADD, asm.W64, regNextLaid, int64(m.mr*m.laid))
	}
}

// layBlock has the next panel lay down the block of A that begins with a row and a depth of product n.
func (w *task) layBlock(n, row, k int) {
	at := w.p.spec.A.Offset + w.p.batchA.at(n) + w.p.freeA.at(row) + w.p.depthOfA.at(k)
	w.rowsOfA = unsafe.Add(w.a, at*w.p.spec.A.Type.ByteSize())
}

// laidFrom says where the next call finds the rows that it lays down so far behind the first one of a block.
func (w *task) laidFrom(at int) {
	if w.rowsOfA != nil {
		w.args.from = unsafe.Add(w.rowsOfA, at/w.p.rowA*w.p.sourceA)
	}
}
