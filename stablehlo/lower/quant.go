package lower

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

func quantRules() map[string]rule {
	return map[string]rule{
		"stablehlo.uniform_dequantize": uniformDequantize,
		"stablehlo.uniform_quantize":   uniformQuantize,
	}
}

// movers are operations that only move elements, so that they work on the integers of
// quantized values whose types are equal, or take them as they come.
var movers = map[string]bool{
	"stablehlo.broadcast": true, "stablehlo.broadcast_in_dim": true, "stablehlo.concatenate": true,
	"stablehlo.dynamic_broadcast_in_dim": true, "stablehlo.dynamic_gather": true, "stablehlo.dynamic_pad": true,
	"stablehlo.dynamic_reshape": true, "stablehlo.dynamic_slice": true, "stablehlo.dynamic_update_slice": true,
	"stablehlo.gather": true, "stablehlo.pad": true, "stablehlo.real_dynamic_slice": true, "stablehlo.reshape": true,
	"stablehlo.reverse": true, "stablehlo.select": true, "stablehlo.slice": true, "stablehlo.transpose": true,
}

// carriers take quantized values as they come.
var carriers = map[string]bool{
	"func.call": true, "stablehlo.bitcast_convert": true, "stablehlo.case": true, "stablehlo.composite": true,
	"stablehlo.constant": true, "stablehlo.custom_call": true, "stablehlo.get_dimension_size": true,
	"stablehlo.get_tuple_element": true, "stablehlo.if": true, "stablehlo.optimization_barrier": true,
	"stablehlo.tuple": true, "stablehlo.uniform_dequantize": true, "stablehlo.uniform_quantize": true,
	"stablehlo.while": true, "check.expect_eq": true, "check.expect_eq_const": true,
}

// apply runs the rule of the operation: on the numbers that quantized values stand for,
// unless it takes their integers.
func (c *call) apply(r rule) []builder.Op {
	if !c.hasQuantized() || carriers[c.op.Name] || movers[c.op.Name] && c.oneQuantization() {
		return r(c)
	}
	c.numbers = true
	args := make([]builder.Op, len(c.args))
	for i, x := range c.args {
		args[i] = x
		if q := quantized(c.op.Operands[i].Type); q != nil {
			args[i] = c.dequantize(x, q)
		}
	}
	c.args = args
	results := r(c)
	if c.failed() || len(results) != len(c.op.Results) {
		return results
	}
	for i, v := range c.op.Results {
		if q := quantized(v.Type); q != nil {
			results[i] = c.quantize(results[i], q)
		}
	}
	return results
}

// hasQuantized reports whether an operand or result is quantized.
func (c *call) hasQuantized() bool {
	for _, v := range c.op.Operands {
		if quantized(v.Type) != nil {
			return true
		}
	}
	for _, v := range c.op.Results {
		if quantized(v.Type) != nil {
			return true
		}
	}
	return false
}

// oneQuantization reports whether all quantized operands and results have one
// quantized type.
func (c *call) oneQuantization() bool {
	var first *stablehlo.QuantizedType
	for _, list := range [][]*stablehlo.Value{c.op.Operands, c.op.Results} {
		for _, v := range list {
			q := quantized(v.Type)
			switch {
			case q == nil:
			case first == nil:
				first = q
			case !sameScale(first, q):
				return false
			}
		}
	}
	return true
}

// sameScale reports whether integers mean the same numbers in both types, which may
// differ in the dimension along which the scales go.
func sameScale(a, b *stablehlo.QuantizedType) bool {
	if len(a.Axes) == 0 && len(b.Axes) == 0 {
		return stablehlo.SameType(a, b)
	}
	x, y := *a, *b
	x.Axes, y.Axes = nil, nil
	return x.BlockSizes == nil && y.BlockSizes == nil && len(x.Scales) == len(y.Scales) &&
		stablehlo.SameType(a.Storage, b.Storage)
}

func uniformDequantize(c *call) []builder.Op {
	if len(c.op.Operands) == 1 {
		if q := quantized(c.op.Operands[0].Type); q != nil {
			return one(c.dequantize(c.arg(0), q))
		}
	}
	c.fail("operand", "uniform_dequantize_i1", "expected a quantized operand, got %d others", len(c.args))
	return nil
}

func uniformQuantize(c *call) []builder.Op {
	q := quantized(c.resultType(0))
	if q == nil || len(c.op.Operands) != 1 {
		c.fail("result", "uniform_quantize_c1", "expected a quantized result, got %v", c.resultType(0))
		return nil
	}
	x := c.arg(0)
	if from := quantized(c.op.Operands[0].Type); from != nil {
		x = c.dequantize(x, from)
	}
	return one(c.quantize(x, q))
}

// dequantize returns the numbers (x - zero point) * scale.
func (c *call) dequantize(x builder.Op, q *stablehlo.QuantizedType) builder.Op {
	t := c.expressedType(q)
	if c.failed() {
		return x
	}
	scales, zeros := c.parameters(x, q, t)
	x = builder.ConvertElementType(x, t)
	return builder.Mul(builder.Sub(x, zeros), scales)
}

// quantize returns the integers nearest to x / scale + zero point, ties to even, within
// the range of the storage.
func (c *call) quantize(x builder.Op, q *stablehlo.QuantizedType) builder.Op {
	storage, ok := stablehlo.ElementType(q.Storage)
	t := c.expressedType(q)
	if !ok || c.failed() {
		c.fail("", "", "expected a storage type that HLO has, got %v", q.Storage)
		return x
	}
	x = convertTo(x, t)
	scales, zeros := c.parameters(x, q, t)
	x = builder.Add(builder.Div(x, scales), zeros)
	lo, hi := builder.ScalarLike(x, float64(q.StorageMin)), builder.ScalarLike(x, float64(q.StorageMax))
	x = builder.RoundNearestEven(builder.Clamp(lo, x, hi))
	return builder.ConvertElementType(x, storage)
}

// expressedType returns the type of the numbers.
func (c *call) expressedType(q *stablehlo.QuantizedType) shape.ElementType {
	t, ok := stablehlo.ElementType(q.Expressed)
	if !ok || !t.IsFloat() {
		c.fail("", "", "expected a quantized type of floating-point numbers, got %v", q)
	}
	return t
}

// parameters returns scales and zero points as arrays of the shape of x and type t.
func (c *call) parameters(x builder.Op, q *stablehlo.QuantizedType, t shape.ElementType) (scales, zeros builder.Op) {
	points := make([]float64, len(q.ZeroPoints))
	for i, z := range q.ZeroPoints {
		points[i] = float64(z)
	}
	return c.parameter(x, q, t, q.Scales), c.parameter(x, q, t, points)
}

// parameter spreads values over the shape of x: one for all, one for each index of a
// dimension, or one for each block.
func (c *call) parameter(x builder.Op, q *stablehlo.QuantizedType, t shape.ElementType, values []float64) builder.Op {
	var blocks, dims []int
	for _, a := range q.Axes {
		if a < 0 || a >= int64(x.Rank()) || len(values) == 0 {
			c.fail("", "", "expected quantized dimensions of %v, got %d", x.Shape(), a)
			return x
		}
		dims = append(dims, int(a))
	}
	switch {
	case len(dims) == 0:
		return builder.BroadcastInDim(c.b.Constant(floats(t, nil, values[:1])), x.Shape().Dims, nil)
	case q.BlockSizes == nil:
		return builder.BroadcastInDim(c.b.Constant(floats(t, []int{len(values)}, values)), x.Shape().Dims, dims)
	}
	blocks = c.toInts("scales", q.ScaleDims)
	return c.spread(c.b.Constant(floats(t, blocks, values)), x.Shape().Dims)
}

// spread repeats each element of an array so often along each dimension that it has
// the given sizes.
func (c *call) spread(x builder.Op, sizes []int) builder.Op {
	var dims, wide []int
	for i, n := range x.Shape().Dims {
		if i >= len(sizes) || n < 1 || sizes[i]%n != 0 {
			c.fail("", "", "expected blocks that divide %v, got %v", sizes, x.Shape())
			return x
		}
		dims = append(dims, 2*i)
		wide = append(wide, n, sizes[i]/n)
	}
	return builder.Reshape(builder.BroadcastInDim(x, wide, dims), sizes...)
}

// floats returns an array of type t. Scales are given in double precision.
func floats(t shape.ElementType, dims []int, values []float64) literal.Literal {
	l := literal.New(shape.Make(t, dims...))
	for i := range l.Len() {
		l.SetFloat(i, values[i])
	}
	return l
}
