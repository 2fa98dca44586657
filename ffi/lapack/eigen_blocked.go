package lapack

import "math"

// syevdBlocked is syevd for m, whose lower triangle is given.
func syevdBlocked(p *problem[float64], m matrix[float64]) {
	n := m.rows
	for i := range n {
		for j := range i {
			m.row(j)[i] = m.row(i)[j]
		}
	}
	d, e, taus := make([]float64, n), make([]float64, n), make([]float64, n-1)
	a := p.panels(m)
	p.steps.Tridiagonal(a, n, d, e, taus, p.each)
	p.fromPanels(m, a)
	q := identityPanels(p, n, n)
	p.reflect(q, m, 1, taus, true)
	// The rows of z are the columns of q.
	z := newMatrix[float64](n, n)
	for b := range q.Panels() {
		for r := range n {
			for c, x := range q.Row(b, r)[:min(q.Width, n-b*q.Width)] {
				z.at[(b*q.Width+c)*n+r] = x
			}
		}
	}
	p.lend(q)
	dropSmall(d, e)
	p.info = implicitQL(d, e, p.each, func(i int, c, s float64) { p.steps.Rotate(z.row(i+1), z.row(i), c, s) })
	p.setEigen(d, z)
}

// dropSmall makes numbers of e zero that are nothing beside the largest one: rotations by numbers that are not normal
// would be inexact.
func dropSmall(d, e []float64) {
	most := 0.0
	for i := range d {
		most = max(most, math.Abs(d[i]), math.Abs(e[i]))
	}
	for i, x := range e {
		if math.Abs(x) < most*0x1p-200 {
			e[i] = 0
		}
	}
}

// tinySquare is the square of a length that is nothing beside numbers around 1.
const tinySquare = 0x1p-400

// orthogonalize is that of real numbers on machine code. Rows that are negligible become zero: they would never be
// orthogonal.
func (p *problem[T]) orthogonalize(w, v matrix[float64]) bool {
	ok := true
	for i := range w.rows {
		if !p.each(0, nil) {
			return false
		}
		for j := i + 1; j < w.rows; j++ {
			alpha, beta, gamma := p.steps.Products(w.row(i), w.row(j))
			if alpha < tinySquare || beta < tinySquare {
				clearNegligible(w.row(i), alpha)
				clearNegligible(w.row(j), beta)
				continue
			}
			g := math.Abs(gamma)
			if g <= epsilon*math.Sqrt(alpha)*math.Sqrt(beta) {
				continue
			}
			ok = false
			zeta := (beta - alpha) / (2 * gamma)
			t := math.Copysign(1/(math.Abs(zeta)+math.Hypot(1, zeta)), zeta)
			c := 1 / math.Hypot(1, t)
			p.steps.Rotate(w.row(i), w.row(j), c, -c*t)
			p.steps.Rotate(v.row(i), v.row(j), c, -c*t)
		}
	}
	return ok
}

func clearNegligible(row []float64, square float64) {
	if square < tinySquare {
		clear(row)
	}
}
