package builder

import "github.com/goxla/xla/op"

// Cholesky returns, for each square matrix in the last two dimensions of x, the triangular
// matrix l with l times its adjoint equal to it, or, if lower is false, u with the adjoint of u
// times u; in x's shape. Only that triangle of x is read. It fails if x is not floating-point
// or complex of rank 2 or more, or the matrices are not square. Spec: OPS.md section 6.
func Cholesky(x Op, lower bool) Op { return apply(op.Cholesky, &op.CholeskyAttrs{Lower: lower}, x) }

// TriangularSolve returns x with op(a) x = rhs (LeftSide) or x op(a) = rhs, in the shape of
// rhs, for each triangular matrix in the last two dimensions of a; TransposeA says what op is.
// Only the triangle named by Lower is read, without its diagonal where UnitDiagonal says that
// it is 1. It fails if types or batch dimensions differ, a is not square, or sizes do not fit.
// Spec: OPS.md section 6.
func TriangularSolve(a, rhs Op, attrs op.TriangularSolveAttrs) Op {
	return apply(op.TriangularSolve, &attrs, a, rhs)
}

// Fft returns the discrete Fourier transform of x along its last dimensions, one for each of
// lengths: FFT and IFFT of complex numbers; RFFT of real ones, of which the last dimension
// becomes length/2 + 1; IRFFT, the inverse of that. It fails if there are not 1 to 3 lengths or
// sizes or types do not fit. Spec: OPS.md section 6.
func Fft(x Op, kind op.FftType, lengths ...int) Op {
	return apply(op.Fft, &op.FftAttrs{Type: kind, Length: nonNil(lengths)}, x)
}

// BatchNormTraining returns x normalized over all dimensions but featureIndex, times scale plus
// offset, in x's shape, and the mean and the variance of each feature. It fails if x is not
// floating-point or scale and offset do not have one value a feature. Spec: OPS.md section 6.
func BatchNormTraining(x, scale, offset Op, epsilon float32, featureIndex int) (output, mean, variance Op) {
	r := elements(apply(op.BatchNormTraining, &op.BatchNormAttrs{Epsilon: epsilon, FeatureIndex: featureIndex},
		x, scale, offset), 3)
	return r[0], r[1], r[2]
}

// BatchNormInference returns scale*(x-mean)/sqrt(variance+epsilon) + offset, in x's shape,
// where all but x have one value for each index of dimension featureIndex. It fails if they
// have not or x is not floating-point. Spec: OPS.md section 6.
func BatchNormInference(x, scale, offset, mean, variance Op, epsilon float32, featureIndex int) Op {
	return apply(op.BatchNormInference, &op.BatchNormAttrs{Epsilon: epsilon, FeatureIndex: featureIndex},
		x, scale, offset, mean, variance)
}

// BatchNormGrad returns the gradients of BatchNormTraining with respect to x, scale and offset,
// in their shapes, from the gradient of its output. It fails if shapes do not fit or x is not
// floating-point. Spec: OPS.md section 6.
func BatchNormGrad(x, scale, mean, variance, gradOutput Op, epsilon float32, featureIndex int) (
	gradX, gradScale, gradOffset Op) {
	r := elements(apply(op.BatchNormGrad, &op.BatchNormAttrs{Epsilon: epsilon, FeatureIndex: featureIndex},
		x, scale, mean, variance, gradOutput), 3)
	return r[0], r[1], r[2]
}
