package plan

import (
	"errors"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// A scatter of elements, or of windows too short to be cut, goes through the updates in their order, on one thread.
// Where order does not show, as in a histogram or in the largest number of each segment, each of several parts of the
// updates is combined into an array of its own, side by side, and then these arrays are combined. Of several NaNs that
// are not the same any may be the result.

const (
	// fewestSpread is how many elements of updates are worth it.
	fewestSpread = 1 << 15
	// fewestPerElement is how many of them there are at least for each element of the arrays of parts.
	fewestPerElement = 4
	// longRow is how many bytes of a window's row a thread has at least where all threads have a part of each window.
	longRow = 128
	// mostParts is how many parts a thread may have at most: their number divides that of the updates.
	mostParts = 4
)

// SpreadScatters rewrites such scatters of m for some threads, and reports whether there were any.
func SpreadScatters(m *hlo.Module, threads int) (changed bool) {
	return m.ReplaceEach(func(i *hlo.Instruction) *hlo.Instruction {
		if parts := partsOfScatter(i, threads); parts > 0 {
			return spreadOut(i, parts)
		}
		return nil
	})
}

// partsOfScatter is how many parts the updates of i are cut into, or 0.
func partsOfScatter(i *hlo.Instruction, threads int) int {
	if threads < 2 || i.Code() != op.Scatter || len(i.Operands()) != 3 || !fuse.ScatterFits(i) {
		return 0
	}
	a, indices, updates := i.Attrs().(*op.ScatterAttrs), i.Operand(1).Shape(), i.Operand(2).Shape()
	if len(a.InputBatchingDims) > 0 || a.IndexVectorDim < indices.Rank()-1 || !anyOrder(i) ||
		!shortWindows(a, updates, threads) {
		return 0
	}
	n, windows := updates.Size(), updates.Size()/windowOf(a, updates)
	for parts := threads; parts <= mostParts*threads; parts++ {
		if windows%parts == 0 && n >= max(fewestSpread, fewestPerElement*parts*i.Size()) {
			return parts
		}
	}
	return 0
}

// shortWindows reports whether the windows of updates stand whole behind one another, in rows too short for each
// thread to have a part of them.
func shortWindows(a *op.ScatterAttrs, updates shape.Shape, threads int) bool {
	rank, w := updates.Rank(), len(a.UpdateWindowDims)
	for k, d := range a.UpdateWindowDims {
		if d != rank-w+k {
			return false
		}
	}
	return w == 0 || updates.Dims[rank-1]*updates.Type.ByteSize() < longRow*threads
}

// windowOf is how many elements a window has; at least 1.
func windowOf(a *op.ScatterAttrs, updates shape.Shape) int {
	n := 1
	for _, d := range a.UpdateWindowDims {
		n *= updates.Dims[d]
	}
	return max(n, 1)
}

// anyOrder reports whether i combines elements by an operation to which their order is the same.
func anyOrder(i *hlo.Instruction) bool {
	root, t := i.Called()[0].Root(), i.Type()
	if len(root.Operands()) != 2 || root.Operand(0) == root.Operand(1) {
		return false
	}
	for _, o := range root.Operands() {
		if o.Code() != op.Parameter {
			return false
		}
	}
	_, err := neutral(root.Code(), t)
	return err == nil
}

var errNoNeutral = errors.New("no such value")

// neutral returns what changes nothing when it is combined by code, if order is nothing to code in type t.
func neutral(code op.Code, t shape.ElementType) (literal.Literal, error) {
	exact := t.IsInteger() || t == shape.Pred
	switch {
	case code == op.Maximum:
		return literal.MinValue(t)
	case code == op.Minimum:
		return literal.MaxValue(t)
	case exact && (code == op.Add || code == op.Or || code == op.Xor):
		return literal.Zero(t), nil
	case exact && code == op.Multiply:
		return literal.One(t), nil
	}
	return literal.Literal{}, errNoNeutral
}

// spreadOut returns the value of scatter i, computed in parts; nil if nothing is neutral to it.
func spreadOut(i *hlo.Instruction, parts int) *hlo.Instruction {
	c, s, fold := i.Computation(), i.Shape(), i.Called()[0]
	value, err := neutral(fold.Root().Code(), s.Type)
	if err != nil {
		return nil
	}
	add := func(code op.Code, t shape.ElementType, dims []int, attrs op.Attrs, x ...*hlo.Instruction) *hlo.Instruction {
		return c.Add("", code, shape.Make(t, dims...), x, attrs)
	}
	indices, updates, a := i.Operand(1), i.Operand(2), i.Attrs().(*op.ScatterAttrs)
	window := updates.Dims()[updates.Rank()-len(a.UpdateWindowDims):]
	per := updates.Size() / (parts * windowOf(a, updates.Shape()))
	start := add(op.Constant, s.Type, nil, &op.ConstantAttrs{Value: value})
	own := append([]int{parts}, s.Dims...)
	into := add(op.Broadcast, s.Type, own, &op.BroadcastAttrs{}, start)
	at := add(op.Reshape, indices.Type(), []int{parts, per, indices.Size() / (parts * per)},
		&op.ReshapeAttrs{}, indices)
	code, attrs := op.Reshape, op.Attrs(&op.ReshapeAttrs{})
	if updates.Code() == op.Broadcast && updates.Operand(0).Rank() == 0 {
		code, attrs, updates = op.Broadcast, &op.BroadcastAttrs{}, updates.Operand(0)
	}
	from := add(code, s.Type, append([]int{parts, per}, window...), attrs, updates)
	all := c.Add("", op.Scatter, shape.Make(s.Type, own...), []*hlo.Instruction{into, at, from}, ofParts(i), fold)
	sum := c.Add("", op.Reduce, shape.Make(s.Type, s.Dims...), []*hlo.Instruction{all, start},
		&op.ReduceAttrs{Dimensions: []int{0}}, fold)
	return add(fold.Root().Code(), s.Type, s.Dims, fold.Root().Attrs(), i.Operand(0), sum)
}

// ofParts are the attributes of the scatter of all parts, whose number is the first dimension of everything.
func ofParts(i *hlo.Instruction) *op.ScatterAttrs {
	a := i.Attrs().(*op.ScatterAttrs)
	of := &op.ScatterAttrs{InputBatchingDims: []int{0}, ScatterIndicesBatchingDims: []int{0}, IndexVectorDim: 2,
		UpdateWindowDims: []int{}}
	for k := range a.UpdateWindowDims {
		of.UpdateWindowDims = append(of.UpdateWindowDims, 2+k)
	}
	for _, d := range a.ScatterDimsToOperandDims {
		of.ScatterDimsToOperandDims = append(of.ScatterDimsToOperandDims, d+1)
	}
	for _, d := range a.InsertedWindowDims {
		of.InsertedWindowDims = append(of.InsertedWindowDims, d+1)
	}
	return of
}
