package gomlx

import (
	"github.com/gomlx/compute"
	xb "github.com/goxla/xla/builder"
	"github.com/goxla/xla/shape"
)

// This file says in HLO how the block formats of GGML store numbers. A block is a run of bytes in the last
// dimension; the dimensions in front of it, rows and blocks, come along. Formats with a K have 256 values in groups
// of 16 or 32, each group with a small integer scale, and most a minimum, of its own.
// Source: the dequantize_row functions of llama.cpp.

// ggmlFormat is a block format: how many bytes a block has and what values are in it.
type ggmlFormat struct {
	bytes  int
	values func(b *xb.Builder, w block) xb.Op
}

// ggmlFormats are the formats.
var ggmlFormats = map[compute.GGMLQuantType]ggmlFormat{
	compute.GGMLQ4_0:  {values: valuesQ4},
	compute.GGMLQ8_0:  {values: valuesQ8},
	compute.GGMLIQ4NL: {values: valuesIQ4},
	compute.GGMLQ2_K:  {values: valuesQ2K},
	compute.GGMLQ3_K:  {values: valuesQ3K},
	compute.GGMLQ4_K:  {values: valuesQ4K},
	compute.GGMLQ5_K:  {values: valuesQ5K},
	compute.GGMLQ6_K:  {values: valuesQ6K},
}

// ggmlValues returns the values of rows of blocks, [rows, bytes], as f32 [rows, values].
func ggmlValues(b *xb.Builder, rows xb.Op, f ggmlFormat) xb.Op {
	n := rows.Dim(0)
	v := f.values(b, block{xb.Reshape(rows, n, rows.Dim(1)/f.bytes, f.bytes)})
	count := v.Shape().Size()
	return xb.Reshape(v, n, count/max(1, n))
}

// block are the bytes of blocks: [rows, blocks, bytes].
type block struct{ x xb.Op }

// part returns n bytes from a place on, as an array [rows, blocks, dims...].
func (w block) part(at, n int, dims ...int) xb.Op {
	x := xb.SliceInDim(w.x, at, at+n, 1, 2)
	if len(dims) == 0 {
		return x
	}
	return w.shaped(x, dims...)
}

// shaped returns x, of the same blocks, as an array [rows, blocks, dims...].
func (w block) shaped(x xb.Op, dims ...int) xb.Op {
	return xb.Reshape(x, append([]int{w.x.Dim(0), w.x.Dim(1)}, dims...)...)
}

// half returns the f16 number at a place as f32 [rows, blocks].
func (w block) half(at int) xb.Op {
	return convert(xb.BitcastConvertType(w.part(at, 2), shape.F16), shape.F32)
}

// low and high are the halves of bytes.
func low(x xb.Op) xb.Op  { return xb.And(x, xb.ScalarLike(x, 15)) }
func high(x xb.Op) xb.Op { return xb.ShiftRightLogical(x, xb.ScalarLike(x, 4)) }

// bitsAt returns n bits of bytes x from each of count places on, step apart, along a new dimension dim.
func bitsAt(b *xb.Builder, x xb.Op, dim, count, step, n int) xb.Op {
	dims := append([]int{}, x.Shape().Dims[:dim]...)
	dims = append(append(dims, count), x.Shape().Dims[dim:]...)
	var old []int
	for i := range dims {
		if i != dim {
			old = append(old, i)
		}
	}
	places := b.Iota(shape.Make(shape.U8, dims...), dim)
	places = xb.Mul(places, xb.ScalarLike(places, step))
	x = xb.ShiftRightLogical(xb.BroadcastInDim(x, dims, old), places)
	return xb.And(x, xb.ScalarLike(x, 1<<n-1))
}

// number returns integers as f32.
func number(x xb.Op) xb.Op { return convert(x, shape.F32) }

// scaled returns x times s, which has the leading dimensions of x.
func scaled(x, s xb.Op) xb.Op { return xb.Mul(x, leading(x, s)) }

// leading returns s, which has the first dimensions of x, in x's sizes.
func leading(x, s xb.Op) xb.Op {
	dims := make([]int, s.Rank())
	for i := range dims {
		dims[i] = i
	}
	return xb.BroadcastInDim(s, x.Shape().Dims, dims)
}

// Q8_0: f16 scale, 32 signed bytes.
func valuesQ8(_ *xb.Builder, w block) xb.Op {
	return scaled(number(xb.BitcastConvertType(w.part(2, 32), shape.S8)), w.half(0))
}

// nibbles32 returns the 32 numbers below 16 of Q4_0 and IQ4_NL: the low halves of 16 bytes, then the high ones.
func nibbles32(w block) xb.Op {
	x := w.part(2, 16)
	return xb.ConcatInDim([]xb.Op{low(x), high(x)}, 2)
}

// Q4_0: f16 scale, 32 numbers from -8 to 7.
func valuesQ4(_ *xb.Builder, w block) xb.Op { return scaled(plus(number(nibbles32(w)), -8), w.half(0)) }

// IQ4_NL: f16 scale, 32 indices of a table.
func valuesIQ4(b *xb.Builder, w block) xb.Op {
	return scaled(lookUp(b, compute.IQ4NLLookupTable[:], convert(nibbles32(w), shape.S32)), w.half(0))
}

// Q2_K: 16 bytes with scale and minimum of each 16 values, 64 bytes of 2-bit numbers, f16 factors of both. Values
// are in the order [half, place in the byte, byte of 32].
func valuesQ2K(b *xb.Builder, w block) xb.Op {
	s := w.part(0, 16, 16)
	q := number(w.shaped(bitsAt(b, w.part(16, 64, 2, 32), 3, 4, 2, 2), 16, 16))
	return xb.Sub(scaled(q, scaled(number(low(s)), w.half(80))),
		leading(q, scaled(number(high(s)), w.half(82))))
}

// Q3_K: 32 bytes of high bits, 64 bytes of low 2 bits, 16 scales of 6 bits, f16 factor. A value is the low bits,
// less 4 where the high bit is missing.
func valuesQ3K(b *xb.Builder, w block) xb.Op {
	q := w.shaped(bitsAt(b, w.part(32, 64, 2, 32), 3, 4, 2, 2), 8, 32)
	top := bitsAt(b, w.part(0, 32, 32), 2, 8, 1, 1)
	v := plus(xb.Add(number(q), times(number(top), 4)), -4)
	s := w.part(96, 8, 8)
	lows := xb.ConcatInDim([]xb.Op{low(s), high(s)}, 2)
	highs := w.shaped(bitsAt(b, w.part(104, 4, 4), 2, 4, 2, 2), 16)
	scale := plus(xb.Add(number(lows), times(number(highs), 16)), -32)
	return scaled(w.shaped(v, 16, 16), scaled(scale, w.half(108)))
}

// scalesK returns the 8 scales and 8 minima of Q4_K and Q5_K, of 6 bits each in 12 bytes: the first four have bytes
// of their own, whose upper bits are those of the last four.
func scalesK(w block) (scale, minimum xb.Op) {
	a, m, c := w.part(4, 4), w.part(8, 4), w.part(12, 4)
	six := func(x xb.Op) xb.Op { return xb.And(x, xb.ScalarLike(x, 63)) }
	upper := func(x xb.Op) xb.Op { // the upper two bits, as bits 4 and 5
		x = xb.ShiftRightLogical(x, xb.ScalarLike(x, 6))
		return xb.ShiftLeft(x, xb.ScalarLike(x, 4))
	}
	scale = xb.ConcatInDim([]xb.Op{six(a), xb.Or(low(c), upper(a))}, 2)
	minimum = xb.ConcatInDim([]xb.Op{six(m), xb.Or(high(c), upper(m))}, 2)
	return number(scale), number(minimum)
}

// nibblesK returns the 256 numbers below 16 in 128 bytes: of each 32 bytes the low halves, then the high ones.
func nibblesK(w block, at int) xb.Op {
	x := w.part(at, 128, 4, 1, 32)
	return w.shaped(xb.ConcatInDim([]xb.Op{low(x), high(x)}, 3), 8, 32)
}

// withMinimum returns q, in groups of 32, times their scales less their minima.
func withMinimum(w block, q xb.Op) xb.Op {
	scale, minimum := scalesK(w)
	return xb.Sub(scaled(q, scaled(scale, w.half(0))), leading(q, scaled(minimum, w.half(2))))
}

// Q4_K: f16 factors of scales and minima, both packed in 12 bytes, 128 bytes of 4-bit numbers.
func valuesQ4K(_ *xb.Builder, w block) xb.Op { return withMinimum(w, number(nibblesK(w, 16))) }

// Q5_K: as Q4_K, with the fifth bits in 32 bytes in front of the others: bit g of each byte is for group g.
func valuesQ5K(b *xb.Builder, w block) xb.Op {
	fifth := bitsAt(b, w.part(16, 32, 32), 2, 8, 1, 1)
	return withMinimum(w, xb.Add(number(nibblesK(w, 48)), times(number(fifth), 16)))
}

// Q6_K: 128 bytes of low 4 bits, 64 bytes of high 2 bits, 16 signed scales, f16 factor. Of each half of the values,
// the low halves of 64 bytes come first, then the high ones.
func valuesQ6K(b *xb.Builder, w block) xb.Op {
	x := w.part(0, 128, 2, 2, 32)
	lows := xb.ConcatInDim([]xb.Op{low(x), high(x)}, 3)
	highs := bitsAt(b, w.part(128, 64, 2, 32), 3, 4, 2, 2)
	q := plus(xb.Add(number(lows), times(number(highs), 16)), -32)
	scale := number(xb.BitcastConvertType(w.part(192, 16), shape.S8))
	return scaled(w.shaped(q, 16, 16), scaled(scale, w.half(208)))
}
