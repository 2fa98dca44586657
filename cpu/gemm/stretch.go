package gemm

import "unsafe"

// Rows that are evenly spaced in A and in C are a run, such as the places of a line of an image. A call of a
// micro-kernel has steps of one run, or those of several from a table (steps.go). To tiles a call is dear: what loads
// their shapes takes as long as multiplying a short run. So a call may have the same step of several runs, where these
// are evenly spaced in their turn.

// stretch is runs of so many rows: where the first one begins, and how far apart they are, in bytes.
type stretch struct {
	rows, runs     int
	atA, atC       int
	apartA, apartC int
}

// stretch returns the one that begins with row i of a block of rows from row on.
func (w *task) stretch(n, row, i, rows, ldc int) stretch {
	p := w.p
	s := stretch{rows: p.together(row+i, rows-i), runs: 1, atA: p.rowOf(row, i), atC: w.atC(n, row, i, ldc)}
	if !p.kind.tiles() {
		return s
	}
	for next := i + s.rows; next < rows && p.together(row+next, rows-next) == s.rows; next += s.rows {
		a, c := p.rowOf(row, next)-s.atA, w.atC(n, row, next, ldc)-s.atC
		if s.runs == 1 {
			s.apartA, s.apartC = a, c
		}
		if a != s.runs*s.apartA || c != s.runs*s.apartC {
			break
		}
		s.runs++
	}
	return s
}

// atC returns where row row+i of product n is in the area of C of a block that begins with row.
func (w *task) atC(n, row, i, ldc int) int {
	if w.p.direct {
		return w.p.placeOfRow(n, row+i) * w.p.kind.size()
	}
	return i * ldc
}

// panelRows multiplies rows of A, a block, with one panel, whose sums are from column col of the area of C on.
func (w *task) panelRows(pn *panel, a, c unsafe.Pointer, n, row, rows, col, ldc int) {
	if w.p.kind.diagonals() && w.p.around == nil {
		a = unsafe.Add(a, pn.col*w.p.kind.size())
	}
	f := &w.p.forms[pn.form]
	if w.known(f, rows) {
		at := w.atC(n, row, 0, ldc) + col*w.p.kind.size()
		w.knownCalls(f, unsafe.Add(a, w.p.rowOf(row, 0)), unsafe.Add(c, at))
		return
	}
	if f.placed != nil {
		w.placedRows(pn, f.placed[row/w.p.mc], a, c, n, col)
		return
	}
	for i := 0; i < rows; {
		s := w.stretch(n, row, i, rows, ldc)
		s.atC += col * w.p.kind.size()
		w.column(pn, a, c, &s, ldc)
		i += s.runs * s.rows
	}
}

// column multiplies a stretch with one panel: run by run, or step by step, whichever has longer calls.
func (w *task) column(pn *panel, a, c unsafe.Pointer, s *stretch, ldc int) {
	st := w.p.stepsOf(pn, s.rows)
	big, less := st.mr*w.p.rowA, st.less*w.p.rowA
	if st.big+st.small < s.runs*(min(st.big, 1)+min(st.small, 1)) {
		atA, atC := s.atA, s.atC
		for range st.big {
			w.calls(pn, a, c, st.mr, s.runs, atA, atC, s.apartA, s.apartC)
			atA, atC = atA+big, atC+st.mr*ldc
		}
		for range st.small {
			w.calls(pn, a, c, st.less, s.runs, atA, atC, s.apartA, s.apartC)
			atA, atC = atA+less, atC+st.less*ldc
		}
		return
	}
	for run := range s.runs {
		atA, atC := s.atA+run*s.apartA, s.atC+run*s.apartC
		w.calls(pn, a, c, st.mr, st.big, atA, atC, big, st.mr*ldc)
		w.calls(pn, a, c, st.less, st.small, atA+st.big*big, atC+st.big*st.mr*ldc, less, st.less*ldc)
	}
}

// calls multiplies steps of mr rows, which begin so far from a and c and are so far apart, with one panel.
func (w *task) calls(pn *panel, a, c unsafe.Pointer, mr, steps, atA, atC, apartA, apartC int) {
	if steps == 0 {
		return
	}
	f := &w.p.forms[pn.form]
	most := w.mostSteps(pn, mr, steps)
	w.args.nextA, w.args.nextC = apartA, apartC
	for steps > 0 {
		n := min(steps, most)
		if w.args.lay != nil {
			n = 1
		}
		w.args.a, w.args.c = unsafe.Add(a, atA), unsafe.Add(c, atC)
		w.laidFrom(atA)
		w.call(f, mr, n)
		steps -= n
		atA, atC = atA+n*apartA, atC+n*apartC
	}
}
