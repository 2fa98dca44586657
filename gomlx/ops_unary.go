package gomlx

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapeinference"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/pkg/errors"
)

// accurate drops the optional arguments of an elementary function.
func accurate(f func(x xb.Op, accuracy ...op.ResultAccuracy) xb.Op) func(xb.Op) xb.Op {
	return func(x xb.Op) xb.Op { return f(x) }
}

// unaryOps say what operations on each element are in HLO.
var unaryOps = map[compute.OpType]func(x xb.Op) xb.Op{
	compute.OpTypeAbs:        signed(xb.Abs, func(x xb.Op) xb.Op { return x }),
	compute.OpTypeBitCount:   xb.PopulationCount,
	compute.OpTypeBitwiseNot: xb.Not,
	compute.OpTypeCeil:       xb.Ceil,
	compute.OpTypeClz:        xb.Clz,
	compute.OpTypeCos:        accurate(xb.Cos),
	compute.OpTypeErf:        accurate(xb.Erf),
	compute.OpTypeExp:        accurate(xb.Exp),
	compute.OpTypeExpm1:      accurate(xb.Expm1),
	compute.OpTypeFloor:      xb.Floor,
	compute.OpTypeLog:        accurate(xb.Log),
	compute.OpTypeLog1p:      accurate(xb.Log1p),
	compute.OpTypeLogicalNot: xb.Not,
	compute.OpTypeLogistic:   accurate(xb.Logistic),
	compute.OpTypeNeg:        xb.Neg,
	compute.OpTypeRound:      xb.RoundNearestEven,
	compute.OpTypeRsqrt:      accurate(xb.Rsqrt),
	compute.OpTypeSign:       signed(xb.Sign, func(x xb.Op) xb.Op { return xb.Min(x, xb.ScalarLike(x, 1)) }),
	compute.OpTypeSin:        accurate(xb.Sin),
	compute.OpTypeSqrt:       accurate(xb.Sqrt),
	compute.OpTypeTanh:       accurate(xb.Tanh),
}

// complexToo are operations that shapeinference has for real numbers only.
var complexToo = []compute.OpType{compute.OpTypeCos, compute.OpTypeSin, compute.OpTypeTanh, compute.OpTypeLogistic}

// realOnly are operations that HLO does not have for complex numbers, though shapeinference takes them.
var realOnly = []compute.OpType{compute.OpTypeCeil, compute.OpTypeFloor, compute.OpTypeRound, compute.OpTypeMax,
	compute.OpTypeMin, compute.OpTypeRem, compute.OpTypeClamp}

// checkReal returns an error if an operation has no meaning for elements of type t.
func checkReal(code compute.OpType, t dtypes.DType) error {
	if t.IsComplex() && slices.Contains(realOnly, code) {
		return errors.Errorf("%s: expected real numbers, got %s", code, t)
	}
	return nil
}

// signed is f, and for unsigned integers, which HLO does not take, g.
func signed(f, g func(x xb.Op) xb.Op) func(x xb.Op) xb.Op {
	return func(x xb.Op) xb.Op {
		if x.Type().IsUnsigned() {
			return g(x)
		}
		return f(x)
	}
}

// unary records an operation on each element of x.
func (f *Function) unary(code compute.OpType, x compute.Value) (compute.Value, error) {
	in, err := f.values(code.String(), x)
	if err != nil {
		return nil, err
	}
	s := in[0].shape
	if err := checkReal(code, s.DType); err != nil {
		return nil, err
	}
	if !s.DType.IsComplex() || !slices.Contains(complexToo, code) {
		if s, err = shapeinference.UnaryOp(code, s); err != nil {
			return nil, err
		}
	}
	if code == compute.OpTypeAbs && s.DType.IsComplex() {
		s = withDType(s, s.DType.RealDType())
	}
	emit := unaryOps[code]
	return f.add(code, s, in, func(_ *lowering, in []xb.Op) xb.Op { return emit(in[0]) })
}

// Abs returns the magnitude of each element; that of complex numbers is real.
func (f *Function) Abs(x compute.Value) (compute.Value, error) { return f.unary(compute.OpTypeAbs, x) }

// BitCount returns the number of bits set in each element.
func (f *Function) BitCount(x compute.Value) (compute.Value, error) {
	return f.unary(compute.OpTypeBitCount, x)
}

// BitwiseNot returns each integer with its bits flipped.
func (f *Function) BitwiseNot(x compute.Value) (compute.Value, error) {
	return f.unary(compute.OpTypeBitwiseNot, x)
}

// Ceil returns each element rounded up.
func (f *Function) Ceil(x compute.Value) (compute.Value, error) {
	return f.unary(compute.OpTypeCeil, x)
}

// Clz returns the number of leading zero bits of each integer.
func (f *Function) Clz(x compute.Value) (compute.Value, error) { return f.unary(compute.OpTypeClz, x) }

// Cos returns the cosine of each element.
func (f *Function) Cos(x compute.Value) (compute.Value, error) { return f.unary(compute.OpTypeCos, x) }

// Erf returns the error function of each element.
func (f *Function) Erf(x compute.Value) (compute.Value, error) { return f.unary(compute.OpTypeErf, x) }

// Exp returns e to the power of each element.
func (f *Function) Exp(x compute.Value) (compute.Value, error) { return f.unary(compute.OpTypeExp, x) }

// Expm1 returns exp(x)-1 of each element, exact near 0 too.
func (f *Function) Expm1(x compute.Value) (compute.Value, error) {
	return f.unary(compute.OpTypeExpm1, x)
}

// Floor returns each element rounded down.
func (f *Function) Floor(x compute.Value) (compute.Value, error) {
	return f.unary(compute.OpTypeFloor, x)
}

// Log returns the natural logarithm of each element.
func (f *Function) Log(x compute.Value) (compute.Value, error) { return f.unary(compute.OpTypeLog, x) }

// Log1p returns log(1+x) of each element, exact near 0 too.
func (f *Function) Log1p(x compute.Value) (compute.Value, error) {
	return f.unary(compute.OpTypeLog1p, x)
}

// LogicalNot returns the negation of each truth value.
func (f *Function) LogicalNot(x compute.Value) (compute.Value, error) {
	return f.unary(compute.OpTypeLogicalNot, x)
}

// Logistic returns 1/(1+exp(-x)) of each element.
func (f *Function) Logistic(x compute.Value) (compute.Value, error) {
	return f.unary(compute.OpTypeLogistic, x)
}

// Neg returns the negative of each element.
func (f *Function) Neg(x compute.Value) (compute.Value, error) { return f.unary(compute.OpTypeNeg, x) }

// Round returns each element rounded to the nearest integer, halves to even.
func (f *Function) Round(x compute.Value) (compute.Value, error) {
	return f.unary(compute.OpTypeRound, x)
}

// Rsqrt returns 1/sqrt(x) of each element.
func (f *Function) Rsqrt(x compute.Value) (compute.Value, error) {
	return f.unary(compute.OpTypeRsqrt, x)
}

// Sign returns -1, 0 or 1 by the sign of each element.
func (f *Function) Sign(x compute.Value) (compute.Value, error) {
	return f.unary(compute.OpTypeSign, x)
}

// Sin returns the sine of each element.
func (f *Function) Sin(x compute.Value) (compute.Value, error) { return f.unary(compute.OpTypeSin, x) }

// Sqrt returns the square root of each element.
func (f *Function) Sqrt(x compute.Value) (compute.Value, error) {
	return f.unary(compute.OpTypeSqrt, x)
}

// Tanh returns the hyperbolic tangent of each element.
func (f *Function) Tanh(x compute.Value) (compute.Value, error) {
	return f.unary(compute.OpTypeTanh, x)
}
