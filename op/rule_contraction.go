package op

import (
	"slices"

	"github.com/goxla/xla/shape"
)

// This file holds what dot and convolution share: the element type of the result,
// operand precisions and sparsity.

// resultType returns the element type of a sum of products of types a and b: the
// declared one, whatever it is, or else the wider of the two.
func resultType(in *Inputs, a, b shape.ElementType) shape.ElementType {
	if in.Declared.IsArray() {
		return in.Declared.Type
	}
	return widerType(a, b)
}

// widerType returns the one of two element types that can hold more: complex
// before floating-point before integer, then by range and precision, width, sign.
func widerType(a, b shape.ElementType) shape.ElementType {
	ca, cb := a.Component(), b.Component()
	if a.IsComplex() != b.IsComplex() {
		return pick(a.IsComplex(), a, b)
	}
	if ca.IsFloat() && cb.IsFloat() {
		return pick(higherPrecision(ca, cb) == ca, a, b)
	}
	if ca.IsFloat() != cb.IsFloat() {
		return pick(ca.IsFloat(), a, b)
	}
	if a.Bits() != b.Bits() {
		return pick(a.Bits() > b.Bits(), a, b)
	}
	if a == shape.Pred || b == shape.Pred {
		return pick(b == shape.Pred, a, b)
	}
	return pick(a.IsSigned(), a, b)
}

func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}

// wantPrecisions checks operand_precision: none, or one entry for each of the two
// sides; packed nibbles are for both sides, of 8-bit integers.
func wantPrecisions(in *Inputs, p []Precision, label string) error {
	if len(p) == 0 {
		return nil
	}
	if err := wantLen("operand_precision", len(p), 2, label); err != nil {
		return err
	}
	if !slices.Contains(p, PrecisionPackedNibble) {
		return nil
	}
	if p[0] != p[1] {
		return attrErr("operand_precision", label, "expected packed_nibble for both operands or none, got it for one")
	}
	for i := range p {
		if t := in.Operands[i].Type; !t.IsInteger() || t.Bits() != 8 {
			return operandErr(i, label, "expected an 8-bit integer type for packed_nibble, got %v", t)
		}
	}
	return nil
}

// denseSides returns operands 0 and 1 as they are without sparsity: with all
// elements along the sparse dimension.
func denseSides(in *Inputs, c *SparsityConfig) (lhs, rhs shape.Shape, err error) {
	lhs, rhs = in.Operands[0], in.Operands[1]
	if c == nil {
		return lhs, rhs, nil
	}
	if lhs, err = denseSide(in, lhs, c.LHS); err != nil {
		return lhs, rhs, err
	}
	rhs, err = denseSide(in, rhs, c.RHS)
	return lhs, rhs, err
}

// denseSide returns s with A of every B elements along the sparse dimension made B of B.
func denseSide(in *Inputs, s shape.Shape, p *Sparsity) (shape.Shape, error) {
	const attr, label = "sparsity_config", "_o1"
	if p == nil {
		return s, nil
	}
	if err := wantDim(attr, p.Dimension, s.Rank(), label); err != nil {
		return s, err
	}
	if p.A < 1 || p.B < p.A {
		return s, attrErr(attr, label, "expected 1 <= A <= B, got sparsity %dx%d", p.A, p.B)
	}
	if p.Idx != 0 && (p.Idx < 2 || p.Idx >= len(in.Operands)) {
		return s, attrErr(attr, label, "idx %d is not in [2, %d)", p.Idx, len(in.Operands))
	}
	n := s.Dims[p.Dimension]
	if n == shape.Unbounded {
		return s, nil
	}
	if n%p.A != 0 {
		return s, attrErr(attr, label, "expected dimension %d to be a multiple of %d, got %v", p.Dimension, p.A, s)
	}
	size, ok := mulInt(n/p.A, p.B)
	if !ok {
		return s, attrErr(attr, label, "expected a size below 2^63 in dimension %d, got %v", p.Dimension, s)
	}
	s.Dims = slices.Clone(s.Dims)
	s.Dims[p.Dimension] = size
	return s, nil
}

// wantOperandCount checks the number of operands of an operation whose row does not fix it.
func wantOperandCount(in *Inputs, n int, label string) error {
	if len(in.Operands) != n {
		return labelErr(label, "expected %d operands, got %d", n, len(in.Operands))
	}
	return nil
}
