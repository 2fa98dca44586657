package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Many threads share a scatter by ranges of the result: each goes through all indices, and combines the updates whose
// windows are in its range. Each element has its updates in their order, by one thread.

const (
	// rangedThreads is how many threads are worth it: a branch that is taken seldom is foreseen.
	rangedThreads = 8
	// leastRanged is how many bytes a window has at least: for less, to look for those of a range takes as long.
	leastRanged = 256
	// leastInRange is how many places there are in a range at least.
	leastInRange = 16
)

// rangesOf is how many ranges of the dimension in which the windows of a scatter begin are combined side by side, at
// most one a thread; 0 if it is not worth it. Windows have one place in that dimension.
func rangesOf(i *hlo.Instruction, window []int, m Machine) int {
	a, updates := i.Attrs().(*op.ScatterAttrs), i.Operands()[len(i.Operands())/2+1].Shape()
	if m.Threads < rangedThreads || len(a.ScatterDimsToOperandDims) != 1 || len(a.InputBatchingDims) > 0 {
		return 0
	}
	bytes := updates.Type.ByteSize()
	for _, size := range pick(updates.Dims, window) {
		bytes *= size
	}
	d, dims := a.ScatterDimsToOperandDims[0], i.Operand(0).Dims()
	if bytes < leastRanged || windowSizes(a, dims, updates.Dims)[d] > 1 || slices.Contains(updates.Dims, 0) {
		return 0
	}
	if n := min(m.Threads, dims[d]/leastInRange); n >= rangedThreads {
		return n
	}
	return 0
}

// scatterRanges combines the windows of so many ranges.
func (g *gen) scatterRanges(i *hlo.Instruction, batch, window, sizes []int, ranges int) {
	d := i.Attrs().(*op.ScatterAttrs).ScatterDimsToOperandDims[0]
	n := (i.Operand(0).Dims()[d]-1)/ranges + 1
	all := func(offset []Expr) []Expr { return offset }
	g.each(loop.Spec{Extent: int64(ranges), Parallel: true}, func(v int) {
		g.scatterWindows(i, batch, window, sizes, all, func(start []Expr) loop.Value {
			at := g.value(g.add(start[d], g.times(variable(v), -int64(n))))
			return g.b.Cmp(loop.ULE, at, g.b.Int(g.kind, int64(n-1)))
		})
	})
}
