package lapack

import (
	"math"
	"math/cmplx"
)

// geevComplex finds eigenvalues and eigenvectors of a matrix. Results: eigenvalues, left and right
// eigenvectors as columns, of length 1 and with a largest element that is real, info.
func geevComplex(p *problem[complex128]) {
	exponent := nearOne(p.in[0].at, largest(p.in[0].at))
	t, z := p.hessenberg(p.in[0])
	p.info = p.complexSchur(t, z)
	if p.over() {
		return
	}
	values := diagonal(t)
	ldexp(values.at, exponent)
	p.set(0, values)
	left, right := p.attr.get("compute_left") == 'V', p.attr.get("compute_right") == 'V'
	if left {
		p.setVectors(1, leftVectors(t, z))
	}
	if right {
		p.setVectors(2, rightVectors(t, z))
	}
}

// setVectors makes result i the matrix m.
func (p *problem[T]) setVectors(i int, m matrix[complex128]) {
	for k, z := range m.at[:min(len(m.at), p.out[i].len())] {
		p.out[i].put(k, z)
	}
}

// rightVectors returns the eigenvectors of z t z^H, where t is upper triangular.
func rightVectors(t, z matrix[complex128]) matrix[complex128] { return vectorsOf(t, z, rightVector) }

// leftVectors returns the eigenvectors of its adjoint, to the conjugate eigenvalues.
func leftVectors(t, z matrix[complex128]) matrix[complex128] { return vectorsOf(t, z, leftVector) }

func vectorsOf(t, z matrix[complex128], solve func(t matrix[complex128], k int, x []complex128)) matrix[complex128] {
	vectors, x := newMatrix[complex128](t.rows, t.rows), make([]complex128, t.rows)
	for k := range t.rows {
		clear(x)
		solve(t, k, x)
		setVector(vectors, k, z, x)
	}
	return vectors
}

// rightVector sets x, which is zero, to the eigenvector of t for eigenvalue k.
func rightVector(t matrix[complex128], k int, x []complex128) {
	x[k] = 1
	for i := k - 1; i >= 0; i-- {
		var re, im float64 // of the sum of products, as numbers of their own: this is most of the work
		row, y := t.row(i)[i+1:k+1], x[i+1:k+1]
		for j, a := range row {
			b := y[j]
			re += float64(real(a)*real(b)) - float64(imag(a)*imag(b))
			im += float64(real(a)*imag(b)) + float64(imag(a)*real(b))
		}
		x[i] = -complex(re, im) / gap(t, i, k)
		shrink(x, i)
	}
}

// leftVector sets y, which is zero, to that of the adjoint of t.
func leftVector(t matrix[complex128], k int, y []complex128) {
	y[k] = 1
	for i := k + 1; i < t.rows; i++ {
		var sum complex128
		for j := k; j < i; j++ {
			sum += cmplx.Conj(t.row(j)[i]) * y[j]
		}
		y[i] = -sum / cmplx.Conj(gap(t, i, k))
		shrink(y, i)
	}
}

// gap is the difference of eigenvalues i and k, kept away from 0: a number that shrink leaves, divided by it, is
// finite.
func gap(t matrix[complex128], i, k int) complex128 {
	d := t.row(i)[i] - t.row(k)[k]
	if least := max(epsilon*(abs1(t.row(i)[i])+abs1(t.row(k)[k])), 0x1p-800); abs1(d) < least {
		return complex(least, 0)
	}
	return d
}

// shrink scales x where element i has become so large that the next ones might overflow.
func shrink(x []complex128, i int) {
	if size := abs1(x[i]); size > 0x1p100 {
		scaleBy(x, complex(1/size, 0))
	}
}

// setVector sets column k to z x, of length 1 and with its largest element real.
func setVector(vectors matrix[complex128], k int, z matrix[complex128], x []complex128) {
	v := make([]complex128, len(x))
	for i := range v {
		for j, y := range x {
			v[i] += z.row(i)[j] * y
		}
	}
	normalize(v)
	vectors.setColumn(k, 0, v)
}

// normalize makes the length of v 1, and its largest element real.
func normalize(v []complex128) {
	best, most := 0, 0.0
	for i, z := range v {
		if size := float64(real(z)*real(z)) + float64(imag(z)*imag(z)); size > most {
			best, most = i, size
		}
	}
	size := norm(v)
	if size == 0 || math.IsNaN(size) {
		return
	}
	scaleBy(v, cmplx.Conj(v[best])/complex(cmplx.Abs(v[best])*size, 0))
	v[best] = complex(real(v[best]), 0)
}
