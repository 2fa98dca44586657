package native

import (
	"github.com/goxla/xla/cpu/dense"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// solve solves op(a)·x = b, or x·op(a) = b.
type solve[T field] struct {
	*numeric[T]
	triangular
}

// triangular says how a triangular solve of any form is brought to one: rows r with r·l^T = row, where l is lower
// triangular with n rows. Only the named triangle of a is read, and its diagonal only if it is not unit.
type triangular struct {
	n, rows, batch int
	unit, adjoint  bool
	l, r           stepping
}

// stepping is where the elements of a matrix are: row i and column j at first + i*down + j*right.
type stepping struct{ first, down, right int }

func (s stepping) transposed() stepping { return stepping{s.first, s.right, s.down} }

// reversed counts the rows, or the columns, of which there are n, from the last one on.
func (s stepping) reversedRows(n int) stepping {
	return stepping{s.first + (n-1)*s.down, -s.down, s.right}
}

func (s stepping) reversedColumns(n int) stepping {
	return stepping{s.first + (n-1)*s.right, s.down, -s.right}
}

// newSolve makes the function of triangular-solve. Spec: OPS.md section 6, TriangularSolve.
func newSolve(i *hlo.Instruction) *Algorithm {
	a, coeffs, x := i.Attrs().(*op.TriangularSolveAttrs), i.Operand(0).Shape(), i.Shape()
	if x.Size() == 0 {
		return nil
	}
	n, columns := coeffs.Dims[coeffs.Rank()-1], x.Dims[x.Rank()-1]
	t := triangular{n: n, batch: int(coeffs.Size()) / (n * n), unit: a.UnitDiagonal, adjoint: a.TransposeA == op.Adjoint}
	t.rows = int(x.Size()) / t.batch / n
	t.l, t.r = stepping{0, n, 1}, stepping{0, columns, 1}
	lower := a.Lower
	if a.TransposeA == op.TransposeA || a.TransposeA == op.Adjoint {
		t.l, lower = t.l.transposed(), !lower
	}
	if a.LeftSide { // a row is a column of x
		t.r = t.r.transposed()
	} else { // x·m = b is m^T·x^T = b^T
		t.l, lower = t.l.transposed(), !lower
	}
	if !lower { // from the last element of a row to the first
		t.l, t.r = t.l.reversedRows(n).reversedColumns(n), t.r.reversedColumns(n)
	}
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
		case isDouble(x.Type):
			return newDenseSolve[float64](set, t, x.Type.IsComplex(), f)
		}
		return newDenseSolve[float32](set, t, x.Type.IsComplex(), f)
	})
}

// solver solves a batch of systems, or number b of it.
type solver interface {
	run(done <-chan struct{}, pool *exec.Pool, in, out [][]byte) error
	one(done <-chan struct{}, pool *exec.Pool, in, out [][]byte, b int)
}

func (s *solve[T]) run(done <-chan struct{}, pool *exec.Pool, in, out [][]byte) error {
	eachMatrix(done, pool, s.batch, s.n*s.n*s.rows/2, func(pool *exec.Pool, b int) {
		s.one(done, pool, in, out, b)
	})
	return nil
}

func (s *solve[T]) one(done <-chan struct{}, pool *exec.Pool, in, out [][]byte, b int) {
	matrix, right := s.n*s.n*s.size, s.rows*s.n*s.size
	memory := s.borrow(s.n * s.n)
	defer s.lend(memory)
	l, from := *memory, in[0][b*matrix:(b+1)*matrix]
	rowsOf(pool, s.n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.coefficients(l[i*s.n:][:i+1], from, i)
		}
	})
	rowsOf(pool, s.rows, func(lo, hi int) {
		for ; lo < hi && !interrupted(done); lo += rowGrain {
			s.part(l, in[1][b*right:(b+1)*right], out[0][b*right:(b+1)*right], lo, min(hi, lo+rowGrain))
		}
	})
}

// coefficients reads row i of l up to its diagonal.
func (s *solve[T]) coefficients(row []T, from []byte, i int) {
	if s.unit {
		row = row[:i]
	}
	at := s.l.first + i*s.l.down
	for j := range row {
		x := s.load(from, at+j*s.l.right)
		if s.adjoint {
			x = s.conj(x)
		}
		row[j] = x
	}
}

// part solves rows lo..hi-1.
func (s *solve[T]) part(l []T, in, out []byte, lo, hi int) {
	n, count := s.n, hi-lo
	memory := s.borrow(count * n)
	defer s.lend(memory)
	x := *memory
	for j := range n {
		for k := range count {
			x[k*n+j] = s.load(in, s.r.first+(lo+k)*s.r.down+j*s.r.right)
		}
	}
	for first := 0; first < n; first += blockSize {
		eliminate(x, count, n, l[first*n:], n, first, min(first+blockSize, n), s.unit)
	}
	for j := range n {
		for k := range count {
			s.store(out, s.r.first+(lo+k)*s.r.down+j*s.r.right, x[k*n+j])
		}
	}
}
