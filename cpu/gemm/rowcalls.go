package gemm

import "unsafe"

// Of a small product, finding out what to call takes a tenth of the time. Where the rows of whole blocks are evenly
// spaced in A and in C, the calls of micro-kernels for a panel are the same for each, and known once.

// rowCall is a call for some steps of the rows of a block.
type rowCall struct {
	mr, steps int
	atA, atC  int // where they begin, in bytes, in A and in C
	asked     int // bytes that it asks for ahead
}

// chooseCalls finds the calls of f for a block of mc rows and kc of the depth, if steps are no more than a call may
// have.
func (p *Product) chooseCalls(f *form) {
	if !p.native() || p.kind.tiles() || p.kind.diagonals() || p.listed || p.later > 0 || f.placed != nil || p.lays ||
		p.rowsC.size < p.m || p.routeA == inPlace && p.runRows < p.m || p.depth(0) != p.kc || p.streams() {
		return
	}
	st := p.steps(p.mc, f.nv)
	if work := p.kc * st.mr * f.nv * p.lanes; (st.big+st.small)*work > callWork*p.kind.wide() {
		return
	}
	turns, ldc := p.turns(p.kc), f.micro[st.mr].ldc
	add := func(mr, steps, row int) {
		if steps > 0 {
			asked := steps * turns * f.micro[mr].ahead * line
			f.calls = append(f.calls, rowCall{mr, steps, row * p.rowA, row * ldc, asked})
		}
	}
	add(st.mr, st.big, 0)
	add(st.less, st.small, st.big*st.mr)
}

// known reports whether the calls of f multiply so many rows.
func (w *task) known(f *form, rows int) bool {
	return f.calls != nil && rows == w.p.mc && w.args.depth == w.p.kc && w.rowsOfA == nil
}

// knownCalls makes the calls of f, from the places of the first row in A and in C on.
func (w *task) knownCalls(f *form, a, c unsafe.Pointer) {
	for i := range f.calls {
		call := &f.calls[i]
		w.args.a, w.args.c, w.args.steps = unsafe.Add(a, call.atA), unsafe.Add(c, call.atC), call.steps
		w.args.next = w.ahead.take(w.idle(), call.asked)
		invoke(w.p, f.entry[call.mr], &w.args)
	}
}
