package lapack

import (
	"math"
	"math/cmplx"

	"github.com/goxla/xla/cpu/dense"
)

// geevReal has the real and imaginary parts of the eigenvalues apart. Pairs of conjugate eigenvalues have
// conjugate eigenvectors, real eigenvalues real ones.
func geevReal(p *problem[float64]) {
	left, right := p.attr.get("compute_left") == 'V', p.attr.get("compute_right") == 'V'
	exponent := nearOne(p.in[0].at, largest(p.in[0].at))
	q := p.quasi(left || right, left || right)
	wr, wi, info := q.schur()
	p.info = info
	ldexp(wr, exponent)
	ldexp(wi, exponent)
	p.setReals(0, wr)
	p.setReals(1, wi)
	if !left && !right {
		return
	}
	t := q.triangular()
	if left {
		p.setVectors(2, p.realVectors(q, t, wi, leftVector))
	}
	if right {
		p.setVectors(3, p.realVectors(q, t, wi, rightVector))
	}
}

// triangular is the complex Schur form of a real one: it is that after turns of neighbouring rows and columns.
type triangular struct {
	t     matrix[complex128]
	turns []complexTurn
}

type complexTurn struct {
	row int // the first one
	c   float64
	s   complex128
}

// triangular makes the complex Schur form: the eigenvalue of a pair with the positive imaginary part comes first.
func (q *quasi) triangular() (u triangular) {
	u.t = newMatrix[complex128](q.n, q.n)
	for i := range q.n {
		for j, x := range q.h.Row(i)[:q.n] {
			u.t.at[i*q.n+j] = complex(x, 0)
		}
	}
	for m := 1; m < q.n; m++ {
		x, y := q.h.Row(m-1), q.h.Row(m)
		if y[m-1] == 0 {
			continue
		}
		im := math.Sqrt(math.Abs(x[m])) * math.Sqrt(math.Abs(y[m-1]))
		// (im i, below) is an eigenvector of the block, whose diagonal is equal.
		c, s, _ := givens(complex(0, im), complex(y[m-1], 0))
		rotate(u.t.row(m - 1)[m-1:], u.t.row(m)[m-1:], c, s)
		rotateColumns(u.t, m+1, m-1, m, c, s)
		u.t.row(m)[m-1] = 0
		u.turns = append(u.turns, complexTurn{m - 1, c, s})
	}
	return u
}

// realVectors returns eigenvectors: solve finds those of the complex Schur form. Those of pairs have a largest element
// that is real.
func (p *problem[T]) realVectors(q *quasi, u triangular, wi []float64,
	solve func(t matrix[complex128], k int, x []complex128)) matrix[complex128] {
	k, n := p.rows(q.n), q.n
	parts, x := k.Sheet(p.reals, n, n), make([]complex128, n)
	for j, im := range wi {
		if p.over() {
			break
		}
		if im < 0 { // it is the conjugate of the one before
			continue
		}
		clear(x)
		solve(u.t, j, x)
		for _, turn := range u.turns {
			a, b := x[turn.row], x[turn.row+1]
			x[turn.row] = complex(turn.c, 0)*a - turn.s*b
			x[turn.row+1] = cmplx.Conj(turn.s)*a + complex(turn.c, 0)*b
		}
		normalize(x)
		for i, z := range x {
			parts.At[i*parts.Cols+j] = -real(z) // the product is subtracted
			if im > 0 && j+1 < n {
				parts.At[i*parts.Cols+j+1] = -imag(z)
			}
		}
	}
	parts = p.product(k, q.z, parts, n)
	m, v := newMatrix[complex128](n, n), x
	for j, im := range wi {
		switch {
		case im == 0:
			for i := range n {
				v[i] = complex(parts.At[i*parts.Cols+j], 0)
			}
			if size := norm(v); size > 0 { // less than 1 if the vector of the complex form is not real
				scaleBy(v, complex(1/size, 0))
			}
			m.setColumn(j, 0, v)
		case im > 0 && j+1 < n:
			for i := range n {
				v[i] = complex(parts.At[i*parts.Cols+j], parts.At[i*parts.Cols+j+1])
			}
			normalize(v)
			for i, z := range v {
				m.at[i*n+j], m.at[i*n+j+1] = z, cmplx.Conj(z)
			}
		}
	}
	return m
}

// product returns minus the transpose of a times b, both of n rows.
func (p *problem[T]) product(k *dense.Kernels[float64], a, b dense.Sheet[float64], n int) dense.Sheet[float64] {
	c := k.Sheet(p.reals, n, n)
	step := dense.MostVectors * k.Lanes
	for at := 0; at < c.Cols; at += step {
		nv := min(dense.MostVectors, (c.Cols-at)/k.Lanes)
		k.Subtract(dense.Step[float64]{A: a.At, DepthA: a.Cols, StepA: k.Rows, B: b.At[at:], RowB: b.Cols, C: c.At[at:],
			RowC: c.Cols, Vectors: nv, Steps: c.Rows / k.Rows, Depth: n})
	}
	return c
}
