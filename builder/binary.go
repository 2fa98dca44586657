package builder

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// The functions of this file take two arrays of one element type and return an array of
// their broadcast shape; see the package comment for broadcastDims. They fail if the
// element types differ or are not such as the function takes, or if the shapes do not
// broadcast. Spec: OPS.md section 1.

// binary adds a two-operand operation after broadcasting its operands.
func binary(code op.Code, attrs op.Attrs, lhs, rhs Op, dims []int) Op {
	b, ok := enter(code, lhs, rhs)
	if !ok {
		return b.invalid()
	}
	if lhs, rhs, ok = b.broadcastPair(code, lhs, rhs, dims); !ok {
		return b.invalid()
	}
	return b.add(code, []Op{lhs, rhs}, attrs, shape.Shape{})
}

// Add returns lhs + rhs element by element, for arrays of any type: integers wrap, on pred
// it is "or". The result has the broadcast shape. It fails if types or shapes do not match.
// Spec: OPS.md section 1.
func Add(lhs, rhs Op, broadcastDims ...int) Op { return binary(op.Add, nil, lhs, rhs, broadcastDims) }

// Sub returns lhs - rhs element by element, for arrays of numbers; integers wrap. The result
// has the broadcast shape. It fails for pred and if types or shapes do not match.
// Spec: OPS.md section 1.
func Sub(lhs, rhs Op, broadcastDims ...int) Op {
	return binary(op.Subtract, nil, lhs, rhs, broadcastDims)
}

// Mul returns lhs * rhs element by element, for arrays of any type: integers wrap, on pred
// it is "and". The result has the broadcast shape. It fails if types or shapes do not match.
// Spec: OPS.md section 1.
func Mul(lhs, rhs Op, broadcastDims ...int) Op {
	return binary(op.Multiply, nil, lhs, rhs, broadcastDims)
}

// Div returns lhs / rhs element by element, for arrays of numbers. Integers are truncated
// towards zero; x / 0 is -1 (all ones) and the lowest integer by -1 is itself. The result has
// the broadcast shape. It fails for pred and if types or shapes do not match.
// Spec: OPS.md section 1.
func Div(lhs, rhs Op, broadcastDims ...int) Op {
	return binary(op.Divide, nil, lhs, rhs, broadcastDims)
}

// Rem returns the remainder of lhs / rhs, with the sign of lhs; for integers x rem 0 is x.
// The result has the broadcast shape. It fails for pred and if types or shapes do not match.
// Spec: OPS.md section 1.
func Rem(lhs, rhs Op, broadcastDims ...int) Op {
	return binary(op.Remainder, nil, lhs, rhs, broadcastDims)
}

// Max returns the larger of lhs and rhs element by element, NaN if either is; on pred it is
// "or". The result has the broadcast shape. It fails if types or shapes do not match.
// Spec: OPS.md section 1.
func Max(lhs, rhs Op, broadcastDims ...int) Op {
	return binary(op.Maximum, nil, lhs, rhs, broadcastDims)
}

// Min returns the smaller of lhs and rhs element by element, NaN if either is; on pred it is
// "and". The result has the broadcast shape. It fails if types or shapes do not match.
// Spec: OPS.md section 1.
func Min(lhs, rhs Op, broadcastDims ...int) Op {
	return binary(op.Minimum, nil, lhs, rhs, broadcastDims)
}

// Pow returns lhs to the power rhs element by element, for arrays of numbers. The result has
// the broadcast shape. It fails for pred and if types or shapes do not match.
// Spec: OPS.md section 1.
func Pow(lhs, rhs Op, broadcastDims ...int) Op {
	return binary(op.Power, nil, lhs, rhs, broadcastDims)
}

// Atan2 returns the angle of the point (rhs, lhs), in (-pi, pi], element by element, for
// floating-point and complex arrays. The result has the broadcast shape. It fails for other
// types and if types or shapes do not match. Spec: OPS.md section 1.
func Atan2(lhs, rhs Op, broadcastDims ...int) Op {
	return binary(op.Atan2, nil, lhs, rhs, broadcastDims)
}

// And returns the bitwise "and" of integers, the logical one of pred. The result has the
// broadcast shape. It fails for other types and if types or shapes do not match.
// Spec: OPS.md section 1.
func And(lhs, rhs Op, broadcastDims ...int) Op { return binary(op.And, nil, lhs, rhs, broadcastDims) }

// Or returns the bitwise "or" of integers, the logical one of pred. The result has the
// broadcast shape. It fails for other types and if types or shapes do not match.
// Spec: OPS.md section 1.
func Or(lhs, rhs Op, broadcastDims ...int) Op { return binary(op.Or, nil, lhs, rhs, broadcastDims) }

// Xor returns the bitwise "exclusive or" of integers, the logical one of pred. The result has
// the broadcast shape. It fails for other types and if types or shapes do not match.
// Spec: OPS.md section 1.
func Xor(lhs, rhs Op, broadcastDims ...int) Op { return binary(op.Xor, nil, lhs, rhs, broadcastDims) }

// LogicalAnd is And on pred, which it asks for. Spec: OPS.md section 1 (2017 edition).
func LogicalAnd(lhs, rhs Op, broadcastDims ...int) Op {
	return logical(op.And, And, lhs, rhs, broadcastDims)
}

// LogicalOr is Or on pred, which it asks for. Spec: OPS.md section 1 (2017 edition).
func LogicalOr(lhs, rhs Op, broadcastDims ...int) Op {
	return logical(op.Or, Or, lhs, rhs, broadcastDims)
}

func logical(code op.Code, f func(lhs, rhs Op, dims ...int) Op, lhs, rhs Op, dims []int) Op {
	b, ok := enter(code, lhs, rhs)
	if !ok || !b.wantPred(code, lhs) {
		return b.invalid()
	}
	return f(lhs, rhs, dims...)
}

// wantPred checks that x, operand 0 of a logical operation, is an array of pred.
func (b *Builder) wantPred(code op.Code, x Op) bool {
	if x.Type() != shape.Pred {
		b.errorf(code, "operand 0", "", "expected element type pred, got %v", x.Type())
	}
	return b.s.err == nil
}

// ShiftLeft returns lhs shifted left by rhs bits, element by element, for integers; 0 where
// rhs is the width or more, or negative. The result has the broadcast shape. It fails for
// other types and if types or shapes do not match. Spec: OPS.md section 1.
func ShiftLeft(lhs, rhs Op, broadcastDims ...int) Op {
	return binary(op.ShiftLeft, nil, lhs, rhs, broadcastDims)
}

// ShiftRightArithmetic returns lhs shifted right by rhs bits with copies of the sign bit
// moving in, for integers; all sign bits where rhs is the width or more, or negative. The
// result has the broadcast shape. It fails for other types and if types or shapes do not
// match. Spec: OPS.md section 1.
func ShiftRightArithmetic(lhs, rhs Op, broadcastDims ...int) Op {
	return binary(op.ShiftRightArithmetic, nil, lhs, rhs, broadcastDims)
}

// ShiftRightLogical returns lhs shifted right by rhs bits with zeros moving in, for integers;
// 0 where rhs is the width or more, or negative. The result has the broadcast shape. It fails
// for other types and if types or shapes do not match. Spec: OPS.md section 1.
func ShiftRightLogical(lhs, rhs Op, broadcastDims ...int) Op {
	return binary(op.ShiftRightLogical, nil, lhs, rhs, broadcastDims)
}

// Complex returns the complex numbers with real part lhs and imaginary part rhs: c64 of two
// f32 arrays, c128 of two f64. The result has the broadcast shape. It fails for other types
// and if types or shapes do not match. Spec: OPS.md section 1.
func Complex(lhs, rhs Op, broadcastDims ...int) Op {
	return binary(op.Complex, nil, lhs, rhs, broadcastDims)
}

// Mulhi returns the upper half of the double-width product of lhs and rhs, for integers. The
// result has the broadcast shape. It fails for other types and if types or shapes do not match.
// Spec: HLO mulhi.
func Mulhi(lhs, rhs Op, broadcastDims ...int) Op {
	return binary(op.Mulhi, nil, lhs, rhs, broadcastDims)
}
