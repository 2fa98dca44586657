package lapack

// This file does routines for complex numbers in blocks of real ones: a number x + yi is the block (x -y; y x), with
// which sums and products go as they do with numbers.

// asReal returns a problem for real numbers on the same steps, and whether those do matrices of n complex rows.
func asReal(p *problem[complex128], n int) (q *problem[float64], ok bool) {
	if p.steps == nil || n < embeddedFrom {
		return nil, false
	}
	if p.embedded == nil {
		p.embedded = &problem[float64]{memory: p.memory}
	}
	q = p.embedded
	q.reset()
	q.steps, q.each = p.steps, p.each
	return q, true
}

// embed returns m as blocks, each row times its factor if there are any. Those on the diagonal are of real numbers.
func embed(q *problem[float64], m matrix[complex128], factors []complex128) matrix[float64] {
	e := q.matrix(2*m.rows, 2*m.cols)
	for i := range m.rows {
		re, im := e.row(2*i), e.row(2*i+1)
		for j, z := range m.row(i) {
			if factors != nil {
				z *= factors[i]
			}
			re[2*j], re[2*j+1] = real(z), -imag(z)
			im[2*j], im[2*j+1] = imag(z), real(z)
		}
		re[2*i+1], im[2*i] = 0, 0
	}
	return e
}

// solveEmbedded replaces b by the solution of m x = b, unless it reports false: there is little to do, or the diagonal
// has a number without a good inverse.
func solveEmbedded(p *problem[complex128], m, b matrix[complex128], lower, unit bool) bool {
	q, ok := asReal(p, m.rows)
	if !ok || b.cols < manySides {
		return false
	}
	var inverse []complex128
	if !unit {
		if inverse = inverses(p, m); inverse == nil {
			return false
		}
	}
	x := q.matrix(2*b.rows, b.cols)
	for i := range b.rows {
		re, im := x.row(2*i), x.row(2*i+1)
		for j, z := range b.row(i) {
			if !unit {
				z *= inverse[i]
			}
			re[j], im[j] = real(z), imag(z)
		}
	}
	// With ones on the diagonal the blocks are a triangle as well.
	if !solveBlocked(q, system[float64]{m: embed(q, m, inverse), lower: lower, unit: true}, x) {
		return false
	}
	for i := range b.rows {
		re, im := x.row(2*i), x.row(2*i+1)
		for j := range b.row(i) {
			b.row(i)[j] = complex(re[j], im[j])
		}
	}
	return true
}

// manySides is from how many right sides on blocks are less work than to write them, embeddedFrom from how many rows.
const (
	manySides    = 32
	embeddedFrom = 32
)

// inverses returns those of the diagonal, nil if one of them is not good, or numbers of m times them may not be.
func inverses(p *problem[complex128], m matrix[complex128]) []complex128 {
	if !(largest(m.at) < 0x1p400) {
		return nil
	}
	v := p.numbers(m.rows)
	for i := range v {
		z := m.row(i)[i]
		if size := abs1(z); !(size > 0x1p-400 && size < 0x1p400) {
			return nil
		}
		v[i] = 1 / z
	}
	return v
}
