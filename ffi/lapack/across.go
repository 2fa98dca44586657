package lapack

import "github.com/goxla/xla/cpu/dense"

// Matrices of few columns are factored column by column, on machine code that goes along the columns. The limits: a
// pass over mostAcross rows is not too much for a call, wider matrices are faster in blocks, fewer numbers in loops,
// and more than those of bigAcross do not stay in the cache from pass to pass.
const (
	mostAcross  = 4096
	wideAcross  = 64
	leastAcross = 48
	bigAcross   = 1 << 16
)

// isAcross reports whether a matrix is to be factored so.
func isAcross[F dense.Float](p *problem[F], rows, cols int) bool {
	return stepsOf(p) != nil && cols <= min(rows, wideAcross) && rows <= mostAcross && rows*cols >= leastAcross &&
		(cols < blockedFrom || rows*cols <= bigAcross)
}

// across returns the columns of m as rows of a sheet.
func across[F dense.Float](p *problem[F], m matrix[F]) dense.Sheet[F] {
	s := stepsOf(p).Sheet(memoryOf[F](p), m.cols, m.rows)
	transpose(s.At, s.Cols, m.at, m.cols, m.rows, m.cols)
	return s
}

// setAcross makes result 0 the matrix of so many rows whose columns are the first rows of s.
func setAcross[F dense.Float](p *problem[F], s dense.Sheet[F], rows, cols int) {
	to := p.place(0, rows, cols)
	transpose(to.at, cols, s.At, s.Cols, cols, rows)
	p.set(0, to)
}

func geqrfAcross[F dense.Float](p *problem[F]) {
	a := p.in[0]
	taus := p.numbers(a.cols)
	s := across(p, a)
	stepsOf(p).QRAcross(s, a.rows, a.cols, taus, memoryOf[F](p), p.parallel())
	setAcross(p, s, a.rows, a.cols)
	p.set(1, matrix[F]{len(taus), 1, taus})
}

func orgqrAcross[F dense.Float](p *problem[F]) {
	a, taus := p.in[0], p.in[1].at
	taus = taus[:min(len(taus), a.cols)]
	v := across(p, a)
	q := stepsOf(p).Sheet(memoryOf[F](p), a.cols, a.rows)
	for j := range a.cols {
		own := v.Row(j)
		clear(own[:j])
		own[j], q.Row(j)[j] = 1, 1
	}
	stepsOf(p).ReflectAcross(q, v, a.cols, taus, memoryOf[F](p), p.parallel())
	setAcross(p, q, a.rows, a.cols)
}
