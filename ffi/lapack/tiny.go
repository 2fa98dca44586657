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

// tiny is what such a problem of n numbers takes from a problem of any type.
type tiny struct {
	take  dense.Memory[float64]
	each  dense.Parallel
	turns *[2]turns[float64]
	order []int // 0 to n-1
}

func (p *problem[T]) tiny(n int) tiny {
	return tiny{memoryOf[float64](p), p.parallel(), &p.turns, p.inOrder(n)}
}

// direct returns rotations of the rows of w, n numbers each, that are done in loops.
func (y tiny) direct(which int, w []float64, n int) *turns[float64] {
	t := &y.turns[which]
	t.direct, t.m = true, dense.Sheet[float64]{Rows: len(w) / n, Cols: n, At: w}
	t.sweeps, t.memory = t.sweeps[:0], y.take(2 * (n + 1) * n)[:0]
	return t
}

// tinyEigen is syevd of a matrix of which the lower triangle is given, and which was 2 to the power of exponent as
// large.
func (p *problem[T]) tinyEigen(m matrix[T], exponent int) {
	n := m.rows
	y := p.tiny(n)
	values, w, info := y.eigen(p.widened(m))
	p.info = info
	ldexp(values, exponent)
	to := p.place(0, n, n)
	narrowed(to, w, y.order)
	p.set(0, to)
	p.setReals(1, values)
}

// eigen returns the eigenvalues of a, in an order that it sets, and eigenvectors as rows.
func (y tiny) eigen(a []float64) (values, w []float64, info int) {
	n := len(y.order)
	d, e := y.take(n), y.take(n)
	w = y.take(n * n)
	tinyTridiagonal(a, w, d, e, y.take(n))
	dropSmall(d, e[:n-1])
	info = implicitQL(d, e, y.each, y.direct(0, w, n))
	slices.SortStableFunc(y.order, func(i, j int) int { return cmp.Compare(d[i], d[j]) })
	for k, i := range y.order {
		e[k] = d[i]
	}
	return e, w, info
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
