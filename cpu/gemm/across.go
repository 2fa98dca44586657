package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// Tiles multiply faster than the third-level cache delivers, to code that asks for a line here and a line there. What
// they read and write goes along rows therefore: a strip of rows of A, as high as a block of registers, is multiplied
// with one panel after the other, its rows of C are written from the left to the right, and the processor sees what
// comes next by itself. The panels stay in the second-level cache for all strips.

// mostOwnRows is the most rows for which a thread packs panels for itself, a few at a time: they are multiplied at once
// and need not go to memory and back.
const mostOwnRows = 256

// leastAcross is the least panels of a call that goes across them.
const leastAcross = 4

// chooseAcross cuts rows and panels so. It reports whether that is all there is to cut: not where each thread packs
// for itself, nor where a block of A would be packed once more for each group of panels.
func (p *Product) chooseAcross(direct bool) bool {
	if !p.kind.tiles() || p.nc < leastAcross || p.overlap != nil ||
		p.routeB != constant && (p.routeB != packed || p.m <= mostOwnRows) {
		return false
	}
	most := max(1, p.wholeBytes()/(p.kc*p.panels[0].nv*p.regs.vector))
	if !direct && p.nc > most {
		return false
	}
	p.across, p.group = true, parts(p.nc, parts(p.nc, most))
	count, threads := 1, p.threads()
	if !direct || !p.direct { // a block, or its sums, are in that cache, too
		count = parts(p.m, p.blockRows()/2)
	}
	if direct && !p.direct && p.group == p.nc { // a strip is rounded while it is in the nearest cache
		count = parts(p.m, p.regs.rowsFor(p.panels[0].nv))
	}
	if p.batch < threads {
		count = min(parts(count, threads)*threads, parts(p.m, tileRows))
	}
	p.cutRows(count, direct)
	return true
}

// blockAcross multiplies a block of rows with panels [first, last). Area c begins with the first of them.
func (w *task) blockAcross(n, row, rows, k, first, last int, a, c unsafe.Pointer, ldc int) {
	p := w.p
	for i := 0; i < rows; {
		count := p.together(row+i, rows-i)
		at := i * ldc
		if p.direct {
			at = p.placeOfRow(n, row+i) * p.kind.size()
		}
		w.strips(n, k, first, last, unsafe.Add(a, p.rowOf(row, i)), unsafe.Add(c, at), count, ldc)
		i += count
	}
}

// strips multiplies rows that are evenly spaced, strip by strip.
func (w *task) strips(n, k, first, last int, a, c unsafe.Pointer, rows, ldc int) {
	p := w.p
	st := p.steps(rows, p.panels[first].nv)
	row := 0 // no pointer goes behind the last one
	for left := st.big + st.small; left > 0; left-- {
		mr := st.mr
		if left <= st.small {
			mr = st.less
		}
		for i := first; i < last; i += w.args.steps {
			pn := &p.panels[i]
			w.args.steps = p.alike(i, last)
			w.args.a, w.args.b = unsafe.Add(a, row*p.rowA), w.panel(n, pn, k)
			w.args.c = unsafe.Add(c, row*ldc+(pn.col-p.panels[first].col)*p.kind.size())
			w.multiply(&p.forms[pn.form], mr)
		}
		row += mr
	}
}

// alike returns how many panels from i on, before last, have the same kernels.
func (p *Product) alike(i, last int) int {
	n := 1
	for i+n < last && p.panels[i+n].form == p.panels[i].form {
		n++
	}
	return n
}

// advance goes to the next step: rows below these, or the panel beside this one.
func (t *tiler) advance() {
	if t.across > 0 {
		t.RI(asm.ADD, asm.W64, regPanel, int64(t.across))
		t.RI(asm.ADD, asm.W64, regC, int64(t.nv*tileBytes))
		return
	}
	t.RM(asm.ADD, asm.W64, regNextA, asm.M(asm.RDI, argNextA))
	t.RM(asm.ADD, asm.W64, regC, asm.M(asm.RDI, argNextC))
}
