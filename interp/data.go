package interp

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds the operations that move elements without changing them.
// Spec: OPS.md section 3.

func evalConstant(c *call) (literal.Literal, error) {
	return attrs[*op.ConstantAttrs](c).Value.RowMajor(), nil
}

// evalIdentity returns the operand: copy, opt-barrier, domain, add-dependency.
func evalIdentity(c *call) (literal.Literal, error) { return c.args[0], nil }

// evalBroadcast repeats the operand along the dimensions that it does not have.
func evalBroadcast(c *call) (literal.Literal, error) {
	dst := c.new()
	repeat(dst, c.args[0], attrs[*op.BroadcastAttrs](c).Dimensions)
	return dst, nil
}

// repeat fills dst with x, whose dimension i is dimension to[i] of dst.
func repeat(dst, x literal.Literal, to []int) {
	from := walkOf{data: x, strides: make([]int, len(dst.Dims()))}
	for i, stride := range rowMajor(x.Dims()) {
		if x.Dims()[i] == dst.Dims()[to[i]] { // else it is 1 and repeats
			from.strides[to[i]] = stride
		}
	}
	move(all(dst), from, dst.Dims())
}

func evalReshape(c *call) (literal.Literal, error) { return c.args[0].Reshape(c.shape.Dims...) }

func evalTranspose(c *call) (literal.Literal, error) {
	dst, x := c.new(), c.args[0]
	from := walkOf{data: x, strides: make([]int, len(c.shape.Dims))}
	strides := rowMajor(x.Dims())
	for i, d := range attrs[*op.TransposeAttrs](c).Dimensions {
		from.strides[i] = strides[d]
	}
	move(all(dst), from, c.shape.Dims)
	return dst, nil
}

func evalReverse(c *call) (literal.Literal, error) {
	dst, from := c.new(), all(c.args[0])
	for _, d := range attrs[*op.ReverseAttrs](c).Dimensions {
		from.offset += (c.shape.Dims[d] - 1) * from.strides[d]
		from.strides[d] = -from.strides[d]
	}
	move(all(dst), from, c.shape.Dims)
	return dst, nil
}

func evalSlice(c *call) (literal.Literal, error) {
	dst, from := c.new(), all(c.args[0])
	for d, r := range attrs[*op.SliceAttrs](c).Slice {
		from.offset += r.Start * from.strides[d]
		from.strides[d] *= r.Stride
	}
	move(all(dst), from, c.shape.Dims)
	return dst, nil
}

func evalConcatenate(c *call) (literal.Literal, error) {
	dst, d := c.new(), attrs[*op.ConcatenateAttrs](c).Dimensions[0]
	to := all(dst)
	for _, x := range c.args {
		move(to, all(x), x.Dims())
		to.offset += x.Dims()[d] * to.strides[d]
	}
	return dst, nil
}

// evalPad fills the result with the padding value, then copies what of the operand
// is not cut off by negative padding.
func evalPad(c *call) (literal.Literal, error) {
	dst, x := c.new(), c.args[0]
	move(all(dst), walkOf{data: c.args[1], strides: make([]int, len(c.shape.Dims))}, c.shape.Dims)
	to, from, count := all(dst), all(x), make([]int, x.Shape().Rank())
	for d, p := range attrs[*op.PadAttrs](c).Padding {
		step := p.Interior + 1
		first := max(0, ceilDiv(-p.Low, step))                              // the first element at or behind 0
		last := min(x.Dims()[d]-1, floorDiv(c.shape.Dims[d]-1-p.Low, step)) // the last one inside
		count[d] = last - first + 1
		from.offset += first * from.strides[d]
		to.offset += (p.Low + first*step) * to.strides[d]
		to.strides[d] *= step
	}
	move(to, from, count)
	return dst, nil
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func ceilDiv(a, b int) int { return -floorDiv(-a, b) }

// iotaChunk is how many numbers of an iota are converted at a time.
const iotaChunk = 1024

// evalIota counts along a dimension; a type that cannot hold the count wraps or
// rounds as convert from an integer does.
func evalIota(c *call) (literal.Literal, error) {
	d, dst := attrs[*op.IotaAttrs](c).Dimension, c.new()
	dims, to := slices.Clone(c.shape.Dims), all(dst)
	for first, n := 0, dims[d]; first < n; first += iotaChunk {
		dims[d] = min(n-first, iotaChunk)
		counts, err := countsFrom(first, dims[d], c.shape.Type)
		if err != nil {
			return literal.Literal{}, err
		}
		from := walkOf{data: counts, strides: make([]int, len(dims))}
		from.strides[d] = 1
		move(to, from, dims)
		to.offset += dims[d] * to.strides[d]
	}
	return dst, nil
}

// countsFrom returns n numbers of type t from first on.
func countsFrom(first, n int, t shape.ElementType) (literal.Literal, error) {
	row := make([]int64, n)
	for i := range row {
		row[i] = int64(first + i)
	}
	counts, err := literal.FromSlice(shape.Make(shape.S64, n), row)
	if err != nil {
		return literal.Literal{}, err
	}
	return literal.Convert(counts, t)
}

// evalBitcast reads the bytes of the operand, in its layout, as another shape in its own.
func evalBitcast(c *call) (literal.Literal, error) {
	from, to := c.n.Operand(0).Shape(), c.n.Shape()
	x := c.args[0].Relayout(from.Layout)
	dst := literal.New(c.shape.WithLayout(orderOnly(to.Layout)))
	if len(dst.Bytes()) != len(x.Bytes()) {
		return literal.Literal{}, fmt.Errorf("expects %d bytes for %v, got %d from %v",
			len(dst.Bytes()), to, len(x.Bytes()), from)
	}
	copy(dst.Bytes(), x.Bytes())
	return dst.RowMajor(), nil
}

// orderOnly returns a layout with only the order of l.
func orderOnly(l *shape.Layout) *shape.Layout {
	if l == nil {
		return nil
	}
	return &shape.Layout{MinorToMajor: l.MinorToMajor}
}

func evalBitcastConvert(c *call) (literal.Literal, error) {
	return literal.BitcastConvert(c.args[0], c.shape.Type)
}

// startIndices returns the start indices of a dynamic slice or update: one scalar
// operand a dimension, or one array of them (the 2017 form). Each is clamped so
// that a slice of the given sizes lies inside dims.
func startIndices(operands []literal.Literal, dims, sizes []int) []int {
	starts := make([]int, len(dims))
	for d := range starts {
		l, i := operands[0], d
		if l.Shape().IsScalar() {
			l, i = operands[d], 0
		}
		starts[d] = clampIndex(l, i, dims[d]-sizes[d])
	}
	return starts
}

// clampIndex returns element i of l, an integer array, clamped to [0, limit].
func clampIndex(l literal.Literal, i, limit int) int {
	v := l.IntAt(i)
	if v < 0 && l.Type() == shape.U64 { // beyond 2^63
		return limit
	}
	return int(min(max(v, 0), int64(limit)))
}

func evalDynamicSlice(c *call) (literal.Literal, error) {
	dst, x, sizes := c.new(), c.args[0], attrs[*op.DynamicSliceAttrs](c).SliceSizes
	if x.Shape().Rank() == 0 {
		return x, nil
	}
	move(all(dst), all(x).at(startIndices(c.args[1:], x.Dims(), sizes)), sizes)
	return dst, nil
}

func evalDynamicUpdateSlice(c *call) (literal.Literal, error) {
	x, update := c.args[0], c.args[1]
	if x.Shape().Rank() == 0 {
		return update.Clone(), nil
	}
	dst := c.target(0)
	move(all(dst).at(startIndices(c.args[2:], x.Dims(), update.Dims())), all(update), update.Dims())
	return dst, nil
}
