package lapack

import (
	"math"
	"math/cmplx"

	"github.com/goxla/xla/cpu/dense"
)

// reflector finds H = I - tau v v^H with v[0] = 1 so that H^H x = (beta, 0, ..., 0), beta real. It
// replaces x by v and returns beta and tau.
func reflector[T field](x []T) (beta float64, tau T) {
	if len(x) == 0 {
		return 0, 0
	}
	switch v := any(x).(type) {
	case []float64:
		beta, t := dense.Reflector(v)
		return beta, toField[T](t)
	case []float32:
		beta, t := dense.Reflector(v)
		return float64(beta), toField[T](float64(t))
	}
	alpha, scale := toComplex(x[0]), 1.0
	rest := norm(x[1:])
	x[0] = 1
	if rest == 0 && imag(alpha) == 0 {
		return real(alpha), 0
	}
	if rest < smallest && cmplx.Abs(alpha) < smallest {
		// A norm that is not a normal number would be inexact, and the reflector no reflection.
		scale = smallest
		scaleBy(x[1:], toField[T](1/scale))
		alpha, rest = alpha/complex(scale, 0), norm(x[1:])
	}
	beta = -math.Copysign(math.Hypot(cmplx.Abs(alpha), rest), real(alpha))
	scaleBy(x[1:], fromComplex[T](1/(alpha-complex(beta, 0))))
	return beta * scale, fromComplex[T](complex((beta-real(alpha))/beta, -imag(alpha)/beta))
}

// smallest is where numbers become so small that their inverse may not be a number.
const smallest = 0x1p-600

// fewColumns are reflected one by one, in pairs, rather than row by row.
const fewColumns = 8

// reflectRows replaces rows from on of m, columns first on, by (I - tau v v^H) times them.
func (p *problem[T]) reflectRows(m matrix[T], from, first int, v []T, tau T) {
	if tau == 0 || first >= m.cols || len(v) == 0 {
		return
	}
	c := p.conjugated(v)
	if m.cols-first <= fewColumns {
		for ; first < m.cols; first += 2 {
			reflectPair(m.at[from*m.cols+first:], m.cols, min(2, m.cols-first), c, v, tau)
		}
		return
	}
	w := p.buffer(forRows, m.cols-first) // w = v^H m
	for i, x := range c {
		axpy(w, x, m.row(from + i)[first:])
	}
	for i, x := range v {
		axpy(m.row(from + i)[first:], -T(tau*x), w)
	}
}

// conjugated is v with conjugates: v itself if it is real.
func (p *problem[T]) conjugated(v []T) []T {
	if !conjugates[T]() {
		return v
	}
	c := p.buffer(forColumns, len(v))
	for i, x := range v {
		c[i] = conj(x)
	}
	return c
}

// reflectPair is reflectRows of n columns, one or two, of a matrix of so many, with sums in the same order; c is v,
// with conjugates.
func reflectPair[T field](at []T, cols, n int, c, v []T, tau T) {
	other := n - 1
	var x, y T // v^H times them
	for i, k := 0, 0; i < len(c); i, k = i+1, k+cols {
		x += T(c[i] * at[k])
		y += T(c[i] * at[k+other])
	}
	for i, k := 0, 0; i < len(v); i, k = i+1, k+cols {
		z := -T(tau * v[i])
		at[k] += T(z * x)
		if n > 1 {
			at[k+1] += T(z * y)
		}
	}
}

// reflectColumns replaces columns from on of all rows of m by them times (I - tau v v^H).
func (p *problem[T]) reflectColumns(m matrix[T], from int, v []T, tau T) {
	if tau == 0 {
		return
	}
	c := p.conjugated(v)
	for r := range m.rows {
		row := m.row(r)[from:][:len(v)]
		var sum T
		for i, x := range v {
			sum += T(row[i] * x)
		}
		axpy(row, -T(tau*sum), c)
	}
}

// reflectColumn makes one step of a QR factorization: column j of a gets beta at row j
// and the reflector below.
func (p *problem[T]) reflectColumn(a matrix[T], j int) (tau T) {
	v := p.column(a, j, j)
	beta, tau := reflector(v)
	p.reflectRows(a, j, j+1, v, conj(tau))
	a.setColumn(j, j, v)
	a.row(j)[j] = toField[T](beta)
	return tau
}

// geqrf: A = Q R. Results: R with reflectors below, whose product is Q, and their factors tau.
func geqrf[T field](p *problem[T]) {
	a := p.copyOf(0, 0)
	taus := p.numbers(min(a.rows, a.cols))
	for j := range taus {
		if p.over() {
			return
		}
		taus[j] = p.reflectColumn(a, j)
	}
	p.set(0, a)
	p.set(1, matrix[T]{len(taus), 1, taus})
}

// geqp3 is geqrf with exchanges of columns: A P = Q R, with the diagonal of R in falling order. Columns
// that the second operand marks come first. Results: as geqrf, with the order of columns
// (from 1) between.
func geqp3[T field](p *problem[T]) {
	a, marks := p.in[0], p.in[1].at
	if !p.expect("marks", len(marks), a.cols) {
		return
	}
	order := make([]int, a.cols)
	for j := range order {
		order[j] = j + 1
	}
	exchange := func(i, j int) {
		order[i], order[j] = order[j], order[i]
		marks[i], marks[j] = marks[j], marks[i]
		for r := range a.rows {
			a.row(r)[i], a.row(r)[j] = a.row(r)[j], a.row(r)[i]
		}
	}
	fixed := 0
	for j := range marks {
		if marks[j] != 0 {
			exchange(fixed, j)
			fixed++
		}
	}
	taus := p.numbers(min(a.rows, a.cols))
	for j := range taus {
		if j >= fixed {
			best, most := j, norm(a.column(j, j))
			for k := j + 1; k < a.cols; k++ {
				if n := norm(a.column(k, j)); n > most {
					best, most = k, n
				}
			}
			exchange(j, best)
		}
		taus[j] = p.reflectColumn(a, j)
	}
	p.set(0, a)
	p.setInts(1, order)
	p.set(2, matrix[T]{len(taus), 1, taus})
}

// reflectorAt returns reflector j below the diagonal of a, from row j+below on.
func (p *problem[T]) reflectorAt(a matrix[T], j, below int) []T {
	v := p.column(a, j, j+below)
	if len(v) > 0 {
		v[0] = 1
	}
	return v
}

// orgqr makes the first columns of the product of reflectors.
func orgqr[T field](p *problem[T]) {
	a, taus := p.in[0], p.in[1].at
	q := p.matrix(a.rows, a.cols)
	for i := range min(a.rows, a.cols) {
		q.row(i)[i] = 1
	}
	for j := min(len(taus), a.cols, a.rows) - 1; j >= 0; j-- {
		p.reflectRows(q, j, j, p.reflectorAt(a, j, 0), taus[j])
	}
	p.set(0, q)
}

// ormqr multiplies a matrix by a product of reflectors, or by its adjoint.
func ormqr[T field](p *problem[T]) {
	if !p.mayMultiply() {
		return
	}
	a, taus, c := p.in[0], p.in[1].at, p.copyOf(2, 0)
	left, adjoint := p.attr.get("left") != 0, p.attr.get("transpose") != 0
	for i := range taus {
		j := i // Q^H C and C Q begin with the first reflector
		if left != adjoint {
			j = len(taus) - 1 - i
		}
		tau := taus[j]
		if adjoint {
			tau = conj(tau)
		}
		if v := p.reflectorAt(a, j, 0); left {
			p.reflectRows(c, j, 0, v, tau)
		} else {
			p.reflectColumns(c, j, v, tau)
		}
	}
	p.set(0, c)
}

// mayMultiply checks the sizes of the operands of ormqr.
func (p *problem[T]) mayMultiply() bool {
	a, taus, c := p.in[0], p.in[1].at, p.in[2]
	if p.attr.get("left") != 0 && !p.expect("rows", c.rows, a.rows) {
		return false
	}
	if p.attr.get("left") == 0 && !p.expect("columns", c.cols, a.rows) {
		return false
	}
	return len(taus) <= min(a.rows, a.cols) || p.expect("factors", len(taus), min(a.rows, a.cols))
}

// gehrd: A = Q H Q^H with H zero below the first diagonal under the main one. Rows and columns outside
// low .. high (from 1) are in that form. Results: H with reflectors below, their factors, info.
func gehrd[T field](p *problem[T]) {
	a := p.in[0]
	low, high := int(p.attr.get("low")), int(p.attr.get("high"))
	if low < 1 || high > a.rows || low > max(high, 1) {
		p.info = -1
		return
	}
	taus := make([]T, max(0, a.rows-1))
	for j := low - 1; j < high-1; j++ {
		taus[j] = p.hessenbergStep(a, j, high)
	}
	p.set(0, a)
	p.set(1, matrix[T]{len(taus), 1, taus})
}

// hessenbergStep brings column j into the form and leaves the reflector there.
func (p *problem[T]) hessenbergStep(a matrix[T], j, high int) T {
	v := p.column(a, j, j+1)[:high-j-1]
	beta, tau := reflector(v)
	p.reflectRows(a, j+1, j+1, v, conj(tau))
	p.reflectColumns(a, j+1, v, tau)
	a.setColumn(j, j+1, v)
	a.row(j + 1)[j] = toField[T](beta)
	return tau
}

// hessenberg returns H and Q.
func (p *problem[T]) hessenberg(a matrix[T]) (h, q matrix[T]) {
	taus := make([]T, max(0, a.rows-1))
	for j := range taus {
		if p.over() {
			break
		}
		taus[j] = p.hessenbergStep(a, j, a.rows)
	}
	q = identity[T](a.rows)
	for j := len(taus) - 1; j >= 0; j-- {
		v := p.reflectorAt(a, j, 1)
		p.reflectRows(q, j+1, j+1, v, taus[j])
		for i := j + 2; i < a.rows; i++ {
			a.row(i)[j] = 0
		}
	}
	return a, q
}
