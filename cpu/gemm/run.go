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
	// After, unless it is nil, does something with rows [lo, hi) of C, counted through all products, when they are
	// complete: Do is called for all rows once, on the threads that have made them. The product must be one that
	// Follows.
	After exec.Job
	// Threads is how many share the work at most, if it is not 0.
	Threads int
	// Done, when it is closed, ends a long product early: C has a part of it then.
	Done <-chan struct{}
}

// longWork is the least work of a product that can be ended early, in multiply-adds: a few milliseconds.
const longWork = 1 << 28

// Job is the state of a run, to be used again: then a run allocates nothing. The zero Job is ready.
type Job struct {
	p       *Product
	a, b, c unsafe.Pointer
	packed  unsafe.Pointer // the panels from first on, of batch element from
	own     unsafe.Pointer // scratch areas of the threads
	areas   scratch
	packing bool
	threads int  // at most
	plain   bool // C does not begin with a line, as kernels that write past the caches expect
	after   exec.Job
	done    <-chan struct{} // nil: nothing ends the run early
	// what the items are: batch elements from `from` on, panels [first, last)
	from, count, first, last int
}

// Run computes p. The threads of pool, at most as many as p was planned for, share the work.
func (j *Job) Run(pool *exec.Pool, p *Product, args Args) {
	*j = Job{p: p, a: unsafe.Pointer(unsafe.SliceData(args.A)), b: unsafe.Pointer(unsafe.SliceData(args.B)),
		c: unsafe.Pointer(unsafe.SliceData(args.C)), areas: p.run.areas, count: p.batch, last: len(p.panels),
		after: args.After, threads: pool.Threads()}
	if args.Threads > 0 {
		j.threads = args.Threads
	}
	j.plain = uintptr(j.c)%line != 0 && p.streams()
	if p.swapped {
		j.a, j.b = j.b, j.a
	}
	if p.batch*p.m*p.n*p.adds() >= longWork {
		j.done = args.Done
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
		pool.RunOn(j.threads, p.run.items, p.run.grain, j)
	default:
		pool.RunOn(j.threads, p.run.items, p.run.grain, j)
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
			packs := p.packParts() * parts(j.last-j.first, packPanels)
			if o := p.overlap; o != nil {
				packs = o.packs() * parts(o.vectors(p.lanes), p.regs.most)
			}
			pool.RunOn(j.threads, packs, p.grainOf(packs, 1), j)
			j.packing = false
			pool.RunOn(j.threads, j.items(), p.grainOf(j.items(), 1), j)
		}
	}
}

// grain is how many items a thread takes at a time, so that they are worth it. Of the products of a batch it is several
// neighbours: the next one is asked for ahead.
func (j *Job) grain() int {
	p := j.p
	g := max(1, itemWork/max(1, p.batch*p.m*p.n*p.adds()/j.items()))
	if p.asksProducts() {
		g = max(g, p.batch/(ownItems*max(1, p.config.Threads)))
	}
	if p.frame != nil && p.batch >= ownItems*max(1, p.config.Threads) { // what a thread brings is for all of a product
		g = parts(g, p.windows.items) * p.windows.items
	}
	return p.grainOf(j.items(), g)
}

// packPanels is how many panels are packed at a time, a part of their depth.
const packPanels = 16

// pack packs part i of the panels that are multiplied next.
func (w *task) pack(i int) {
	p := w.p
	if p.overlap != nil {
		w.packOverlap(i)
		return
	}
	k0, k1 := p.packPart(i % p.packParts())
	first := w.first + i/p.packParts()*packPanels
	for at := first; at < min(first+packPanels, w.last); at++ {
		pn := &p.panels[at]
		p.packPanel(w.panel(w.from, pn, k0), w.b, w.from, pn, k0, k1)
	}
}

// rowBlocks is the number of blocks of A.
func (p *Product) rowBlocks() int {
	if p.mc >= p.m {
		return 1
	}
	return parts(p.m, p.mc)
}

func (j *Job) items() int {
	if j.p.routeB == inWindows {
		return j.p.batch * j.p.windows.items
	}
	if j.p.routeB == packedBy {
		return j.count * parts(j.last-j.first, j.p.group)
	}
	return j.count * j.p.rowBlocks() * parts(j.last-j.first, j.p.group)
}

// Do does items [lo, hi), or packs panels.
func (j *Job) Do(worker, lo, hi int) {
	p := j.p
	w := task{Job: j, own: unsafe.Add(j.own, worker*(j.areas.block+j.areas.sums+j.areas.own+j.areas.starts))}
	if p.run.single != nil {
		w.singles(worker, p.run.single, lo, hi)
		return
	}
	asks := p.asksProducts()
	for i := lo; i < hi && !j.isDone(); i++ {
		switch {
		case j.packing:
			w.pack(i)
		case p.routeB == inWindows:
			w.window(i/p.windows.items, i%p.windows.items)
		case p.routeB == packedBy:
			groups := parts(j.last-j.first, p.group)
			first := i % groups * p.group
			w.following = i+1 < hi
			w.askProduct(i/groups+1, asks && w.following)
			w.whole(i/groups, first, min(first+p.group, j.last))
			w.complete(worker, i/groups, 0, p.m)
		default:
			n, block, g := j.item(i)
			first := j.first + g*p.group
			if p.routeB == dotted {
				w.dotPanel(n, &p.panels[first])
				continue
			}
			if p.routeB == swept {
				w.sweep(n, &p.panels[first])
				continue
			}
			w.following = p.asksAround() && i+1 < hi
			w.askProduct(n+1, asks && i+1 < hi)
			w.item(j.from+n, block*p.mc, first, min(first+p.group, j.last))
			w.complete(worker, n, block*p.mc, min((block+1)*p.mc, p.m))
		}
	}
}

// item returns which element of the batch, block of rows and group of panels item i is.
func (j *Job) item(i int) (n, block, group int) {
	if i == 0 {
		return 0, 0, 0
	}
	groups, blocks := parts(j.last-j.first, j.p.group), j.p.rowBlocks()
	return i / groups / blocks, i / groups % blocks, i % groups
}

// isDone reports whether the rest is to be left out.
func (j *Job) isDone() bool { return j.done != nil && isClosed(j.done) }

func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// complete does what comes after rows [lo, hi) of product n.
func (w *task) complete(worker, n, lo, hi int) {
	if w.after != nil {
		w.after.Do(worker, n*w.p.m+lo, n*w.p.m+hi)
	}
}

// task is a thread at work.
type task struct {
	*Job
	own  unsafe.Pointer
	args microArgs
	// firstOwn and depthOwn are where what this thread has packed of B begins: a panel and a depth.
	firstOwn, depthOwn int
	slot               int            // of own, which is multiplied
	rowsOfA            unsafe.Pointer // where a block of A is while it is laid down packed; else nil
	coming             bundle
	ahead              ahead
	// brought is the product whose planes have been brought, and 1.
	brought int
	// following says that the next item is this thread's, too.
	following bool
}

// whole does all rows of one element of the batch times panels [first, last), packed by this thread.
func (w *task) whole(n, first, last int) {
	p := w.p
	if !p.direct {
		for row := 0; row < p.m; row += p.mc {
			w.item(n, row, first, last)
		}
		return
	}
	c := unsafe.Add(w.c, p.panels[first].col*p.kind.size())
	for k := 0; k < p.k; k += w.args.depth {
		for row := 0; row < p.m; row += p.mc {
			w.block(n, row, k, first, last, c)
		}
	}
}

// packOwn packs depths [k0, k1) of panels [first, last), some rows of all of them at a time.
func (w *task) packOwn(n, k0, k1, first, last int) {
	p := w.p
	if p.along || p.copiesRows() {
		w.packAlong(n, k0, k1, first, last)
		return
	}
	step := k1 - k0
	if p.runDepthB >= p.k {
		step = packDepth
	}
	for k := k0; k < k1; k += step {
		if k1-k < 2*step {
			step = k1 - k
		}
		for i := first; i < last; i++ {
			pn := &p.panels[i]
			p.packPanel(w.panel(n, pn, k), w.b, n, pn, k, k+step)
		}
	}
}

// panel returns where panel pn of B is, from depth k on.
func (w *task) panel(n int, pn *panel, k int) unsafe.Pointer {
	p := w.p
	if p.overlap != nil {
		return w.overlapped(pn, 0)
	}
	at := pn.at*p.regs.vector*p.k + k*pn.nv*p.regs.vector // if it is packed
	switch p.routeB {
	case inPlace, swept:
		return unsafe.Add(w.b, (p.spec.B.Offset+p.batchB.at(n)+pn.col)*p.spec.B.Type.ByteSize()+k*p.rowB)
	case packedBy:
		at = w.slot*p.slotVectors() + (pn.at-p.panels[w.firstOwn].at)*p.ownDepth + (k-w.depthOwn)*pn.nv
		return unsafe.Add(w.own, w.areas.block+w.areas.sums+at*p.regs.vector)
	case packed:
		return unsafe.Add(w.packed, at-p.panels[w.first].at*p.regs.vector*p.k)
	}
	return unsafe.Add(w.packed, n*p.batchBytes()+at)
}

// item multiplies a block of rows with panels [first, last).
func (w *task) item(n, row, first, last int) {
	p := w.p
	left := p.panels[first].col
	c := unsafe.Add(w.own, w.areas.block)
	if p.direct {
		c = unsafe.Add(w.c, left*p.kind.size())
	}
	for k := 0; k < p.k; k += w.args.depth {
		w.block(n, row, k, first, last, c)
	}
	if !p.direct {
		last := &p.panels[last-1]
		w.store(c, p.sumsWidth()*p.kind.size(), n, row, min(p.mc, p.m-row), left, last.col+last.cols)
	}
}

// block does so for the part of the depth that begins with k. Area c begins with panel first.
func (w *task) block(n, row, k, first, last int, c unsafe.Pointer) {
	p := w.p
	rows, ldc := min(p.mc, p.m-row), p.rowsC.step*p.kind.size()
	if !p.direct {
		ldc = p.sumsWidth() * p.kind.size()
	}
	w.args.depth, w.args.add = p.depth(k), k
	a := w.rows(n, row, rows, k)
	if p.across {
		w.blockAcross(n, row, rows, k, first, last, a, c, ldc)
		return
	}
	for i := first; i < last && !w.isDone(); i++ {
		pn := &p.panels[i]
		switch {
		case p.routeB == packedBy:
			w.source(n, row, k, i, first, last)
		case p.listed:
			w.askRows(n, k, i, first, last)
		case p.asksPanels():
			w.askPanel(n, k, i, first, last)
		}
		w.args.b = w.panel(n, pn, k)
		if p.lays {
			w.lay(n, pn, k)
		}
		w.begin(pn)
		if p.around != nil {
			w.bring(row/p.mc, i)
		}
		if p.overlap != nil {
			w.runsOfB(pn, k)
		}
		w.panelRows(pn, a, c, n, row, rows, pn.col-p.panels[first].col, ldc)
		w.rowsOfA = nil
	}
}

// rows returns where the rows of A are: a block of them, packed, or all in place.
func (w *task) rows(n, row, rows, k int) unsafe.Pointer {
	p := w.p
	if p.routeA == inPlace {
		from, at := w.a, (p.spec.A.Offset+p.batchA.at(n))*p.spec.A.Type.ByteSize()
		if p.around != nil {
			from, at = w.own, 0
			w.clearAround(row, rows)
			w.askAround(row / p.mc)
		}
		if p.runsOfA != nil {
			w.args.runs, w.args.at = w.args.depth/p.runDepth, unsafe.Pointer(&p.runsOfA[k/p.runDepth])
			w.args.end = uintptr(w.args.at) + uintptr(8*w.args.runs)
			return unsafe.Add(from, at)
		}
		if p.depthOfA.known() {
			return unsafe.Add(from, at+p.depthOfA.at(k)*p.spec.A.Type.ByteSize())
		}
		return unsafe.Add(from, at+k*p.depthA)
	}
	if p.laysA {
		w.layBlock(n, row, k)
		return w.own
	}
	p.packRows(w.own, w.a, n, row, rows, k, k+w.args.depth)
	return w.own
}

// idle is what is asked for where nothing is needed: A, which no thread writes. Behind what this thread has packed
// there is what others pack.
func (w *task) idle() uintptr {
	if w.p.routeA == inPlace {
		return uintptr(w.args.a)
	}
	return uintptr(w.a)
}

func (w *task) multiply(f *form, mr int) {
	if w.args.lay != nil {
		fn := f.layEntry
		if w.rowsOfA != nil {
			fn = f.layBothEntry
		}
		invoke(w.p, fn, &w.args)
		w.args.b, w.args.lay = w.args.lay, nil
		return
	}
	if fn := w.entry(f, mr); fn != 0 {
		invoke(w.p, fn, &w.args)
		return
	}
	microGo(f.micro[mr], &w.args)
}

// entry is the kernel of steps of mr rows; 0 is the one in Go.
func (w *task) entry(f *form, mr int) uintptr {
	fn := f.entry[mr]
	if w.args.depth < tileDepth && w.p.kind.tiles() && w.p.runsOfA == nil {
		fn = f.last.at(mr)
	}
	if w.plain {
		fn = f.plain.at(mr)
	}
	if w.rowsOfA != nil {
		fn = f.rows.at(mr)
	}
	return fn
}

// invoke runs the kernel at fn.
func invoke[T any](p *Product, fn uintptr, args *T) {
	if p.emulate != nil {
		p.emulate(fn, append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(args)), unsafe.Sizeof(*args))...))
		return
	}
	p.config.Denormals.Call(fn, unsafe.Pointer(args))
}
