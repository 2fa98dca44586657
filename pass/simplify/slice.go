package simplify

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// slicing is about slice.
var slicing = Family{Name: "slice", Doc: "Slice.", Rules: []Rule{
	rule("slice-full", "slice of all of x -> x", same, op.Slice),
	rule("slice-slice", "slice(slice(x)) -> slice(x)", sliceSlice, op.Slice),
	rule("slice-broadcast", "slice(broadcast(x)) -> broadcast(slice(x))", sliceBroadcast, op.Slice),
	rule("slice-iota", "slice(iota) -> iota where the numbers still start at 0", sliceIota, op.Slice),
	rule("slice-pad-value", "slice of nothing but padding -> broadcast", slicePadValue, op.Slice),
	rule("slice-pad", "slice(pad(x)) -> pad of less, slice(x) where no padding is left", slicePad, op.Slice),
	rule("slice-concatenate", "slice(concatenate(x, y)) -> slice(x) where it lies in x", sliceConcatenate, op.Slice),
	rule("slice-concatenate-part", "slice(concatenate(...)) -> concatenate of the operands that it meets, sliced",
		sliceConcatenatePart, op.Slice),
	rule("slice-concatenate-moved", "slice(concatenate(slice(x), y)) -> concatenate of slices where nothing but slices "+
		"of it is needed, for others, and no element twice", sliceConcatenateMoved, op.Slice),
	rule("slice-transpose", "slice(transpose(x)) -> transpose(slice(x))", sliceTranspose, op.Slice),
	rule("slice-reverse", "slice(reverse(x)) -> reverse(slice(x))", sliceReverse, op.Slice),
	rule("slice-update", "slice(dynamic-update-slice(x, y)) -> slice(x) or slice(y) where it meets only one; "+
		"constant indices", sliceUpdate, op.Slice),
}}

func rangesOf(i *hlo.Instruction) []op.SliceRange { return attrsOf[*op.SliceAttrs](i).Slice }

// tidy returns r with the least limit that takes the same indices.
func tidy(r op.SliceRange) op.SliceRange {
	if n := r.Len(); n > 0 {
		r.Limit = r.Start + (n-1)*r.Stride + 1
	}
	return r
}

// shifted returns r moved down by n.
func shifted(r op.SliceRange, n int) op.SliceRange {
	return op.SliceRange{Start: r.Start - n, Limit: r.Limit - n, Stride: r.Stride}
}

// whole returns the ranges that take all of an array.
func whole(dims []int) []op.SliceRange {
	ranges := make([]op.SliceRange, len(dims))
	for d, size := range dims {
		ranges[d] = op.SliceRange{Limit: size, Stride: 1}
	}
	return ranges
}

// sliceLike emits the slice of x with the shape of i; x itself where that is all of x.
func sliceLike(i, x *hlo.Instruction, ranges []op.SliceRange) *hlo.Instruction {
	if x.Shape().Equal(i.Shape()) {
		return x
	}
	return emit(i, op.Slice, i.Shape(), &op.SliceAttrs{Slice: ranges}, x)
}

func sliceSlice(i *hlo.Instruction) *hlo.Instruction {
	inner := i.Operand(0)
	if !is(inner, op.Slice) {
		return nil
	}
	ranges := make([]op.SliceRange, i.Rank())
	for d, r := range rangesOf(i) {
		in := rangesOf(inner)[d]
		start, stride := in.Start+r.Start*in.Stride, in.Stride*r.Stride
		ranges[d] = tidy(op.SliceRange{Start: start, Limit: start + r.Len()*stride, Stride: stride})
	}
	return sliceLike(i, inner.Operand(0), ranges)
}

func sliceBroadcast(i *hlo.Instruction) *hlo.Instruction {
	b := i.Operand(0)
	if !is(b, op.Broadcast) {
		return nil
	}
	x, dims := b.Operand(0), broadcastDims(b)
	ranges := make([]op.SliceRange, len(dims))
	for k, d := range dims {
		if x.Dims()[k] != b.Dims()[d] {
			return nil
		}
		ranges[k] = rangesOf(i)[d]
	}
	return emit(i, op.Broadcast, i.Shape(), b.Attrs(), sliceTo(i, x, ranges))
}

func sliceIota(i *hlo.Instruction) *hlo.Instruction {
	x := i.Operand(0)
	if !is(x, op.Iota) {
		return nil
	}
	r := rangesOf(i)[attrsOf[*op.IotaAttrs](x).Dimension]
	if r.Start != 0 || r.Stride != 1 {
		return nil
	}
	return emit(i, op.Iota, i.Shape(), x.Attrs())
}

// slicePadValue finds a dimension along which the slice lies in front of the operand or
// behind it.
func slicePadValue(i *hlo.Instruction) *hlo.Instruction {
	p := i.Operand(0)
	if !is(p, op.Pad) {
		return nil
	}
	for d, pad := range attrsOf[*op.PadAttrs](p).Padding {
		r := tidy(rangesOf(i)[d])
		if r.Limit <= pad.Low || r.Start >= p.Dims()[d]-pad.High {
			return spread(i, i.Shape(), p.Operand(1))
		}
	}
	return nil
}

// slicePad makes the padding smaller; negative padding is pad-negative's.
func slicePad(i *hlo.Instruction) *hlo.Instruction {
	p := i.Operand(0)
	if !is(p, op.Pad) {
		return nil
	}
	padding := slices.Clone(attrsOf[*op.PadAttrs](p).Padding)
	cut := false
	for d, r := range rangesOf(i) {
		behind := p.Dims()[d] - r.Limit
		if r.Stride != 1 || padding[d].Interior != 0 || r.Len() == 0 {
			return nil
		}
		meets := r.Start < p.Dims()[d]-padding[d].High && r.Limit > padding[d].Low
		if !meets {
			return nil
		}
		cut = cut || r.Start > 0 && padding[d].Low > 0 || behind > 0 && padding[d].High > 0
		padding[d].Low -= r.Start
		padding[d].High -= behind
	}
	if !cut {
		return nil
	}
	return emit(i, op.Pad, i.Shape(), &op.PadAttrs{Padding: padding}, p.Operands()...)
}

// pieces calls f with each operand of a concatenate and the index along dimension d at
// which it starts.
func pieces(c *hlo.Instruction, f func(x *hlo.Instruction, start int)) (d int) {
	d = attrsOf[*op.ConcatenateAttrs](c).Dimensions[0]
	start := 0
	for _, x := range c.Operands() {
		f(x, start)
		start += x.Dims()[d]
	}
	return d
}

func sliceConcatenate(i *hlo.Instruction) *hlo.Instruction {
	c := i.Operand(0)
	if !is(c, op.Concatenate) {
		return nil
	}
	var found *hlo.Instruction
	ranges := slices.Clone(rangesOf(i))
	d := attrsOf[*op.ConcatenateAttrs](c).Dimensions[0]
	r := tidy(ranges[d])
	pieces(c, func(x *hlo.Instruction, start int) {
		if r.Len() > 0 && start <= r.Start && r.Limit <= start+x.Dims()[d] {
			found, ranges[d] = x, shifted(r, start)
		}
	})
	if found == nil {
		return nil
	}
	return sliceLike(i, found, ranges)
}

func sliceConcatenatePart(i *hlo.Instruction) *hlo.Instruction {
	c := i.Operand(0)
	if !is(c, op.Concatenate) || !oneUser(c) {
		return nil
	}
	d := attrsOf[*op.ConcatenateAttrs](c).Dimensions[0]
	r := rangesOf(i)[d]
	meets := func(x *hlo.Instruction, start int) bool {
		return start < r.Limit && r.Start < start+x.Dims()[d]
	}
	count := 0
	pieces(c, func(x *hlo.Instruction, start int) {
		if meets(x, start) {
			count++
		}
	})
	if r.Stride != 1 || count < 2 || count == len(c.Operands()) {
		return nil
	}
	return slicedParts(i, c)
}

// slicedParts is slice i of concatenation c, by steps of 1 along its dimension, as a concatenation of slices of those
// operands that it meets.
func slicedParts(i, c *hlo.Instruction) *hlo.Instruction {
	d := attrsOf[*op.ConcatenateAttrs](c).Dimensions[0]
	r := rangesOf(i)[d]
	var parts []*hlo.Instruction
	pieces(c, func(x *hlo.Instruction, start int) {
		from, to := max(r.Start-start, 0), min(r.Limit-start, x.Dims()[d])
		if from >= to {
			return
		}
		ranges := slices.Clone(rangesOf(i))
		ranges[d] = op.SliceRange{Start: from, Limit: to, Stride: 1}
		parts = append(parts, sliceTo(i, x, ranges))
	})
	return emit(i, op.Concatenate, i.Shape(), c.Attrs(), parts...)
}

// sliceConcatenateMoved is for what is rolled along two dimensions: each part is moved once.
func sliceConcatenateMoved(i *hlo.Instruction) *hlo.Instruction {
	c := i.Operand(0)
	if !is(c, op.Concatenate) || c.IsRoot() {
		return nil
	}
	moved := func(x *hlo.Instruction) bool { return is(x, op.Slice) || is(x, op.Parameter) }
	taken := 0
	for _, u := range c.Users() {
		if !is(u, op.Slice) || !onlyJoined(u) {
			return nil
		}
		taken += elements(u)
	}
	r := rangesOf(i)[attrsOf[*op.ConcatenateAttrs](c).Dimensions[0]]
	if taken > elements(c) || r.Stride != 1 || r.Len() == 0 ||
		slices.ContainsFunc(c.Operands(), func(x *hlo.Instruction) bool { return !moved(x) }) {
		return nil
	}
	return slicedParts(i, c)
}

// onlyJoined reports whether x is needed for nothing but concatenations that no computation reads element by element:
// it would look for each in all that is joined.
func onlyJoined(x *hlo.Instruction) bool {
	return !x.IsRoot() && !slices.ContainsFunc(x.Users(), func(u *hlo.Instruction) bool {
		return !is(u, op.Concatenate) || slices.ContainsFunc(u.Users(), func(r *hlo.Instruction) bool {
			return r.Code().Info().Has(op.Elementwise)
		})
	})
}

func sliceTranspose(i *hlo.Instruction) *hlo.Instruction {
	t := i.Operand(0)
	if !is(t, op.Transpose) || !oneUser(t) || elements(i) == elements(t) {
		return nil
	}
	ranges := make([]op.SliceRange, i.Rank())
	for d, from := range permOf(t) {
		ranges[from] = rangesOf(i)[d]
	}
	return emit(i, op.Transpose, i.Shape(), t.Attrs(), sliceTo(i, t.Operand(0), ranges))
}

func sliceReverse(i *hlo.Instruction) *hlo.Instruction {
	v := i.Operand(0)
	if !is(v, op.Reverse) || !oneUser(v) || elements(i) == elements(v) {
		return nil
	}
	ranges := slices.Clone(rangesOf(i))
	for _, d := range attrsOf[*op.ReverseAttrs](v).Dimensions {
		r, size := tidy(ranges[d]), v.Dims()[d]
		ranges[d] = op.SliceRange{Start: size - r.Limit, Limit: size - r.Start, Stride: r.Stride}
	}
	small := emit(i, op.Slice, shape.Make(i.Type(), i.Dims()...), &op.SliceAttrs{Slice: ranges}, v.Operand(0))
	return emit(i, op.Reverse, i.Shape(), v.Attrs(), small)
}

func sliceUpdate(i *hlo.Instruction) *hlo.Instruction {
	u := i.Operand(0)
	if !is(u, op.DynamicUpdateSlice) {
		return nil
	}
	update := u.Operand(1)
	starts, ok := constantStarts(u, 2, update.Dims())
	if !ok {
		return nil
	}
	ranges, inside := make([]op.SliceRange, i.Rank()), true
	for d, r := range rangesOf(i) {
		r = tidy(r)
		end := starts[d] + update.Dims()[d]
		if r.Limit <= starts[d] || r.Start >= end {
			return sliceLike(i, u.Operand(0), rangesOf(i))
		}
		inside = inside && starts[d] <= r.Start && r.Limit <= end
		ranges[d] = shifted(r, starts[d])
	}
	if !inside {
		return nil
	}
	return sliceLike(i, update, ranges)
}
