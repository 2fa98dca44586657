package native

import (
	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// solve solves op(a)·x = b, or x·op(a) = b.
type solve[T field] struct {
	*numeric[T]
	triangular
}

// triangular is triangular systems of a batch.
type triangular struct {
	dense.Triangle
	batch int
}

// newSolve makes the function of triangular-solve. Spec: OPS.md section 6, TriangularSolve.
func newSolve(i *hlo.Instruction) *Algorithm {
	a, coeffs, x := i.Attrs().(*op.TriangularSolveAttrs), i.Operand(0).Shape(), i.Shape()
	if x.Size() == 0 {
		return nil
	}
	n := coeffs.Dims[coeffs.Rank()-1]
	batch := int(coeffs.Size()) / (n * n)
	transposed := a.TransposeA == op.TransposeA || a.TransposeA == op.Adjoint
	t := triangular{dense.NewTriangle(n, int(x.Size())/batch/n, a.LeftSide, a.Lower, transposed), batch}
	t.Unit = a.UnitDiagonal
	t.Conjugate = a.TransposeA == op.Adjoint
	real := func(f *numeric[float64]) solver { return &solve[float64]{f, t} }
	complex := func(f *numeric[complex128]) solver { return &solve[complex128]{f, t} }
	f := byField(x.Type, real, complex)
	if f == nil {
		return nil
	}
	return newDense(t.scratch(x.Type), func(set *dense.Set) (Interruptible, error) {
		switch {
		case set == nil:
			return f.run, nil
		case x.Type.IsComplex():
			return newComplexSolve(set, t, x.Type.ByteSize(), f)
		case x.Type == shape.F64:
			return newDenseSolve[float64](set, t, f)
		}
		return newDenseSolve[float32](set, t, f)
	})
}

// solver solves a batch of systems, or number b of it.
type solver interface {
	run(done <-chan struct{}, pool *exec.Pool, in, out [][]byte) error
	one(done <-chan struct{}, pool *exec.Pool, in, out [][]byte, b int)
}

func (s *solve[T]) run(done <-chan struct{}, pool *exec.Pool, in, out [][]byte) error {
	eachMatrix(done, pool, s.batch, s.N*s.N*s.Sides/2, func(pool *exec.Pool, b int) {
		s.one(done, pool, in, out, b)
	})
	return nil
}

func (s *solve[T]) one(done <-chan struct{}, pool *exec.Pool, in, out [][]byte, b int) {
	matrix, right := s.N*s.N*s.size, s.Sides*s.N*s.size
	memory := s.borrow(s.N * s.N)
	defer s.lend(memory)
	l, from := *memory, in[0][b*matrix:(b+1)*matrix]
	rowsOf(pool, s.N, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.coefficients(l[i*s.N:][:i+1], from, i)
		}
	})
	rowsOf(pool, s.Sides, func(lo, hi int) {
		for ; lo < hi && !interrupted(done); lo += rowGrain {
			s.part(l, in[1][b*right:(b+1)*right], out[0][b*right:(b+1)*right], lo, min(hi, lo+rowGrain))
		}
	})
}

// coefficients reads row i of l up to its diagonal.
func (s *solve[T]) coefficients(row []T, from []byte, i int) {
	if s.Unit {
		row = row[:i]
	}
	at := s.L.First + i*s.L.Down
	for j := range row {
		x := s.load(from, at+j*s.L.Right)
		if s.Conjugate {
			x = s.conj(x)
		}
		row[j] = x
	}
}

// part solves rows lo..hi-1.
func (s *solve[T]) part(l []T, in, out []byte, lo, hi int) {
	n, count := s.N, hi-lo
	memory := s.borrow(count * n)
	defer s.lend(memory)
	x := *memory
	for j := range n {
		for k := range count {
			x[k*n+j] = s.load(in, s.R.First+(lo+k)*s.R.Down+j*s.R.Right)
		}
	}
	for first := 0; first < n; first += blockSize {
		eliminate(x, count, n, l[first*n:], n, first, min(first+blockSize, n), s.Unit)
	}
	for j := range n {
		for k := range count {
			s.store(out, s.R.First+(lo+k)*s.R.Down+j*s.R.Right, x[k*n+j])
		}
	}
}
