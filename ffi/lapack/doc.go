// Package lapack runs the custom calls that JAX makes for linear algebra on a CPU: the
// factorizations of LAPACK, lapack_sgetrf_ffi and so on, in plain Go, and for real matrices
// in blocks on the machine code of cpu/dense where the caller has it. What JAX calls most is
// computed in float32 if it is f32: LU, Cholesky, QR, triangular systems, singular values,
// eigenvalues of symmetric matrices; all else is in float64 and complex128, rounded once.
// Factors are those of LAPACK, up to what is not unique: the signs, phases and order of
// eigenvectors and singular vectors.
//
// Targets are spelled lapack_{s,d,c,z}ROUTINE_ffi, with attributes, or without _ffi as JAX
// wrote them until 2024, with integer operands in front for sizes and options. Arrays have
// any number of batch dimensions in front. cpu_csr_sparse_dense_ffi, the product of a BCSR matrix and an array, is one
// of them: in f32 and f64.
package lapack
