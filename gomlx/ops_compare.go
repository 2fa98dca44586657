package gomlx

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapeinference"
	xb "github.com/goxla/xla/builder"
	"github.com/pkg/errors"
)

// comparisons say what they are in HLO. In the total order -NaN < -Inf < -finite < -0 < +0 < +finite < +Inf < +NaN.
var comparisons = map[compute.OpType]binaryFunc{
	compute.OpTypeEqual:                    xb.Eq,
	compute.OpTypeEqualTotalOrder:          xb.EqTotalOrder,
	compute.OpTypeNotEqual:                 xb.Ne,
	compute.OpTypeNotEqualTotalOrder:       xb.NeTotalOrder,
	compute.OpTypeGreaterOrEqual:           xb.Ge,
	compute.OpTypeGreaterOrEqualTotalOrder: xb.GeTotalOrder,
	compute.OpTypeGreaterThan:              xb.Gt,
	compute.OpTypeGreaterThanTotalOrder:    xb.GtTotalOrder,
	compute.OpTypeLessOrEqual:              xb.Le,
	compute.OpTypeLessOrEqualTotalOrder:    xb.LeTotalOrder,
	compute.OpTypeLessThan:                 xb.Lt,
	compute.OpTypeLessThanTotalOrder:       xb.LtTotalOrder,
}

// equalities are the comparisons that need no order.
var equalities = []compute.OpType{compute.OpTypeEqual, compute.OpTypeEqualTotalOrder, compute.OpTypeNotEqual,
	compute.OpTypeNotEqualTotalOrder}

// compare records a comparison of pairs of elements.
func (f *Function) compare(code compute.OpType, lhs, rhs compute.Value) (compute.Value, error) {
	in, err := f.values(code.String(), lhs, rhs)
	if err != nil {
		return nil, err
	}
	s, err := shapeinference.ComparisonOp(compute.OpTypeEqual, in[0].shape, in[1].shape) // the rule of all of them
	if err != nil {
		return nil, errors.WithMessage(err, code.String())
	}
	if t := in[0].shape.DType; t.IsComplex() && !slices.Contains(equalities, code) {
		return nil, errors.Errorf("%s: expected elements with an order, got %s", code, t)
	}
	emit := comparisons[code]
	return f.add(code, s, in, func(_ *lowering, in []xb.Op) xb.Op { return emit(in[0], in[1]) })
}

// IsFinite returns whether each element is neither infinite nor NaN.
func (f *Function) IsFinite(x compute.Value) (compute.Value, error) {
	return f.test(compute.OpTypeIsFinite, x, finite)
}

// IsNaN returns whether each element is NaN.
func (f *Function) IsNaN(x compute.Value) (compute.Value, error) {
	return f.test(compute.OpTypeIsNaN, x, func(x xb.Op) xb.Op { return xb.Ne(x, x) })
}

// test records a truth value for each element of x.
func (f *Function) test(code compute.OpType, x compute.Value, emit func(x xb.Op) xb.Op) (compute.Value, error) {
	in, err := f.values(code.String(), x)
	if err != nil {
		return nil, err
	}
	s := in[0].shape
	if s.DType.IsInt() || s.DType == dtypes.Bool {
		return nil, errors.Errorf("%s: expected numbers with NaN, got %s", code, s)
	}
	return f.add(code, withDType(s, dtypes.Bool), in, func(_ *lowering, in []xb.Op) xb.Op { return emit(in[0]) })
}

func finite(x xb.Op) xb.Op {
	if x.Type().IsComplex() {
		return xb.And(xb.IsFinite(xb.Real(x)), xb.IsFinite(xb.Imag(x)))
	}
	return xb.IsFinite(x)
}

// Equal returns whether lhs = rhs.
func (f *Function) Equal(lhs, rhs compute.Value) (compute.Value, error) {
	return f.compare(compute.OpTypeEqual, lhs, rhs)
}

// EqualTotalOrder returns whether lhs = rhs in the total order.
func (f *Function) EqualTotalOrder(lhs, rhs compute.Value) (compute.Value, error) {
	return f.compare(compute.OpTypeEqualTotalOrder, lhs, rhs)
}

// NotEqual returns whether lhs != rhs.
func (f *Function) NotEqual(lhs, rhs compute.Value) (compute.Value, error) {
	return f.compare(compute.OpTypeNotEqual, lhs, rhs)
}

// NotEqualTotalOrder returns whether lhs != rhs in the total order.
func (f *Function) NotEqualTotalOrder(lhs, rhs compute.Value) (compute.Value, error) {
	return f.compare(compute.OpTypeNotEqualTotalOrder, lhs, rhs)
}

// GreaterOrEqual returns whether lhs >= rhs.
func (f *Function) GreaterOrEqual(lhs, rhs compute.Value) (compute.Value, error) {
	return f.compare(compute.OpTypeGreaterOrEqual, lhs, rhs)
}

// GreaterOrEqualTotalOrder returns whether lhs >= rhs in the total order.
func (f *Function) GreaterOrEqualTotalOrder(lhs, rhs compute.Value) (compute.Value, error) {
	return f.compare(compute.OpTypeGreaterOrEqualTotalOrder, lhs, rhs)
}

// GreaterThan returns whether lhs > rhs.
func (f *Function) GreaterThan(lhs, rhs compute.Value) (compute.Value, error) {
	return f.compare(compute.OpTypeGreaterThan, lhs, rhs)
}

// GreaterThanTotalOrder returns whether lhs > rhs in the total order.
func (f *Function) GreaterThanTotalOrder(lhs, rhs compute.Value) (compute.Value, error) {
	return f.compare(compute.OpTypeGreaterThanTotalOrder, lhs, rhs)
}

// LessOrEqual returns whether lhs <= rhs.
func (f *Function) LessOrEqual(lhs, rhs compute.Value) (compute.Value, error) {
	return f.compare(compute.OpTypeLessOrEqual, lhs, rhs)
}

// LessOrEqualTotalOrder returns whether lhs <= rhs in the total order.
func (f *Function) LessOrEqualTotalOrder(lhs, rhs compute.Value) (compute.Value, error) {
	return f.compare(compute.OpTypeLessOrEqualTotalOrder, lhs, rhs)
}

// LessThan returns whether lhs < rhs.
func (f *Function) LessThan(lhs, rhs compute.Value) (compute.Value, error) {
	return f.compare(compute.OpTypeLessThan, lhs, rhs)
}

// LessThanTotalOrder returns whether lhs < rhs in the total order.
func (f *Function) LessThanTotalOrder(lhs, rhs compute.Value) (compute.Value, error) {
	return f.compare(compute.OpTypeLessThanTotalOrder, lhs, rhs)
}
