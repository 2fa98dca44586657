package plan

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass/match"
	"github.com/goxla/xla/shape"
)

// Sums over all but the last dimension of an array whose rows are short, as of a gradient for each feature of images,
// have one block of columns. Where the elements are stored too, one thread goes through all of the array, and through it
// again to store them. Instead each image, or a part of it, is summed by itself, and the sums are added in the end:
// threads share the images, and what is stored of one is computed again while it is near. The parts are a matter of
// sizes alone, so sums are the same on any number of threads.

const (
	// leastSummed is the least bytes of such an array. A row has at least and at most so many: others fill no vector, or
	// are several blocks.
	leastSummed       = 256 << 10
	leastRow, mostRow = 64, 256
	// leastParts is how many parts there are at least, leastPart how many rows one has, mostPart the bytes that it need
	// not have more of.
	leastParts, leastPart = 4, 64
	mostPart              = 256 << 10
)

// CutSums rewrites the reductions of m of which that is true, and reports whether there were any.
func CutSums(m *hlo.Module) (changed bool) {
	for _, c := range m.Computations() {
		for _, i := range slices.Clone(c.Instructions()) {
			if n := outerDims(i); n > 0 {
				r := cutSum(i, n)
				r.CopyAnnotations(i)
				i.ReplaceAllUsesWith(r)
				c.Remove(i)
				changed = true
			}
		}
	}
	return changed
}

// outerDims is over how many of the first dimensions parts of reduction i are added in the end; 0: it is left as it is.
func outerDims(i *hlo.Instruction) int {
	if i.Code() != op.Reduce || len(i.Operands()) != 2 || len(i.ControlPredecessors()) > 0 {
		return 0
	}
	x, s, row := i.Operand(0), i.Operand(0).Shape(), i.Shape().Size()*i.Shape().Type.ByteSize()
	dims := slices.Sorted(slices.Values(i.Attrs().(*op.ReduceAttrs).Dimensions))
	if s.Type != shape.F32 && s.Type != shape.F64 || !s.IsStatic() || len(dims) < 2 || len(dims) != s.Rank()-1 ||
		dims[len(dims)-1] != len(dims)-1 || !x.Code().Info().Has(op.Elementwise) || len(x.Users()) < 2 ||
		row < leastRow || row > mostRow || s.Size()/i.Shape().Size()*row < leastSummed || !isZero(i.Operand(1)) {
		return 0
	}
	if k, ok := match.Reducer(i.Called()[0]); !ok || k != match.Sum {
		return 0
	}
	parts, rows := 1, s.Size()/i.Shape().Size()
	for n := range len(dims) - 1 {
		parts *= s.Dims[n]
		if rows /= s.Dims[n]; rows < leastPart {
			return 0
		}
		if parts >= leastParts && (rows*row <= mostPart || rows/s.Dims[n+1] < leastPart) {
			return n + 1
		}
	}
	return 0
}

// isZero reports whether i is a constant of zero.
func isZero(i *hlo.Instruction) bool {
	if i.Code() != op.Constant {
		return false
	}
	v := i.Attrs().(*op.ConstantAttrs).Value
	return v.Len() == 1 && v.FloatAt(0) == 0
}

// cutSum returns the value of reduction i, whose parts are along the first n dimensions.
func cutSum(i *hlo.Instruction, n int) *hlo.Instruction {
	c, x, zero, sum := i.Computation(), i.Operand(0), i.Operand(1), i.Called()[0]
	dims, inner, outer := x.Shape().Dims, []int{}, []int{}
	last := len(dims) - 1
	for d := range last {
		if d < n {
			outer = append(outer, d)
		} else {
			inner = append(inner, d)
		}
	}
	parts := c.Add("", op.Reduce, shape.Make(x.Shape().Type, append(slices.Clone(dims[:n]), dims[last])...),
		[]*hlo.Instruction{x, zero}, &op.ReduceAttrs{Dimensions: inner}, sum)
	parts.CopyAnnotations(i)
	return c.Add("", op.Reduce, i.Shape(), []*hlo.Instruction{parts, zero}, &op.ReduceAttrs{Dimensions: outer}, sum)
}
