package lapack

import (
	"cmp"
	"math"
	"slices"

	"github.com/goxla/xla/cpu/dense"
)

// tinySingular is singular for a matrix of a few real numbers.
func (p *problem[T]) tinySingular(m matrix[T], mode int64) (s decomposition[T]) {
	cols := m.cols
	switch mode {
	case 'A':
		cols = m.rows
	case 'N':
		cols = 0
	}
	y := p.tiny(m.cols)
	var left, right []float64
	s.values, left, right, s.found = y.singular(p.widened(m), cols)
	if mode != 'N' {
		s.left, s.right = p.matrix(m.rows, cols), p.matrix(m.cols, m.cols)
		narrowed(s.left, left, y.order)
		narrowed(s.right, right, y.order)
	}
	return s
}

// singular returns the singular values of a, in an order that it sets, and so many vectors as rows, if any.
func (y tiny) singular(a []float64, vectors int) (values, left, right []float64, found bool) {
	n := len(y.order)
	rows := len(a) / n
	if vectors > 0 {
		left, right = y.take(vectors*rows), y.take(n*n)
	}
	b := bidiagonal[float64]{d: y.take(n), e: y.take(n)[:n-1]}
	tinyBidiagonal(a, left, right, b.d, b.e, y.take(n*rows+3*n))
	if vectors > 0 {
		b.left, b.right = y.direct(0, left, rows), y.direct(1, right, n)
	}
	found = b.diagonalize(func() bool { return y.each(0, nil) })
	for i, x := range b.d {
		if math.Signbit(x) {
			if b.d[i] = -x; vectors > 0 {
				scaleBy(right[i*n:][:n], -1)
			}
		}
	}
	slices.SortStableFunc(y.order, func(i, j int) int { return cmp.Compare(b.d[j], b.d[i]) })
	values = y.take(n)
	for k, i := range y.order {
		values[k] = b.d[i]
	}
	return values, left, right, found
}

// tinyBidiagonal reduces a matrix, of as many columns as d has numbers and at least as many rows, to the diagonals d
// and e. It sets rows of left and right, if there are any, to columns of the products of the reflections it took.
// Memory has a row of numbers for each column, and three for all columns.
func tinyBidiagonal(a, left, right, d, e, memory []float64) {
	n := len(d)
	rows := len(a) / n
	w, leftTaus, rightTaus := memory[:n], memory[n:][:n], memory[2*n:][:n]
	vectors := memory[3*n:]
	for j := range n {
		v := vectors[j*rows+j : (j+1)*rows]
		for i := range v {
			v[i] = a[(j+i)*n+j]
		}
		d[j], leftTaus[j] = dense.Reflector(v)
		if j+1 == n {
			break
		}
		sums := w[:n-1-j]
		clear(sums)
		for i, f := range v {
			addTiny(sums, f, a[(j+i)*n+j+1:][:len(sums)])
		}
		for i, f := range v {
			addTiny(a[(j+i)*n+j+1:][:len(sums)], -leftTaus[j]*f, sums)
		}
		u := a[j*n+j+1:][:n-1-j]
		e[j], rightTaus[j] = dense.Reflector(u)
		tinyReflect(a[min((j+1)*n+j+1, len(a)):], n, rows-1-j, u, rightTaus[j])
	}
	if left == nil {
		return
	}
	cols := len(left) / rows
	for i := range cols {
		left[i*rows+i] = 1
	}
	for i := range n {
		right[i*n+i] = 1
	}
	for j := n - 1; j >= 0; j-- {
		tinyReflect(left[j*rows+j:], rows, cols-j, vectors[j*rows+j:(j+1)*rows], leftTaus[j])
		if j+1 < n {
			tinyReflect(right[(j+1)*n+j+1:], n, n-1-j, a[j*n+j+1:][:n-1-j], rightTaus[j])
		}
	}
}
