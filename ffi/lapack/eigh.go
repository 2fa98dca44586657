package lapack

import (
	"cmp"
	"math"
	"slices"

	"github.com/goxla/xla/cpu/dense"
)

// sytrd: A = Q T Q^H with T real and tridiagonal. Results: the reflectors that make Q, beside T; the diagonal,
// the other diagonal, the factors of the reflectors, info. A is one triangle of a Hermitian matrix.
func sytrd[T field](p *problem[T]) {
	a, upper := p.in[0], p.attr.get("uplo") == 'U'
	m := p.cloned(a)
	if upper {
		reverse(m)
	}
	d, e, taus := p.tridiagonalize(m)
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
func (p *problem[T]) tridiagonalize(m matrix[T]) (d, e []float64, taus []T) {
	n := m.rows
	for i := range n {
		m.row(i)[i] = toField[T](re(m.row(i)[i]))
		for j := range i {
			m.row(j)[i] = conj(m.row(i)[j])
		}
	}
	taus, e, d = p.numbers(max(0, n-1)), p.reals(max(0, n-1)), p.reals(n)
	for j := range taus {
		if p.over() {
			break
		}
		v := p.column(m, j, j+1)
		e[j], taus[j] = reflector(v)
		p.reflectRows(m, j+1, j+1, v, conj(taus[j]))
		p.reflectColumns(m, j+1, v, taus[j])
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
func syevd[T field, F dense.Float](p *problem[T]) {
	m := p.in[0]
	n := m.rows
	if p.attr.get("uplo") == 'U' {
		m = p.adjoint(m)
	}
	most := 0.0
	for i := range n {
		most = max(most, largest(m.row(i)[:i+1]))
	}
	exponent := nearOne(m.at, most)
	if isTiny(m) {
		p.tinyEigen(m, exponent)
		return
	}
	d, e, r := reduced[F](p, m)
	dropSmall(d, e)
	t := turnsOf[F](p, 0, n)
	p.info = implicitQL(d, append(e, 0), p.parallel(), t)
	order := p.inOrder(n)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(d[i], d[j]) })
	values := p.reals(n)
	for k, i := range order {
		values[k] = d[i]
	}
	ldexp(values, exponent)
	p.set(0, p.reflected(columns(p, t, order, n, n), r))
	p.setReals(1, values)
}

// reduced reduces the Hermitian matrix whose lower triangle is that of m: it is reflections times the tridiagonal
// matrix times their adjoint.
func reduced[F dense.Float, T field](p *problem[T], m matrix[T]) (d, e []float64, r reflections[T]) {
	n := m.rows
	v, ok := any(m).(matrix[F])
	if !ok {
		d, e, taus := p.tridiagonalize(m)
		return d, e, reflections[T]{at: m.at, row: n, col: 1, below: 1, taus: taus}
	}
	k := rowsOf[F](p, n)
	s := sheetOf(p, k, v)
	for i := range n {
		for j := range i {
			s.At[j*s.Cols+i] = s.At[i*s.Cols+j]
		}
	}
	d, e, r.taus = p.reals(n), p.reals(n), p.numbers(max(0, n-1))
	e = e[:max(0, n-1)] // with room for one more
	from := memoryOf[F](p)
	diagonal, beside := from(n), from(len(e))
	k.Tridiagonal(s, n, diagonal, beside, numbersOf[F](r.taus), from, p.parallel())
	widen(d, diagonal)
	widen(e, beside)
	r.at, r.row, r.col, r.below = numbersOf[T](s.At), 1, s.Cols, 1
	return d, e, r
}

// widen sets to to v.
func widen[F dense.Float](to []float64, v []F) {
	for i, x := range v {
		to[i] = float64(x)
	}
}

// dropSmall makes numbers of e zero that are nothing beside the largest one: rotations by numbers that are not normal
// would be inexact.
func dropSmall(d, e []float64) {
	most := max(largest(d), largest(e))
	for i, x := range e {
		if math.Abs(x) < most*0x1p-200 {
			e[i] = 0
		}
	}
}

// maxSweeps is how many iterations an eigenvalue or a sweep over a matrix may take, manySweeps more than an eigenvalue
// takes that is not kept from being found by rounding errors of larger ones.
const (
	maxSweeps  = 60
	manySweeps = 10
)

// implicitQL turns d, the diagonal of a tridiagonal matrix, into its eigenvalues; e is the other
// diagonal and a 0. The rows of t become those of eigenvectors. It returns 0, or the number of an
// eigenvalue that was not found, or not looked for since the context has ended.
//
// Numbers of e are nothing if they are so beside their neighbours, which is exact for small eigenvalues too. Where
// rounding errors are larger than these, as for matrices of low rank, it is enough that they are such errors.
func implicitQL[F dense.Float](d, e []float64, each dense.Parallel, t *turns[F]) int {
	defer t.flush()
	errors, most := 0.0, max(largest(d), largest(e))
	for l := range d {
		if !each(0, nil) {
			return l + 1
		}
		for sweep := range maxSweeps {
			if sweep == manySweeps {
				errors = epsilon * most
			}
			m := l
			for m < len(d)-1 && !(math.Abs(e[m]) <= max(errors, epsilon*(math.Abs(d[m])+math.Abs(d[m+1])))) {
				m++
			}
			if m == l {
				e[l] = 0
				break
			}
			stepQL(d, e, l, m, t)
		}
		if e[l] != 0 { // also where it is NaN
			return l + 1
		}
	}
	return 0
}

// stepQL does one implicit step on rows l to m.
func stepQL[F dense.Float](d, e []float64, l, m int, t *turns[F]) {
	g := (d[l+1] - d[l]) / (2 * e[l])
	g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Hypot(g, 1), g))
	t.sweep(m, m-l, true)
	s, c, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b, r := s*e[i], c*e[i], 0.0
		if f == 0 && g == 0 {
			e[i+1], e[m] = 0, 0
			d[i+1] -= p
			return
		}
		c, s, r = rotation(g, f)
		e[i+1] = r
		g = d[i+1] - p
		r = float64((d[i]-g)*s) + float64(2*c*b)
		p = s * r
		d[i+1] = g + p
		g = float64(c*r) - b
		t.add(c, s)
		t.now()
	}
	d[l] -= p
	e[l] = g
	e[m] = 0
}
