package interp

import (
	"fmt"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// knownTargets are the custom calls that XLA's own tools put into programs and that
// mean something without a handler. On one device the marks of sharding and of
// memory spaces change nothing.
var knownTargets = map[string]evalFunc{
	"annotate_device_placement":          evalMark,
	"DynamicReduceWindowSamePadding":     evalSamePadded(op.ReduceWindow, (*call).reduceWindow),
	"DynamicSelectAndScatterSamePadding": evalSamePadded(op.SelectAndScatter, (*call).selectAndScatter),
	"LayoutConstraint":                   evalMark,
	"mhlo.dynamic_broadcast_in_dim":      evalDynamicBroadcast,
	"MoveToDevice":                       evalMark,
	"MoveToHost":                         evalMark,
	"PadToStatic":                        evalPadToStatic,
	"Sharding":                           evalMark,
	"SliceToDynamic":                     evalSliceToDynamic,
	"SPMDFullToShardShape":               evalMark,
	"SPMDShardToFullShape":               evalMark,
	"TopK":                               evalTopKCall,
	op.TargetRngState:                    evalRngState,
}

// knownCall returns what n means without a handler, nil if it is of no meaning.
func knownCall(n *hlo.Instruction, a *op.CustomCallAttrs) evalFunc {
	if a.IsUnheard(n.Shape()) {
		return func(c *call) (literal.Literal, error) {
			v, _ := packLeaves(c.n.Shape(), nil)
			return v, nil
		}
	}
	return knownTargets[a.Target]
}

// evalMark returns the operand. Where the shape of the result is another, one device has a part of the array.
func evalMark(c *call) (literal.Literal, error) {
	if len(c.args) != 1 {
		return literal.Literal{}, fmt.Errorf("expects one operand, got %d", len(c.args))
	}
	x, err := c.accept(c.args[0], c.n.Shape())
	if a, ok := c.n.Attrs().(*op.CustomCallAttrs); ok && err != nil {
		return x, fmt.Errorf("custom_call_target: %s: expects a program that is partitioned already: %w", a.Target, err)
	}
	return x, err
}

// evalTopKCall is topk of the largest elements: whatever comparator it calls, XLA does not.
func evalTopKCall(c *call) (literal.Literal, error) {
	if len(c.args) != 1 || !isTopK(c) {
		return literal.Literal{}, fmt.Errorf("expects one array and its (values, indices), got %v", c.n.Shape())
	}
	return c.topK(true)
}

// isTopK reports whether the result is as topk of the operand has it.
func isTopK(c *call) bool {
	x, rank := c.args[0].Shape(), c.args[0].Shape().Rank()
	if !c.shape.IsStatic() || len(c.shape.Elems) != 2 || rank == 0 || c.shape.Elems[0].Type != x.Type {
		return false
	}
	for _, s := range c.shape.Elems {
		if s.Rank() != rank || s.Dims[rank-1] > x.Dims[rank-1] {
			return false
		}
		for d := range rank - 1 {
			if s.Dims[d] != x.Dims[d] {
				return false
			}
		}
	}
	return c.shape.Elems[0].SameDims(c.shape.Elems[1])
}

// evalPadToStatic returns the operand filled up with zeros to its bound, and the size
// of each dimension.
func evalPadToStatic(c *call) (literal.Literal, error) {
	s := c.n.Shape()
	if len(c.args) != 1 || len(s.Elems) != 1+c.args[0].Shape().Rank() {
		return literal.Literal{}, fmt.Errorf("expects one array and its (values, sizes...), got %v", s)
	}
	if err := c.in.memory.reserve(c.n, s, 0); err != nil {
		return literal.Literal{}, err
	}
	x, bound := c.args[0], s.Elems[0].Dims
	elems := make([]literal.Literal, 1, len(s.Elems))
	for d, n := range x.Dims() {
		if x.Type() != s.Elems[0].Type || len(bound) != len(x.Dims()) || n > bound[d] {
			return literal.Literal{}, fmt.Errorf("expects a result that %v fits in, got %v", x.Shape(), s.Elems[0])
		}
		elems = append(elems, literal.Scalar(int32(n)))
	}
	elems[0] = resized(x, bound)
	return literal.MakeTuple(elems...), nil
}

// evalSliceToDynamic cuts the first operand to the sizes that the others are, one a dimension.
func evalSliceToDynamic(c *call) (literal.Literal, error) {
	if len(c.args) == 0 || len(c.args) != 1+c.args[0].Shape().Rank() {
		return literal.Literal{}, fmt.Errorf("expects an array and a size for each dimension, got %d operands", len(c.args))
	}
	dims := make([]int, len(c.args)-1)
	for d, size := range c.args[1:] {
		dims[d] = clampIndex(size, 0, c.args[0].Dims()[d])
	}
	return c.accept(resized(c.args[0], dims), c.n.Shape())
}
