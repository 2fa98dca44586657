package simplify

import (
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// boundDepth is through how many instructions bound looks.
const boundDepth = 6

// bound returns a number that no element of the integer array x is above, where all of
// them are known not to be negative.
func bound(x *hlo.Instruction) (highestValue int64, ok bool) { return boundWithin(x, boundDepth) }

func boundWithin(x *hlo.Instruction, depth int) (int64, bool) {
	if depth == 0 || !x.Type().IsInteger() {
		return 0, false
	}
	v, ok := int64(0), false
	if c, splats := splat(x); splats {
		v, ok = nonNegativeInt(c)
	} else if f := boundRule(x.Code()); f != nil {
		v, ok = f(x, depth-1)
	}
	t := x.Type()
	return v, ok && v >= 0 && v <= highest(t) && (v < math.MaxInt64 || t.IsSigned()) // else it may be cut to that
}

// nonNegativeInt returns the value of c, at most the highest int64, if it is not negative.
func nonNegativeInt(c literal.Literal) (int64, bool) {
	v := c.IntAt(0)
	if v < 0 && c.Type().IsUnsigned() {
		return math.MaxInt64, true
	}
	return v, v >= 0
}

// boundRule gives the rule of bound for an operation, nil if it has none.
func boundRule(code op.Code) func(x *hlo.Instruction, depth int) (int64, bool) {
	switch code {
	case op.Iota:
		return boundOfIota
	case op.Broadcast, op.Reshape, op.Transpose, op.Slice, op.Reverse:
		return boundOfOperand
	case op.Add, op.Multiply:
		return boundOfBoth
	case op.And:
		return boundOfAnd
	case op.Remainder:
		return boundOfRemainder
	case op.ShiftRightLogical:
		return boundOfShift
	case op.Popcnt, op.CountLeadingZeros:
		return func(x *hlo.Instruction, _ int) (int64, bool) { return int64(x.Type().Bits()), true }
	case op.Convert:
		return boundOfConvert
	}
	return nil
}

func boundOfIota(x *hlo.Instruction, _ int) (int64, bool) {
	return int64(x.Dims()[attrsOf[*op.IotaAttrs](x).Dimension]) - 1, true
}

// boundOfBoth is of a sum or product that does not overflow.
func boundOfBoth(x *hlo.Instruction, depth int) (int64, bool) {
	a, ok := boundWithin(x.Operand(0), depth)
	b, also := boundWithin(x.Operand(1), depth)
	if !ok || !also || a > math.MaxInt32 || b > math.MaxInt32 {
		return 0, false
	}
	if x.Code() == op.Add {
		return a + b, true
	}
	return a * b, true
}

func boundOfAnd(x *hlo.Instruction, _ int) (v int64, ok bool) {
	withConstant(x, func(_ *hlo.Instruction, c literal.Literal) *hlo.Instruction {
		v, ok = nonNegativeInt(c)
		return nil
	})
	return v, ok
}

func boundOfRemainder(x *hlo.Instruction, _ int) (int64, bool) {
	c, ok := splat(x.Operand(1))
	if !ok || !x.Type().IsUnsigned() || isInt(c, 0) {
		return 0, false
	}
	v, ok := nonNegativeInt(c)
	if v < math.MaxInt64 { // else c may be above it
		v--
	}
	return v, ok
}

func boundOfShift(x *hlo.Instruction, _ int) (int64, bool) {
	c, ok := splat(x.Operand(1))
	if !ok {
		return 0, false
	}
	k, ok := shiftBy(c)
	return int64(^uint64(0) >> (64 - x.Type().Bits()) >> max(k, 1)), ok && k > 0
}

func boundOfOperand(x *hlo.Instruction, depth int) (int64, bool) {
	return boundWithin(x.Operand(0), depth)
}

// boundOfConvert: a pred is 0 or 1, and a narrower unsigned integer keeps its value.
func boundOfConvert(x *hlo.Instruction, depth int) (int64, bool) {
	from := x.Operand(0).Type()
	if integral(from) && !from.IsInteger() {
		return 1, true
	}
	if v, ok := boundWithin(x.Operand(0), depth); ok {
		return v, true
	}
	return highest(from), from.IsUnsigned() && from.Bits() < x.Type().Bits()
}
