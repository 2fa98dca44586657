package lapack

import (
	"cmp"
	"math"
	"slices"
)

// gesdd: A = U S V^H. The mode says which vectors are made: A all, S those of singular values, N none.
// Results: A, singular values in falling order, U, V^H, info.
func gesdd[T field](p *problem[T]) {
	a, mode := p.in[0], p.attr["mode"]
	p.set(0, a)
	k := min(a.rows, a.cols)
	tall := a.rows >= a.cols
	if !tall {
		a = a.adjoint() // V S U^H
	}
	left, s, right, ok := p.jacobi(a)
	if !ok {
		p.info = 1
	}
	p.setReals(1, s)
	if mode == 'N' {
		return
	}
	u, v := left, right // as rows, the columns of U and V
	if mode == 'A' {
		u = complete(u, a.rows)
	} else {
		u = complete(u, k)
	}
	if !tall {
		u, v = v, u
	}
	p.set(2, conjugate(u.adjoint()))
	p.set(3, conjugate(v))
}

// jacobi finds singular values and vectors of a, which has no more columns than rows, by rotations that make its
// columns orthogonal. The vectors are rows: of left those with singular values above 0 only.
func (p *problem[T]) jacobi(a matrix[T]) (left matrix[T], values []float64, right matrix[T], ok bool) {
	w, scale := conjugate(a.adjoint()), 0.0 // the columns of a as rows
	for _, x := range w.at {
		scale = max(scale, abs1(x))
	}
	if math.IsNaN(scale) || math.IsInf(scale, 0) {
		return matrix[T]{cols: a.rows}, nil, newMatrix[T](a.cols, a.cols), false
	}
	_, exponent := math.Frexp(scale)
	scaleBy(w.at, toField[T](math.Ldexp(1, -max(exponent, -1000))))
	v := identity[T](a.cols)
	sweep := func() bool { return orthogonalize(w, v) }
	if q, fast := blocked(p, a.rows, a.cols); fast {
		sweep = func() bool { return q.orthogonalize(real64(w), real64(v)) }
	}
	for range maxSweeps {
		if ok = sweep(); ok || p.each != nil && !p.each(0, nil) {
			break
		}
	}
	norms, order := make([]float64, a.cols), make([]int, a.cols)
	for i := range order {
		norms[i], order[i] = norm(w.row(i)), i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(norms[j], norms[i]) })
	right = newMatrix[T](a.cols, a.cols)
	left = matrix[T]{cols: a.rows}
	for k, i := range order {
		copy(right.row(k), v.row(i))
		values = append(values, math.Ldexp(norms[i], max(exponent, -1000)))
		if norms[i] > 0 {
			u := w.row(i)
			scaleBy(u, toField[T](1/norms[i]))
			left.at, left.rows = append(left.at, u...), left.rows+1
		}
	}
	return left, values, right, ok
}

// orthogonalize makes each two rows of w orthogonal; v follows. It reports whether they all were.
func orthogonalize[T field](w, v matrix[T]) bool {
	ok := true
	for p := range w.rows {
		for q := p + 1; q < w.rows; q++ {
			x, y := w.row(p), w.row(q)
			alpha, beta, gamma := re(dot(x, x)), re(dot(y, y)), dot(x, y)
			g := abs(gamma)
			if g <= epsilon*math.Sqrt(alpha)*math.Sqrt(beta) || g == 0 {
				continue
			}
			ok = false
			zeta := (beta - alpha) / (2 * g)
			t := math.Copysign(1/(math.Abs(zeta)+math.Hypot(1, zeta)), zeta)
			c := 1 / math.Hypot(1, t)
			s := fromComplex[T](toComplex(gamma) * complex(-c*t/g, 0))
			rotate(x, y, c, conj(s))
			rotate(v.row(p), v.row(q), c, conj(s))
		}
	}
	return ok
}

// complete adds rows to m until it has n, each of length 1 and orthogonal to all before it.
func complete[T field](m matrix[T], n int) matrix[T] {
	for next := 0; m.rows < n && next < m.cols; next++ {
		v := make([]T, m.cols)
		v[next] = 1
		for range 2 { // once more for what rounding left
			for i := range m.rows {
				axpy(v, -dot(m.row(i), v), m.row(i))
			}
		}
		// Some unit vector is always as far from the rows as this.
		if size := norm(v); size > 0.5/math.Sqrt(float64(m.cols)) {
			scaleBy(v, toField[T](1/size))
			m.at, m.rows = append(m.at, v...), m.rows+1
		}
	}
	return m
}
