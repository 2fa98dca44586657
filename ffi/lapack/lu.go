package lapack

import "math"

// getrf: A = P L U. Results: L below the diagonal and U, the rows exchanged (from 1), info.
func getrf[T field](p *problem[T]) {
	a := p.in[0]
	if q, ok := blocked(p, a.rows, a.cols); ok {
		getrfBlocked(q)
		return
	}
	n := min(a.rows, a.cols)
	pivots := make([]int, n)
	if v, ok := any(a).(matrix[float64]); ok {
		p.info = luReal(v, pivots)
		p.set(0, a)
		p.setInts(1, pivots)
		return
	}
	for k := range n {
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

// luReal is getrf of real numbers.
func luReal(a matrix[float64], pivots []int) (info int) {
	for k := range pivots {
		pivot := a.row(k)
		at, most := k, math.Abs(pivot[k])
		for i := k + 1; i < a.rows; i++ {
			if x := math.Abs(a.at[i*a.cols+k]); x > most {
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
		for i := k + 1; i < a.rows; i++ {
			row := a.at[i*a.cols+k:][:a.cols-k]
			f := row[0] / pivot[k]
			row[0] = f
			rest := row[1:]
			for j, x := range pivot[k+1:][:len(rest)] {
				rest[j] -= float64(f * x)
			}
		}
	}
	return info
}

// potrf: A = L L^H or U^H U, of which the other triangle stays as it is.
func potrf[T field](p *problem[T]) {
	a, lower := p.in[0], p.attr.get("uplo") == 'L'
	if q, ok := blocked(p, a.rows, a.cols); ok && potrfBlocked(q, lower) {
		return
	}
	l := p.cloned(a)
	if !lower {
		l = p.adjoint(a)
	}
	if v, ok := any(l).(matrix[float64]); ok {
		p.info = choleskyReal(v)
	} else {
		p.info = choleskyOf(l)
	}
	if !lower {
		l = p.adjoint(l)
	}
	for i := range a.rows {
		for j := range a.cols {
			if lower && j <= i || !lower && j >= i {
				a.row(i)[j] = l.row(i)[j]
			}
		}
	}
	p.set(0, a)
}

// choleskyReal is choleskyOf for real numbers.
func choleskyReal(l matrix[float64]) (info int) {
	for j := range l.rows {
		own, d := l.row(j)[:j], l.row(j)[j]
		for _, x := range own {
			d -= float64(x * x)
		}
		if !(d > 0) {
			return j + 1
		}
		root := math.Sqrt(d)
		l.row(j)[j] = root
		for i := j + 1; i < l.rows; i++ {
			row := l.row(i)
			x := row[j]
			for k, y := range own {
				x -= float64(y * row[k])
			}
			row[j] = x / root
		}
	}
	return 0
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
func trsm[T field](p *problem[T]) {
	a, b := p.in[0], p.in[1]
	lower := p.attr.get("uplo") == 'L'
	left := p.attr.get("side") == 'L'
	if left && !p.expect("rows", b.rows, a.rows) || !left && !p.expect("columns", b.cols, a.rows) {
		return
	}
	// The transpose of X op(A) = B is a system with the matrix on the left.
	transposed, conjugated := p.attr.get("trans_x") != 'N', p.attr.get("trans_x") == 'C'
	if !left {
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
	if transposed {
		lower = !lower
	}
	p.solveTriangular(m, b, lower, p.attr.get("diag") == 'U')
	if !left {
		b = p.adjoint(b)
	}
	p.set(0, b)
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
func (p *problem[T]) solveTriangular(m, b matrix[T], lower, unit bool) {
	if q, ok := blocked(p, m.rows, m.rows); ok && b.cols >= fewSides {
		if solveBlocked(q, real64(m), real64(b), lower, unit) {
			return
		}
	}
	if v, ok := any(m).(matrix[float64]); ok {
		solveReal(v, real64(b), lower, unit)
		return
	}
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
			for j := range b.row(i) {
				b.row(i)[j] /= m.row(i)[i]
			}
		}
	}
}

// fewSides is fewer right sides than pay for laying out the matrix in blocks.
const fewSides = 4

// solveReal is solveTriangular for real numbers.
func solveReal(m, b matrix[float64], lower, unit bool) {
	for step := range m.rows {
		i, from, to := step, 0, step
		if !lower {
			i = m.rows - 1 - step
			from, to = i+1, m.rows
		}
		row, x := m.row(i), b.row(i)
		if len(x) == 1 {
			x[0] -= product(row[from:to], b.at[from:to])
			from = to
		}
		for k := from; k < to; k++ {
			f := row[k]
			for j, y := range b.at[k*b.cols:][:len(x)] {
				x[j] -= float64(f * y)
			}
		}
		if !unit {
			for j := range x {
				x[j] /= row[i]
			}
		}
	}
}

// product is the sum of products, by four sums.
func product(x, y []float64) float64 {
	var s, t, u, v float64
	y = y[:len(x)]
	for ; len(x) >= 4; x, y = x[4:], y[4:] {
		s, t, u, v = s+float64(x[0]*y[0]), t+float64(x[1]*y[1]), u+float64(x[2]*y[2]), v+float64(x[3]*y[3])
	}
	for i, a := range x {
		s += float64(a * y[i])
	}
	return s + t + (u + v)
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
