package lapack

import (
	"math"

	"github.com/goxla/xla/cpu/dense"
)

// This file holds the routines in blocks, for real numbers.

func getrfBlocked(p *problem[float64]) {
	a := p.in[0]
	pivots := make([]int, min(a.rows, a.cols))
	m := p.panels(a)
	p.info = p.steps.LU(m, a.rows, a.cols, pivots, p.reals, p.each)
	for i := range pivots {
		pivots[i]++
	}
	p.fromPanels(a, m)
	p.set(0, a)
	p.setInts(1, pivots)
}

func geqrfBlocked(p *problem[float64]) {
	a := p.in[0]
	taus := make([]float64, min(a.rows, a.cols))
	m := p.panels(a)
	p.steps.QR(m, a.rows, taus, p.reals, p.each)
	p.fromPanels(a, m)
	p.set(0, a)
	p.set(1, matrix[float64]{len(taus), 1, taus})
}

func orgqrBlocked(p *problem[float64]) {
	a, taus := p.in[0], p.in[1].at
	q := identityPanels(p, a.rows, a.cols)
	p.reflect(q, a, 0, taus[:min(len(taus), a.cols, a.rows)], true)
	p.fromPanels(a, q)
	p.set(0, a)
}

func identityPanels(p *problem[float64], rows, cols int) dense.Matrix[float64] {
	q := p.noPanels(rows, cols)
	for i := range min(rows, cols) {
		q.Row(i/q.Width, i)[i%q.Width] = 1
	}
	return q
}

// reflect multiplies c by the reflectors whose vectors are below the diagonal of a, or so many rows below that.
func (p *problem[T]) reflect(c dense.Matrix[float64], a matrix[float64], below int, taus []float64, backward bool) {
	// What is further below is that of a column further to the right.
	all := p.reals(below + len(taus))
	copy(all[below:], taus)
	v := dense.Vectors[float64]{At: a.at, Row: a.cols, Col: 1, Skip: below}
	p.steps.Reflect(c, v, a.rows, all, backward, p.reals, p.each)
}

// ormqrBlocked is ormqr for factors that were checked.
func ormqrBlocked(p *problem[float64], left, adjoint bool) {
	a, taus, c := p.in[0], p.in[1].at, p.in[2]
	if !left {
		c = p.adjoint(c) // C Q is the transpose of Q^T C^T
		adjoint = !adjoint
	}
	m := p.panels(c)
	p.reflect(m, a, 0, taus, !adjoint)
	p.fromPanels(c, m)
	if !left {
		c = p.adjoint(c)
	}
	p.set(0, c)
}

// potrfBlocked factors the triangle of a, and reports whether it is positive definite; a stays as it is if not.
func potrfBlocked(p *problem[float64], lower bool) bool {
	a := p.in[0]
	m, n := p.borrow(a.rows, a.rows), a.rows
	defer p.lend(m)
	for q := range m.Panels() {
		readTriangle(m, q, a, lower)
	}
	if p.steps.Cholesky(m, n, make([]float64, m.Rows), p.each) != 0 {
		return false
	}
	for q := range m.Panels() {
		writeTriangle(a, m, q, lower)
	}
	p.set(0, a)
	return true
}

// readTriangle fills panel q with the upper triangle of a, or the lower one across the diagonal.
func readTriangle(m dense.Matrix[float64], q int, a matrix[float64], lower bool) {
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
func writeTriangle(a matrix[float64], m dense.Matrix[float64], q int, lower bool) {
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

// solveBlocked replaces b by the solution of m x = b, unless the diagonal has a number without a good inverse.
func solveBlocked(p *problem[float64], m, b matrix[float64], lower, unit bool) bool {
	n, k := m.rows, p.steps
	rows := k.Layout(n, 1).Rows
	inverse, l := make([]float64, rows), make([]float64, rows*rows)
	place := func(i int) int { // an upper triangle is a lower one from the last row on
		if lower {
			return i
		}
		return n - 1 - i
	}
	for i := range n {
		row := m.row(place(i))
		if inverse[i] = 1; !unit {
			x := row[place(i)]
			if s := math.Abs(x); !(s > 0x1p-500 && s < 0x1p500) {
				return false
			}
			inverse[i] = 1 / x
		}
		to := l[i/k.Rows*rows*k.Rows+i%k.Rows:]
		for d := range i {
			to[d*k.Rows] = row[place(d)]
		}
	}
	x := p.noPanels(n, b.cols)
	p.each(x.Panels(), func(q int) {
		for i := range n {
			copy(x.Row(q, i), b.row(place(i))[q*x.Width:])
		}
		at, ld := x.Panel(q)
		c := x.At[at:]
		k.Solve(dense.Step[float64]{A: l, DepthA: k.Rows, StepA: rows * k.Rows, B: c, RowB: ld, C: c, RowC: ld,
			Vectors: ld / x.Lanes, Steps: rows / k.Rows, Inverse: inverse})
		for i := range n {
			copy(b.row(place(i))[q*x.Width:], x.Row(q, i))
		}
	})
	p.lend(x)
	return true
}
