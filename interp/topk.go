package interp

import (
	"cmp"
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// evalTopK returns the k largest (or smallest) elements of each line of the last
// dimension, in order, and their indices. Floats are in total order: NaN is above
// infinity and +0 above -0, as in XLA. Equal elements come by index.
// Spec: OPS.md section 3, TopK.
func evalTopK(c *call) (literal.Literal, error) {
	return c.topK(attrs[*op.TopKAttrs](c).Largest != op.False)
}

// topK computes the result (values, indices), whose last dimension says how many.
func (c *call) topK(largest bool) (literal.Literal, error) {
	x, values, indices := c.args[0], literal.New(c.shape.Elems[0]), literal.New(c.shape.Elems[1])
	n, k := x.Dims()[x.Shape().Rank()-1], values.Dims()[x.Shape().Rank()-1]
	if n == 0 || k == 0 {
		return literal.MakeTuple(values, indices), nil
	}
	keys, order := orderKeys(x), make([]int, n)
	for line := range x.Len() / n {
		for i := range order {
			order[i] = line*n + i
		}
		slices.SortStableFunc(order, func(i, j int) int {
			if largest {
				return cmp.Compare(keys[j], keys[i])
			}
			return cmp.Compare(keys[i], keys[j])
		})
		for i, from := range order[:k] {
			copyElement(values, line*k+i, x, from)
			indices.SetInt(line*k+i, int64(from-line*n))
		}
	}
	return literal.MakeTuple(values, indices), nil
}

// orderKeys returns an unsigned integer for each element, in the total order of the elements.
func orderKeys(x literal.Literal) []uint64 {
	keys := make([]uint64, x.Len())
	for i := range keys {
		keys[i] = orderKey(x.Type(), x.BitsAt(i))
	}
	return keys
}

// orderKey maps the bits of an element: the sign bit of integers is flipped; of
// floats it is too, and negative ones have all other bits flipped as well.
func orderKey(t shape.ElementType, bits uint64) uint64 {
	sign, all := uint64(1)<<(t.Bits()-1), ^uint64(0)>>(64-t.Bits())
	switch {
	case t.IsFloat() && t != shape.F8E8M0FNU && bits&sign != 0:
		return bits ^ all
	case t.IsSigned() || t.IsFloat() && t != shape.F8E8M0FNU:
		return bits ^ sign
	}
	return bits
}
