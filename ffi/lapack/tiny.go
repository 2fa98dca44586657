package lapack

import (
	"cmp"
	"slices"

	"github.com/goxla/xla/cpu/dense"
)

// Eigenvalues and singular values of matrices of a few real numbers are found by loops over float64: to lay out rows
// for machine code would take longer.

// isTiny reports whether m is such a matrix.
func isTiny[T field](m matrix[T]) bool {
	return !conjugates[T]() && max(m.rows, m.cols) <= mostSmall && len(m.at) > 0
}

// widened returns the numbers of m, which are real.
func (p *problem[T]) widened(m matrix[T]) []float64 {
	a := p.reals(len(m.at))
	switch v := any(m.at).(type) {
	case []float32:
		widen(a, v)
	case []float64:
		copy(a, v)
	}
	return a
}

// narrowed sets to to the numbers of rows of w in an order, as columns, and of those behind.
func narrowed[T field](to matrix[T], w []float64, order []int) {
	single, double := numbersOf[float32](to.at), numbersOf[float64](to.at)
	for k := range to.cols {
		i := k
		if k < len(order) {
			i = order[k]
		}
		for r, x := range w[i*to.rows:][:to.rows] {
			if at := r*to.cols + k; single != nil {
				single[at] = float32(x)
			} else {
				double[at] = x
			}
		}
	}
}

// directTurns returns rotations of the rows of w, n numbers each, that are done in loops.
func (p *problem[T]) directTurns(which int, w []float64, n int) *turns[float64] {
	t := &p.turns[which]
	t.direct, t.m = true, dense.Sheet[float64]{Rows: len(w) / n, Cols: n, At: w}
	t.sweeps, t.memory = t.sweeps[:0], p.reals(2 * (n + 1) * n)[:0]
	return t
}

// tinyEigen is syevd of a matrix of which the lower triangle is given, and which was 2 to the power of exponent as
// large.
func (p *problem[T]) tinyEigen(m matrix[T], exponent int) {
	n := m.rows
	a, d, e, w := p.widened(m), p.reals(n), p.reals(n), p.reals(n*n)
	tinyTridiagonal(a, w, d, e, p.reals(n))
	dropSmall(d, e[:n-1])
	p.info = implicitQL(d, e, p.parallel(), p.directTurns(0, w, n))
	order := p.inOrder(n)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(d[i], d[j]) })
	values := e
	for k, i := range order {
		values[k] = d[i]
	}
	ldexp(values, exponent)
	to := p.place(0, n, n)
	narrowed(to, w, order)
	p.set(0, to)
	p.setReals(1, values)
}

// tinyTridiagonal reduces a symmetric matrix, of which the lower triangle is given, to the diagonals d and e, and sets
// w to the product of the reflections it took.
func tinyTridiagonal(a, w, d, e, x []float64) {
	n := len(d)
	for i := range n {
		w[i*n+i] = 1
		for j := range i {
			a[j*n+i] = a[i*n+j]
		}
	}
	for j := range n - 1 {
		d[j] = a[j*n+j]
		v := a[j*n+j+1:][:n-1-j]
		beta, tau := dense.Reflector(v)
		e[j], a[j*n+j] = beta, tau
		if tau == 0 {
			continue
		}
		// A - v y^T - y v^T, where y is tau times A v - (tau v^T A v / 2) v.
		y, along := x[:len(v)], 0.0
		for i := range y {
			y[i] = tau * plainDot(a[(j+1+i)*n+j+1:], v)
			along += float64(y[i] * v[i])
		}
		addTiny(y, -tau/2*along, v)
		for i, f := range v {
			row, g := a[(j+1+i)*n+j+1:][:len(v)], y[i]
			for k, b := range v {
				row[k] -= float64(f*y[k]) + float64(g*b)
			}
		}
	}
	d[n-1] = a[n*n-1]
	for j := n - 2; j >= 0; j-- {
		tinyReflect(w[(j+1)*n+j+1:], n, n-1-j, a[j*n+j+1:][:n-1-j], a[j*n+j])
	}
}

// tinyReflect multiplies rows, that are ld numbers apart, by a reflection from the right.
func tinyReflect(rows []float64, ld, count int, v []float64, tau float64) {
	if tau == 0 {
		return
	}
	for i := range count {
		row := rows[i*ld:][:len(v)]
		addTiny(row, -tau*plainDot(row, v), v)
	}
}

func plainDot(x, v []float64) (sum float64) {
	x = x[:len(v)]
	for i, y := range v {
		sum += float64(x[i] * y)
	}
	return sum
}

// addTiny adds f times v to x.
func addTiny(x []float64, f float64, v []float64) {
	x = x[:len(v)]
	for i, y := range v {
		x[i] += float64(f * y)
	}
}
