package raise

import (
	"slices"

	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// bitcast reads the elements of the operand as they lie in memory. So they are put in
// the order of memory, in which the operation is a reshape or a bitcast_convert, and
// from there in the order of the result.
func bitcast(c *call) value {
	from, to := c.i.Operand(0).Shape(), c.i.Shape()
	if !isPlain(from) || !isPlain(to) {
		return c.refuse("tiled layouts")
	}
	if !from.IsStatic() || !to.IsStatic() {
		return c.refuse("sizes that are not known")
	}
	v := c.transposed(c.arg(0), reversed(from.MinorToMajor()))
	dims := int64s(permuted(to.Dims, reversed(to.MinorToMajor())))
	if from.Type != to.Type {
		if v = c.reread(v, from.Type, to.Type); v == nil {
			return value{}
		}
	}
	if t, ok := v.Type.(*stablehlo.TensorType); !ok || !slices.Equal(t.Dims, dims) {
		v = c.reshape(v, dims...)
	}
	return single(c.transposed(v, inverse(reversed(to.MinorToMajor()))))
}

// isPlain reports whether elements lie one behind the other in the order of dimensions.
func isPlain(s shape.Shape) bool {
	l := s.Layout
	return s.IsArray() && (l == nil || len(l.Tiles) == 0 && l.Physical == nil &&
		(l.ElementBits == 0 || l.ElementBits == s.Type.Bits()))
}

// bitcastConvert: truth values are bytes in HLO and single bits in StableHLO.
func bitcastConvert(c *call) value {
	from, to := c.i.Operand(0).Type(), c.i.Type()
	v := c.arg(0)
	if from == to || from != shape.Pred && to != shape.Pred {
		return c.result("stablehlo.bitcast_convert", []*stablehlo.Value{v})
	}
	if from == shape.Pred {
		v = c.convert(v, unsigned(8))
	}
	t := c.typ(c.i.Shape())
	if to == shape.Pred {
		t = withElem(t, unsigned(8))
	}
	return c.whole([]*stablehlo.Value{c.make("stablehlo.bitcast_convert", t, []*stablehlo.Value{v})})
}

// reread returns the elements of v, in a row, read as elements of another type.
func (c *call) reread(v *stablehlo.Value, from, to shape.ElementType) *stablehlo.Value {
	a, b := from.Bits(), to.Bits()
	if a != b && (a < 8 || b < 8) || from.IsComplex() != to.IsComplex() {
		c.refuse("these element types")
		return nil
	}
	if from == shape.Pred {
		v = c.convert(v, unsigned(8))
	}
	elem := elementTypes[to]
	if to == shape.Pred {
		elem = unsigned(8)
	}
	n, _ := v.Type.(*stablehlo.TensorType).NumElements()
	read := func(x *stablehlo.Value, dims ...int64) *stablehlo.Value {
		return c.make("stablehlo.bitcast_convert", staticType(elem, dims...), []*stablehlo.Value{x})
	}
	switch ratio := int64(b / a); {
	case a == b:
		v = read(v, v.Type.(*stablehlo.TensorType).Dims...)
	case a > b:
		v = read(c.reshape(v, n), n, int64(a/b))
	default:
		v = read(c.reshape(v, n/ratio, ratio), n/ratio)
	}
	return c.convert(v, elementTypes[to])
}

// transposed is a transpose, or v where the permutation is the identity.
func (c *call) transposed(v *stablehlo.Value, perm []int) *stablehlo.Value {
	if slices.IsSorted(perm) {
		return v
	}
	t := v.Type.(*stablehlo.TensorType)
	dims := make([]int64, len(perm))
	for i, d := range perm {
		dims[i] = t.Dims[d]
	}
	return c.make("stablehlo.transpose", staticType(t.Elem, dims...), []*stablehlo.Value{v},
		attr("permutation", ints(perm)))
}

func reversed(order []int) []int {
	list := slices.Clone(order)
	slices.Reverse(list)
	return list
}

func permuted(dims, perm []int) []int {
	list := make([]int, len(perm))
	for i, d := range perm {
		list[i] = dims[d]
	}
	return list
}

func inverse(perm []int) []int {
	list := make([]int, len(perm))
	for i, d := range perm {
		list[d] = i
	}
	return list
}
