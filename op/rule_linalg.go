package op

import (
	"github.com/goxla/xla/shape"
)

// inferCholesky is the rule of cholesky: a batch of square matrices, floating-point or complex.
func inferCholesky(in *Inputs) (shape.Shape, error) {
	if err := wantType(in, 0, floatOrComplex, "cholesky_i1"); err != nil {
		return shape.Shape{}, err
	}
	if err := wantMatrices(in, 0, "cholesky_c2"); err != nil {
		return shape.Shape{}, err
	}
	return in.Operands[0], wantSquare(in, 0, "cholesky_c3")
}

// inferTriangularSolve is the rule of triangular-solve: a batch of square matrices a
// and right-hand sides b, which are columns (left_side) or rows.
func inferTriangularSolve(in *Inputs) (shape.Shape, error) {
	attrs := in.Attrs.(*TriangularSolveAttrs)
	if err := wantType(in, 0, floatOrComplex, "triangular_solve_i1"); err != nil {
		return shape.Shape{}, err
	}
	a, b := in.Operands[0], in.Operands[1]
	if a.Type != b.Type {
		return b, operandErr(1, "triangular_solve_c1", "expected the element type %v of operand 0, got %v", a.Type, b)
	}
	if err := wantMatrices(in, 0, "triangular_solve_c2"); err != nil {
		return b, err
	}
	rank := a.Rank()
	if b.Rank() != rank {
		return b, operandErr(1, "triangular_solve_c2", "expected rank %d as operand 0, got %v", rank, b)
	}
	for i := range rank - 2 {
		if !sameSize(a.Dims[i], b.Dims[i]) {
			return b, operandErr(1, "triangular_solve_c3", "expected batch dimension %d of size %d, got %v", i,
				a.Dims[i], b)
		}
	}
	if err := wantSquare(in, 0, "triangular_solve_c3"); err != nil {
		return b, err
	}
	solved := pick(attrs.LeftSide, rank-2, rank-1)
	if n := a.Dims[rank-1]; !sameSize(n, b.Dims[solved]) {
		return b, operandErr(1, "triangular_solve_c3", "expected dimension %d of size %d, got %v", solved, n, b)
	}
	return b, nil
}

// wantMatrices checks that operand i has at least two dimensions.
func wantMatrices(in *Inputs, i int, label string) error {
	if s := in.Operands[i]; s.Rank() < 2 {
		return operandErr(i, label, "expected at least 2 dimensions, got %v", s)
	}
	return nil
}

// wantSquare checks that the two minor dimensions of operand i are of one size.
func wantSquare(in *Inputs, i int, label string) error {
	s := in.Operands[i]
	if n := s.Rank(); !sameSize(s.Dims[n-2], s.Dims[n-1]) {
		return operandErr(i, label, "expected square matrices in the minor two dimensions, got %v", s)
	}
	return nil
}
