package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/shape"
)

// A conditional in a loop of one kernel is a loop for each branch, which runs once if its branch is the one, or not at
// all.

// branchWork is loopWork for a conditional: of all its branches, as their code is there. A long loop may not be in one:
// the kernel could not stop there.
func (p *Plan) branchWork(c *Conditional) (work int64, kernels int) {
	for _, s := range c.Branches {
		if stopsIn(s) {
			return mostLoopWork + 1, 0
		}
		more, n := p.loopWork(s.Steps)
		work, kernels = work+more, kernels+n
	}
	return work, kernels
}

// stopsIn reports whether there is a long loop in s.
func stopsIn(s *Sequence) bool {
	return slices.ContainsFunc(s.Steps, func(st Step) bool {
		w, ok := st.(*While)
		return ok && isLong(w) || slices.ContainsFunc(Inner(st), stopsIn)
	})
}

// conditional runs the branch that is chosen.
func (f *loopFuser) conditional(c *Conditional) {
	b := f.b
	for k, chosen := range f.chosen(c) {
		b.While([]loop.Value{chosen}, func(v []loop.Value) loop.Value { return f.isNot(v[0], 0) },
			func([]loop.Value) []loop.Value {
				f.steps(c.Branches[k].Steps)
				return []loop.Value{b.Int(loop.I32, 0)}
			})
	}
}

// chosen is, for each branch, 1 if it is the one and 0 if it is not. They are known in front of all branches: one may
// write what chose it.
func (f *loopFuser) chosen(c *Conditional) []loop.Value {
	b := f.b
	if f.plan.Buffers[c.Index].Shape.Type == shape.Pred {
		first := f.bit(b.Load(f.flag(c.Index), 0))
		return []loop.Value{first, b.Op(loop.Sub, loop.I32, b.Int(loop.I32, 1), first)}
	}
	last := int64(len(c.Branches) - 1)
	index := b.Load(loop.Access{Buffer: f.buffer(c.Index), Mem: loop.MemI32}, 0)
	below, above := b.Cmp(loop.LT, index, b.Int(loop.I32, 0)), b.Cmp(loop.GE, index, b.Int(loop.I32, last))
	list := make([]loop.Value, last+1)
	for k := range last {
		list[k] = f.bit(b.Cmp(loop.EQ, index, b.Int(loop.I32, k)))
	}
	list[last] = f.bit(b.Op(loop.Or, loop.Mask, below, above))
	return list
}
