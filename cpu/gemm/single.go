package gemm

import "unsafe"

// Products of a batch may be so small that one call of a micro-kernel makes one, from operands where they are. What
// to call is then the same for all of them, and found out once.

// single is the call that makes a product.
type single struct {
	form      *form
	mr, steps int
	asked     int // bytes that it asks for ahead
}

// single returns the call for each product, nil if one takes more than that.
func (p *Product) single() *single {
	if p.routeA != inPlace || p.routeB != inPlace || !p.direct || p.across || p.listed || p.runsOfA != nil ||
		len(p.panels) != 1 || p.rowBlocks() != 1 || p.depth(0) != p.k || p.together(0, p.m) != p.m {
		return nil
	}
	pn := &p.panels[0]
	st := p.steps(p.m, pn.nv)
	if st.small > 0 || st.big > max(1, callWork*p.kind.wide()/(p.k*st.mr*pn.nv*p.lanes)) {
		return nil
	}
	s := &single{form: &p.forms[pn.form], mr: st.mr, steps: st.big}
	s.asked = s.steps * p.turns(p.k) * s.form.micro[s.mr].ahead * line
	return s
}

// singles makes products [lo, hi).
func (w *task) singles(worker int, s *single, lo, hi int) {
	p, asks, size := w.p, w.p.asksProducts(), w.p.kind.size()
	w.args.depth, w.args.add, w.args.steps = p.k, 0, s.steps
	first := p.rowOf(0, 0)
	if fn := w.entry(s.form, s.mr); fn != 0 && w.after == nil && p.batchA.even() && p.batchB.even() && p.batchC.even() {
		w.evenly(fn, s, first, lo, hi)
		return
	}
	for n := lo; n < hi; n++ {
		w.askProduct(n+1, asks && n+1 < hi)
		w.args.a = unsafe.Add(w.rows(n, 0, p.m, 0), first)
		w.args.b = w.panel(n, &p.panels[0], 0)
		w.args.c = unsafe.Add(w.c, (p.placeOfRow(n, 0)+p.panels[0].col)*size)
		w.args.next = w.ahead.take(w.idle(), s.asked)
		w.multiply(s.form, s.mr)
		w.complete(worker, n, 0, p.m)
	}
}

// evenly makes products [lo, hi), whose operands and results are as far apart each, with the kernel at fn. Of small
// ones it takes no longer to multiply than to find out where they are.
func (w *task) evenly(fn uintptr, s *single, first, lo, hi int) {
	p, size := w.p, w.p.kind.size()
	a, b := unsafe.Add(w.rows(lo, 0, p.m, 0), first), w.panel(lo, &p.panels[0], 0)
	c := unsafe.Add(w.c, (p.placeOfRow(lo, 0)+p.panels[0].col)*size)
	stepA, stepB := p.batchA.step*p.spec.A.Type.ByteSize(), p.batchB.step*p.spec.B.Type.ByteSize()
	stepC, asks := p.batchC.step*size, p.asksProducts()
	for i := range hi - lo {
		w.args.a, w.args.b, w.args.c = unsafe.Add(a, i*stepA), unsafe.Add(b, i*stepB), unsafe.Add(c, i*stepC)
		switch w.args.next = w.idle(); {
		case !asks || lo+i+1 == hi:
		case stepB != 0:
			w.args.next = uintptr(w.args.b) + uintptr(stepB)
		case stepA != 0:
			w.args.next = uintptr(w.args.a) + uintptr(stepA)
		}
		invoke(p, fn, &w.args)
	}
}
