package interp

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds the operations that read and set sizes, and the sizes of those
// whose result is not sized by their operands' shapes alone.

// evalGetDimensionSize returns the size that the operand has in this run.
func evalGetDimensionSize(c *call) (literal.Literal, error) {
	return literal.Scalar(int32(c.args[0].Dims()[attrs[*op.DimensionAttrs](c).Dimensions[0]])), nil
}

// evalSetDimensionSize cuts the operand to the size given, at most its bound. What a
// dimension has beyond its former size is zero.
func evalSetDimensionSize(c *call) (literal.Literal, error) {
	d, x, size := attrs[*op.DimensionAttrs](c).Dimensions[0], c.args[0], c.args[1].IntAt(0)
	if err := checkSize(c.n.Operand(0).Shape(), d, size); err != nil {
		return literal.Literal{}, err
	}
	dims := slices.Clone(x.Dims())
	dims[d] = int(size)
	if err := literal.CheckSize(shape.Make(x.Type(), dims...)); err != nil {
		return literal.Literal{}, err
	}
	return resized(x, dims), nil
}

// checkSize returns an error if size cannot be that of dimension d of a value of shape s.
func checkSize(s shape.Shape, d int, size int64) error {
	switch bound := s.Dims[d]; {
	case size < 0:
		return fmt.Errorf("expects a size of at least 0 for dimension %d, got %d", d, size)
	case bound != shape.Unbounded && size > int64(bound):
		return fmt.Errorf("expects a size of at most %d for dimension %d, got %d", bound, d, size)
	}
	return nil
}

// evalDynamicReshape refills the operand's elements into the sizes given.
func evalDynamicReshape(c *call) (literal.Literal, error) {
	dims := make([]int, len(c.args)-1)
	for d := range dims {
		size := c.args[1+d].IntAt(0)
		if err := checkSize(c.n.Shape(), d, size); err != nil {
			return literal.Literal{}, err
		}
		dims[d] = int(size)
	}
	return c.args[0].Reshape(dims...)
}

// broadcastSizes: mapped dimensions have the operand's sizes, the others are as declared.
func broadcastSizes(n *hlo.Instruction, args []literal.Literal) ([]literal.Literal, shape.Shape, error) {
	s := n.Shape().Static()
	s.Dims = slices.Clone(s.Dims)
	for i, d := range n.Attrs().(*op.BroadcastAttrs).Dimensions {
		if n.Shape().IsDynamicDim(d) {
			s.Dims[d] = args[0].Dims()[i]
		}
	}
	return args, s, checkBounded(s)
}

func bitcastConvertSizes(n *hlo.Instruction, args []literal.Literal) ([]literal.Literal, shape.Shape, error) {
	s, err := op.BitcastConvertShape(args[0].Shape(), n.Type())
	return args, s, err
}

// reshapeSizes finds the sizes of a reshape. The dimensions fall into runs that have
// as many elements on both sides; in each the sizes of the one side give the one
// unknown of the other.
func reshapeSizes(n *hlo.Instruction, args []literal.Literal) ([]literal.Literal, shape.Shape, error) {
	from, to, actual := n.Operand(0).Shape(), n.Shape(), args[0].Dims()
	inferred := -1
	if a, ok := n.Attrs().(*op.ReshapeAttrs); ok && a.InferredDimension.Present {
		inferred = a.InferredDimension.Value
	}
	dims := slices.Clone(to.Dims)
	for _, r := range commonRuns(from, to) {
		if slices.Equal(from.Dims[r.a0:r.a1], to.Dims[r.b0:r.b1]) {
			copy(dims[r.b0:r.b1], actual[r.a0:r.a1])
			continue
		}
		count := 1
		for _, size := range actual[r.a0:r.a1] {
			count *= size
		}
		solveRun(dims[r.b0:r.b1], to, r.b0, inferred, count)
	}
	s := shape.Make(to.Type, dims...)
	return args, s, checkBounded(s)
}

// solveRun sets the sizes of a run of dimensions of to, from first on, so that their
// product is count: the inferred dimension, or else the first dynamic one, takes
// what the others leave.
func solveRun(dims []int, to shape.Shape, first, inferred, count int) {
	unknown := -1
	for i := range dims {
		if d := first + i; to.IsDynamicDim(d) && (unknown < 0 || d == inferred) {
			unknown = i
		}
	}
	if unknown < 0 {
		return
	}
	others := 1
	for i, size := range dims {
		if i != unknown {
			others *= size
		}
	}
	if dims[unknown] = 0; others > 0 {
		dims[unknown] = count / others
	}
}

// dimRun is dimensions a0..a1-1 of one shape and b0..b1-1 of another with as many elements.
type dimRun struct{ a0, a1, b0, b1 int }

// commonRuns cuts two shapes of one element count into the shortest runs that agree.
func commonRuns(a, b shape.Shape) []dimRun {
	var runs []dimRun
	i, j, countA, countB := 0, 0, 1, 1
	r := dimRun{}
	known := !a.HasUnbounded() && !b.HasUnbounded() && a.Size() > 0
	for known && i < a.Rank() && j < b.Rank() {
		switch {
		case countA == countB:
			countA, countB = countA*a.Dims[i], countB*b.Dims[j]
			i, j = i+1, j+1
		case countA < countB:
			countA *= a.Dims[i]
			i++
		default:
			countB *= b.Dims[j]
			j++
		}
		if countA == countB {
			r.a1, r.b1 = i, j
			runs = append(runs, r)
			r.a0, r.b0 = i, j
		}
	}
	if r.a0 < a.Rank() || r.b0 < b.Rank() { // the rest: ones, or all that is not known
		runs = append(runs, dimRun{r.a0, a.Rank(), r.b0, b.Rank()})
	}
	return runs
}
