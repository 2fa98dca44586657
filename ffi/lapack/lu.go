package lapack

import (
	"math"

	"github.com/goxla/xla/cpu/dense"
)

// getrf: A = P L U. Results: L below the diagonal and U, the rows exchanged (from 1), info.
func getrf(p *problem[complex128]) {
	a := p.copyOf(0, 0)
	n := min(a.rows, a.cols)
	pivots := p.inOrder(n)
	for k := range n {
		if p.over() {
			return
		}
		at := k
		for i := k + 1; i < a.rows; i++ {
			if abs1(a.row(i)[k]) > abs1(a.row(at)[k]) {
				at = i
			}
		}
		pivots[k] = at + 1
		if at != k {
			a.swapRows(at, k)
		}
		pivot := a.row(k)
		if pivot[k] == 0 {
			if p.info == 0 {
				p.info = k + 1
			}
			continue
		}
		for i := k + 1; i < a.rows; i++ {
			row := a.row(i)
			row[k] /= pivot[k]
			axpy(row[k+1:], -row[k], pivot[k+1:])
		}
	}
	p.set(0, a)
	p.setInts(1, pivots)
}

// getrfReal is getrf of real numbers.
func getrfReal[F dense.Float](p *problem[F]) {
	if a := p.in[0]; min(a.rows, a.cols) >= factoredFrom && blocked(p, a.rows, a.cols) {
		getrfBlocked(p)
		return
	}
	a := p.copyOf(0, 0)
	pivots := p.inOrder(min(a.rows, a.cols))
	p.info = luReal(a, pivots)
	p.set(0, a)
	p.setInts(1, pivots)
}

// luReal is the loops of getrfReal.
func luReal[F dense.Float](a matrix[F], pivots []int) (info int) {
	for k := range pivots {
		pivot := a.row(k)
		at, most := k, math.Abs(float64(pivot[k]))
		for i := k + 1; i < a.rows; i++ {
			if x := math.Abs(float64(a.at[i*a.cols+k])); x > most {
				at, most = i, x
			}
		}
		pivots[k] = at + 1
		if at != k {
			a.swapRows(at, k)
		}
		if most == 0 {
			if info == 0 {
				info = k + 1
			}
			continue
		}
		i := k + 1
		for ; i+4 <= a.rows; i += 4 {
			rows, n, by := a.at[i*a.cols+k:], a.cols, pivot[k]
			f, g, h, m := rows[0]/by, rows[n]/by, rows[2*n]/by, rows[3*n]/by
			rows[0], rows[n], rows[2*n], rows[3*n] = f, g, h, m
			subtractFour(rows[1:], n, pivot[k+1:], f, g, h, m)
		}
		for ; i < a.rows; i++ {
			row := a.at[i*a.cols+k:][:a.cols-k]
			f := row[0] / pivot[k]
			row[0] = f
			rest := row[1:]
			for j, x := range pivot[k+1:][:len(rest)] {
				rest[j] -= F(f * x)
			}
		}
	}
	return info
}

// potrf: A = L L^H or U^H U, of which the other triangle stays as it is.
//
// Not as blocks of real numbers: the triangle of these that rounding leaves is no triangle of numbers, and the one that
// is taken from it is as far off as the matrix is near to a singular one.
func potrf(p *problem[complex128]) { potrfBy(p, choleskyOf[complex128]) }

// potrfReal is potrf of real numbers.
func potrfReal[F dense.Float](p *problem[F]) {
	a, lower := p.in[0], p.attr.get("uplo") == 'L'
	if a.rows < factoredFrom || !blocked(p, a.rows, a.cols) || !potrfBlocked(p, lower) {
		potrfBy(p, choleskyReal[F])
	}
}

// potrfBy is potrf by what replaces a lower triangle by its factor, reads nothing else, and returns info.
func potrfBy[T field](p *problem[T], factor func(l matrix[T]) int) {
	a := p.copyOf(0, 0)
	if p.attr.get("uplo") == 'L' {
		p.info = factor(a)
	} else {
		l := p.adjoint(a)
		p.info = factor(l)
		l = p.adjoint(l)
		for i := range a.rows {
			copy(a.row(i)[i:], l.row(i)[i:])
		}
	}
	p.set(0, a)
}

// choleskyReal is choleskyOf for real numbers. What is found of a column is subtracted from all that come, of four rows
// at a time.
func choleskyReal[F dense.Float](l matrix[F]) (info int) {
	var few [factoredFrom]F
	column, n := few[:], l.rows
	if n > len(column) {
		column = make([]F, n)
	}
	for k := range n {
		d := l.at[k*n+k]
		if !(d > 0) {
			return k + 1
		}
		root := F(math.Sqrt(float64(d)))
		l.at[k*n+k] = root
		for i := k + 1; i < n; i++ {
			x := l.at[i*n+k] / root
			l.at[i*n+k], column[i] = x, x
		}
		i := k + 1
		for ; i+4 <= n; i += 4 {
			subtractTriangle(l.at[i*n+k+1:], n, column[k+1:i+4])
		}
		for ; i < n; i++ {
			row, f := l.at[i*n+k+1:][:i-k], column[i]
			for j, x := range column[k+1:][:len(row)] {
				row[j] -= F(f * x)
			}
		}
	}
	return 0
}

// subtractTriangle subtracts multiples of column from four rows of a triangle, each a number longer than the one
// above. The last numbers of column are those beside the rows: their factors.
func subtractTriangle[F dense.Float](rows []F, ld int, column []F) {
	n := len(column) - 3
	f, g, h, m := column[n-1], column[n], column[n+1], column[n+2]
	a, b, c, d := rows[:n], rows[ld:][:n+1], rows[2*ld:][:n+2], rows[3*ld:][:n+3]
	for j, x := range column[:n] {
		a[j], b[j], c[j], d[j] = a[j]-F(f*x), b[j]-F(g*x), c[j]-F(h*x), d[j]-F(m*x)
	}
	b[n], c[n], d[n] = b[n]-F(g*g), c[n]-F(h*g), d[n]-F(m*g)
	c[n+1], d[n+1], d[n+2] = c[n+1]-F(h*h), d[n+1]-F(m*h), d[n+2]-F(m*m)
}

// choleskyOf replaces the lower triangle of l by its factor. It returns 0, or where l is not positive definite.
func choleskyOf[T field](l matrix[T]) (info int) {
	for j := range l.rows {
		d := re(l.row(j)[j]) - re(dot(l.row(j)[:j], l.row(j)[:j]))
		if !(d > 0) {
			return j + 1
		}
		root := math.Sqrt(d)
		l.row(j)[j] = toField[T](root)
		for i := j + 1; i < l.rows; i++ {
			l.row(i)[j] = (l.row(i)[j] - dot(l.row(j)[:j], l.row(i)[:j])) / toField[T](root)
		}
	}
	return 0
}

// trsm solves op(A) X = alpha B, or X op(A) = alpha B.
func trsm(p *problem[complex128]) {
	a, b := p.in[0], p.in[1]
	lower, left := p.attr.get("uplo") == 'L', p.attr.get("side") == 'L'
	if !p.maySolve(left) {
		return
	}
	// The transpose of X op(A) = B is a system with the matrix on the left.
	transposed, conjugated := p.attr.get("trans_x") != 'N', p.attr.get("trans_x") == 'C'
	if left {
		b = p.copyOf(1, 0)
	} else {
		transposed, b = !transposed, p.adjoint(b)
		conjugated = !conjugated // of A, as B is conjugated with its transposition
	}
	m := a
	switch {
	case transposed && conjugated:
		m = p.adjoint(a)
	case transposed:
		m = p.conjugate(p.adjoint(a))
	case conjugated:
		m = p.conjugate(a)
	}
	unit := p.attr.get("diag") == 'U'
	lower = lower != transposed
	solveTriangular(m, b, lower, unit)
	if !left {
		b = p.adjoint(b)
	}
	p.set(0, b)
}

// trsmReal is trsm of real numbers.
func trsmReal[F dense.Float](p *problem[F]) {
	b, left := p.in[1], p.attr.get("side") == 'L'
	if !p.maySolve(left) {
		return
	}
	s := systemOf(p.attr, p.in[0])
	if left {
		b = p.copyOf(1, 0)
		if !blocked(p, s.m.rows, s.m.rows) || b.cols < fewSides || !solveBlocked(p, s, b) {
			s.solveHere(b)
		}
		p.set(0, b)
		return
	}
	s.transposed, s.lower = !s.transposed, !s.lower
	if s.m.rows >= besideFrom && blocked(p, s.m.rows, s.m.rows) && b.rows >= fewSides {
		if b = p.adjoint(b); solveBlocked(p, s, b) {
			p.set(0, p.adjoint(b))
			return
		}
	}
	b = p.copyOf(1, 0)
	s.solveRows(b)
	p.set(0, b)
}

// maySolve checks the sizes of the operands of trsm.
func (p *problem[T]) maySolve(left bool) bool {
	if left {
		return p.expect("rows", p.in[1].rows, p.in[0].rows)
	}
	return p.expect("columns", p.in[1].cols, p.in[0].rows)
}

func (p *problem[T]) conjugate(m matrix[T]) matrix[T] {
	if !conjugates[T]() {
		return m
	}
	c := p.cloned(m)
	for i, x := range c.at {
		c.at[i] = conj(x)
	}
	return c
}

// solveTriangular replaces b by the solution of m x = b.
func solveTriangular[T field](m, b matrix[T], lower, unit bool) {
	for step := range m.rows {
		i, from, to := step, 0, step
		if !lower {
			i = m.rows - 1 - step
			from, to = i+1, m.rows
		}
		for k := from; k < to; k++ {
			axpy(b.row(i), -m.row(i)[k], b.row(k))
		}
		if !unit {
			divide(b.row(i), m.row(i)[i])
		}
	}
}

// divide divides v by x. Many numbers are multiplied by the inverse where that is a good one: a division of complex
// numbers takes as long as many products.
func divide[T field](v []T, x T) {
	if size := abs1(x); len(v) > 1 && size > 0x1p-400 && size < 0x1p400 {
		scaleBy(v, 1/x)
		return
	}
	for j := range v {
		v[j] /= x
	}
}

// gtsv solves a tridiagonal system by elimination with exchanges of neighbouring rows. The lower
// diagonal begins with an element, the upper ends with one, that are not used.
func gtsv[T field](p *problem[T]) {
	if !p.tridiagonal() {
		return
	}
	s := newTridiagonal(p)
	p.info = s.solve(0)
	for i, v := range [][]T{s.lower, s.diagonal, s.upper} {
		p.set(i, matrix[T]{len(v), 1, v})
	}
	p.set(3, s.x)
}

// perturbedSolve is gtsv for systems that may be singular: pivots that are too small are made a
// little larger, as inverse iteration wants it. The result is x alone.
func perturbedSolve[T field](p *problem[T]) {
	if !p.tridiagonal() {
		return
	}
	s := newTridiagonal(p)
	largest := math.SmallestNonzeroFloat64
	for _, list := range [][]T{s.lower[min(1, len(s.lower)):], s.diagonal, s.upper[:max(0, len(s.upper)-1)]} {
		for _, v := range list {
			largest = max(largest, abs(v))
		}
	}
	s.solve(largest * epsilon)
	p.set(0, s.x)
}

// tridiagonal checks the sizes of three diagonals and the right side.
func (p *problem[T]) tridiagonal() bool {
	n := len(p.in[1].at)
	return p.expect("elements", len(p.in[0].at), n) && p.expect("elements", len(p.in[2].at), n) &&
		p.expect("rows", p.in[3].rows, n)
}

// epsilon is the distance from 1 to the next float64.
const epsilon = 0x1p-52

// tridiagonal is a tridiagonal system of equations.
type tridiagonal[T field] struct {
	lower, diagonal, upper []T
	x                      matrix[T]
}

func newTridiagonal[T field](p *problem[T]) tridiagonal[T] {
	return tridiagonal[T]{p.in[0].at, p.in[1].at, p.in[2].at, p.in[3]}
}

// solve replaces x by the solution; pivots below least are replaced by it. It returns the number of
// the first pivot that is 0, or 0 for none.
func (s tridiagonal[T]) solve(least float64) int {
	n := len(s.diagonal)
	d, u, fill := s.diagonal, s.upper, make([]T, n) // fill is the second diagonal above
	for i := range n - 1 {
		l := s.lower[i+1]
		if abs1(d[i]) < abs1(l) {
			d[i], l = l, d[i]
			u[i], d[i+1] = d[i+1], u[i]
			if i+2 < n {
				fill[i], u[i+1] = u[i+1], 0
			}
			s.x.swapRows(i, i+1)
		}
		if abs(d[i]) < least {
			d[i] = toField[T](least)
		}
		if d[i] == 0 {
			return i + 1
		}
		f := l / d[i]
		d[i+1] -= T(f * u[i])
		if i+2 < n {
			u[i+1] -= T(f * fill[i])
		}
		axpy(s.x.row(i+1), -f, s.x.row(i))
	}
	if n > 0 && abs(d[n-1]) < least {
		d[n-1] = toField[T](least)
	}
	if n > 0 && d[n-1] == 0 {
		return n
	}
	for i := n - 1; i >= 0; i-- {
		if i+1 < n {
			axpy(s.x.row(i), -u[i], s.x.row(i+1))
		}
		if i+2 < n {
			axpy(s.x.row(i), -fill[i], s.x.row(i+2))
		}
		for j := range s.x.row(i) {
			s.x.row(i)[j] /= d[i]
		}
	}
	return 0
}
