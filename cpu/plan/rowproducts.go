package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// A batch of products of small matrices, or vectors, and vectors reads each element of a matrix once: there is nothing
// to pack. Where the depth is what neighbours lie along, rows are read as they are, multiplied and summed, several of
// them side by side.

// The depth has at least and at most so many elements: fewer fill no vector, rows of more keep products busy too.
const leastRowDepth, mostRowDepth = 5, 128

// SumRowProducts rewrites the products of m of which that is true on a machine as sums of products of elements, and
// reports whether there were any.
func SumRowProducts(m *hlo.Module, machine gemm.Config) (changed bool) {
	if machine.Tier == exec.Portable {
		return false
	}
	return m.ReplaceEach(func(i *hlo.Instruction) *hlo.Instruction {
		if rowProducts(i) {
			return sumRows(i)
		}
		return nil
	})
}

// rowProducts reports whether i is such a product.
func rowProducts(i *hlo.Instruction) bool {
	if !isPlainDot(i) {
		return false
	}
	a, x, y, t := i.Attrs().(*op.DotAttrs), i.Operand(0).Shape(), i.Operand(1).Shape(), i.Type()
	if t != shape.F32 && t != shape.F64 && t != shape.S32 && t != shape.U32 || x.Type != t || y.Type != t ||
		len(a.LHSBatch) == 0 ||
		min(x.Rank(), y.Rank()) > len(a.LHSBatch)+1 {
		return false
	}
	for d, n := range a.LHSBatch {
		if n != d || a.RHSBatch[d] != d {
			return false
		}
	}
	if !slices.Equal(a.LHSContracting, []int{x.Rank() - 1}) || !slices.Equal(a.RHSContracting, []int{y.Rank() - 1}) {
		return false
	}
	depth := x.Dims[x.Rank()-1]
	return depth >= leastRowDepth && (t.IsFloat() || depth >= minProductDepth) && depth <= mostRowDepth
}

// sumRows returns the value of product i of rows.
func sumRows(i *hlo.Instruction) *hlo.Instruction {
	c, x, y := i.Computation(), i.Operand(0), i.Operand(1)
	batch := len(i.Attrs().(*op.DotAttrs).LHSBatch)
	whole, last := x.Shape(), max(x.Rank(), y.Rank())-1
	if y.Rank() > x.Rank() {
		whole = y.Shape()
	}
	over := func(v *hlo.Instruction) *hlo.Instruction {
		if v.Rank() == whole.Rank() {
			return v
		}
		dims := make([]int, batch, batch+1)
		for d := range dims {
			dims[d] = d
		}
		return c.Add("", op.Broadcast, shape.Make(whole.Type, whole.Dims...), []*hlo.Instruction{v},
			&op.BroadcastAttrs{Dimensions: append(dims, last)})
	}
	products := c.Add("", op.Multiply, shape.Make(whole.Type, whole.Dims...), []*hlo.Instruction{over(x), over(y)}, nil)
	products.CopyAnnotations(i)
	sum := sumOver(products, last)
	sum.CopyAnnotations(i)
	return sum
}

// sumOver returns the sums of x along dimensions, which ascend.
func sumOver(x *hlo.Instruction, along ...int) *hlo.Instruction {
	c, scalar := x.Computation(), shape.Make(x.Type())
	zero := c.Add("", op.Constant, scalar, nil, &op.ConstantAttrs{Value: literal.New(scalar)})
	sum := c.Module().AddComputation("sum")
	p := sum.Add("a", op.Parameter, scalar, nil, &op.ParameterAttrs{Number: 0})
	q := sum.Add("b", op.Parameter, scalar, nil, &op.ParameterAttrs{Number: 1})
	sum.SetRoot(sum.Add("c", op.Add, scalar, []*hlo.Instruction{p, q}, nil))
	dims := slices.Clone(x.Dims())
	for _, d := range slices.Backward(along) {
		dims = slices.Delete(dims, d, d+1)
	}
	return c.Add("", op.Reduce, shape.Make(x.Type(), dims...), []*hlo.Instruction{x, zero},
		&op.ReduceAttrs{Dimensions: along}, sum)
}
