package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// A product converts what it reads to the type of its sums. An operand that is only converted for it, such as weights
// of bytes, is read as it is: the wider elements are never written.

// leastTurned is the least rows that are worth turning elements of them that are far apart while they are converted.
const leastTurned = 16

// ReadConverted takes conversions that lose nothing off operands of products of m on a machine, and reports whether
// there were any.
func ReadConverted(m *hlo.Module, machine gemm.Config) (changed bool) {
	for _, c := range m.Computations() {
		for _, i := range slices.Clone(c.Instructions()) {
			if i.Computation() != nil && isPlainDot(i) && i.Operand(0) != i.Operand(1) {
				y := readsAsIs(i, 1, machine) // weights first
				changed = readsAsIs(i, 0, machine) || y || changed
			}
		}
	}
	return changed
}

// isPlainDot reports whether i is a dot of static arrays that are multiplied as they are.
func isPlainDot(i *hlo.Instruction) bool {
	if i.Code() != op.Dot || len(i.ControlPredecessors()) > 0 {
		return false
	}
	a := i.Attrs().(*op.DotAttrs)
	return a.Algorithm == "" && a.Sparsity == nil && i.IsStatic() && i.Operand(0).IsStatic() &&
		i.Operand(1).IsStatic()
}

// readsAsIs takes the conversion off operand k of product i, if there is one and the product is as fast: elements are
// not multiplied several at once, neither with it nor without.
func readsAsIs(i *hlo.Instruction, k int, machine gemm.Config) bool {
	x := i.Operand(k)
	conversion := conversionOf(x)
	if conversion == nil || k == 0 && rowsOf(i) < leastTurned && !sumsNeighbours(i) {
		return false
	}
	if conversion.Type() == shape.F64 && i.Type() != shape.F64 {
		return false // its sums are f64
	}
	types := [2]shape.ElementType{i.Operand(0).Type(), i.Operand(1).Type()}
	singly := func() bool {
		return gemm.Supports(types[0], types[1], i.Type()) &&
			neighbours(types[0], types[1], i.Type(), machine) == 1
	}
	before := singly()
	if types[k] = conversion.Operand(0).Type(); !before || !singly() {
		return false
	}
	i.SetOperand(k, without(x, conversion))
	for end := conversion.Operand(0); x != end; {
		next := x.Operand(0)
		x.Computation().Remove(x)
		x = next
	}
	return true
}

// sumsNeighbours reports whether neighbours in operand 0 of product i are summed.
func sumsNeighbours(i *hlo.Instruction) bool {
	return slices.Contains(i.Attrs().(*op.DotAttrs).LHSContracting, i.Operand(0).Rank()-1)
}

// conversionOf returns the conversion to a wider float that keeps every value, and that x, which nothing else needs, is
// by another shape; or nil.
func conversionOf(x *hlo.Instruction) *hlo.Instruction {
	for ; len(x.Users()) == 1 && !x.IsRoot() && len(x.ControlPredecessors()) == 0; x = x.Operand(0) {
		switch x.Code() {
		case op.Reshape, op.Transpose:
		case op.Convert:
			from, to := x.Operand(0).Type(), x.Type()
			if from.ByteSize() < to.ByteSize() && keepsAll(from, to) {
				return x
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// without returns x, which is the conversion by another shape, of what is not converted.
func without(x, conversion *hlo.Instruction) *hlo.Instruction {
	if x == conversion {
		return x.Operand(0)
	}
	from := without(x.Operand(0), conversion)
	return x.Computation().Add("", x.Code(), x.Shape().WithType(from.Type()), []*hlo.Instruction{from}, x.Attrs())
}

// keepsAll reports whether every value of type from is one of to, a wider float.
func keepsAll(from, to shape.ElementType) bool {
	wide, ok := literal.FloatFormat(to)
	if !ok {
		return false
	}
	if narrow, ok := literal.FloatFormat(from); ok {
		return wide.MantissaBits >= narrow.MantissaBits && wide.ExponentBits >= narrow.ExponentBits
	}
	return from.IsInteger() && from.Bits() <= wide.MantissaBits+1
}
