package builder

import "github.com/goxla/xla/op"

// Compare returns pred in the broadcast shape: whether lhs and rhs are in the given relation,
// by the order kind. ComparisonDefault is the order of the element type: for floating-point
// numbers that of IEEE 754, in which NaN is unequal to everything. It fails if types or shapes
// do not match, if kind is none for the type, and for an order of complex numbers.
// Spec: OPS.md section 1.
func Compare(lhs, rhs Op, direction op.Direction, kind op.ComparisonType, broadcastDims ...int) Op {
	return binary(op.Compare, &op.CompareAttrs{Direction: direction, Type: kind}, lhs, rhs, broadcastDims)
}

func compare(d op.Direction, lhs, rhs Op, dims []int) Op {
	return Compare(lhs, rhs, d, op.ComparisonDefault, dims...)
}

// totalOrder compares floating-point numbers by the total order, others as they are.
func totalOrder(d op.Direction, lhs, rhs Op, dims []int) Op {
	kind := op.ComparisonDefault
	if lhs.Type().IsFloat() {
		kind = op.ComparisonTotalOrder
	}
	return Compare(lhs, rhs, d, kind, dims...)
}

// Eq returns lhs = rhs as pred in the broadcast shape. It fails if types or shapes do not
// match. Spec: OPS.md section 1.
func Eq(lhs, rhs Op, broadcastDims ...int) Op { return compare(op.EQ, lhs, rhs, broadcastDims) }

// Ne returns lhs != rhs as pred in the broadcast shape. It fails if types or shapes do not
// match. Spec: OPS.md section 1.
func Ne(lhs, rhs Op, broadcastDims ...int) Op { return compare(op.NE, lhs, rhs, broadcastDims) }

// Ge returns lhs >= rhs as pred in the broadcast shape. It fails for complex arrays and if
// types or shapes do not match. Spec: OPS.md section 1.
func Ge(lhs, rhs Op, broadcastDims ...int) Op { return compare(op.GE, lhs, rhs, broadcastDims) }

// Gt returns lhs > rhs as pred in the broadcast shape. It fails for complex arrays and if
// types or shapes do not match. Spec: OPS.md section 1.
func Gt(lhs, rhs Op, broadcastDims ...int) Op { return compare(op.GT, lhs, rhs, broadcastDims) }

// Le returns lhs <= rhs as pred in the broadcast shape. It fails for complex arrays and if
// types or shapes do not match. Spec: OPS.md section 1.
func Le(lhs, rhs Op, broadcastDims ...int) Op { return compare(op.LE, lhs, rhs, broadcastDims) }

// Lt returns lhs < rhs as pred in the broadcast shape. It fails for complex arrays and if
// types or shapes do not match. Spec: OPS.md section 1.
func Lt(lhs, rhs Op, broadcastDims ...int) Op { return compare(op.LT, lhs, rhs, broadcastDims) }

// EqTotalOrder is Eq in the total order of floating-point numbers, -NaN < -Inf < -finite <
// -0 < +0 < +finite < +Inf < +NaN; on other types it is Eq. Spec: OPS.md section 1.
func EqTotalOrder(lhs, rhs Op, broadcastDims ...int) Op {
	return totalOrder(op.EQ, lhs, rhs, broadcastDims)
}

// NeTotalOrder is Ne in the total order of EqTotalOrder. Spec: OPS.md section 1.
func NeTotalOrder(lhs, rhs Op, broadcastDims ...int) Op {
	return totalOrder(op.NE, lhs, rhs, broadcastDims)
}

// GeTotalOrder is Ge in the total order of EqTotalOrder. Spec: OPS.md section 1.
func GeTotalOrder(lhs, rhs Op, broadcastDims ...int) Op {
	return totalOrder(op.GE, lhs, rhs, broadcastDims)
}

// GtTotalOrder is Gt in the total order of EqTotalOrder. Spec: OPS.md section 1.
func GtTotalOrder(lhs, rhs Op, broadcastDims ...int) Op {
	return totalOrder(op.GT, lhs, rhs, broadcastDims)
}

// LeTotalOrder is Le in the total order of EqTotalOrder. Spec: OPS.md section 1.
func LeTotalOrder(lhs, rhs Op, broadcastDims ...int) Op {
	return totalOrder(op.LE, lhs, rhs, broadcastDims)
}

// LtTotalOrder is Lt in the total order of EqTotalOrder: the comparator of an ascending sort
// that puts NaN last. Spec: OPS.md section 1.
func LtTotalOrder(lhs, rhs Op, broadcastDims ...int) Op {
	return totalOrder(op.LT, lhs, rhs, broadcastDims)
}
