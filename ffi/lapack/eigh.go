package lapack

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/goxla/xla/cpu/dense"
)

// sytrd: A = Q T Q^H with T real and tridiagonal. Results: the reflectors that make Q, beside T; the diagonal,
// the other diagonal, the factors of the reflectors, info. A is one triangle of a Hermitian matrix.
func sytrd[T field](p *problem[T]) {
	a, upper := p.in[0], p.attr["uplo"] == 'U'
	m := a.clone()
	if upper {
		reverse(m)
	}
	d, e, taus := tridiagonalize(m)
	if upper { // the same from the other end
		reverse(m)
		slices.Reverse(d)
		slices.Reverse(e)
		slices.Reverse(taus)
	}
	for i := range a.rows {
		for j := range a.cols {
			if upper && j >= i || !upper && j <= i {
				a.row(i)[j] = m.row(i)[j]
			}
		}
	}
	p.set(0, a)
	p.setReals(1, d)
	p.setReals(2, e)
	p.set(3, matrix[T]{len(taus), 1, taus})
}

// reverse turns the order of rows and of columns around.
func reverse[T field](m matrix[T]) {
	slices.Reverse(m.at)
}

// tridiagonalize reduces the Hermitian matrix whose lower triangle is that of m. It leaves the
// reflectors there.
func tridiagonalize[T field](m matrix[T]) (d, e []float64, taus []T) {
	n := m.rows
	for i := range n {
		m.row(i)[i] = toField[T](re(m.row(i)[i]))
		for j := range i {
			m.row(j)[i] = conj(m.row(i)[j])
		}
	}
	taus, e, d = make([]T, max(0, n-1)), make([]float64, max(0, n-1)), make([]float64, n)
	for j := range taus {
		v := m.column(j, j+1)
		e[j], taus[j] = reflector(v)
		reflectRows(m, j+1, j+1, v, conj(taus[j]))
		reflectColumns(m, j+1, v, taus[j])
		m.setColumn(j, j+1, v)
		m.row(j + 1)[j] = toField[T](e[j])
	}
	for i := range d {
		d[i] = re(m.row(i)[i])
	}
	return d, e, taus
}

// syevd: the eigenvalues of a Hermitian matrix in rising order, and its eigenvectors as columns.
// Results: eigenvectors, eigenvalues, info.
func syevd[T field](p *problem[T]) {
	m := p.in[0]
	n := m.rows
	if p.attr["uplo"] == 'U' {
		m = m.adjoint()
	}
	if q, ok := blocked(p, n, n); ok {
		syevdBlocked(q, real64(m))
		return
	}
	d, e, taus := tridiagonalize(m)
	q := identity[T](n)
	for j := len(taus) - 1; j >= 0; j-- {
		reflectRows(q, j+1, j+1, reflectorAt(m, j, 1), taus[j])
	}
	z := newMatrix[T](n, n) // the eigenvectors as rows
	for i := range n {
		copy(z.row(i), q.column(i, 0))
	}
	p.info = implicitQL(d, append(e, 0), alone(context.Background()), func(i int, c, s float64) {
		rotate(z.row(i+1), z.row(i), c, toField[T](s))
	})
	p.setEigen(d, z)
}

// setEigen sets the results of syevd: eigenvalues d in rising order, and their vectors, the rows of z, as columns.
func (p *problem[T]) setEigen(d []float64, z matrix[T]) {
	n := len(d)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(d[i], d[j]) })
	values, vectors := make([]float64, n), newMatrix[T](n, n)
	for k, i := range order {
		values[k] = d[i]
	}
	for r := range n {
		row := vectors.row(r)
		for k, i := range order {
			row[k] = z.at[i*n+r]
		}
	}
	p.set(0, vectors)
	p.setReals(1, values)
}

// maxSweeps is how many iterations an eigenvalue or a sweep over a matrix may take.
const maxSweeps = 60

// implicitQL turns d, the diagonal of a tridiagonal matrix, into its eigenvalues; e is the other
// diagonal and a 0. It calls turn for each rotation of rows i+1 and i. It returns 0, or the number of an
// eigenvalue that was not found, or not looked for since the context has ended.
func implicitQL(d, e []float64, each dense.Parallel, turn func(i int, c, s float64)) int {
	for l := range d {
		if !each(0, nil) {
			return l + 1
		}
		for range maxSweeps {
			m := l
			for m < len(d)-1 && !(math.Abs(e[m]) <= epsilon*(math.Abs(d[m])+math.Abs(d[m+1]))) {
				m++
			}
			if m == l {
				e[l] = 0
				break
			}
			stepQL(d, e, l, m, turn)
		}
		if e[l] != 0 { // also where it is NaN
			return l + 1
		}
	}
	return 0
}

// stepQL does one implicit step on rows l to m.
func stepQL(d, e []float64, l, m int, turn func(i int, c, s float64)) {
	g := (d[l+1] - d[l]) / (2 * e[l])
	g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Hypot(g, 1), g))
	s, c, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := s*e[i], c*e[i]
		r := math.Hypot(f, g)
		e[i+1] = r
		if r == 0 {
			d[i+1] -= p
			e[m] = 0
			return
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = float64((d[i]-g)*s) + float64(2*c*b)
		p = s * r
		d[i+1] = g + p
		g = float64(c*r) - b
		turn(i, c, s)
	}
	d[l] -= p
	e[l] = g
	e[m] = 0
}
