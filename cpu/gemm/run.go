package gemm

import (
	"runtime"
	"unsafe"

	"github.com/goxla/xla/cpu/exec"
)

// Args is the memory of a run.
type Args struct {
	// A, B and C are the arrays. B is not looked at if Packed is needed.
	A, B, C []byte
	// Packed is what Prepack returned, for a product whose B is constant.
	Packed []byte
	// Scratch is ScratchBytes of memory, from a multiple of 64 on.
	Scratch []byte
}

// Job is the state of a run, to be used again: then a run allocates nothing. The zero Job is ready.
type Job struct {
	p       *Product
	a, b, c unsafe.Pointer
	packed  unsafe.Pointer // the panels from first on, of batch element from
	own     unsafe.Pointer // scratch areas of the threads
	areas   scratch
	packing bool
	// what the items are: batch elements from `from` on, panels [first, last)
	from, count, first, last int
}

// Run computes p. The threads of pool, at most as many as p was planned for, share the work.
func (j *Job) Run(pool *exec.Pool, p *Product, args Args) {
	*j = Job{p: p, a: unsafe.Pointer(unsafe.SliceData(args.A)), b: unsafe.Pointer(unsafe.SliceData(args.B)),
		c: unsafe.Pointer(unsafe.SliceData(args.C)), areas: p.scratch(), count: p.batch, last: len(p.panels)}
	if p.swapped {
		j.a, j.b = j.b, j.a
	}
	base := unsafe.Pointer(unsafe.SliceData(args.Scratch))
	if len(args.Scratch) > j.areas.shared {
		j.own = unsafe.Add(base, j.areas.shared)
	}
	switch p.routeB {
	case packed:
		j.packed = base
		j.groups(pool)
	case constant:
		j.packed = unsafe.Pointer(unsafe.SliceData(args.Packed))
		pool.Run(j.items(), j.grain(), j)
	default:
		pool.Run(j.items(), j.grain(), j)
	}
	runtime.KeepAlive(p.code)
	*j = Job{}
}

// groups packs B and multiplies, as many panels at a time as scratch memory holds.
func (j *Job) groups(pool *exec.Pool) {
	p := j.p
	j.count = 1
	for j.from = range p.batch {
		for at := 0; at < len(p.panels); at += p.nc {
			j.first, j.last = at, min(at+p.nc, len(p.panels))
			j.packing = true
			pool.Run(j.last-j.first, p.packGrain(), j)
			j.packing = false
			pool.Run(j.items(), 1, j)
		}
	}
}

// grain is how many items a thread takes at a time, so that they are worth it.
func (j *Job) grain() int {
	return max(1, itemWork/max(1, j.p.batch*j.p.m*j.p.n*j.p.k/j.items()))
}

// packGrain is how many panels are packed at a time: at least some 16 KiB.
func (p *Product) packGrain() int {
	return max(1, 16<<10/(p.k*p.panels[0].nv*p.regs.vector))
}

// rowBlocks is the number of blocks of A.
func (p *Product) rowBlocks() int { return parts(p.m, p.mc) }

func (j *Job) items() int {
	if j.p.routeB == packedBy {
		return j.count
	}
	return j.count * j.p.rowBlocks() * parts(j.last-j.first, j.p.group)
}

// Do does items [lo, hi), or packs panels.
func (j *Job) Do(worker, lo, hi int) {
	p := j.p
	w := task{Job: j, own: unsafe.Add(j.own, worker*(j.areas.block+j.areas.sums+j.areas.own))}
	for i := lo; i < hi; i++ {
		switch {
		case j.packing:
			pn := &p.panels[j.first+i]
			p.packPanel(w.panel(j.from, pn, 0), j.b, j.from, pn)
		case p.routeB == packedBy:
			w.whole(j.from + i)
		default:
			groups := parts(j.last-j.first, p.group)
			n, block, g := i/groups/p.rowBlocks(), i/groups%p.rowBlocks(), i%groups
			first := j.first + g*p.group
			if p.routeB == dotted {
				w.dotPanel(n, &p.panels[first])
				continue
			}
			w.item(j.from+n, block*p.mc, first, min(first+p.group, j.last))
		}
	}
}

// task is a thread at work.
type task struct {
	*Job
	own  unsafe.Pointer
	args microArgs
}

// whole does all of one element of the batch, B packed by this thread.
func (w *task) whole(n int) {
	p := w.p
	for i := range p.panels {
		p.packPanel(w.panel(n, &p.panels[i], 0), w.b, n, &p.panels[i])
	}
	for row := 0; row < p.m; row += p.mc {
		w.item(n, row, 0, len(p.panels))
	}
}

// panel returns where panel pn of B is, from depth k on.
func (w *task) panel(n int, pn *panel, k int) unsafe.Pointer {
	p := w.p
	at := pn.at*p.regs.vector*p.k + k*pn.nv*p.regs.vector // if it is packed
	switch p.routeB {
	case inPlace:
		return unsafe.Add(w.b, (p.spec.B.Offset+p.batchB[n]+pn.col)*p.spec.B.Type.ByteSize()+k*p.rowB)
	case packedBy:
		return unsafe.Add(w.own, w.areas.block+w.areas.sums+at)
	case packed:
		return unsafe.Add(w.packed, at-p.panels[w.first].at*p.regs.vector*p.k)
	}
	return unsafe.Add(w.packed, n*p.batchBytes()+at)
}

// item multiplies a block of rows with panels [first, last).
func (w *task) item(n, row, first, last int) {
	p := w.p
	size := p.kind.size()
	rows := min(p.mc, p.m-row)
	left := p.panels[first].col
	var c unsafe.Pointer
	ldc := p.sumsWidth() * size
	if p.direct {
		c, ldc = unsafe.Add(w.c, left*size), p.placesC.step*size
	} else {
		c = unsafe.Add(w.own, w.areas.block)
	}
	for k := 0; k < p.k; k += w.args.depth {
		w.args.depth, w.args.add = p.depth(k), k
		a := w.rows(n, row, rows, k)
		for i := first; i < last; i++ {
			pn := &p.panels[i]
			w.args.b = w.panel(n, pn, k)
			w.panelRows(pn, a, c, n, row, rows, pn.col-left, ldc)
		}
	}
	if !p.direct {
		w.store(c, ldc, n, row, rows, left, p.panels[last-1].col+p.panels[last-1].cols)
	}
}

// rows returns where the rows of A are: a block of them, packed, or all in place.
func (w *task) rows(n, row, rows, k int) unsafe.Pointer {
	p := w.p
	if p.routeA == inPlace {
		at := (p.spec.A.Offset + p.batchA[n]) * p.spec.A.Type.ByteSize()
		if p.depthOfA != nil {
			return unsafe.Add(w.a, at+p.depthOfA[k]*p.spec.A.Type.ByteSize())
		}
		return unsafe.Add(w.a, at+k*p.depthA)
	}
	p.packRows(w.own, w.a, n, row, rows, k, k+w.args.depth)
	return w.own
}

// column multiplies rows of A with one panel.
func (w *task) column(pn *panel, a, c unsafe.Pointer, rows, ldc int) {
	p := w.p
	st := stepsOf(rows, p.stepRows(pn.nv))
	atA, atC := 0, 0
	most := max(1, callWork/(w.args.depth*st.mr*pn.nv*p.lanes))
	for left := st.big + st.small; left > 0; {
		mr, n := st.mr, min(left-st.small, most)
		if left <= st.small {
			mr, n = st.mr-1, min(left, most)
		}
		w.args.a, w.args.c, w.args.steps = unsafe.Add(a, atA), unsafe.Add(c, atC), n
		w.multiply(&p.forms[pn.form], mr)
		left -= n
		atC += n * mr * ldc
		atA += n * mr * p.rowA
	}
}

func (w *task) multiply(f *form, mr int) {
	if fn := f.entry[mr]; fn != 0 {
		exec.Call(fn, unsafe.Pointer(&w.args))
		return
	}
	microGo(&f.micro[mr], &w.args)
}
