package lapack

import (
	"cmp"
	"math"
	"slices"

	"github.com/goxla/xla/cpu/dense"
)

// gesdd: A = U S V^H. The mode says which vectors are made: A all, S those of singular values, N none.
// Results: A, singular values in falling order, U, V^H, info.
func gesdd[T field, F dense.Float](p *problem[T]) {
	a, mode := p.in[0], p.attr.get("mode")
	p.set(0, p.cloned(a))
	tall := a.rows >= a.cols
	if !tall {
		a = p.adjoint(a) // V S U^H
	}
	most := largest(a.at)
	if math.IsNaN(most) || math.IsInf(most, 0) {
		p.info = 1
		return
	}
	exponent := nearOne(a.at, most)
	s := singular[F](p, a, mode)
	ldexp(s.values, exponent)
	p.setReals(1, s.values)
	if !s.found {
		p.info = 1
	}
	if mode == 'N' {
		return
	}
	if !tall {
		s.left, s.right = s.right, s.left
	}
	p.set(2, s.left)
	p.set(3, p.adjoint(s.right))
}

// decomposition is singular values in falling order, and their vectors as columns.
type decomposition[T field] struct {
	values      []float64
	left, right matrix[T]
	found       bool
}

// tallFrom is how many times as many rows as columns a matrix has that is made triangular first, which then has less
// to reflect from both sides; a narrow one gains nothing.
const tallFrom = 1.6

// singular decomposes a, which has no more columns than rows, and becomes anything. The mode is that of gesdd.
func singular[F dense.Float, T field](p *problem[T], a matrix[T], mode int64) (s decomposition[T]) {
	if isTiny(a) {
		return p.tinySingular(a, mode)
	}
	if q, ok := any(p).(*problem[F]); ok && blocked(q, a.rows, a.cols) &&
		a.cols > dense.MostVectors*stepsOf(q).Lanes && float64(a.rows) >= tallFrom*float64(a.cols) {
		return singularTall(p, q, a, mode)
	}
	b, left, right := bidiagonalize[F](p, a)
	if mode != 'N' {
		b.left, b.right = turnsOf[F](p, 0, a.cols), turnsOf[F](p, 1, a.cols)
	}
	each := p.parallel()
	s.found = b.diagonalize(func() bool { return each(0, nil) })
	order := p.inOrder(a.cols)
	for i, x := range b.d {
		if math.Signbit(x) {
			if b.d[i] = -x; mode != 'N' {
				scaleBy(b.right.row(i), -1)
			}
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(b.d[j], b.d[i]) })
	s.values = p.reals(a.cols)
	for k, i := range order {
		s.values[k] = b.d[i]
	}
	if mode != 'N' {
		cols := a.cols
		if mode == 'A' {
			cols = a.rows
		}
		s.left = p.reflected(columns(p, b.left, order, a.rows, cols), left)
		s.right = p.reflected(columns(p, b.right, order, a.cols, a.cols), right)
	}
	return s
}

// singularTall is singular for many more rows than columns: a is made triangular first.
func singularTall[F dense.Float, T field](p *problem[T], q *problem[F], a matrix[T], mode int64) decomposition[T] {
	taus := q.numbers(a.cols)
	m := panels(q, matrixOf[F](a))
	stepsOf(q).QR(m, a.rows, taus, q.numbers, q.each)
	fromPanels(q, matrixOf[F](a), m)
	r := p.matrix(a.cols, a.cols)
	for i := range r.rows {
		copy(r.row(i)[i:], a.row(i)[i:])
	}
	s := singular[F](p, r, mode)
	if mode == 'N' {
		return s
	}
	cols := a.cols
	if mode == 'A' {
		cols = a.rows
	}
	u := p.matrix(a.rows, cols)
	for i := range s.left.rows {
		copy(u.row(i), s.left.row(i))
	}
	for i := a.cols; i < cols; i++ {
		u.row(i)[i] = 1
	}
	s.left = u
	c := panels(q, matrixOf[F](u))
	reflect(q, c, matrixOf[F](a), 0, taus, true)
	fromPanels(q, matrixOf[F](u), c)
	return s
}

// bidiagonalize reduces a: it is the left reflections times the bidiagonal matrix times the adjoint of the right ones.
func bidiagonalize[F dense.Float, T field](p *problem[T], a matrix[T]) (b bidiagonal[F], left, right reflections[T]) {
	n := a.cols
	b.d, b.e = p.reals(n), p.reals(max(0, n-1))
	left.taus, right.taus, right.below = p.numbers(n), p.numbers(max(0, n-1)), 1
	if v, ok := any(a).(matrix[F]); ok {
		k, from := rowsOf[F](p, n), memoryOf[F](p)
		m, d, e := sheetOf(p, k, v), from(n), from(len(b.e))
		k.Bidiagonal(m, a.rows, n, d, e, numbersOf[F](left.taus), numbersOf[F](right.taus), from, p.parallel())
		widen(b.d, d)
		widen(b.e, e)
		left.at, left.row, left.col = numbersOf[T](m.At), m.Cols, 1
		right.at, right.row, right.col = left.at, 1, m.Cols
		return b, left, right
	}
	for j := range n {
		if p.over() {
			break
		}
		v := p.column(a, j, j)
		b.d[j], left.taus[j] = reflector(v)
		p.reflectRows(a, j, j+1, v, conj(left.taus[j]))
		a.setColumn(j, j, v)
		if j+1 == n {
			break
		}
		u := a.row(j)[j+1:]
		for i, x := range u {
			u[i] = conj(x)
		}
		b.e[j], right.taus[j] = reflector(u)
		p.reflectColumns(matrix[T]{a.rows - j - 1, n, a.at[(j+1)*n:]}, j+1, u, right.taus[j])
	}
	left.at, left.row, left.col = a.at, n, 1
	right.at, right.row, right.col = a.at, 1, n
	return b, left, right
}
