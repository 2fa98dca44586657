package gemm

import "unsafe"

// Products of a batch may be so small that a few calls of micro-kernels make one, from operands where they are. What
// to call is then the same for all of them, and found out once.

// single is the calls that make a product.
type single struct{ calls []panelCall }

// panelCall is a call for some steps of the rows, and one panel.
type panelCall struct {
	form          *form
	mr, steps     int
	atA, atB, atC int // where they begin, in bytes
	asked         int // bytes that it asks for ahead
	next          int // those of the calls before
}

// mostCalls is the most calls: of more the time is that of multiplying.
const mostCalls = 12

// single returns the calls for each product, nil if one takes more than these.
func (p *Product) single() *single {
	if p.routeA != inPlace || p.routeB != inPlace || !p.direct || p.across || p.listed || p.runsOfA != nil ||
		len(p.panels) > mostCalls || p.rowBlocks() != 1 || p.depth(0) != p.k || p.together(0, p.m) != p.m {
		return nil
	}
	if p.group < len(p.panels) { // threads share the panels of a product
		return nil
	}
	s, next := new(single), 0
	add := func(pn *panel, mr, steps, row int) {
		if steps == 0 {
			return
		}
		f := &p.forms[pn.form]
		c := panelCall{form: f, mr: mr, steps: steps, atA: row * p.rowA, atB: pn.col * p.spec.B.Type.ByteSize(),
			atC: (row*p.rowsC.step + pn.col) * p.kind.size(), asked: steps * p.turns(p.k) * f.micro[mr].ahead * line, next: next}
		next += c.asked
		s.calls = append(s.calls, c)
	}
	for i := range p.panels {
		pn := &p.panels[i]
		st := p.steps(p.m, pn.nv)
		if st.big+st.small > max(1, callWork*p.kind.wide()/(p.k*st.mr*pn.nv*p.lanes)) {
			return nil
		}
		add(pn, st.mr, st.big, 0)
		add(pn, st.less, st.small, st.big*st.mr)
	}
	if len(s.calls) > mostCalls {
		return nil
	}
	return s
}

// singles makes products [lo, hi).
func (w *task) singles(worker int, s *single, lo, hi int) {
	p, asks, size := w.p, w.p.asksProducts(), w.p.kind.size()
	w.args.depth, w.args.add = p.k, 0
	first := p.rowOf(0, 0)
	if p.native() && w.after == nil && p.batchA.even() && p.batchB.even() && p.batchC.even() {
		w.evenly(s, first, lo, hi)
		return
	}
	for n := lo; n < hi; n++ {
		w.askProduct(n+1, asks && n+1 < hi)
		a, b := unsafe.Add(w.rows(n, 0, p.m, 0), first), w.panel(n, &p.panels[0], 0)
		c := unsafe.Add(w.c, p.placeOfRow(n, 0)*size)
		for i := range s.calls {
			call := &s.calls[i]
			w.args.a, w.args.b, w.args.c = unsafe.Add(a, call.atA), unsafe.Add(b, call.atB), unsafe.Add(c, call.atC)
			w.args.steps, w.args.next = call.steps, w.ahead.take(w.idle(), call.asked)
			w.multiply(call.form, call.mr)
		}
		w.complete(worker, n, 0, p.m)
	}
}

// evenly makes products [lo, hi), whose operands and results are as far apart each. Of small ones it takes no longer to
// multiply than to find out where they are.
func (w *task) evenly(s *single, first, lo, hi int) {
	p, size := w.p, w.p.kind.size()
	a, b := unsafe.Add(w.rows(lo, 0, p.m, 0), first), w.panel(lo, &p.panels[0], 0)
	c := unsafe.Add(w.c, p.placeOfRow(lo, 0)*size)
	stepA, stepB := p.batchA.step*p.spec.A.Type.ByteSize(), p.batchB.step*p.spec.B.Type.ByteSize()
	stepC, most := p.batchC.step*size, hi-lo
	if len(s.calls) > 1 { // so many as stay near meanwhile
		most = max(1, p.config.l1()/2/((p.m*p.k+p.k*p.n+p.m*p.n)*size))
	}
	for from := 0; from < hi-lo; from += most {
		to := min(from+most, hi-lo)
		for k := range s.calls {
			call := &s.calls[k]
			fn := w.entry(call.form, call.mr)
			a, b, c := unsafe.Add(a, call.atA), unsafe.Add(b, call.atB), unsafe.Add(c, call.atC)
			// Behind the last product is nothing, and nothing is read.
			asked, step := uintptr(b)+uintptr(call.next-call.atB), stepB
			if stepB == 0 {
				asked, step = uintptr(a)+uintptr(call.next-call.atA), stepA
			}
			w.args.steps = call.steps
			for i := from; i < to; i++ {
				w.args.a, w.args.b, w.args.c = unsafe.Add(a, i*stepA), unsafe.Add(b, i*stepB), unsafe.Add(c, i*stepC)
				w.args.next = asked + uintptr((i+1)*step)
				invoke(p, fn, &w.args)
			}
		}
	}
}
