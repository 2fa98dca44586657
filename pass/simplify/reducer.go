package simplify

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// reducerOf returns the operation of a computation that is one commutative operation on
// its two scalar parameters.
func reducerOf(c *hlo.Computation) (op.Code, bool) {
	root, params := c.Root(), 0
	if !root.Code().Info().Has(op.Elementwise|op.Commutative) || !uniformTypes(root) {
		return op.Invalid, false
	}
	for _, i := range c.Instructions() {
		if is(i, op.Parameter) {
			params++
		}
	}
	x, y := root.Operand(0), root.Operand(1)
	return root.Code(), params == 2 && x != y && is(x, op.Parameter) && is(y, op.Parameter)
}

// reducer is what a reduce of one array does: code, on type t.
type reducer struct {
	code op.Code
	t    shape.ElementType
}

// simpleReduce reads i, a reduce or reduce-window of one array whose reducer is one
// operation on the array's own type.
func simpleReduce(i *hlo.Instruction) (reducer, bool) {
	if len(i.Operands()) != 2 {
		return reducer{}, false
	}
	code, ok := reducerOf(i.Called()[0])
	t := i.Type()
	r := reducer{code, t}
	return r, ok && i.Operand(0).Type() == t && i.Operand(1).Type() == t &&
		i.Called()[0].Root().Type() == t
}

// anyOrder reports whether the order in which r takes the elements does not show, or may show.
func (r reducer) anyOrder(o Options) bool {
	extremum := r.code == op.Maximum || r.code == op.Minimum
	return integral(r.t) && r.code != op.Mulhi || ieee(r.t) && (extremum || o.AllowReassociation)
}

// idempotent reports whether r of x and x is x.
func (r reducer) idempotent() bool {
	switch r.code {
	case op.Maximum, op.Minimum:
		return integral(r.t) || ieee(r.t)
	case op.And, op.Or:
		return true
	case op.Add, op.Multiply:
		return r.t == shape.Pred
	}
	return false
}

// isIdentity reports whether r of x and c is x for every x.
func (r reducer) isIdentity(c literal.Literal) bool {
	switch r.code {
	case op.Add:
		return isAddZero(c)
	case op.Multiply:
		return isValue(c, 1)
	case op.And:
		return allOnes(c)
	case op.Or, op.Xor:
		return isInt(c, 0)
	case op.Maximum, op.Minimum:
		return neutral(r.code, c)
	}
	return false
}

// ignores reports whether folding a number of elements c in, among others, changes
// nothing after the start init. A sum of floats that starts at +0 never becomes -0, so
// that it ignores both zeros.
func (r reducer) ignores(c, init literal.Literal) bool {
	zeros := r.code == op.Add && isFloat(init, 0) && isFloat(c, 0)
	return zeros || r.isIdentity(c)
}
