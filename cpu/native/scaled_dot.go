package native

import (
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// newScaledDot makes the function of a dot of operands that are multiplied by block scales first. A scale array has
// its operand's rank; each of its elements is for as many neighbours along a dimension as the operand is longer there.
// Spec: OPS.md section 6, ScaledDot.
func newScaledDot(i *hlo.Instruction) Func {
	a, t := i.Attrs().(*op.DotAttrs), i.Type()
	if a.Algorithm != "" || !t.IsFloat() || len(i.Operands()) != 4 {
		return nil
	}
	shapes := append(operandShapes(i), i.Shape())
	lhs, rhs := lhsDims(shapes[0].Rank(), a), rhsDims(shapes[1].Rank(), a)
	return func(pool *exec.Pool, in, out [][]byte) error {
		all, err := literals(shapes, append(in[:4:4], out[0]))
		if err != nil {
			return err
		}
		x, y := scaled(all[0], all[2]), scaled(all[1], all[3])
		if t == shape.F32 {
			dotOf(pool, f32Numbers, all, narrowed(x), narrowed(y), lhs, rhs)
		} else {
			dotOf(pool, floatNumbers, all, x, y, lhs, rhs)
		}
		return nil
	}
}

func operandShapes(i *hlo.Instruction) (list []shape.Shape) {
	for _, o := range i.Operands() {
		list = append(list, o.Shape())
	}
	return list
}

// dotOf sets the last of all, which the operands come first in, to the product of their elements x and y.
func dotOf[T number](pool *exec.Pool, to numbers[T], all []literal.Literal, x, y []T, lhs, rhs dotDims) {
	multiply(pool, to, all[len(all)-1], 0, newMatrices(x, all[0].Dims(), lhs.batch, lhs.free, lhs.contracting),
		newMatrices(y, all[1].Dims(), rhs.batch, rhs.free, rhs.contracting))
}

func narrowed(v []float64) []float32 {
	list := make([]float32, len(v))
	for i, x := range v {
		list[i] = float32(x)
	}
	return list
}

// scaled returns x times its block scales.
func scaled(x, scale literal.Literal) []float64 {
	v := readFloat64s(x)
	if scale.Len() == 0 || len(v) == 0 {
		return v
	}
	s, strides := readFloat64s(scale), shape.RowMajorStrides(scale.Dims())
	index := make([]int, len(x.Dims()))
	for i := range v {
		at := 0
		for d, k := range index {
			at += k * scale.Dims()[d] / x.Dims()[d] * strides[d]
		}
		v[i] *= s[at]
		shape.NextIndex(index, x.Dims())
	}
	return v
}
