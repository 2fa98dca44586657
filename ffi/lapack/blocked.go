package lapack

import (
	"math"

	"github.com/goxla/xla/cpu/dense"
)

// This file holds the routines in blocks, for real numbers.

// blockedFrom is the size from which on matrices are computed in blocks, factoredFrom that for LU and Cholesky, whose
// loops take four rows at a time.
const (
	blockedFrom  = 20
	factoredFrom = 40
)

// blocked reports whether a matrix of so many rows and columns is to be computed in blocks: on machine code.
func blocked[F dense.Float](p *problem[F], rows, cols int) bool {
	return stepsOf(p) != nil && min(rows, cols) >= blockedFrom
}

// stepsOf returns the steps for the numbers of p; nil: there are none.
func stepsOf[F dense.Float](p *problem[F]) *dense.Kernels[F] {
	k, ok := any(p.steps).(*dense.Kernels[F])
	if !ok {
		k, _ = any(p.steps32).(*dense.Kernels[F])
	}
	return k
}

// geqrfReal, orgqrReal and ormqrReal are the routines of these names for real numbers.
func geqrfReal[F dense.Float](p *problem[F]) {
	switch a := p.in[0]; {
	case isAcross(p, a.rows, a.cols):
		geqrfAcross(p)
	case blocked(p, a.rows, a.cols), stepsOf(p) != nil && a.rows > mostAcross:
		geqrfBlocked(p)
	default:
		geqrf(p)
	}
}

func orgqrReal[F dense.Float](p *problem[F]) {
	switch a := p.in[0]; {
	case isAcross(p, a.rows, a.cols):
		orgqrAcross(p)
	case blocked(p, a.rows, a.cols), stepsOf(p) != nil && a.rows > mostAcross:
		orgqrBlocked(p)
	default:
		orgqr(p)
	}
}

func ormqrReal[F dense.Float](p *problem[F]) {
	if c := p.in[2]; !blocked(p, c.rows, c.cols) {
		ormqr(p)
		return
	}
	if p.mayMultiply() {
		ormqrBlocked(p, p.attr.get("left") != 0, p.attr.get("transpose") != 0)
	}
}

func getrfBlocked[F dense.Float](p *problem[F]) {
	a := p.in[0]
	pivots := p.inOrder(min(a.rows, a.cols))
	m := panels(p, a)
	p.info = stepsOf(p).LU(m, a.rows, a.cols, pivots, p.numbers, p.each)
	for i := range pivots {
		pivots[i]++
	}
	setPanels(p, a.rows, a.cols, m)
	p.setInts(1, pivots)
}

func geqrfBlocked[F dense.Float](p *problem[F]) {
	a := p.in[0]
	taus := p.numbers(min(a.rows, a.cols))
	m := panels(p, a)
	stepsOf(p).QR(m, a.rows, taus, p.numbers, p.each)
	setPanels(p, a.rows, a.cols, m)
	p.set(1, matrix[F]{len(taus), 1, taus})
}

func orgqrBlocked[F dense.Float](p *problem[F]) {
	a, taus := p.in[0], p.in[1].at
	q := identityPanels(p, a.rows, a.cols)
	reflect(p, q, a, 0, taus[:min(len(taus), a.cols, a.rows)], true)
	setPanels(p, a.rows, a.cols, q)
}

// setPanels makes result 0 the first rows and columns of m, which it gives back.
func setPanels[F dense.Float](p *problem[F], rows, cols int, m dense.Matrix[F]) {
	to := p.place(0, rows, cols)
	fromPanels(p, to, m)
	p.set(0, to)
}

func identityPanels[F dense.Float](p *problem[F], rows, cols int) dense.Matrix[F] {
	q := noPanels(p, rows, cols)
	for i := range min(rows, cols) {
		q.Row(i/q.Width, i)[i%q.Width] = 1
	}
	return q
}

// reflect multiplies c by the reflectors whose vectors are below the diagonal of a, or so many rows below that.
func reflect[F dense.Float](p *problem[F], c dense.Matrix[F], a matrix[F], below int, taus []F, backward bool) {
	// What is further below is that of a column further to the right.
	all := p.numbers(below + len(taus))
	copy(all[below:], taus)
	v := dense.Vectors[F]{At: a.at, Row: a.cols, Col: 1, Skip: below}
	stepsOf(p).Reflect(c, v, a.rows, all, backward, p.numbers, p.each)
}

// ormqrBlocked is ormqr for factors that were checked.
func ormqrBlocked[F dense.Float](p *problem[F], left, adjoint bool) {
	a, taus, c := p.in[0], p.in[1].at, p.in[2]
	if !left {
		c = p.adjoint(c) // C Q is the transpose of Q^T C^T
		adjoint = !adjoint
	}
	m := panels(p, c)
	reflect(p, m, a, 0, taus, !adjoint)
	if left {
		setPanels(p, c.rows, c.cols, m)
		return
	}
	fromPanels(p, c, m) // which is the transposed copy
	p.set(0, p.adjoint(c))
}

// potrfBlocked factors the triangle of a, and reports whether it is positive definite; a stays as it is if not.
func potrfBlocked[F dense.Float](p *problem[F], lower bool) bool {
	a := p.in[0]
	m, n := borrow(p, a.rows, a.rows), a.rows
	defer lend(p, m)
	for q := range m.Panels() {
		readTriangle(m, q, a, lower)
	}
	if stepsOf(p).Cholesky(m, n, p.numbers(m.Rows), p.each) != 0 {
		return false
	}
	a = p.copyOf(0, 0)
	for q := range m.Panels() {
		writeTriangle(a, m, q, lower)
	}
	p.set(0, a)
	return true
}

// readTriangle fills panel q with the upper triangle of a, or the lower one across the diagonal.
func readTriangle[F dense.Float](m dense.Matrix[F], q int, a matrix[F], lower bool) {
	at, ld := m.Panel(q)
	first := q * m.Width
	for i := range min(a.rows, first+ld) {
		row := m.Row(q, i)
		if lower {
			clear(row)
		} else {
			clear(row[copy(row, a.row(i)[first:]):])
		}
	}
	if !lower {
		return
	}
	panel := m.At[at:]
	for j := range min(ld, a.rows-first) {
		for i, x := range a.row(first + j)[:first+j+1] {
			panel[i*ld+j] = x
		}
	}
}

// writeTriangle is the way back.
func writeTriangle[F dense.Float](a matrix[F], m dense.Matrix[F], q int, lower bool) {
	at, ld := m.Panel(q)
	first := q * m.Width
	if !lower {
		for i := range min(a.rows, first+ld) {
			skip := max(0, i-first)
			copy(a.row(i)[first+skip:], m.Row(q, i)[skip:])
		}
		return
	}
	panel := m.At[at:]
	for j := range min(ld, a.rows-first) {
		row := a.row(first + j)[:first+j+1]
		for i := range row {
			row[i] = panel[i*ld+j]
		}
	}
}

// solveBlocked replaces b by the solution of s, unless the diagonal has a number without a good inverse.
func solveBlocked[F dense.Float](p *problem[F], s system[F], b matrix[F]) bool {
	n, k := s.m.rows, stepsOf(p)
	rows := k.Layout(n, 1).Rows
	inverse := p.numbers(rows)
	if !s.inverses(inverse) {
		return false
	}
	l := borrow(p, rows, rows)
	defer lend(p, l)
	for i := 0; i < rows; i += k.Rows {
		s.pack(l.At[i*rows:][:rows*k.Rows], i, k.Rows)
	}
	x := noPanels(p, n, b.cols)
	p.each(x.Panels(), func(q int) {
		for i := range n {
			copy(x.Row(q, i), b.row(s.place(i))[q*x.Width:])
		}
		at, ld := x.Panel(q)
		c := x.At[at:]
		k.Solve(dense.Step[F]{A: l.At, DepthA: k.Rows, StepA: rows * k.Rows, B: c, RowB: ld, C: c, RowC: ld,
			Vectors: ld / x.Lanes, Steps: rows / k.Rows, Inverse: inverse})
		for i := range n {
			copy(b.row(s.place(i))[q*x.Width:], x.Row(q, i))
		}
	})
	lend(p, x)
	return true
}

// place is where row i of the lower system is: an upper triangle is a lower one from the last row on.
func (s *system[F]) place(i int) int {
	if s.lower {
		return i
	}
	return s.m.rows - 1 - i
}

// inverses sets v to those of the diagonal, and reports whether they are good.
func (s *system[F]) inverses(v []F) bool {
	least := 0x1p-500
	if isSingle[F]() {
		least = 0x1p-60
	}
	for i := range s.m.rows {
		if v[i] = 1; !s.unit {
			x := s.m.row(s.place(i))[s.place(i)]
			if size := math.Abs(float64(x)); !(size > least && size < 1/least) {
				return false
			}
			v[i] = 1 / x
		}
	}
	return true
}

// pack fills a block of so many rows, from row first of the lower system on, column by column up to the diagonal.
func (s *system[F]) pack(to []F, first, rows int) {
	n := s.m.rows
	clear(to[first*rows:][:rows*rows])
	if first+rows > n {
		clear(to)
	}
	n -= first
	for r := range min(rows, n) {
		i := first + r
		switch row := s.m.row(s.place(i)); {
		case s.transposed:
		case s.lower:
			for d, x := range row[:i] {
				to[d*rows+r] = x
			}
		default:
			row = row[len(row)-i:]
			for d := range row {
				to[d*rows+r] = row[len(row)-1-d]
			}
		}
	}
	if !s.transposed {
		return
	}
	for d := range min(first+rows, s.m.rows) {
		own, skip := to[d*rows:][:min(rows, n)], max(0, d+1-first)
		if row := s.m.row(s.place(d)); s.lower {
			copy(own[min(skip, len(own)):], row[min(first+skip, len(row)):])
		} else {
			for r := skip; r < len(own); r++ {
				own[r] = row[s.place(first+r)]
			}
		}
	}
}
