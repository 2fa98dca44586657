package verify

import "github.com/goxla/xla/stablehlo"

// checkBroadcastInDim: broadcast_in_dim_c1 to broadcast_in_dim_c6.
func checkBroadcastInDim(c *check) error {
	if err := c.sameScale("c1"); err != nil {
		return err
	}
	if err := c.broadcastDims(); err != nil {
		return err
	}
	dims, _ := c.ints("broadcast_dimensions")
	from, to := c.operand(0), c.result(0)
	for i, d := range dims {
		if n := from.Dims[i]; n != stablehlo.Dynamic && n != 1 && n != to.Dims[d] {
			return c.errorf("broadcast_dimensions", "c5", "expected size 1 or %s in dimension %d of the operand, got %d",
				size(to.Dims[d]), i, n)
		}
	}
	return c.broadcastQuantized(dims)
}

// broadcastDims checks that there is a dimension of the result for each of the operand.
// broadcast_in_dim_c2 to _c4, dynamic_broadcast_in_dim_c2, _c4, _c5.
func (c *check) broadcastDims() error {
	dims, _ := c.ints("broadcast_dimensions")
	from, to := c.operand(0), c.result(0)
	if len(dims) != from.Rank() {
		return c.errorf("broadcast_dimensions", "c2", "expected %d dimensions, got %d", from.Rank(), len(dims))
	}
	if err := c.unique("broadcast_dimensions", "c4", dims); err != nil {
		return err
	}
	label := "c3"
	if c.op.Name == "stablehlo.dynamic_broadcast_in_dim" {
		label = "c5"
	}
	return c.inRange("broadcast_dimensions", label, dims, to.Rank())
}

// checkDynamicBroadcastInDim: dynamic_broadcast_in_dim_c1 to dynamic_broadcast_in_dim_c10.
func checkDynamicBroadcastInDim(c *check) error {
	if err := c.plainElems("c1"); err != nil {
		return err
	}
	if from, to := c.operand(0), c.result(0); to.Rank() < from.Rank() {
		return c.errorf("", "c3", "expected a result of rank %d or more, got %v", from.Rank(), to)
	}
	if err := c.broadcastDims(); err != nil {
		return err
	}
	dims, _ := c.ints("broadcast_dimensions")
	if err := c.broadcastSizes("", dims, c.result(0).Dims); err != nil {
		return err
	}
	if err := c.shapeOperand(1, "output_dimensions", "c7"); err != nil {
		return err
	}
	if err := c.expansionHints(); err != nil {
		return err
	}
	if shape, ok := constant(c.op.Operands[1]); ok {
		if err := c.broadcastSizes("output_dimensions", dims, shape); err != nil {
			return err
		}
	}
	return c.broadcastQuantized(dims)
}

// broadcastSizes checks that the sizes of the operand are 1 or those of the result.
func (c *check) broadcastSizes(attr string, dims, to []int64) error {
	for i, d := range dims {
		if n := c.operand(0).Dims[i]; n != 1 && !compatibleDim(n, to[d]) {
			return c.errorf(attr, "c5", "expected size 1 or %s in dimension %d of the operand, got %d", size(to[d]), i, n)
		}
	}
	return nil
}

// expansionHints: dynamic_broadcast_in_dim_c8 to dynamic_broadcast_in_dim_c10.
func (c *check) expansionHints() error {
	expanding, _ := c.ints("known_expanding_dimensions")
	same, _ := c.ints("known_nonexpanding_dimensions")
	if err := c.distinct("known_nonexpanding_dimensions", "c8", expanding, same); err != nil {
		return err
	}
	rank := c.operand(0).Rank()
	if err := c.inRange("known_expanding_dimensions", "c9", expanding, rank); err != nil {
		return err
	}
	return c.inRange("known_nonexpanding_dimensions", "c10", same, rank)
}

// broadcastQuantized: broadcast_in_dim_c1, broadcast_in_dim_c6.
func (c *check) broadcastQuantized(dims []int64) error {
	from, to := quantized(c.operand(0).Elem), quantized(c.result(0).Elem)
	if (from == nil) != (to == nil) || from != nil && from.IsPerAxis() != to.IsPerAxis() {
		return c.errorf("", "c1", "expected operand and result quantized alike, got %v and %v", c.operand(0), c.result(0))
	}
	if to == nil || !to.IsPerAxis() {
		return nil
	}
	axis := from.Axes[0]
	if want := dims[axis]; to.Axes[0] != want {
		return c.errorf("", "c6", "expected quantization dimension %d of the result, got %d", want, to.Axes[0])
	}
	if c.operand(0).Dims[axis] != 1 {
		return nil
	}
	for i := range to.Scales {
		if to.Scales[i] != from.Scales[0] || to.ZeroPoints[i] != from.ZeroPoints[0] {
			return c.errorf("", "c6", "expected scale %g and zero point %d at %d of the result, got %g and %d",
				from.Scales[0], from.ZeroPoints[0], i, to.Scales[i], to.ZeroPoints[i])
		}
	}
	return nil
}

// checkDynamicPad: dynamic_pad_c1 to dynamic_pad_c4.
func checkDynamicPad(c *check) error {
	t, to := c.operand(0), c.result(0)
	if !compatibleElems(t, c.operand(1)) || !compatibleElems(t, to) {
		return c.errorf("", "c1", "expected elements of type %v, got %v and %v", t.Elem, c.operand(1), to)
	}
	if t.Rank() != to.Rank() {
		return c.errorf("", "c4", "expected a result of rank %d, got %v", t.Rank(), to)
	}
	for i := 2; i < 5; i++ {
		if n := c.operand(i).Dims[0]; n != int64(t.Rank()) {
			return c.errorf(c.op.Info.Operands[i].Name, "c2", "expected %d numbers, got %d", t.Rank(), n)
		}
	}
	if low := c.operand(2); !sameElem(false, low, c.operand(3), c.operand(4)) {
		return c.errorf("edge_padding_high", "", "expected paddings of type %v, got %v and %v",
			low.Elem, c.operand(3), c.operand(4))
	}
	interior, ok := constant(c.op.Operands[4])
	if !ok {
		return nil
	}
	for i, n := range interior {
		if n < 0 {
			return c.errorf("interior_padding", "c3", "expected at least 0 in dimension %d, got %d", i, n)
		}
	}
	low, ok1 := constant(c.op.Operands[2])
	high, ok2 := constant(c.op.Operands[3])
	for i, n := range t.Dims {
		if !ok1 || !ok2 || n == stablehlo.Dynamic {
			continue
		}
		want := n + low[i] + high[i] + max(n-1, 0)*interior[i]
		if !compatibleDim(want, to.Dims[i]) {
			return c.errorf("", "c4", "expected size %d in dimension %d of the result, got %d", want, i, to.Dims[i])
		}
	}
	return nil
}

// checkRealDynamicSlice: the bounds of the slice have a number for each dimension.
func checkRealDynamicSlice(c *check) error {
	t := c.operand(0)
	if !compatibleElems(t, c.result(0)) || t.Rank() != c.result(0).Rank() {
		return c.errorf("", "", "expected a result of the element type and rank of %v, got %v", t, c.result(0))
	}
	for i := 1; i < 4; i++ {
		name := c.op.Info.Operands[i].Name
		if !compatibleDim(c.operand(i).Dims[0], int64(t.Rank())) {
			return c.errorf(name, "", "expected %d numbers, got %v", t.Rank(), c.operand(i))
		}
		if !sameElem(false, c.operand(1), c.operand(i)) {
			return c.errorf(name, "", "expected numbers of type %v, got %v", c.operand(1).Elem, c.operand(i))
		}
	}
	return nil
}
