package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// Columns may be places of a window, in rows of neighbours, with a depth that is taps and features: what a convolution
// of few output features reads of its input, which has the places innermost. Of such a B each row of places is rows of
// vectors in place, at distances that a table holds. A micro-kernel multiplies the same rows of A with one row of
// places after the other: these are its steps.

// Windows pay where rows of A are so few that B is read seldom, and fill so much of their vectors. A depth of more than
// mostWindowK is worth to pack B, unless there are less than fewWindowRows.
const (
	mostWindowRows = 128
	fewWindowRows  = 8
	mostWindowK    = 1 << 10
	// leastWindowPart is the least depth of a part of it.
	leastWindowPart = 64
)

// windows is how columns are read as places of a window.
type windows struct {
	width, steps int    // of a row of places; rows that are evenly spaced
	stepB        int    // bytes between these
	outer        places // of the first of them
	runs         []int  // of the depth: where each begins, in bytes
	run          int    // depths of one
	part         int    // runs of a part of the depth
	half         int    // bytes from even columns to odd ones where taps hit either (halves.go), else 0
	odd          bool   // the first tap hits odd ones
	rows, items  int    // of an item, and of them for one product
}

// canWindow reports whether B is read as places of a window.
func (p *Product) canWindow() bool {
	a, b := &p.spec.A, &p.spec.B
	if !p.native() || !p.direct || p.swapped || p.spec.Constant || p.m > mostWindowRows ||
		p.k > mostWindowK && p.m >= fewWindowRows ||
		!p.kind.sameBits(a.Type) || !p.kind.sameBits(b.Type) || p.kind == kindS32 || len(p.rowsC.first) > 1 {
		return false
	}
	size := p.kind.size()
	row, flatM := a.Free.Stride()
	depth, flatK := a.Depth.Stride()
	_, flatFree := b.Free.Stride()
	_, flatDepth := b.Depth.Stride()
	if !flatM || !flatK || !fits(row*size) || !fits(depth*size) || flatFree && flatDepth {
		return false
	}
	places, run := b.Free.run(), b.Depth.run()
	whole := parts(places.Size, p.lanes) * p.lanes
	return (places.Stride == 1 || p.halved()) && fits(run.Stride*size) && fits(p.rowsC.step*size) &&
		3*places.Size >= 2*whole && p.k/run.Size*run.Size == p.k
}

// chooseWindows reads B so.
func (p *Product) chooseWindows() {
	p.chooseFrame()
	a, b, size := &p.spec.A, &p.spec.B, p.kind.size()
	row, _ := a.Free.Stride()
	depth, _ := a.Depth.Stride()
	p.routeA, p.routeB, p.rowA, p.depthA, p.rowB = inPlace, inWindows, row*size, depth*size, b.Depth.run().Stride*size
	p.runRows, p.runDepth, p.mc, p.kc = p.m, p.k, p.m, p.k
	free := b.Free.Merged()
	w := &p.windows
	w.width, w.steps = free[len(free)-1].Size, 1
	if free = free[:len(free)-1]; len(free) > 0 {
		last := free[len(free)-1]
		w.steps, w.stepB, free = last.Size, last.Stride*size, free[:len(free)-1]
	}
	w.outer = placesOf(0, free)
	w.run = b.Depth.run().Size
	w.runs = append(w.runs, placesOf(0, b.Depth).first...)
	for i := range w.runs {
		w.runs[i] *= size
	}
	p.panels = panels(w.width, p.lanes, p.regs.widest(p.m))
	p.nc, p.group = len(p.panels), len(p.panels)
	w.part = p.windowPart()
	p.kc = w.part * w.run
	p.shareWindows()
	w.rows, w.items = p.windowRows(), p.windowItems()
}

// windowPart is how many runs of the depth are multiplied at a time. A row of places has most of what it reads of B in
// common with the row before it, if the window has several rows, and finds that in the first-level cache if it is no
// more than a part of that. What B has of a plane stays together.
func (p *Product) windowPart() int {
	w, b := &p.windows, p.spec.B.Depth.Merged()
	all, plane := len(w.runs), 1
	if len(b) > 1 {
		plane = all / b[0].Size
	}
	lines := parts(p.panels[0].nv*p.regs.vector, line) + 1
	most := max(1, p.config.l1()*3/8/(lines*line*plane)) * plane
	if plane == 1 || most*w.run < leastWindowPart || most >= all {
		return all
	}
	return parts(all/plane, parts(all, most)) * plane
}

// shareWindows gives items some of the panels only, if there would be few for the threads else: rows of places are few
// and long.
func (p *Product) shareWindows() {
	threads, have := p.config.Threads, p.batch*p.windowItems()
	if threads <= 1 || have >= ownItems*threads {
		return
	}
	least := max(1, itemWork/max(1, p.m*p.k*p.panels[0].nv*p.lanes*p.windowRows()))
	p.group = min(p.nc, max(least, parts(p.nc, parts(ownItems*threads, have))))
}

// windowRows is how many rows of places an item has: fewer than all if there would be few items else, and no more than
// a call of a micro-kernel may multiply.
func (p *Product) windowRows() int {
	w := &p.windows
	most := max(1, leastCall/(p.kc*min(p.m, p.stepRows(p.panels[0].nv))*p.panels[0].nv*p.lanes))
	return parts(w.steps, parts(w.steps, most))
}

// windowItems is the number of items.
func (p *Product) windowItems() int {
	w := &p.windows
	return p.n / w.width / w.steps * parts(w.steps, p.windowRows()) * parts(p.nc, p.group)
}

// window multiplies item i of product n of the batch.
func (w *task) window(n, i int) {
	p := w.p
	v, size := &p.windows, p.kind.size()
	groups, rows := parts(p.nc, p.group), v.rows
	panel := i % groups * p.group
	i /= groups
	blocks := parts(v.steps, rows)
	outer, first := i/blocks, i%blocks*rows
	w.args.steps = min(rows, v.steps-first)
	a := unsafe.Add(w.a, (p.spec.A.Offset+p.batchA.at(n))*size)
	b, of := w.b, p.batchB.at(n)
	if p.frame != nil {
		b, of = w.bringPlanes(n), 0
	}
	b = unsafe.Add(b, (p.spec.B.Offset+of+v.outer.at(outer))*size+first*v.stepB)
	c := unsafe.Add(w.c, (p.placeOfRow(n, 0)+(outer*v.steps+first)*v.width)*size)
	for from := 0; from < len(v.runs); from += v.part {
		runs := v.runs[from:min(from+v.part, len(v.runs))]
		w.args.add, w.args.runs, w.args.at = from, len(runs), unsafe.Pointer(unsafe.SliceData(runs))
		for k := panel; k < min(panel+p.group, p.nc); k++ {
			w.windowSteps(&p.panels[k], unsafe.Add(a, from*v.run*p.depthA), b, c)
		}
	}
}

// windowSteps multiplies the rows of A, a part of their depth, with a panel of rows of places.
func (w *task) windowSteps(pn *panel, a, b, c unsafe.Pointer) {
	p, size := w.p, w.p.kind.size()
	st := p.steps(p.m, pn.nv)
	for row, left := 0, st.big+st.small; left > 0; left-- {
		mr := st.mr
		if left <= st.small {
			mr = st.less
		}
		w.args.a, w.args.b = unsafe.Add(a, row*p.rowA), unsafe.Add(b, pn.col*size)
		w.args.c = unsafe.Add(c, (row*p.rowsC.step+pn.col)*size)
		f := &p.forms[pn.form]
		lines := w.args.steps * f.micro[mr].ahead
		if !f.micro[mr].bySteps {
			lines *= w.args.runs * (p.windows.run / turnOfRun(p.windows.run))
		}
		w.args.next = w.ahead.take(uintptr(w.a), lines*line)
		invoke(p, f.entry[mr], &w.args)
		row += mr
	}
}

// window emits the steps of a micro-kernel: rows of places, for each of which it goes along A once.
func (m *micro) window() {
	next := m.Here()
	m.begin()
	m.RM(asm.MOV, asm.W64, regA, asm.M(asm.RDI, argA))
	m.RM(asm.MOV, asm.W64, regRuns, asm.M(asm.RDI, argRuns))
	m.RM(asm.MOV, asm.W64, regAt, asm.M(asm.RDI, argAt))
	m.Align(align)
	run := m.Here()
	m.RM(asm.MOV, asm.W64, regB, asm.M(regAt, 0))
	m.RR(asm.ADD, asm.W64, regB, regNextB)
	m.RI(asm.ADD, asm.W64, regAt, 8)
	turn := turnOfRun(m.run)
	advance := func(n int) {
		m.RI(asm.ADD, asm.W64, regA, int64(n*m.stepA))
	}
	if count := m.run / turn; count > 1 {
		m.RI(asm.MOV, asm.W64, regDepth, int64(count))
		again := m.Here()
		m.turn(turn)
		advance(turn)
		m.RI(asm.SUB, asm.W64, regDepth, 1)
		m.Jcc(asm.NE, again)
	} else {
		m.turn(turn)
		advance(turn)
	}
	if rest := m.run % turn; rest > 0 {
		m.turn(rest)
		advance(rest)
	}
	m.RI(asm.SUB, asm.W64, regRuns, 1)
	m.Jcc(asm.NE, run)
	m.askInStep()
	m.end()
	m.RI(asm.ADD, asm.W64, regNextB, int64(m.nextB))
	m.RI(asm.ADD, asm.W64, regC, int64(m.nextC))
	m.RI(asm.SUB, asm.W64, regSteps, 1)
	m.Jcc(asm.NE, next)
	m.Zero0(asm.VZEROUPPER)
	m.Ret()
}
