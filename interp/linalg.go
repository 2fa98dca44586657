package interp

import (
	"math"
	"math/cmplx"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds cholesky and triangular-solve. Both work on float64 or
// complex128 and round once. Spec: OPS.md section 6.

// field is what algorithms over real and complex numbers are written in.
type field interface{ float64 | complex128 }

// matrix is a view of a matrix: the element in row i and column j is v[i*down+j*right].
// Swapping the steps transposes it.
type matrix[T field] struct {
	v           []T
	down, right int
}

func (m matrix[T]) at(i, j int) *T                 { return &m.v[i*m.down+j*m.right] }
func (m matrix[T]) transposed() matrix[T]          { return matrix[T]{m.v, m.right, m.down} }
func newMatrix[T field](v []T, cols int) matrix[T] { return matrix[T]{v, cols, 1} }

// arithmetic is what the algorithms need besides + - /.
type arithmetic[T field] struct {
	times func(x, y T) T
	conj  func(T) T
	// root returns the square root of a pivot; ok is false unless it is positive.
	root func(T) (root T, ok bool)
	nan  T
}

var (
	realArithmetic = arithmetic[float64]{
		times: func(x, y float64) float64 { return x * y },
		conj:  func(x float64) float64 { return x },
		root:  func(x float64) (float64, bool) { return math.Sqrt(x), x > 0 },
		nan:   math.NaN(),
	}
	complexArithmetic = arithmetic[complex128]{
		times: times,
		conj:  cmplx.Conj,
		// The diagonal of a Hermitian matrix is real.
		root: func(x complex128) (complex128, bool) { return complex(math.Sqrt(real(x)), 0), real(x) > 0 },
		nan:  cmplx.NaN(),
	}
)

// times returns x*y with each product rounded on its own, which the compiler need not do for x*y.
func times(x, y complex128) complex128 {
	return complex(float64(real(x)*real(y))-float64(imag(x)*imag(y)),
		float64(real(x)*imag(y))+float64(imag(x)*real(y)))
}

// evalCholesky factors each matrix of the batch: l·l^H = a, or u^H·u = a. The other
// triangle is neither read nor, in the result, other than zero. A matrix that is not
// positive definite gives NaN everywhere, as in XLA.
func evalCholesky(c *call) (literal.Literal, error) {
	lower, dims := attrs[*op.CholeskyAttrs](c).Lower, c.shape.Dims
	n := dims[len(dims)-1]
	if c.shape.Type.IsComplex() {
		v := toComplex(c.args[0])
		factorAll(complexArithmetic, v, n, lower)
		return c.complexes(v), nil
	}
	v := toFloats(c.args[0])
	factorAll(realArithmetic, v, n, lower)
	return c.floats(v), nil
}

// factorAll replaces each n by n matrix in v by its Cholesky factor.
func factorAll[T field](with arithmetic[T], v []T, n int, lower bool) {
	for len(v) > 0 {
		m := newMatrix(v[:n*n], n)
		if !lower {
			// The upper triangle, read across the diagonal, is the lower one of the
			// conjugate of a; its factor is the conjugate of l, and u^T is just that.
			m = m.transposed()
		}
		if !factor(with, m, n) {
			for i := range m.v {
				m.v[i] = with.nan
			}
		}
		v = v[n*n:]
	}
}

// factor replaces m by l with l·l^H = m, column by column; false if m is not positive definite.
func factor[T field](with arithmetic[T], m matrix[T], n int) bool {
	for j := range n {
		for i := j; i < n; i++ {
			sum := *m.at(i, j)
			for k := range j {
				sum -= T(with.times(*m.at(i, k), with.conj(*m.at(j, k))))
			}
			*m.at(i, j) = sum
		}
		pivot, ok := with.root(*m.at(j, j))
		if !ok {
			return false
		}
		*m.at(j, j) = pivot
		for i := j + 1; i < n; i++ {
			*m.at(i, j) /= pivot
			*m.at(j, i) = 0
		}
	}
	return true
}

// evalTriangularSolve solves op(a)·x = b, or x·op(a) = b, for each matrix of the
// batch. Only the named triangle of a is read, and the diagonal only if it is not unit.
func evalTriangularSolve(c *call) (literal.Literal, error) {
	a := attrs[*op.TriangularSolveAttrs](c)
	rank := c.shape.Rank()
	n, cols := c.args[0].Dims()[rank-1], c.shape.Dims[rank-1]
	if c.shape.Type.IsComplex() {
		coeffs, x := toComplex(c.args[0]), toComplex(c.args[1])
		if a.TransposeA == op.Adjoint {
			for i, v := range coeffs {
				coeffs[i] = cmplx.Conj(v)
			}
		}
		solveAll(complexArithmetic, a, coeffs, x, n, cols)
		return c.complexes(x), nil
	}
	x := toFloats(c.args[1])
	solveAll(realArithmetic, a, toFloats(c.args[0]), x, n, cols)
	return c.floats(x), nil
}

// solveAll replaces each right side in x, a matrix with cols columns, by its solution.
func solveAll[T field](with arithmetic[T], a *op.TriangularSolveAttrs, coeffs, x []T, n, cols int) {
	if len(x) == 0 {
		return
	}
	batch := len(coeffs) / (n * n)
	for b := range batch {
		m := newMatrix(coeffs[b*n*n:(b+1)*n*n], n)
		size := len(x) / batch
		rhs, lower := newMatrix(x[b*size:(b+1)*size], cols), a.Lower
		if a.TransposeA == op.TransposeA || a.TransposeA == op.Adjoint {
			m, lower = m.transposed(), !lower
		}
		if !a.LeftSide { // x·m = b is m^T·x^T = b^T
			m, lower, rhs = m.transposed(), !lower, rhs.transposed()
		}
		solve(with, m, rhs, n, size/n, lower, a.UnitDiagonal)
	}
}

// solve replaces the columns of x by the solutions of m·x = x, by substitution
// from the first row down if m is lower triangular, from the last row up otherwise.
func solve[T field](with arithmetic[T], m, x matrix[T], n, columns int, lower, unit bool) {
	for col := range columns {
		for step := range n {
			i, from, to := step, 0, step
			if !lower {
				i = n - 1 - step
				from, to = i+1, n
			}
			sum := *x.at(i, col)
			for k := from; k < to; k++ {
				sum -= T(with.times(*m.at(i, k), *x.at(k, col)))
			}
			if !unit {
				sum /= *m.at(i, i)
			}
			*x.at(i, col) = sum
		}
	}
}

// floats returns the result with elements v, each rounded once.
func (c *call) floats(v []float64) literal.Literal { return floatsOf(c.shape, v) }

// complexes returns the result with elements v, each rounded once.
func (c *call) complexes(v []complex128) literal.Literal {
	dst := c.new()
	for i, x := range v {
		dst.SetComplex(i, x)
	}
	return dst
}

// floatsOf returns an array of shape s with elements v, each rounded once.
func floatsOf(s shape.Shape, v []float64) literal.Literal {
	dst := literal.New(s)
	literal.FromFloat64s(dst, v)
	return dst
}
