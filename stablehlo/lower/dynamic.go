package lower

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// dynamicRules are operations with operands that say a shape. These are known when the
// operation is lowered, so each becomes the operation of known sizes.
func dynamicRules() map[string]rule {
	return map[string]rule{
		"stablehlo.dynamic_broadcast_in_dim": dynamicBroadcastInDim,
		"stablehlo.dynamic_conv":             dynamicConv,
		"stablehlo.dynamic_gather":           dynamicGather,
		"stablehlo.dynamic_iota":             dynamicIota,
		"stablehlo.dynamic_pad":              dynamicPad,
		"stablehlo.dynamic_reshape":          dynamicReshape,
		"stablehlo.real_dynamic_slice":       realDynamicSlice,
		"chlo.dynamic_reshape":               dynamicReshape,
	}
}

func dynamicBroadcastInDim(c *call) []builder.Op {
	sizes := c.sizesOr("output_dimensions", c.arg(1))
	return one(builder.BroadcastInDim(c.arg(0), sizes, c.ints("broadcast_dimensions")))
}

func dynamicConv(c *call) []builder.Op {
	d, ok := structAttr[*stablehlo.ConvDims](c, "dimension_numbers")
	flat := c.sizes("padding", c.arg(2))
	if !ok || len(flat) != 2*len(d.InputSpatial) {
		c.fail("padding", "dynamic_conv_i4", "expected a pair for each spatial dimension, got %d integers", len(flat))
		return nil
	}
	edges := make([][2]int, len(d.InputSpatial))
	for i := range edges {
		edges[i] = [2]int{flat[2*i], flat[2*i+1]}
	}
	return c.convolution(d, edges)
}

// dynamicGather: the sizes of slices are those of the result's offset dimensions, where they are known.
func dynamicGather(c *call) []builder.Op {
	sizes := c.arg(2)
	d, ok := structAttr[*stablehlo.GatherDims](c, "dimension_numbers")
	s := c.result(0)
	if !ok || c.failed() || !s.IsStatic() || c.s.l.value(sizes.Instruction()) != nil {
		return c.gather(c.sizes("slice_sizes", sizes))
	}
	list, next := make([]int, c.arg(0).Rank()), 0
	for i := range list {
		list[i] = 1
		if slices.Contains(d.CollapsedSliceDims, int64(i)) || slices.Contains(d.OperandBatchingDims, int64(i)) {
			continue
		}
		if next < len(d.OffsetDims) && d.OffsetDims[next] >= 0 && d.OffsetDims[next] < int64(s.Rank()) {
			list[i] = s.Dims[d.OffsetDims[next]]
		}
		next++
	}
	return c.gather(list)
}

func dynamicIota(c *call) []builder.Op {
	sizes := c.sizesOr("output_shape", c.arg(0))
	if t := c.result(0).Type; !c.failed() {
		return one(c.iota(shape.Make(t, sizes...)))
	}
	return nil
}

func dynamicPad(c *call) []builder.Op {
	return c.pad(c.sizes("edge_padding_low", c.arg(2)), c.sizes("edge_padding_high", c.arg(3)),
		c.sizes("interior_padding", c.arg(4)))
}

// dynamicReshape: one size may be -1, which stands for what is left.
func dynamicReshape(c *call) []builder.Op {
	if bounds := c.result(0); !c.failed() && !bounds.IsStatic() && !bounds.HasUnbounded() && len(c.args) == 2 &&
		c.s.l.value(c.arg(1).Instruction()) == nil {
		return one(reshapeWithin(c.arg(0), c.arg(1), bounds))
	}
	sizes := slices.Clone(c.sizesOr("output_shape", c.arg(1)))
	if i := slices.Index(sizes, -1); i >= 0 {
		sizes[i] = 1
		rest := 1
		for _, n := range sizes {
			rest *= n
		}
		if n, err := c.arg(0).Shape().Elements(); err == nil && rest > 0 {
			sizes[i] = n / rest
		}
	}
	return one(builder.Reshape(c.arg(0), sizes...))
}

// reshapeWithin reshapes x to sizes that are known when the program runs, within the
// bounds of a shape.
func reshapeWithin(x, sizes builder.Op, bounds shape.Shape) builder.Op {
	list, dynamic := make([]builder.Op, bounds.Rank()), make([]bool, bounds.Rank())
	for i := range list {
		size := builder.Reshape(builder.SliceInDim(sizes, i, i+1, 1, 0))
		list[i], dynamic[i] = builder.ConvertElementType(size, shape.S32), bounds.IsDynamicDim(i)
	}
	return builder.DynamicReshape(x, list, bounds.Dims, dynamic)
}

// realDynamicSlice: where the place is not known, but the size is, steps must be 1.
func realDynamicSlice(c *call) []builder.Op {
	start, limit, s := c.arg(1), c.arg(2), c.result(0)
	if !c.failed() && c.s.l.value(start.Instruction()) == nil {
		sizes := s.Dims
		if !s.IsStatic() {
			sizes = c.integersOf("limit_indices", distance(start, limit))
		}
		if strides := c.sizes("strides", c.arg(3)); !c.failed() && slices.Equal(strides, ones(s.Rank())) {
			return one(builder.DynamicSliceVector(c.arg(0), start, sizes))
		}
	}
	return one(builder.Slice(c.arg(0), c.sizes("start_indices", c.arg(1)), c.sizes("limit_indices", c.arg(2)),
		c.sizes("strides", c.arg(3))))
}

// distance is limit - start: what is added, where limit is start and something more; else limit, which is
// as unknown as start.
func distance(start, limit builder.Op) *hlo.Instruction {
	sum := limit.Instruction()
	if sum.Code() == op.Add {
		for i, x := range sum.Operands() {
			if x == start.Instruction() {
				return sum.Operands()[1-i]
			}
		}
	}
	return sum
}

// shapeAssertion checks a condition on sizes; where it does not hold the error is the
// message of the program.
func shapeAssertion(c *call) []builder.Op {
	if len(c.args) == 0 {
		c.arg(0)
		return nil
	}
	v := c.s.l.value(c.arg(0).Instruction())
	if v == nil || v.Len() != 1 {
		c.fail("", "", "expected a condition that follows from the shapes of parameters, got %v", c.arg(0).Shape())
		return nil
	}
	if v.BitsAt(0) != 0 {
		return nil
	}
	var values []int
	for _, x := range c.args[1:] {
		values = append(values, c.sizes("error_message_inputs", x)...)
	}
	message, _ := c.op.Attr("error_message").(stablehlo.StringAttr)
	c.fail("", "", "%s", format(message.Value, values))
	return nil
}

// format puts values in the place of {0}, {1} and so on.
func format(message string, values []int) string {
	if message == "" {
		return fmt.Sprintf("expected an assertion on shapes to hold, got one that does not, for %v", values)
	}
	for i, v := range values {
		message = strings.ReplaceAll(message, "{"+strconv.Itoa(i)+"}", strconv.Itoa(v))
	}
	return message
}
