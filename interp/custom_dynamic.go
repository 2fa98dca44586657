package interp

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds the custom calls that stand for operations whose padding or sizes
// depend on sizes of the run.

// evalSamePadded returns the evaluator of a window operation with padding SAME: a
// dimension of dynamic size is padded for the size that it has in this run.
//
//go:noinline
func evalSamePadded(code op.Code, eval func(*call, op.Window) (literal.Literal, error)) evalFunc {
	return func(c *call) (literal.Literal, error) {
		w, err := c.samePadding()
		if err != nil {
			return literal.Literal{}, err
		}
		in := &op.Inputs{Attrs: &op.WindowAttrs{Window: w}}
		for _, x := range c.args {
			in.Operands = append(in.Operands, x.Shape())
		}
		for _, f := range c.n.Called() {
			in.Called = append(in.Called, f.Signature())
		}
		s, err := op.Infer(code, in)
		if err != nil {
			return literal.Literal{}, err
		}
		c.shape = dropLayout(s)
		v, err := c.reserved(func(c *call) (literal.Literal, error) { return eval(c, w) })
		if err != nil {
			return literal.Literal{}, err
		}
		return c.accept(v, c.n.Shape())
	}
}

// samePadding returns the window of c for the size that the first operand has.
func (c *call) samePadding() (op.Window, error) {
	w := attrs[*op.CustomCallAttrs](c).Window
	if len(c.args) == 0 || len(w.Dims) != c.args[0].Shape().Rank() {
		return w, fmt.Errorf("window: expects a dimension for each of the operand, got %d", len(w.Dims))
	}
	w.Dims = slices.Clone(w.Dims)
	for d, size := range c.args[0].Dims() {
		if c.n.Operand(0).Shape().IsDynamicDim(d) {
			w.Dims[d] = w.Dims[d].PadSame(size)
		}
	}
	return w, nil
}

// evalDynamicBroadcast repeats the first operand to the sizes that the second one lists.
func evalDynamicBroadcast(c *call) (literal.Literal, error) {
	if len(c.args) != 2 || !c.n.IsArray() || c.args[1].Shape().Rank() != 1 || !c.args[1].Type().IsInteger() {
		return literal.Literal{}, fmt.Errorf("expects an array and a list of sizes, got %d operands", len(c.args))
	}
	x := c.args[0]
	dims, err := c.sizesFrom(c.args[1])
	if err != nil {
		return literal.Literal{}, err
	}
	to, err := broadcastDimensions(c.n.BackendConfig, x.Dims(), dims)
	if err != nil {
		return literal.Literal{}, fmt.Errorf("backend_config: %w", err)
	}
	s := shape.Make(x.Type(), dims...)
	if err := c.in.memory.reserve(c.n, s, 0); err != nil {
		return literal.Literal{}, err
	}
	dst := literal.New(s)
	repeat(dst, x, to)
	return c.accept(dst, c.n.Shape())
}

// sizesFrom returns the elements of list, the sizes of the result.
func (c *call) sizesFrom(list literal.Literal) ([]int, error) {
	dims := make([]int, list.Len())
	if len(dims) != c.n.Rank() {
		return nil, fmt.Errorf("expects %d sizes, got %d", c.n.Rank(), len(dims))
	}
	for d := range dims {
		size := list.IntAt(d)
		if err := checkSize(c.n.Shape(), d, size); err != nil {
			return nil, err
		}
		dims[d] = int(size)
	}
	return dims, nil
}

// broadcastDimensions reads from config which dimensions of an array of sizes to those
// of one of sizes from become.
func broadcastDimensions(config string, from, to []int) ([]int, error) {
	d, err := ffi.ParseAttributes(config)
	if err != nil {
		return nil, err
	}
	dims, err := ffi.Get[[]int](d, "broadcast_dimensions")
	if err != nil {
		return nil, err
	}
	if len(dims) != len(from) {
		return nil, fmt.Errorf("expects %d dimensions, got %v", len(from), dims)
	}
	for i, d := range dims {
		switch {
		case d < 0 || d >= len(to) || slices.Contains(dims[:i], d):
			return nil, fmt.Errorf("expects different dimensions in [0, %d), got %v", len(to), dims)
		case from[i] != 1 && from[i] != to[d]:
			return nil, fmt.Errorf("expects size 1 or %d in dimension %d of the operand, got %d", to[d], i, from[i])
		}
	}
	return dims, nil
}
