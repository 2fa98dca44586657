package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// Where columns are places of a window (windows.go), the zeros around the planes under it need not be in memory either:
// a thread brings the planes of a product of the batch, with the zeros around each, to scratch memory before it
// multiplies them. They stay in its caches.

// That is for products of planes of their own, of at most mostFramed bytes, whose rows have at most mostFrameVectors.
const (
	mostFramed       = 128 << 10
	mostFrameVectors = 32
	// mostLine: rows begin with a vector if that makes them longer by no more than one in so many.
	mostLine = 8
)

// frame is the planes of B that a product of the batch needs, with the zeros around them, in scratch memory.
type frame struct {
	high, wide Margin
	planes     int
	// Elements: from row to row, and where the first one begins; half is how far odd columns are behind the even ones of
	// a plane, if these are apart (halves.go), else 0.
	line, first, half int
}

// all is the elements of a dimension with its zeros.
func (m Margin) all() int { return m.Low + m.Size + m.High }

// plane is how far planes are apart.
func (f *frame) plane() int {
	if f.half > 0 {
		return 2 * f.half
	}
	return f.high.all() * f.line
}

// place is where element e of the planes is.
func (f *frame) place(e int) int {
	row, col := e/f.wide.all(), e%f.wide.all()
	at := f.first + row/f.high.all()*f.plane() + row%f.high.all()*f.line
	if f.half > 0 {
		return at + col%2*f.half + col/2
	}
	return at + col
}

// axis is a, of rows or of columns, as it is there.
func (f *frame) axis(a Axis) Axis {
	a = append(Axis(nil), a.Merged()...)
	for i := range a {
		a[i].Stride = f.place(a[i].Stride) - f.first
	}
	return a
}

// lay chooses how far rows are apart: what is in memory begins with a vector, if rows are not much longer then, or all
// of a row is one vector. Zeros behind a row are those in front of the next one. If columns are halved, rows are those
// of a half.
func (f *frame) lay(lanes int, halved bool) {
	step := 1
	if halved {
		step = 2
	}
	low, all := f.wide.Low, f.wide.all()
	least := max(parts(all, step)-low/step, parts(low+f.wide.Size, step))
	switch f.line = parts(least, lanes) * lanes; {
	case f.line*mostLine > parts(all, step)*(mostLine+1):
		f.line = least
	case parts(all, step) > lanes:
		f.first = parts(parts(low, step), lanes)*lanes - parts(low, step)
	}
	if halved {
		f.half = parts(f.high.all()*f.line, lanes)*lanes + lanes + low%step
	}
}

// framed returns the planes that each product needs of a B with zeros around planes only, false if products share some
// or they are large.
func (p *Product) framed() (f frame, ok bool) {
	b := &p.spec.B
	outer := len(b.Around) - 2
	if outer < 0 || !p.canWindow() {
		return f, false
	}
	f.high, f.wide = b.Around[outer], b.Around[outer+1]
	plane, planes := f.high.all()*f.wide.all(), 1
	for _, m := range b.Around[:outer] {
		if planes *= m.Size; m.all() != m.Size {
			return f, false
		}
	}
	for _, d := range append(b.Free.Merged(), b.Depth.Merged()...) {
		if d.Stride < 0 {
			return f, false
		}
	}
	for _, d := range b.Batch.Merged() {
		if d.Stride < 0 || d.Stride%plane != 0 {
			return f, false
		}
	}
	f.planes = (b.Offset+b.Free.span()+b.Depth.span())/plane + 1
	if f.line = f.wide.all(); b.byRows() {
		f.lay(p.lanes, p.halved())
	}
	return f, f.planes*p.batch == planes && p.batch >= fewestPieces && p.frameBytes(&f) <= mostFramed &&
		parts(f.wide.Size, p.lanes) <= mostFrameVectors
}

// frameBytes is the size of the planes and what is written behind the last of them.
func (p *Product) frameBytes(f *frame) int {
	return (f.first+f.planes*f.plane()+f.wide.all())*p.kind.size() + p.regs.vector
}

// chooseFrame has planes brought, if B has zeros around them: places and taps are where they are in scratch memory.
func (p *Product) chooseFrame() {
	if p.spec.B.Around == nil {
		return
	}
	f, ok := p.framed()
	if !ok {
		return
	}
	size := p.kind.size()
	p.frame = &f
	p.block = packKey{order: copied, block: true, kind: p.kind, vector: p.regs.vector, typ: p.spec.B.Type,
		nv: parts(f.wide.Size, p.lanes), tail: f.wide.Size % p.lanes, ld: f.wide.Size * size, to: f.line * size,
		high: f.high.Size, gap: (f.plane() - f.high.Size*f.line) * size}
	asked, b := p.spec, &p.spec.B
	p.asked = &asked
	b.Offset, b.Free, b.Depth = f.place(b.Offset), f.axis(b.Free), f.axis(b.Depth)
	if f.half > 0 {
		p.chooseHalves()
	}
}

// bringPlanes writes the planes of product n to this thread's scratch memory, unless they are there, and returns where
// they begin.
func (w *task) bringPlanes(n int) unsafe.Pointer {
	p, f := w.p, w.p.frame
	if w.brought == n+1 {
		return w.own
	}
	size := p.kind.size()
	if w.brought == 0 { // those of the next product have their zeros where these have them
		clear(unsafe.Slice((*byte)(w.own), p.frameBytes(f)))
	}
	w.brought = n + 1
	w.askPlanes(n + 1)
	args := packArgs{count: f.planes, src: w.planesOf(n),
		dst: unsafe.Add(w.own, f.place(f.high.Low*f.wide.all()+f.wide.Low)*size)}
	invoke(p, p.blockCopier, &args)
	return w.own
}

// planesOf returns where the planes of product n are.
func (w *task) planesOf(n int) unsafe.Pointer {
	p, f := w.p, w.p.frame
	plane := p.batchB.at(n) / (f.high.all() * f.wide.all())
	return unsafe.Add(w.b, plane*f.high.Size*f.wide.Size*p.kind.size())
}

// planesBytes is the size of the planes of a product, without zeros.
func (p *Product) planesBytes() int {
	return p.frame.planes * p.frame.high.Size * p.frame.wide.Size * p.kind.size()
}

// asksPlanes reports whether the planes of the next product are asked for while those of one are multiplied.
func (p *Product) asksPlanes() bool { return p.frame != nil && p.batch > 1 && p.config.asksLater() }

// stepsOfPlanes is how many steps of micro-kernels of mr rows multiply the planes of a product.
func (p *Product) stepsOfPlanes(mr int) int {
	w := &p.windows
	return p.n / w.width * len(p.panels) * parts(p.m, mr) * parts(len(w.runs), w.part)
}

// turnsOfStep is how many turns of a loop a step of places of a window has.
func (p *Product) turnsOfStep() int {
	w := &p.windows
	return min(w.part, len(w.runs)) * (w.run / turnOfRun(w.run))
}

// mostTurnsOfLine is how many turns there may be for each line of planes, if they ask for these: that they ask for
// planes that are needed later still costs less than to wait for many lines at once. With more turns, steps ask.
const mostTurnsOfLine = 4

// asksBySteps reports whether steps ask for planes, not turns.
func (p *Product) asksBySteps(mr int) bool {
	return p.asksPlanes() && p.stepsOfPlanes(mr)*p.turnsOfStep() > mostTurnsOfLine*p.planesBytes()/line
}

// askPlanes says that the planes of product n are needed next.
func (w *task) askPlanes(n int) {
	w.ahead = ahead{}
	if w.p.asksPlanes() && n < w.p.batch {
		w.ahead.next = uintptr(w.planesOf(n))
		w.ahead.end = w.ahead.next + uintptr(w.p.planesBytes())
	}
}

// copyPlanes emits a loop over planes. Of each row what fills the last vector is zeros: it is written in front of the
// next row, or where there are zeros anyway.
func (e *packer) copyPlanes() {
	e.RR(asm.MOV, asm.W64, regRuns, regDepth)
	plane := e.Here()
	e.RI(asm.MOV, asm.W64, regDepth, int64(e.high))
	if e.half != 0 {
		e.copyHalves()
	} else {
		e.copyPanel()
	}
	e.RI(asm.ADD, asm.W64, regC, int64(e.gap))
	e.RI(asm.SUB, asm.W64, regRuns, 1)
	e.Jcc(asm.NE, plane)
}
