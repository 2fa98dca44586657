package plan

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// A product of few results and a great depth has too few rows and columns for several threads. Its depth is cut into
// parts, each a product of a batch, whose results are added in the end. How many there are is a matter of sizes alone:
// sums are the same on any number of threads.

const (
	// mostCutResults is the most results of such a product, leastCutDepth the least depth of a part: beside it, to store
	// results and to add them takes little.
	mostCutResults = 1 << 12
	leastCutDepth  = 1 << 10
	// leastCutRows is the least rows and columns: to read an operand takes longer than to multiply where they are fewer.
	leastCutRows = 4
	// leastCutWork is the least multiply-adds of a part, about ten microseconds.
	leastCutWork = 1 << 20
	mostCuts     = 8
)

// CutDepths rewrites the products of m of which that is true, and reports whether there were any.
func CutDepths(m *hlo.Module) (changed bool) {
	return m.ReplaceEach(func(i *hlo.Instruction) *hlo.Instruction {
		if parts := cuts(i); parts > 1 {
			return cutDepth(i, parts)
		}
		return nil
	})
}

// cuts is into how many parts the depth of product i is cut; 1: it is left as it is.
func cuts(i *hlo.Instruction) int {
	if !isPlainDot(i) {
		return 1
	}
	a, x, y, t := i.Attrs().(*op.DotAttrs), i.Operand(0), i.Operand(1), i.Type()
	if t != shape.F32 && t != shape.F64 || x.Type() != t || y.Type() != t || x.Code() == op.Constant ||
		y.Code() == op.Constant || len(a.LHSContracting) != 1 || len(a.LHSBatch) > 0 {
		return 1
	}
	depth, results := x.Dims()[a.LHSContracting[0]], i.Size()
	if results == 0 || results > mostCutResults || depth < 2*leastCutDepth ||
		min(x.Size(), y.Size()) < leastCutRows*depth {
		return 1
	}
	for n := mostCuts; n > 1; n /= 2 {
		if depth%n == 0 && depth/n >= leastCutDepth && results*(depth/n) >= leastCutWork {
			return n
		}
	}
	return 1
}

// cutDepth returns the value of product i, of so many parts.
func cutDepth(i *hlo.Instruction, parts int) *hlo.Instruction {
	c, s := i.Computation(), i.Shape()
	a := op.CloneAttrs(i.Attrs()).(*op.DotAttrs)
	l, r := a.LHSContracting[0], a.RHSContracting[0]
	x, y := cutOperand(i.Operand(0), l, parts), cutOperand(i.Operand(1), r, parts)
	a.LHSBatch, a.LHSContracting = []int{l}, []int{l + 1}
	a.RHSBatch, a.RHSContracting = []int{r}, []int{r + 1}
	d := c.Add("", op.Dot, shape.Make(s.Type, append([]int{parts}, s.Dims...)...), []*hlo.Instruction{x, y}, a)
	d.CopyAnnotations(i)
	sum := sumOver(d, 0)
	sum.CopyAnnotations(i)
	return sum
}

// cutOperand is x with dimension dim cut into two, the first of which is the parts.
func cutOperand(x *hlo.Instruction, dim, parts int) *hlo.Instruction {
	dims := slices.Clone(x.Dims())
	dims[dim] /= parts
	dims = slices.Insert(dims, dim, parts)
	return x.Computation().Add("", op.Reshape, shape.Make(x.Type(), dims...), []*hlo.Instruction{x},
		&op.ReshapeAttrs{})
}
