package simplify

import (
	"math"
	"math/bits"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// is reports whether x is one of the given operations.
func is(x *hlo.Instruction, codes ...op.Code) bool {
	for _, c := range codes {
		if x.Code() == c {
			return true
		}
	}
	return false
}

// attrsOf returns the attributes of x, which are of type A.
func attrsOf[A op.Attrs](x *hlo.Instruction) A { return x.Attrs().(A) }

// oneUser reports whether nothing but one instruction uses x: a rule that puts another
// operation in the place of x then leaves no work done twice.
func oneUser(x *hlo.Instruction) bool { return len(x.Users()) == 1 && !x.IsRoot() }

// smallConstant is up to how many elements splat compares.
const smallConstant = 64

// splat returns the scalar that all elements of x are equal to, where x is a constant or
// the broadcast or reshape of one. Larger constants become broadcasts first; see constant-splat.
func splat(x *hlo.Instruction) (c literal.Literal, ok bool) {
	for x.Code() == op.Broadcast || x.Code() == op.Reshape {
		x = x.Operand(0)
	}
	if x.Code() != op.Constant || !x.IsArray() {
		return c, false
	}
	v := attrsOf[*op.ConstantAttrs](x).Value
	if v.IsElided() || v.Len() > smallConstant {
		return literal.Literal{}, false
	}
	return uniform(v)
}

// uniform returns the scalar that all elements of the array v are equal to.
func uniform(v literal.Literal) (literal.Literal, bool) {
	switch {
	case v.Shape().Rank() == 0:
		return v, true
	case v.Len() == 0:
		return literal.Literal{}, false
	}
	data, size := v.Bytes(), v.Type().ByteSize()
	for k := size; k < len(data); k++ {
		if data[k] != data[k-size] {
			return literal.Literal{}, false
		}
	}
	l := literal.Zero(v.Type())
	copy(l.Bytes(), data[:size])
	return l, true
}

// isConstant reports whether x is a constant or the broadcast or reshape of one.
func isConstant(x *hlo.Instruction) bool {
	for x.Code() == op.Broadcast || x.Code() == op.Reshape {
		x = x.Operand(0)
	}
	return x.Code() == op.Constant
}

// scalarOf returns the scalar instruction that x is a broadcast of, or x itself if it is
// a scalar.
func scalarOf(x *hlo.Instruction) (*hlo.Instruction, bool) {
	if is(x, op.Broadcast) {
		x = x.Operand(0)
	}
	return x, x.IsScalar()
}

// sameScalar reports whether the scalars x and y have the same value for certain.
func sameScalar(x, y *hlo.Instruction) bool {
	if x == y {
		return true
	}
	a, ok := splat(x)
	b, also := splat(y)
	return ok && also && literal.Equal(a, b)
}

// either returns what f gives for the two operands of i in one or the other order.
func either(i *hlo.Instruction, f func(x, y *hlo.Instruction) *hlo.Instruction) *hlo.Instruction {
	if r := f(i.Operand(0), i.Operand(1)); r != nil {
		return r
	}
	return f(i.Operand(1), i.Operand(0))
}

// withConstant calls f with an operand of i and the scalar that the other one consists
// of: the right one, or where i is commutative the left one too.
func withConstant(i *hlo.Instruction, f func(x *hlo.Instruction, c literal.Literal) *hlo.Instruction) *hlo.Instruction {
	x, y := i.Operand(0), i.Operand(1)
	if isConstant(y) { // mostly neither is, which is found out without moving a literal
		if c, ok := splat(y); ok {
			if r := f(x, c); r != nil {
				return r
			}
		}
	}
	if !isConstant(x) || !i.Code().Info().Has(op.Commutative) {
		return nil
	}
	if c, ok := splat(x); ok {
		return f(y, c)
	}
	return nil
}

// ieee reports whether t is a float type with signed zeros, infinities and NaN and the
// arithmetic of IEEE 754.
func ieee(t shape.ElementType) bool {
	return t == shape.F16 || t == shape.BF16 || t == shape.F32 || t == shape.F64
}

// integral reports whether arithmetic on t is exact: integers, which wrap, and pred.
func integral(t shape.ElementType) bool { return t.IsInteger() || t == shape.Pred }

// isInt reports whether the scalar c is an integer or a pred with the low bits of v.
func isInt(c literal.Literal, v int64) bool {
	t := c.Type()
	if t == shape.Pred {
		return c.IntAt(0) != 0 == (v != 0)
	}
	return t.IsInteger() && (c.IntAt(0)^v)<<(64-t.Bits()) == 0
}

// isFloat reports whether the scalar c is a float of an ieee type equal to v, zeros with their sign.
func isFloat(c literal.Literal, v float64) bool {
	return ieee(c.Type()) && math.Float64bits(c.FloatAt(0)) == math.Float64bits(v)
}

// isValue reports whether c is the integer v or the float v, where 0 is +0.
func isValue(c literal.Literal, v int) bool { return isInt(c, int64(v)) || isFloat(c, float64(v)) }

// allOnes reports whether the scalar c, an integer or a pred, has all bits set.
func allOnes(c literal.Literal) bool { return isInt(c, -1) }

// powerOfTwo returns k where the integer c is 2^k.
func powerOfTwo(c literal.Literal) (k int, ok bool) {
	if !c.Type().IsInteger() || c.Type().IsSigned() && c.IntAt(0) <= 0 {
		return 0, false
	}
	v := c.BitsAt(0)
	return bits.TrailingZeros64(v), bits.OnesCount64(v) == 1
}

// shiftBy returns the number of places of a shift by the integer c where it is less than
// the width.
func shiftBy(c literal.Literal) (k int, ok bool) {
	v := c.IntAt(0)
	return int(v), v >= 0 && v < int64(c.Type().Bits())
}

// highest returns the highest value of an integer type, or the highest int64.
func highest(t shape.ElementType) int64 {
	n := t.Bits()
	if t.IsSigned() {
		n--
	}
	return int64(1)<<min(n, 63) - 1
}

// elements returns the number of elements of x, an array.
//
//go:noinline
func elements(x *hlo.Instruction) int { return x.Size() }
