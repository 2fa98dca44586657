package builder

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// While returns init after body has been applied to it for as long as condition of it is
// true; all values have the shape of init. It fails if condition does not return a pred
// scalar, or body another shape. Spec: OPS.md section 4.
func While[C, B UnaryFunc](condition C, body B, init Op) Op {
	const code = op.While
	b, ok := enter(code, init)
	if !ok {
		return b.invalid()
	}
	c, ok := b.callee(code, "condition", condition, init.Shape())
	if !ok {
		return b.invalid()
	}
	f, ok := b.callee(code, "body", body, init.Shape())
	if !ok {
		return b.invalid()
	}
	return b.add(code, []Op{init}, nil, shape.Shape{}, c, f)
}

// WhileMany is While on a list of values, which travel as a tuple. It returns as many as init
// has, of which there is at least one. It fails if body returns another number of values.
func WhileMany(condition func(state []Op) Op, body func(state []Op) []Op, init []Op) []Op {
	n := len(init)
	b := builderOf(init)
	if condition == nil || body == nil {
		b.errorf(op.While, "", "", "expected functions as condition and body, got nil")
		return b.invalids(n)
	}
	state := func(x Op) []Op { return elements(x, n) }
	return elements(While(
		func(x Op) Op { return condition(state(x)) },
		func(x Op) Op { return x.b.Tuple(body(state(x))...) },
		Tuple(init...)), n)
}

// Conditional returns onTrue(trueOperand) if pred, a scalar, is true, and
// onFalse(falseOperand) otherwise; only that one runs. It fails if the results are not of one
// shape or pred is no pred scalar. Spec: OPS.md section 4.
func Conditional[T, F UnaryFunc](pred, trueOperand Op, onTrue T, falseOperand Op, onFalse F) Op {
	const code = op.Conditional
	b, ok := enter(code, pred, trueOperand, falseOperand)
	if !ok {
		return b.invalid()
	}
	if s := pred.Shape(); s.Type != shape.Pred || s.Rank() != 0 {
		b.errorf(code, "operand 0", "case_i1", "expected a pred scalar, got %v", s)
		return b.invalid()
	}
	t, ok := b.callee(code, "on_true", onTrue, trueOperand.Shape())
	if !ok {
		return b.invalid()
	}
	f, ok := b.callee(code, "on_false", onFalse, falseOperand.Shape())
	if !ok {
		return b.invalid()
	}
	return b.add(code, []Op{pred, trueOperand, falseOperand}, nil, shape.Shape{}, t, f)
}

// ConditionalIndexed returns branches[index](operands[index]); index is an s32 scalar, and one
// out of range runs the last branch. Only that one runs. It fails if there is no branch or not
// one operand a branch, if the results are not of one shape, or if index is no s32 scalar.
// Spec: OPS.md section 4.
func ConditionalIndexed[F UnaryFunc](index Op, branches []F, operands []Op) Op {
	const code = op.Conditional
	all := append([]Op{index}, operands...)
	b, ok := enter(code, all...)
	if !ok || !b.wantLen(code, "branch_operands", len(operands), len(branches)) {
		return b.invalid()
	}
	if s := index.Shape(); s.Type != shape.S32 || s.Rank() != 0 {
		b.errorf(code, "operand 0", "case_i1", "expected an s32 scalar, got %v", s)
		return b.invalid()
	}
	called := make([]Computation, len(branches))
	for i, branch := range branches {
		if called[i], ok = b.callee(code, "branch", branch, operands[i].Shape()); !ok {
			return b.invalid()
		}
	}
	return b.add(code, all, nil, shape.Shape{}, called...)
}
