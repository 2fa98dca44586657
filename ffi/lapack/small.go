package lapack

import "github.com/goxla/xla/cpu/dense"

// Problems of a few numbers take longer to be made than to be solved. Where there are many of them, some routines go
// over the arrays of all instead, with the same loops.

// mostSmall is the most rows and columns of such a problem.
const mostSmall = 12

// smallOf returns the routine of w for problems lo to hi, with memory of p, or nil if they are not small. It reports
// whether it has done them.
func smallOf[T field](w *work[T]) func(w *work[T], p *problem[T], lo, hi int) bool {
	solve, ok := any(w.small).(func(*work[T], *problem[T], int, int) bool)
	if !ok {
		solve, _ = any(w.small32).(func(*work[T], *problem[T], int, int) bool)
	}
	for _, x := range w.reads {
		if max(x.rows, x.cols) > mostSmall {
			return nil
		}
	}
	for k, y := range w.sets {
		if y.n != w.usual(k) {
			return nil
		}
	}
	return solve
}

// copied copies the matrices of problems lo to hi from operand k to result 0. It returns those, and of how many numbers
// each is.
func (w *work[T]) copied(k, lo, hi int) (all matrix[T], size int) {
	x := &w.reads[k]
	size = x.rows * x.cols
	all = matrix[T]{x.rows, x.cols, numbersIn[T](w.results[0])[lo*size : hi*size]}
	copy(all.at, w.operands[k].all[lo*size:])
	return all, size
}

func getrfSmall[F dense.Float](w *work[F], p *problem[F], lo, hi int) bool {
	a, size := w.copied(0, lo, hi)
	pivots := p.inOrder(min(a.rows, a.cols))
	rows, info := w.results[1].re[lo*len(pivots):], w.results[2].re[lo:hi]
	for b := range info {
		info[b] = float64(luReal(matrix[F]{a.rows, a.cols, a.at[b*size:][:size]}, pivots))
		for k, at := range pivots {
			rows[b*len(pivots)+k] = float64(at)
		}
	}
	return true
}

func potrfSmall[F dense.Float](w *work[F], _ *problem[F], lo, hi int) bool {
	if w.attr.get("uplo") != 'L' {
		return false
	}
	a, size := w.copied(0, lo, hi)
	info := w.results[1].re[lo:hi]
	for b := range info {
		info[b] = float64(choleskyReal(matrix[F]{a.rows, a.cols, a.at[b*size:][:size]}))
	}
	return true
}

func trsmSmall[F dense.Float](w *work[F], _ *problem[F], lo, hi int) bool {
	n, left := w.reads[0].rows, w.attr.get("side") == 'L'
	if own := w.reads[1]; left && own.rows != n || !left && own.cols != n {
		return false
	}
	x, size := w.copied(1, lo, hi)
	s := systemOf(w.attr, matrix[F]{n, n, nil})
	if !left {
		s.transposed, s.lower = !s.transposed, !s.lower
	}
	for b := range hi - lo {
		s.m.at = w.operands[0].all[(lo+b)*n*n:][:n*n]
		if own := (matrix[F]{x.rows, x.cols, x.at[b*size:][:size]}); left {
			s.solveHere(own)
		} else {
			s.solveRows(own)
		}
	}
	return true
}

func geqrfSmall[F dense.Float](w *work[F], _ *problem[F], lo, hi int) bool {
	a, size := w.copied(0, lo, hi)
	n := min(a.rows, a.cols)
	taus := numbersIn[F](w.results[1])[lo*n:]
	for b := range hi - lo {
		reflectors(matrix[F]{a.rows, a.cols, a.at[b*size:][:size]}, taus[b*n:][:n])
	}
	return true
}

// reflectors is geqrf of a small matrix, which it replaces.
func reflectors[F dense.Float](a matrix[F], taus []F) {
	var column [mostSmall]F
	m := a.at
	for j := range taus {
		v := column[:a.rows-j]
		for i := range v {
			v[i] = m[(j+i)*a.cols+j]
		}
		beta, tau := dense.Reflector(v)
		reflectSmall(m, a.cols, j, j+1, v, tau)
		for i, x := range v {
			m[(j+i)*a.cols+j] = x
		}
		m[j*a.cols+j], taus[j] = beta, tau
	}
}

func orgqrSmall[F dense.Float](w *work[F], _ *problem[F], lo, hi int) bool {
	a, size := w.copied(0, lo, hi)
	n := w.reads[1].rows * w.reads[1].cols
	taus := w.operands[1].all[lo*n:]
	for b := range hi - lo {
		reflected(matrix[F]{a.rows, a.cols, a.at[b*size:][:size]}, taus[b*n:][:n])
	}
	return true
}

// reflected is orgqr of a small matrix, which it replaces.
func reflected[F dense.Float](a matrix[F], taus []F) {
	var column [mostSmall]F
	var reflectors [mostSmall * mostSmall]F
	q := a.at
	copy(reflectors[:], q)
	clear(q)
	for i := range min(a.rows, a.cols) {
		q[i*a.cols+i] = 1
	}
	for j := min(len(taus), a.cols, a.rows) - 1; j >= 0; j-- {
		v := column[:a.rows-j]
		for i := range v {
			v[i] = reflectors[(j+i)*a.cols+j]
		}
		v[0] = 1
		reflectSmall(q, a.cols, j, j, v, taus[j])
	}
}

// reflectSmall is reflectRows of a small matrix m that has so many columns: a column after the other, whose sums are
// those of all rows in turn.
func reflectSmall[F dense.Float](m []F, cols, from, first int, v []F, tau F) {
	if tau == 0 {
		return
	}
	var factors [mostSmall]F
	f := factors[:len(v)]
	for i, x := range v {
		f[i] = -F(tau * x)
	}
	for c := first; c < cols; c++ {
		sum, column := F(0), m[from*cols+c:]
		for i, at := 0, 0; i < len(v); i, at = i+1, at+cols {
			sum += F(v[i] * column[at])
		}
		for i, at := 0, 0; i < len(f); i, at = i+1, at+cols {
			column[at] += F(f[i] * sum)
		}
	}
}
