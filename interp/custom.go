package interp

import (
	"fmt"

	"github.com/goxla/xla/literal"
)

// knownTargets are the custom calls that XLA's own tools put into programs and that
// mean something without a handler. On one device the marks of sharding and of
// memory spaces change nothing.
var knownTargets = map[string]evalFunc{
	"annotate_device_placement": evalMark,
	"LayoutConstraint":          evalMark,
	"MoveToDevice":              evalMark,
	"MoveToHost":                evalMark,
	"Sharding":                  evalMark,
	"SPMDFullToShardShape":      evalMark,
	"SPMDShardToFullShape":      evalMark,
	"TopK":                      evalTopKCall,
}

// evalMark returns the operand.
func evalMark(c *call) (literal.Literal, error) {
	if len(c.args) != 1 {
		return literal.Literal{}, fmt.Errorf("expects one operand, got %d", len(c.args))
	}
	return c.accept(c.args[0], c.n.Shape())
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
