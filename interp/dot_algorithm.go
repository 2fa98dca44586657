package interp

import (
	"math"
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// dotAlgorithm says what of the float operands of a dot is multiplied. The zero
// value takes them as they are.
type dotAlgorithm struct {
	// round, if set, gives the value of an operand that is multiplied.
	round func(float64) float64
	// bits is the width of the significands into which an operand, as f32, is cut;
	// the pieces i of lhs and j of rhs are multiplied where i+j < pieces (i, j <
	// pieces if whole). What is left out is below 2^(-bits*pieces) of the product.
	bits, pieces int
	whole        bool
}

// dotAlgorithms lists the algorithms that are not plain products of the operands.
var dotAlgorithms = map[op.Word]dotAlgorithm{
	"dot_f16_f16_f16":      {round: roundF16},
	"dot_f16_f16_f32":      {round: roundF16},
	"dot_bf16_bf16_bf16":   {round: roundBF16},
	"dot_bf16_bf16_f32":    {round: roundBF16},
	"dot_bf16_bf16_f32_x3": {bits: 8, pieces: 2},
	"dot_bf16_bf16_f32_x6": {bits: 8, pieces: 3},
	"dot_bf16_bf16_f32_x9": {bits: 8, pieces: 3, whole: true},
	"dot_tf32_tf32_f32":    {round: roundTF32},
	"dot_tf32_tf32_f32_x3": {bits: 11, pieces: 2},
	"dot_f32_f32_f32":      {round: func(x float64) float64 { return float64(float32(x)) }},
}

func roundF16(x float64) float64  { return float64(literal.F16From64(x).Float32()) }
func roundBF16(x float64) float64 { return float64(literal.BF16From64(x).Float32()) }

// roundTF32 rounds to 10 bits of mantissa behind the leading one, to nearest even.
func roundTF32(x float64) float64 {
	if !isFinite(x) {
		return x
	}
	return float64(roundBits(float32(x), 11))
}

// roundBits returns x with a significand of n bits, the nearest, the even one of two; infinity where there is none
// so large.
func roundBits(x float32, n int) float32 {
	dropped, b := 24-n, math.Float32bits(x)
	b += 1<<(dropped-1) - 1 + b>>dropped&1
	return math.Float32frombits(b &^ (1<<dropped - 1))
}

// multiplyFloats is multiply for floats.
func multiplyFloats(dst literal.Literal, x, y matrices, how dotAlgorithm) {
	xs, ys := toFloats(x.data), toFloats(y.data)
	if how.round != nil {
		apply(xs, how.round)
		apply(ys, how.round)
	}
	if how.pieces == 0 && dst.Type() == shape.F32 {
		sums := literal.Values[float32](dst)
		product(x, y, toFloat32s(xs), toFloat32s(ys), func(i int, v float32) { sums[i] = v })
		return
	}
	if how.pieces == 0 {
		product(x, y, xs, ys, dst.SetFloat)
		return
	}
	xp, yp := how.cut(xs), how.cut(ys)
	sums := make([]float64, dst.Len())
	product(x, y, leading(xs, xp[0]), leading(ys, yp[0]), func(k int, v float64) { sums[k] = v })
	for i := range xp {
		for j := range yp {
			if i+j > 0 && (how.whole || i+j < how.pieces) {
				product(x, y, xp[i], yp[j], func(k int, v float64) { sums[k] += v })
			}
		}
	}
	if dst.Type() != shape.F64 {
		apply(sums, func(x float64) float64 { return float64(float32(x)) }) // the algorithms add in f32
	}
	literal.FromFloat64s(dst, sums)
}

func apply(v []float64, f func(float64) float64) {
	for i, x := range v {
		v[i] = f(x)
	}
}

// cut returns the pieces of the values v: each the nearest to what the ones before left.
// What is not finite has none; see leading.
func (how dotAlgorithm) cut(v []float64) [][]float64 {
	pieces := make([][]float64, how.pieces)
	for k := range pieces {
		pieces[k] = make([]float64, len(v))
	}
	for i, x := range v {
		rest := float32(x)
		if !isFinite(float64(rest)) {
			continue
		}
		for k := range pieces {
			piece := how.piece(rest)
			pieces[k][i] = float64(piece)
			rest -= piece
		}
	}
	return pieces
}

// piece returns the nearest number to x, which is finite, that a piece can be.
func (how dotAlgorithm) piece(x float32) float32 {
	if p := roundBits(x, how.bits); isFinite(float64(p)) {
		return p
	}
	return math.Float32frombits(math.Float32bits(x) &^ (1<<(24-how.bits) - 1))
}

// leading returns the first pieces of the values v, and those of v that are not
// finite in f32: these go into one product only, since infinity times a piece of 0 is NaN.
func leading(v, first []float64) []float64 {
	first = slices.Clone(first)
	for i, x := range v {
		if x = float64(float32(x)); !isFinite(x) {
			first[i] = x
		}
	}
	return first
}

func isFinite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }
