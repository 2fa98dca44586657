package simplify

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// inlinable reports whether computation c, which works on scalars, can be spread over
// arrays: all of it is element-wise, and the root may be a tuple.
func inlinable(c *hlo.Computation) bool {
	for _, x := range c.Instructions() {
		code := x.Code()
		scalar := x.IsScalar() && (code == op.Parameter || code == op.Constant || code.Info().Has(op.Elementwise))
		if !scalar && !(code == op.Tuple && x.IsRoot()) {
			return false
		}
	}
	return true
}

// inline emits what the inlinable computation c does, spread over arrays of shape s, and
// returns its results; args are the arguments, of that shape but for their types.
func inline(i *hlo.Instruction, c *hlo.Computation, s shape.Shape, args []*hlo.Instruction) []*hlo.Instruction {
	values := make([]*hlo.Instruction, c.NumIDs())
	lookUp := func(list []*hlo.Instruction) []*hlo.Instruction {
		out := make([]*hlo.Instruction, len(list))
		for k, x := range list {
			out[k] = values[x.ID()]
		}
		return out
	}
	for _, x := range c.PostOrder() {
		switch x.Code() {
		case op.Parameter:
			values[x.ID()] = args[attrsOf[*op.ParameterAttrs](x).Number]
		case op.Constant:
			values[x.ID()] = fill(i, s.WithType(x.Type()), attrsOf[*op.ConstantAttrs](x).Value)
		case op.Tuple:
			return lookUp(x.Operands())
		default:
			values[x.ID()] = emit(i, x.Code(), s.WithType(x.Type()), x.Attrs(), lookUp(x.Operands())...)
		}
	}
	return lookUp([]*hlo.Instruction{c.Root()})
}

// together returns the results of i as one value: the only one, or a tuple of them.
func together(i *hlo.Instruction, results []*hlo.Instruction) *hlo.Instruction {
	if !i.IsTuple() {
		return results[0]
	}
	return like(i, op.Tuple, results...)
}

// resultShapes returns the shapes of the arrays that i gives, one or a tuple.
func resultShapes(i *hlo.Instruction) []shape.Shape {
	if i.IsTuple() {
		return i.Shape().Elems
	}
	return []shape.Shape{i.Shape()}
}

// sameLiteral reports whether x and y are constants of the same bits, or one instruction.
func sameLiteral(x, y *hlo.Instruction) bool {
	if x == y || sameScalar(x, y) {
		return true
	}
	if !is(x, op.Constant) || !is(y, op.Constant) {
		return false
	}
	a, b := attrsOf[*op.ConstantAttrs](x).Value, attrsOf[*op.ConstantAttrs](y).Value
	return !a.IsElided() && !b.IsElided() && a.Shape().IsArray() && b.Shape().IsArray() &&
		a.Len() <= smallConstant && literal.Equal(a, b)
}
