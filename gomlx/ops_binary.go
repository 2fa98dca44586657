package gomlx

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapeinference"
	"github.com/gomlx/compute/shapes"
	xb "github.com/goxla/xla/builder"
	"github.com/pkg/errors"
)

// The operations of this file work element by element. A scalar goes with every shape, and dimensions of size 1
// are stretched.

type binaryFunc = func(lhs, rhs xb.Op, broadcastDims ...int) xb.Op

// binaryOps say what they are in HLO.
var binaryOps = map[compute.OpType]binaryFunc{
	compute.OpTypeAdd:                  xb.Add,
	compute.OpTypeAtan2:                xb.Atan2,
	compute.OpTypeBitwiseAnd:           xb.And,
	compute.OpTypeBitwiseOr:            xb.Or,
	compute.OpTypeBitwiseXor:           xb.Xor,
	compute.OpTypeDiv:                  xb.Div,
	compute.OpTypeLogicalAnd:           xb.And,
	compute.OpTypeLogicalOr:            xb.Or,
	compute.OpTypeLogicalXor:           xb.Xor,
	compute.OpTypeMax:                  xb.Max,
	compute.OpTypeMin:                  xb.Min,
	compute.OpTypeMul:                  xb.Mul,
	compute.OpTypePow:                  xb.Pow,
	compute.OpTypeRem:                  xb.Rem,
	compute.OpTypeShiftLeft:            xb.ShiftLeft,
	compute.OpTypeShiftRightArithmetic: xb.ShiftRightArithmetic,
	compute.OpTypeShiftRightLogical:    xb.ShiftRightLogical,
	compute.OpTypeSub:                  xb.Sub,
}

// binary records an operation on pairs of elements.
func (f *Function) binary(code compute.OpType, lhs, rhs compute.Value) (compute.Value, error) {
	in, err := f.values(code.String(), lhs, rhs)
	if err != nil {
		return nil, err
	}
	t := in[0].shape.DType
	if err := checkReal(code, t); err != nil {
		return nil, err
	}
	if code == compute.OpTypeAtan2 && !t.IsFloat() && !t.IsComplex() {
		return nil, errors.Errorf("%s: expected floats or complex numbers, got %s", code, t)
	}
	s, err := shapeinference.BinaryOp(code, in[0].shape, in[1].shape)
	if err != nil {
		return nil, err
	}
	emit := binaryOps[code]
	return f.add(code, s, in, func(_ *lowering, in []xb.Op) xb.Op { return emit(in[0], in[1]) })
}

// withDType returns s with another data type.
func withDType(s shapes.Shape, t dtypes.DType) shapes.Shape {
	s = s.Clone()
	s.DType = t
	return s
}

// Add returns lhs + rhs.
func (f *Function) Add(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeAdd, lhs, rhs)
}

// Atan2 returns the angle of the point (rhs, lhs).
func (f *Function) Atan2(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeAtan2, lhs, rhs)
}

// BitwiseAnd returns the bitwise "and" of integers.
func (f *Function) BitwiseAnd(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeBitwiseAnd, lhs, rhs)
}

// BitwiseOr returns the bitwise "or" of integers.
func (f *Function) BitwiseOr(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeBitwiseOr, lhs, rhs)
}

// BitwiseXor returns the bitwise "exclusive or" of integers.
func (f *Function) BitwiseXor(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeBitwiseXor, lhs, rhs)
}

// Div returns lhs / rhs.
func (f *Function) Div(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeDiv, lhs, rhs)
}

// LogicalAnd returns the "and" of truth values.
func (f *Function) LogicalAnd(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeLogicalAnd, lhs, rhs)
}

// LogicalOr returns the "or" of truth values.
func (f *Function) LogicalOr(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeLogicalOr, lhs, rhs)
}

// LogicalXor returns the "exclusive or" of truth values.
func (f *Function) LogicalXor(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeLogicalXor, lhs, rhs)
}

// Max returns the larger one of lhs and rhs.
func (f *Function) Max(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeMax, lhs, rhs)
}

// Min returns the smaller one of lhs and rhs.
func (f *Function) Min(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeMin, lhs, rhs)
}

// Mul returns lhs * rhs.
func (f *Function) Mul(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeMul, lhs, rhs)
}

// Pow returns lhs to the power of rhs.
func (f *Function) Pow(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypePow, lhs, rhs)
}

// Rem returns the remainder of lhs / rhs, which has the sign of lhs.
func (f *Function) Rem(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeRem, lhs, rhs)
}

// ShiftLeft returns lhs shifted left by rhs bits.
func (f *Function) ShiftLeft(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeShiftLeft, lhs, rhs)
}

// ShiftRightArithmetic returns lhs shifted right by rhs bits, copies of the sign bit moving in.
func (f *Function) ShiftRightArithmetic(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeShiftRightArithmetic, lhs, rhs)
}

// ShiftRightLogical returns lhs shifted right by rhs bits, zeros moving in.
func (f *Function) ShiftRightLogical(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeShiftRightLogical, lhs, rhs)
}

// Sub returns lhs - rhs.
func (f *Function) Sub(lhs, rhs compute.Value) (compute.Value, error) {
	return f.binary(compute.OpTypeSub, lhs, rhs)
}
