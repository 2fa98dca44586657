package interp

import (
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds the operations that take windows of fixed sizes out of operands
// of dynamic size.

// boundEvals evaluates them.
var boundEvals = [op.NumCodes]func(c *call, eval evalFunc) (literal.Literal, error){
	op.DynamicSlice:       dynamicSliceAtBound,
	op.DynamicUpdateSlice: dynamicUpdateSliceAtBound,
	op.Gather:             gatherAtBound,
	op.Slice:              sliceAtBound,
}

// filled returns operand k of the size that it is declared with, zeros at the end;
// a dimension that has no bound keeps its size.
func (c *call) filled(k int) (literal.Literal, error) {
	s := shape.Make(c.args[k].Type(), slices.Clone(c.n.Operand(k).Dims())...)
	for d, n := range c.args[k].Dims() {
		if s.Dims[d] == shape.Unbounded {
			s.Dims[d] = n
		}
	}
	if err := c.in.memory.reserve(c.n, s, 0); err != nil {
		return literal.Literal{}, err
	}
	return resized(c.args[k], s.Dims), nil
}

// sliceAtBound: a dynamic dimension of the result has the indices that the operand has.
func sliceAtBound(c *call, eval evalFunc) (literal.Literal, error) {
	dims := slices.Clone(c.shape.Dims)
	for d, r := range attrs[*op.SliceAttrs](c).Slice {
		if c.shape.IsDynamicDim(d) {
			r.Limit = min(r.Limit, max(r.Start, c.args[0].Dims()[d]))
			dims[d] = r.Len()
		}
	}
	return c.evalAtBound(eval, c.shape.Static(), dims)
}

// dynamicSliceAtBound: a whole dynamic dimension stays as long as it is.
func dynamicSliceAtBound(c *call, eval evalFunc) (literal.Literal, error) {
	dims := slices.Clone(c.shape.Dims)
	for d := range dims {
		if c.shape.IsDynamicDim(d) {
			dims[d] = min(dims[d], c.args[0].Dims()[d])
		}
	}
	return c.evalAtBound(eval, c.shape.Static(), dims)
}

// evalAtBound evaluates with operand 0 filled up and a result of shape s, and cuts that to dims.
func (c *call) evalAtBound(eval evalFunc, s shape.Shape, dims []int) (literal.Literal, error) {
	full, err := c.filled(0)
	if err != nil {
		return literal.Literal{}, err
	}
	c.args = slices.Clone(c.args)
	c.args[0], c.shape = full, s
	v, err := c.reserved(eval)
	if err != nil {
		return literal.Literal{}, err
	}
	return resized(v, dims), nil
}

// reserved evaluates c if there is memory for its result.
func (c *call) reserved(eval evalFunc) (literal.Literal, error) {
	if c.allocates() {
		if err := c.in.memory.reserve(c.n, c.shape, c.workspace()); err != nil {
			return literal.Literal{}, err
		}
	}
	return eval(c)
}

// gatherAtBound: a slice that takes a whole dynamic dimension is as long as that is.
func gatherAtBound(c *call, eval evalFunc) (literal.Literal, error) {
	a, x := attrs[*op.GatherAttrs](c), c.args[0]
	declared := c.n.Operand(0).Shape()
	full, err := c.filled(0)
	if err != nil {
		return literal.Literal{}, err
	}
	dims := slices.Clone(full.Dims())
	for _, d := range a.OperandBatchingDims { // these go with the indices
		dims[d] = x.Dims()[d]
	}
	c.args = []literal.Literal{resized(full, dims), c.args[1]}
	_, s, err := inferSizes(c.n, c.args)
	if err != nil {
		return literal.Literal{}, err
	}
	c.shape = dropLayout(s)
	v, err := c.reserved(eval)
	if err != nil {
		return literal.Literal{}, err
	}
	sizes, next := slices.Clone(v.Dims()), 0
	for d, size := range a.SliceSizes {
		if slices.Contains(a.CollapsedSliceDims, d) || slices.Contains(a.OperandBatchingDims, d) {
			continue
		}
		if declared.IsDynamicDim(d) && size == declared.Dims[d] {
			sizes[a.OffsetDims[next]] = x.Dims()[d]
		}
		next++
	}
	return resized(v, sizes), nil
}

// dynamicUpdateSliceAtBound writes what the update has to where its start would be if both had their
// bounds. An update of a whole dimension gives it its size.
func dynamicUpdateSliceAtBound(c *call, _ evalFunc) (literal.Literal, error) {
	x, update := c.n.Operand(0).Shape(), c.n.Operand(1).Shape()
	full, err := c.filled(0)
	if err != nil {
		return literal.Literal{}, err
	}
	largest, err := c.filled(1)
	if err != nil {
		return literal.Literal{}, err
	}
	dst, sizes := full.Clone(), slices.Clone(c.args[0].Dims())
	if len(sizes) == 0 {
		return c.args[1], nil
	}
	starts := startIndices(c.args[2:], dst.Dims(), largest.Dims())
	for d := range sizes {
		if update.IsDynamicDim(d) && update.Dims[d] == x.Dims[d] {
			sizes[d], starts[d] = c.args[1].Dims()[d], 0
		}
	}
	move(all(dst).at(starts), all(c.args[1]), c.args[1].Dims())
	return resized(dst, sizes), nil
}
