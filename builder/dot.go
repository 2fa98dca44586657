package builder

import (
	"fmt"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// DotOptions are what a product of matrices has besides operands and dimension numbers.
type DotOptions struct {
	// Precision holds an entry for each of lhs and rhs; nil: the default.
	Precision []op.Precision
	// Algorithm is that of HLO's algorithm attribute; "" is unset.
	Algorithm op.Word
	// Preferred is the element type to accumulate in and to return; Invalid: that of the operands.
	Preferred shape.ElementType
}

// Dot returns the product of lhs and rhs of ranks 1 and 1, 2 and 1, 1 and 2, or 2 and 2: the
// last dimension of lhs is summed over with the first of rhs. It fails for other ranks and if
// those sizes differ. Spec: OPS.md section 6.
func Dot(lhs, rhs Op, options ...DotOptions) Op {
	b, ok := enter(op.Dot, lhs, rhs)
	if !ok || !b.wantArray(op.Dot, 0, lhs) || !b.wantArray(op.Dot, 1, rhs) {
		return b.invalid()
	}
	for i, x := range []Op{lhs, rhs} {
		if r := x.Rank(); r < 1 || r > 2 {
			b.errorf(op.Dot, fmt.Sprintf("operand %d", i), "", "expected rank 1 or 2, got %v", x.Shape())
			return b.invalid()
		}
	}
	return DotGeneral(lhs, rhs, op.DotAttrs{LHSContracting: []int{lhs.Rank() - 1}, RHSContracting: []int{0}}, options...)
}

// DotGeneral returns the sums of products of lhs and rhs over the contracting dimensions,
// for each index of the batch dimensions; both are paired by position in a. The result has the
// batch dimensions, then the other ones of lhs, then those of rhs. It fails if paired sizes
// differ or a dimension is out of range or named twice. Spec: OPS.md section 6.
func DotGeneral(lhs, rhs Op, a op.DotAttrs, options ...DotOptions) Op {
	return dot(op.Dot, []Op{lhs, rhs}, a, options)
}

// ScaledDot is DotGeneral of lhs and rhs whose elements are multiplied by scales: each scale
// has the rank of its array, and its sizes divide the array's, one factor a block of elements.
// It fails where DotGeneral does and if a scale does not fit. Spec: OPS.md section 6.
func ScaledDot(lhs, lhsScale, rhs, rhsScale Op, a op.DotAttrs, options ...DotOptions) Op {
	return dot(op.ScaledDot, []Op{lhs, rhs, lhsScale, rhsScale}, a, options)
}

func dot(code op.Code, operands []Op, a op.DotAttrs, options []DotOptions) Op {
	b, s, ok := product(code, operands, options, &a.OperandPrecision, &a.Algorithm)
	if !ok {
		return b.invalid()
	}
	return b.add(code, operands, &a, s)
}

// product is the beginning of a product of operands: it sets what options tell, and
// returns the declared shape.
func product(code op.Code, operands []Op, options []DotOptions, precision *[]op.Precision, algorithm *op.Word) (
	b *Builder, declared shape.Shape, ok bool) {
	b, ok = enter(code, operands...)
	if !ok {
		return b, declared, false
	}
	o, ok := option(b, code, options)
	if o.Precision != nil {
		*precision = o.Precision
	}
	if o.Algorithm != "" {
		*algorithm = o.Algorithm
	}
	return b, preferred(o.Preferred), ok
}

// preferred is the declared shape that asks for element type t.
func preferred(t shape.ElementType) shape.Shape { return shape.Shape{Type: t} }

// RaggedDot is a product in which one dimension of lhs, a.LHSRagged, is cut into groups of
// groupSizes: with a free dimension each group of rows meets its own matrix of rhs,
// [m,k] x [g,k,n] -> [m,n]; with a contracting one each group is summed on its own,
// [m,k] x [k,n] -> [g,m,n]; with a batch dimension only the batches in the groups count. It
// fails where DotGeneral does and if the groups do not fit. Spec: OPS.md section 6.
func RaggedDot(lhs, rhs, groupSizes Op, a op.RaggedDotAttrs, options ...DotOptions) Op {
	operands := []Op{lhs, rhs, groupSizes}
	b, s, ok := product(op.RaggedDot, operands, options, &a.OperandPrecision, &a.Algorithm)
	if !ok {
		return b.invalid()
	}
	return b.add(op.RaggedDot, operands, &a, s)
}
