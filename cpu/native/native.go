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

// vectorized holds the makers of algorithms that have machine code.
var vectorized = [op.NumCodes]func(i *hlo.Instruction) *Algorithm{
	op.Cholesky:        newCholesky,
	op.TriangularSolve: newSolve,
	op.Sort:            newSort,
	op.Topk:            newTopK,
}

// makers holds, for the operations of this package, what makes the function of an instruction; nil is returned for
// types and forms that it does not do.
var makers = [op.NumCodes]func(i *hlo.Instruction) Func{
	op.RaggedDot:      newRaggedDot,
	op.ScaledDot:      newScaledDot,
	op.Bitcast:        newBitcast,
	op.BitcastConvert: newBitcastConvert,
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
