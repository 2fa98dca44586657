package pass

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// A scatter into a row of an array, which is written back, is one into the array, with the number of the row as one
// more component of each index.

// scatterIn returns the attributes of scatter u, of what i writes, as one into the array that i updates, without the
// number of the row; nil if what i writes is no row, or of indices that may not tell it.
func scatterIn(i, u *hlo.Instruction) *op.ScatterAttrs {
	row := rowDim(i)
	if u.Code() != op.Scatter || len(u.Operands()) != 3 || row < 0 || u.Type() != i.Type() ||
		u.Operand(1).Type().Bits() < 32 || i.Operand(2+row).Type().Bits() < 32 ||
		!slices.Equal(u.Dims(), slices.Delete(slices.Clone(i.Dims()), row, row+1)) {
		return nil
	}
	a := *u.Attrs().(*op.ScatterAttrs)
	for _, list := range []*[]int{&a.InsertedWindowDims, &a.InputBatchingDims, &a.ScatterDimsToOperandDims} {
		*list = slices.Clone(*list)
		for k, d := range *list {
			if d >= row {
				(*list)[k]++
			}
		}
	}
	at, _ := slices.BinarySearch(a.InsertedWindowDims, row)
	a.InsertedWindowDims = slices.Insert(a.InsertedWindowDims, at, row)
	a.ScatterDimsToOperandDims = append(a.ScatterDimsToOperandDims, row)
	return &a
}

// scatterRow returns scatter u, of the row that i writes, as one into array, with attributes a.
func (b *maker) scatterRow(i, u, array *hlo.Instruction, a *op.ScatterAttrs) *hlo.Instruction {
	row, indices := rowDim(i), u.Operand(1)
	dims := slices.Clone(indices.Dims())
	if a.IndexVectorDim == len(dims) {
		dims = append(dims, 1)
	}
	one := slices.Clone(dims)
	one[a.IndexVectorDim] = 1
	number := i.Operand(2 + row)
	bound := func(n int) *hlo.Instruction {
		v := literal.New(shape.Make(number.Type()))
		v.SetInt(0, int64(n))
		return b.constant(v)
	}
	number = b.add(op.Clamp, nil, bound(0), number, bound(i.Dims()[row]-1)) // as an update does
	t := indices.Type()
	number = b.broadcast(b.convert(number, t), shape.Make(t, one...))
	indices = b.add(op.Concatenate, &op.ConcatenateAttrs{Dimensions: []int{a.IndexVectorDim}}, b.reshape(indices, dims...),
		number)
	return b.shaped(op.Scatter, i.Shape().WithLayout(nil), a, []*hlo.Instruction{array, indices, u.Operand(2)},
		u.Called()...)
}
