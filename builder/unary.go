package builder

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Abs returns the magnitude of each element of x, in x's dimensions; that of complex numbers
// is real. It fails if x is not signed integer, floating-point or complex. Spec: OPS.md section 2.
func Abs(x Op) Op { return apply(op.Abs, nil, x) }

// Ceil returns each element of x rounded up, in x's shape. It fails if x is not
// floating-point. Spec: OPS.md section 2.
func Ceil(x Op) Op { return apply(op.Ceil, nil, x) }

// Floor returns each element of x rounded down, in x's shape. It fails if x is not
// floating-point. Spec: OPS.md section 2.
func Floor(x Op) Op { return apply(op.Floor, nil, x) }

// Round is RoundNearestAfz. Spec: OPS.md section 2.
func Round(x Op) Op { return RoundNearestAfz(x) }

// RoundNearestAfz returns each element of x rounded to the nearest integer, ties away from
// zero, in x's shape. It fails if x is not floating-point. Spec: OPS.md section 2.
func RoundNearestAfz(x Op) Op { return apply(op.RoundNearestAfz, nil, x) }

// RoundNearestEven returns each element of x rounded to the nearest integer, ties to the even
// one, in x's shape. It fails if x is not floating-point. Spec: OPS.md section 2.
func RoundNearestEven(x Op) Op { return apply(op.RoundNearestEven, nil, x) }

// Neg returns -x, in x's shape; integers wrap. It fails for pred. Spec: OPS.md section 2.
func Neg(x Op) Op { return apply(op.Negate, nil, x) }

// Sign returns -1, -0, +0, 1 or NaN for each element of x, x/|x| for complex numbers, in x's
// shape. It fails if x is not signed integer, floating-point or complex. Spec: OPS.md section 2.
func Sign(x Op) Op { return apply(op.Sign, nil, x) }

// IsFinite returns pred in x's dimensions: whether each element is neither infinite nor NaN.
// It fails if x is not floating-point. Spec: OPS.md section 2.
func IsFinite(x Op) Op { return apply(op.IsFinite, nil, x) }

// Not returns the bitwise complement of integers, the logical one of pred, in x's shape. It
// fails for other types. Spec: OPS.md section 2.
func Not(x Op) Op { return apply(op.Not, nil, x) }

// LogicalNot is Not on pred, which it asks for. Spec: OPS.md section 2 (2017 edition).
func LogicalNot(x Op) Op {
	b, ok := enter(op.Not, x)
	if !ok || !b.wantPred(op.Not, x) {
		return b.invalid()
	}
	return Not(x)
}

// Clz returns the number of leading zero bits of each element of x, in x's shape. It fails if
// x is not integer. Spec: OPS.md section 2.
func Clz(x Op) Op { return apply(op.CountLeadingZeros, nil, x) }

// PopulationCount returns the number of one bits of each element of x, in x's shape. It fails
// if x is not integer. Spec: OPS.md section 2.
func PopulationCount(x Op) Op { return apply(op.Popcnt, nil, x) }

// Real returns the real part of each element of x, in x's dimensions: x itself if it is
// floating-point. It fails for other types. Spec: OPS.md section 2.
func Real(x Op) Op { return apply(op.Real, nil, x) }

// Imag returns the imaginary part of each element of x, in x's dimensions: 0 if x is
// floating-point. It fails for other types. Spec: OPS.md section 2.
func Imag(x Op) Op { return apply(op.Imag, nil, x) }

// Conj returns the complex conjugate of each element of x, in x's shape, as
// Complex(Real(x), Neg(Imag(x))). It fails if x is not complex.
func Conj(x Op) Op { return Complex(Real(x), Neg(Imag(x))) }

// Copy returns x as it is: a copy in memory, which may have another layout after layout
// assignment. Spec: OPS.md section 4.
func Copy(x Op) Op { return apply(op.Copy, nil, x) }

// ReducePrecision returns x rounded, to nearest even, to a format of the given numbers of
// exponent and mantissa bits, and back, in x's shape. It fails if x is not floating-point,
// exponentBits is below 1 or mantissaBits below 0. Spec: OPS.md section 2.
func ReducePrecision(x Op, exponentBits, mantissaBits int) Op {
	return apply(op.ReducePrecision, &op.ReducePrecisionAttrs{ExponentBits: exponentBits, MantissaBits: mantissaBits}, x)
}

// ConvertElementType returns x with its elements converted to type t, in x's dimensions, as
// a conversion of C does: to floating-point to nearest even, to integer truncated and
// saturated, NaN to 0, to pred as x != 0, and complex to real without the imaginary part. It
// fails if x is no array or t no array type. Spec: OPS.md section 2.
func ConvertElementType(x Op, t shape.ElementType) Op {
	b, ok := enter(op.Convert, x)
	if !ok {
		return b.invalid()
	}
	if x.Type().IsComplex() && t.IsArray() && !t.IsComplex() {
		x = Real(x)
	}
	return b.add(op.Convert, []Op{x}, nil, x.Shape().WithType(t))
}

// BitcastConvertType returns the bits of x as elements of type t. Where the widths differ the
// last dimension is added or dropped: f32[10] is f16[10,2], and back. It fails if x is no
// array, if the last dimension is not the ratio of the widths, and between complex and other
// types. Spec: OPS.md section 2.
func BitcastConvertType(x Op, t shape.ElementType) Op {
	b, ok := enter(op.BitcastConvert, x)
	if !ok {
		return b.invalid()
	}
	if !x.Type().IsArray() || !t.IsArray() {
		b.errorf(op.BitcastConvert, "", "", "expected an array and an array type, got %v and %v", x.Shape(), t)
		return b.invalid()
	}
	s, err := op.BitcastConvertShape(x.Shape(), t)
	if err != nil {
		b.fail(op.ErrorOf(op.BitcastConvert, err))
		return b.invalid()
	}
	return b.add(op.BitcastConvert, []Op{x}, nil, s)
}

// Bitcast returns the memory of x seen as an array of shape s, layout included. It fails if
// the two take different numbers of bytes. Spec: HLO bitcast.
func Bitcast(x Op, s shape.Shape) Op {
	b, ok := enter(op.Bitcast, x)
	if !ok {
		return b.invalid()
	}
	return b.add(op.Bitcast, []Op{x}, nil, s)
}

// StochasticConvert returns x, floating-point, converted to type t, in x's dimensions. The
// elements of random, unsigned integers of x's width, decide whether a number between two of
// type t is rounded up or down. It fails if types, widths or dimensions do not match.
// Spec: HLO stochastic-convert.
func StochasticConvert(x, random Op, t shape.ElementType) Op {
	b, ok := enter(op.StochasticConvert, x, random)
	if !ok {
		return b.invalid()
	}
	return b.add(op.StochasticConvert, []Op{x, random}, nil, x.Shape().WithType(t))
}
