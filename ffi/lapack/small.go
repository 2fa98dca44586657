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
	n := w.reads[0].rows
	if w.attr.get("side") != 'L' || w.reads[1].rows != n {
		return false
	}
	x, size := w.copied(1, lo, hi)
	s := systemOf(w.attr, matrix[F]{n, n, nil})
	for b := range hi - lo {
		s.m.at = w.operands[0].all[(lo+b)*n*n:][:n*n]
		s.solveHere(matrix[F]{n, x.cols, x.at[b*size:][:size]})
	}
	return true
}
