package lapack

import (
	"math"
	"math/cmplx"

	"github.com/goxla/xla/cpu/dense"
)

// gees for complex numbers: A = Z T Z^H with T upper triangular. Results: T, Z, the eigenvalues, how many
// of them were selected (none), info.
func geesComplex(p *problem[complex128]) {
	exponent := nearOne(p.in[0].at, largest(p.in[0].at))
	t, z := p.hessenberg(p.in[0])
	p.info = p.complexSchur(t, z)
	ldexp(t.at, exponent)
	p.set(0, t)
	if p.attr.get("mode") == 'V' {
		p.set(1, z)
	}
	p.set(2, diagonal(t))
}

// geesReal: A = Z T Z^T with T upper triangular but for blocks of 2x2, which are pairs of complex
// eigenvalues. Results as those of geesComplex, with real and imaginary parts apart.
func geesReal(p *problem[float64]) {
	exponent := nearOne(p.in[0].at, largest(p.in[0].at))
	q := p.quasi(p.attr.get("mode") == 'V', true)
	wr, wi, info := q.schur()
	p.info = info
	t := p.fromSheet(q.h, q.n)
	for _, v := range [][]float64{t.at, wr, wi} {
		ldexp(v, exponent)
	}
	p.set(0, t)
	if p.attr.get("mode") == 'V' {
		p.set(1, p.adjoint(p.fromSheet(q.z, q.n)))
	}
	p.setReals(2, wr)
	p.setReals(3, wi)
}

// quasi brings the operand into the Hessenberg form.
func (p *problem[T]) quasi(vectors, full bool) *quasi {
	a := real64(p.in[0])
	k, n := p.rows(a.rows), a.rows
	q := &quasi{k: k, h: p.sheet(k, a), n: n, full: full, over: p.over}
	r := reflections[T]{below: 1, taus: p.numbers(max(0, n-1))}
	k.Hessenberg(q.h, n, realsOf(r.taus), p.reals, p.parallel())
	if vectors {
		r.at, r.row, r.col = numbersOf[T](q.h.At), q.h.Cols, 1
		z := p.matrix(n, n)
		for i := range n {
			z.row(i)[i] = 1
		}
		q.z = p.sheet(k, real64(p.adjoint(p.reflected(z, r))))
	}
	for i := 2; i < n; i++ {
		clear(q.h.Row(i)[:i-1])
	}
	return q
}

// fromSheet returns the first n rows and columns of s.
func (p *problem[T]) fromSheet(s dense.Sheet[float64], n int) matrix[float64] {
	m := matrix[float64]{n, n, p.reals(n * n)}
	for i := range n {
		copy(m.row(i), s.Row(i))
	}
	return m
}

func diagonal[T field](m matrix[T]) matrix[T] {
	d := newMatrix[T](m.rows, 1)
	for i := range m.rows {
		d.at[i] = m.row(i)[i]
	}
	return d
}

// maxSteps is how many QR steps may be taken for an eigenvalue.
const maxSteps = 300

// complexSchur turns the Hessenberg matrix h into its Schur form; z gets the rotations too. It returns 0,
// or the number of an eigenvalue that was not found.
func (p *problem[T]) complexSchur(h, z matrix[complex128]) int {
	for hi := h.rows - 1; hi >= 0; hi-- {
		found := false
		for step := range maxSteps {
			if p.over() {
				return hi + 1
			}
			l := hi
			for l > 0 && !negligible(h, l) {
				l--
			}
			if l > 0 {
				h.row(l)[l-1] = 0
			}
			if found = l == hi; found {
				break
			}
			shift := wilkinson(h, hi)
			if step%10 == 9 { // an unlucky shift: another one
				shift = h.row(hi)[hi] + complex(0.75*abs1(h.row(hi)[hi-1]), 0)
			}
			complexStep(h, z, l, hi, shift)
		}
		if !found {
			return hi + 1
		}
	}
	return 0
}

// negligible reports whether the element left of the diagonal in row l is as good as 0.
func negligible(h matrix[complex128], l int) bool {
	small := abs1(h.row(l)[l-1])
	size := abs1(h.row(l - 1)[l-1]) + abs1(h.row(l)[l])
	if size == 0 {
		for i := range h.rows {
			size = max(size, abs1(h.row(i)[i]), abs1(h.row(l)[l-1]))
		}
	}
	return small <= epsilon*size || small < 0x1p-1000
}

// wilkinson returns the eigenvalue of the last 2x2 block that is nearer to its last element.
func wilkinson(h matrix[complex128], hi int) complex128 {
	a, b, c, d := h.row(hi - 1)[hi-1], h.row(hi - 1)[hi], h.row(hi)[hi-1], h.row(hi)[hi]
	half := (a - d) / 2
	bc := b * c
	root := cmplx.Sqrt(half*half + bc)
	if real(half)*real(root)+imag(half)*imag(root) < 0 {
		root = -root
	}
	if half+root == 0 {
		return d
	}
	return d - bc/(half+root)
}

// complexStep does one QR step on rows l to hi: each rotation pushes the bulge one row down.
func complexStep(h, z matrix[complex128], l, hi int, shift complex128) {
	x, y := h.row(l)[l]-shift, h.row(l + 1)[l]
	for k := l; k < hi; k++ {
		if k > l {
			x, y = h.row(k)[k-1], h.row(k + 1)[k-1]
		}
		c, s, r := givens(x, y)
		if k > l {
			h.row(k)[k-1], h.row(k + 1)[k-1] = r, 0
		}
		rotate(h.row(k)[k:], h.row(k + 1)[k:], c, s)
		rotateColumns(h, min(k+2, hi)+1, k, k+1, c, s)
		rotateColumns(z, z.rows, k, k+1, c, s)
	}
}

// givens returns c, s and r so that c x + s y = r and c y - conj(s) x = 0.
func givens(x, y complex128) (c float64, s, r complex128) {
	a, b := cmplx.Abs(x), cmplx.Abs(y)
	size := math.Hypot(a, b)
	if b == 0 {
		return 1, 0, x
	}
	if a == 0 {
		return 0, cmplx.Conj(y) / complex(b, 0), complex(b, 0)
	}
	phase := x / complex(a, 0)
	return a / size, phase * cmplx.Conj(y) / complex(size, 0), phase * complex(size, 0)
}
