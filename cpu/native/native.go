// Package native holds the algorithms that are more than loop nests and less than machine code: sorting,
// top-k, Fourier transforms, factorisations. Each is Go over whole arrays, spread over the threads of the pool where
// that pays, with the same result for any number of threads.
package native

import (
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Func computes an instruction: in holds the arrays of the operands and out those of the result, tuples
// flattened, as bytes in row-major order. Arrays of in are not changed and do not overlap those of
// out.
type Func func(pool *exec.Pool, in, out [][]byte) error

// makers holds, for the operations of this package, what makes the function of an instruction; nil is returned for
// types and forms that it does not do.
var makers = [op.NumCodes]func(i *hlo.Instruction) Func{
	op.Cholesky:        newCholesky,
	op.TriangularSolve: newSolve,
	op.RaggedDot:       newRaggedDot,
	op.ScaledDot:       newScaledDot,
	op.Scan:            newScan,
	op.Bitcast:         newBitcast,
	op.BitcastConvert:  newBitcastConvert,
	op.Fft:             newFFT,
	op.Sort:            newSort,
	op.Topk:            newTopK,
}

// For returns the function that computes i, or nil if there is none.
func For(i *hlo.Instruction) Func {
	make := makers[i.Code()]
	if make == nil || !static(i.Shape()) {
		return nil
	}
	for _, o := range i.Operands() {
		if !static(o.Shape()) {
			return nil
		}
	}
	return make(i)
}

// static reports whether s is made of arrays of constant size.
func static(s shape.Shape) bool {
	if !s.IsTuple() {
		return s.IsArray() && s.IsStatic()
	}
	for _, e := range s.Elems {
		if !static(e) {
			return false
		}
	}
	return true
}
