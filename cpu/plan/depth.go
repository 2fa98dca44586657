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

// Instructions for products of narrow numbers take neighbours along the depth together: four bytes, two words. A depth
// that is no multiple of that is filled up with zeros, which takes little beside the product.

const (
	byteNeighbours, wordNeighbours = 4, 2
	// leastDepth is the least depth that is filled up, and leastReuse how often each element is multiplied at least.
	leastDepth, leastReuse = 64, 16
)

// FillDepths rewrites the products of m of which that is true on a machine, and reports whether there were any.
func FillDepths(m *hlo.Module, machine gemm.Config) (changed bool) {
	if machine.Tier == exec.Portable {
		return false
	}
	return m.ReplaceEach(func(i *hlo.Instruction) *hlo.Instruction {
		fill := missingDepth(i, machine)
		if fill == 0 {
			return nil
		}
		a := i.Attrs().(*op.DotAttrs)
		x := filled(i.Operand(0), a.LHSContracting[0], fill)
		y := filled(i.Operand(1), a.RHSContracting[0], fill)
		d := i.Computation().Add("", op.Dot, i.Shape(), []*hlo.Instruction{x, y}, a)
		d.CopyAnnotations(i)
		return d
	})
}

// missingDepth is how much the depth of product i lacks, 0 for what is left as it is.
func missingDepth(i *hlo.Instruction, machine gemm.Config) int {
	if !isPlainDot(i) {
		return 0
	}
	a, x, y := i.Attrs().(*op.DotAttrs), i.Operand(0).Shape(), i.Operand(1).Shape()
	n := neighbours(x.Type, y.Type, i.Type(), machine)
	if n == 1 || len(a.LHSContracting) != 1 {
		return 0
	}
	depth := x.Dims[a.LHSContracting[0]]
	if depth < leastDepth || i.Size()*depth < leastReuse*max(x.Size(), y.Size()) {
		return 0
	}
	return (n - depth%n) % n
}

// neighbours is how many elements of these types are taken together for a result of type z, at most.
func neighbours(x, y, z shape.ElementType, machine gemm.Config) int {
	switch {
	case x == shape.BF16 && y == shape.BF16 && z.IsFloat() && z != shape.F64 && machine.Words():
		return wordNeighbours
	case !z.IsInteger() || !isNarrow(x) || !isNarrow(y):
		return 1
	case x == shape.S16 || y == shape.S16:
		return wordNeighbours
	}
	return byteNeighbours
}

func isNarrow(t shape.ElementType) bool { return t == shape.S8 || t == shape.U8 || t == shape.S16 }

// filled is x with so many zeros behind a dimension.
func filled(x *hlo.Instruction, dim, zeros int) *hlo.Instruction {
	c, s := x.Computation(), x.Shape()
	padding := make(op.Padding, s.Rank())
	padding[dim].High = zeros
	dims := slices.Clone(s.Dims)
	dims[dim] += zeros
	if x.Code() == op.Constant { // it stays one, and is packed once
		return c.Add("", op.Constant, shape.Make(s.Type, dims...), nil,
			&op.ConstantAttrs{Value: filledLiteral(x.Attrs().(*op.ConstantAttrs).Value, dims, dim)})
	}
	zero := c.Add("", op.Constant, shape.Make(s.Type), nil,
		&op.ConstantAttrs{Value: literal.New(shape.Make(s.Type))})
	return c.Add("", op.Pad, shape.Make(s.Type, dims...), []*hlo.Instruction{x, zero}, &op.PadAttrs{Padding: padding})
}

// filledLiteral is l with zeros behind dimension dim, so that the result has the given dimensions.
func filledLiteral(l literal.Literal, dims []int, dim int) literal.Literal {
	out, runs := literal.New(shape.Make(l.Type(), dims...)), 1
	for _, n := range dims[:dim] {
		runs *= n
	}
	from, to := l.RowMajor().Bytes(), out.Bytes()
	if len(to) == 0 {
		return out
	}
	n, step := len(from)/runs, len(to)/runs
	for k := range runs {
		copy(to[k*step:], from[k*n:(k+1)*n])
	}
	return out
}
