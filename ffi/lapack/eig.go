package lapack

import (
	"math"
	"math/cmplx"
)

// geevComplex finds eigenvalues and eigenvectors of a matrix. Results: eigenvalues, left and right
// eigenvectors as columns, of length 1 and with a largest element that is real, info.
func geevComplex(p *problem[complex128]) {
	t, z := hessenberg(p.in[0])
	p.info = complexSchur(t, z)
	p.set(0, diagonal(t))
	left, right := p.attr["compute_left"] == 'V', p.attr["compute_right"] == 'V'
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

// geevReal has the real and imaginary parts of the eigenvalues apart. Pairs of conjugate eigenvalues have
// conjugate eigenvectors, real eigenvalues real ones.
func geevReal(p *problem[float64]) {
	t, z := hessenberg(p.in[0])
	wr, wi, info := realSchur(t, z)
	p.info = info
	p.setReals(0, wr)
	p.setReals(1, wi)
	ct, cz := toTriangular(t, z)
	if p.attr["compute_left"] == 'V' {
		p.setVectors(2, inPairs(leftVectors(ct, cz), wi))
	}
	if p.attr["compute_right"] == 'V' {
		p.setVectors(3, inPairs(rightVectors(ct, cz), wi))
	}
}

// inPairs gives vectors the symmetry of the eigenvalues, whose imaginary parts are wi.
func inPairs(m matrix[complex128], wi []float64) matrix[complex128] {
	for j, im := range wi {
		for i := range m.rows {
			switch row := m.row(i); {
			case im == 0:
				row[j] = complex(real(row[j]), 0)
			case im < 0 && j > 0:
				row[j] = cmplx.Conj(row[j-1])
			}
		}
	}
	return m
}

// toTriangular makes the complex Schur form of a real one: the eigenvalue of a pair with the
// positive imaginary part comes first.
func toTriangular(t, z matrix[float64]) (ct, cz matrix[complex128]) {
	ct, cz = newMatrix[complex128](t.rows, t.cols), newMatrix[complex128](z.rows, z.cols)
	for i := range t.at {
		ct.at[i], cz.at[i] = complex(t.at[i], 0), complex(z.at[i], 0)
	}
	for m := 1; m < t.rows; m++ {
		x, y := t.row(m-1), t.row(m)
		if y[m-1] == 0 {
			continue
		}
		im := math.Sqrt(math.Abs(x[m])) * math.Sqrt(math.Abs(y[m-1]))
		// (im i, below) is an eigenvector of the block, whose diagonal is equal.
		c, s, _ := givens(complex(0, im), complex(y[m-1], 0))
		rotate(ct.row(m - 1)[m-1:], ct.row(m)[m-1:], c, s)
		rotateColumns(ct, m+1, m-1, m, c, s)
		rotateColumns(cz, cz.rows, m-1, m, c, s)
		ct.row(m)[m-1] = 0
	}
	return ct, cz
}

// rightVectors returns the eigenvectors of z t z^H, where t is upper triangular.
func rightVectors(t, z matrix[complex128]) matrix[complex128] {
	n := t.rows
	vectors := newMatrix[complex128](n, n)
	for k := range n {
		x := make([]complex128, n)
		x[k] = 1
		for i := k - 1; i >= 0; i-- {
			var sum complex128
			for j := i + 1; j <= k; j++ {
				sum += t.row(i)[j] * x[j]
			}
			x[i] = -sum / gap(t, i, k)
			shrink(x, i)
		}
		setVector(vectors, k, z, x)
	}
	return vectors
}

// leftVectors returns the eigenvectors of its adjoint, to the conjugate eigenvalues.
func leftVectors(t, z matrix[complex128]) matrix[complex128] {
	n := t.rows
	vectors := newMatrix[complex128](n, n)
	for k := range n {
		y := make([]complex128, n)
		y[k] = 1
		for i := k + 1; i < n; i++ {
			var sum complex128
			for j := k; j < i; j++ {
				sum += cmplx.Conj(t.row(j)[i]) * y[j]
			}
			y[i] = -sum / cmplx.Conj(gap(t, i, k))
			shrink(y, i)
		}
		setVector(vectors, k, z, y)
	}
	return vectors
}

// gap is the difference of eigenvalues i and k, kept away from 0.
func gap(t matrix[complex128], i, k int) complex128 {
	d := t.row(i)[i] - t.row(k)[k]
	if least := max(epsilon*(abs1(t.row(i)[i])+abs1(t.row(k)[k])), 0x1p-960); abs1(d) < least {
		return complex(least, 0)
	}
	return d
}

// shrink scales x where element i has become so large that the next ones might overflow.
func shrink(x []complex128, i int) {
	if size := abs1(x[i]); size > 0x1p300 {
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
	best := 0
	for i := range v {
		if cmplx.Abs(v[i]) > cmplx.Abs(v[best]) {
			best = i
		}
	}
	size := norm(v)
	if size == 0 || math.IsNaN(size) {
		vectors.setColumn(k, 0, v)
		return
	}
	scaleBy(v, cmplx.Conj(v[best])/complex(cmplx.Abs(v[best])*size, 0))
	v[best] = complex(real(v[best]), 0)
	vectors.setColumn(k, 0, v)
}
