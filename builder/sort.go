package builder

import (
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Sort returns x sorted along dimension dim, where -1 is the last: an element goes in front of
// another where less says so; the comparators Lt and Gt make it ascending and descending,
// LtTotalOrder ascending with NaN last. With stable, elements of which neither goes in front
// keep their order. It fails if x is no array or has no such dimension, or if less does not
// return a pred of two scalars. Spec: OPS.md section 3.
func Sort[F BinaryFunc](x Op, less F, dim int, stable bool) Op {
	return sortArrays([]Op{x}, less, dim, stable)
}

// SortAscending is the 2017 edition's Sort: x in ascending order along its last dimension,
// floating-point numbers in total order. Spec: OPS.md section 3.
func SortAscending(x Op) Op { return Sort(x, LtTotalOrder, -1, false) }

// SortMany sorts several arrays of equal dimensions together along dimension dim: their
// elements at one place move as one, and less compares those of two places. It returns the
// arrays; see Sort.
// Without operands it returns one value, which is invalid and says so. Spec: OPS.md section 3.
func SortMany[F ComparatorOfMany](operands []Op, less F, dim int, stable bool) []Op {
	return elements(sortArrays(operands, less, dim, stable), len(operands))
}

func sortArrays(operands []Op, less any, dim int, stable bool) Op {
	b, ok := enter(op.Sort, operands...)
	if !ok || !b.wantArray(op.Sort, 0, operands[0]) {
		return b.invalid()
	}
	if dim < 0 {
		dim += operands[0].Rank()
	}
	var params []shape.Shape
	for _, x := range operands {
		params = append(params, scalarsOf(x, x)...)
	}
	c, ok := b.callee(op.Sort, "comparator", less, params...)
	if !ok {
		return b.invalid()
	}
	return b.add(op.Sort, operands, &op.SortAttrs{Dimensions: []int{dim}, IsStable: stable}, shape.Shape{}, c)
}

// TopK returns the k largest elements, or smallest, along the last dimension of x, in order,
// and their s32 indices, both [..., k]; among equals the lower index comes first. It fails if x
// has rank 0 or less than k elements there, or is complex or pred. Spec: OPS.md section 3.
func TopK(x Op, k int, largest bool) (values, indices Op) {
	a := &op.TopKAttrs{K: k, Largest: op.False}
	if largest {
		a.Largest = op.True
	}
	r := elements(apply(op.Topk, a, x), 2)
	return r[0], r[1]
}
