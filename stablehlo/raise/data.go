package raise

import (
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

func dataRules() map[op.Code]rule {
	return map[op.Code]rule{
		op.Bitcast:        bitcast,
		op.BitcastConvert: bitcastConvert,
		op.Broadcast:      broadcast,
		op.Concatenate:    concatenate,
		op.Constant:       constant,
		op.Copy:           func(c *call) value { return c.value(0) },
		op.Domain:         func(c *call) value { return c.value(0) },
		op.Iota:           iota,
		op.Pad:            pad,
		op.Parameter:      parameter,
		op.Reshape:        same("reshape"),
		op.Reverse:        reverse,
		op.Slice:          slice,
		op.Transpose:      transpose,
	}
}

func parameter(c *call) value {
	n := attrs[op.ParameterAttrs](c).Number
	if n < 0 || n >= len(c.s.given) {
		c.fail("number", "", "%d is not in [0, %d)", n, len(c.s.given))
		return value{}
	}
	return c.s.given[n]
}

func broadcast(c *call) value {
	return c.result("stablehlo.broadcast_in_dim", c.args(),
		attr("broadcast_dimensions", ints(attrs[op.BroadcastAttrs](c).Dimensions)))
}

func concatenate(c *call) value {
	d := c.one("dimensions", attrs[op.ConcatenateAttrs](c).Dimensions)
	return c.result("stablehlo.concatenate", c.alike(c.args()), attr("dimension", stablehlo.Int64(int64(d))))
}

func iota(c *call) value {
	return c.result("stablehlo.iota", nil,
		attr("iota_dimension", stablehlo.Int64(int64(attrs[op.IotaAttrs](c).Dimension))))
}

func pad(c *call) value {
	var low, high, interior []int
	for _, d := range attrs[op.PadAttrs](c).Padding {
		low, high, interior = append(low, d.Low), append(high, d.High), append(interior, d.Interior)
	}
	return c.result("stablehlo.pad", c.likeFirst(c.args()), attr("edge_padding_low", ints(low)),
		attr("edge_padding_high", ints(high)), attr("interior_padding", ints(interior)))
}

// likeFirst gives floating-point values the element type of the first.
func (c *call) likeFirst(values []*stablehlo.Value) []*stablehlo.Value {
	list := slices.Clone(values)
	for i, v := range values {
		_, a := elemOf(v.Type).(stablehlo.FloatType)
		_, b := elemOf(values[0].Type).(stablehlo.FloatType)
		if a && b {
			list[i] = c.convert(v, elemOf(values[0].Type))
		}
	}
	return list
}

func reverse(c *call) value {
	return c.result("stablehlo.reverse", c.args(), attr("dimensions", ints(attrs[op.ReverseAttrs](c).Dimensions)))
}

func slice(c *call) value {
	var start, limit, stride []int
	for _, d := range attrs[op.SliceAttrs](c).Slice {
		start, limit, stride = append(start, d.Start), append(limit, d.Limit), append(stride, d.Stride)
	}
	return c.result("stablehlo.slice", c.args(), attr("start_indices", ints(start)),
		attr("limit_indices", ints(limit)), attr("strides", ints(stride)))
}

func transpose(c *call) value {
	return c.result("stablehlo.transpose", c.args(), attr("permutation", ints(attrs[op.TransposeAttrs](c).Dimensions)))
}

// constant makes a constant of each array of the literal.
func constant(c *call) value {
	var leaves []*stablehlo.Value
	for _, l := range arrays(nil, attrs[op.ConstantAttrs](c).Value) {
		if l.Shape().IsToken() {
			leaves = append(leaves, c.make("stablehlo.create_token", stablehlo.TokenType{}, nil))
			continue
		}
		d, err := dense(l)
		if err != nil {
			c.fail("", "", "%w", err)
			return value{}
		}
		leaves = append(leaves, c.constant(d))
	}
	return c.whole(leaves)
}

// arrays appends the arrays and tokens that l is made of.
func arrays(dst []literal.Literal, l literal.Literal) []literal.Literal {
	if !l.Shape().IsTuple() {
		return append(dst, l)
	}
	for _, e := range l.Elems() {
		dst = arrays(dst, e)
	}
	return dst
}

// dense returns an array as an attribute, which shares its elements where it can.
func dense(l literal.Literal) (*stablehlo.DenseElements, error) {
	t, err := tensorType(shape.Make(l.Type(), l.Dims()...))
	if err != nil {
		return nil, err
	}
	data := l.RowMajor().Bytes()
	if bits := l.Type().Bits(); bits < 8 {
		data = slices.Clone(data)
		for i := range data {
			data[i] &= 1<<bits - 1
		}
	}
	d := &stablehlo.DenseElements{Type: t, Data: data}
	if n := l.Len(); n > 0 && allEqual(data, len(data)/n) {
		d.Data, d.Splat = data[:len(data)/n], true
	}
	return d, nil
}

// allEqual reports whether data is one element of the given size again and again.
func allEqual(data []byte, size int) bool {
	for i := size; i < len(data); i++ {
		if data[i] != data[i-size] {
			return false
		}
	}
	return true
}
