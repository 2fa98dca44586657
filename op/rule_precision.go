package op

import (
	"cmp"

	"github.com/goxla/xla/shape"
)

// higherPrecision returns the type that holds the result of an operation on a and
// b, which are equal or both floating-point: the wider exponent range wins, then
// the longer significand. bf16 beats f16.
func higherPrecision(a, b shape.ElementType) shape.ElementType {
	if precisionOf(a).less(precisionOf(b)) {
		return b
	}
	return a
}

// precision is the range and the fineness of a floating-point format.
type precision struct{ maxExponent, significandBits int }

func (p precision) less(q precision) bool {
	return cmp.Or(cmp.Compare(p.maxExponent, q.maxExponent), cmp.Compare(p.significandBits, q.significandBits)) < 0
}

// precisions gives for each floating-point type the least power of two above all
// finite values and the significand bits, the hidden one counted. Zero for other types.
var precisions = [shape.NumElementTypes]precision{
	shape.F4E2M1FN:      {3, 2},
	shape.F6E2M3FN:      {3, 4},
	shape.F6E3M2FN:      {5, 3},
	shape.F8E3M4:        {4, 5},
	shape.F8E4M3:        {8, 4},
	shape.F8E4M3FN:      {9, 4},
	shape.F8E4M3B11FNUZ: {5, 4},
	shape.F8E4M3FNUZ:    {8, 4},
	shape.F8E5M2:        {16, 3},
	shape.F8E5M2FNUZ:    {16, 3},
	shape.F8E8M0FNU:     {128, 1},
	shape.F16:           {16, 11},
	shape.BF16:          {128, 8},
	shape.F32:           {128, 24},
	shape.F64:           {1024, 53},
}

func precisionOf(t shape.ElementType) precision {
	if t >= shape.NumElementTypes {
		return precision{}
	}
	return precisions[t]
}
