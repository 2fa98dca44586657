package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
)

// DCE removes instructions whose value nobody uses and that have no side effect, and
// computations that nobody calls. What ran before a removed instruction still runs before what ran after it.
func DCE() Pass {
	return Pass{
		Name: "dce",
		Doc: "Removes instructions that nobody uses and that have no side effect, and computations that nobody " +
			"calls. Parameters stay.",
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			changed := m.RemoveUnused() > 0
			for _, c := range m.Computations() {
				if pruneDead(c) > 0 {
					changed = true
				}
			}
			return m.RemoveUnused() > 0 || changed, nil
		},
	}
}

// pruneDead removes the dead instructions of c and returns their number.
func pruneDead(c *hlo.Computation) int {
	c.SetRoot(c.Root())
	live := liveInstructions(c)
	for _, i := range c.Instructions() {
		if !live[i.ID()] {
			passBy(i)
		}
	}
	return c.Prune(func(i *hlo.Instruction) bool { return i.ID() >= len(live) || live[i.ID()] })
}

// liveInstructions tells, by id, which instructions of c are needed: the root, parameters,
// those with side effects, those that keep many others in order, and all that these depend on.
func liveInstructions(c *hlo.Computation) []bool {
	live := make([]bool, c.NumIDs())
	var stack []*hlo.Instruction
	mark := func(i *hlo.Instruction) {
		if !live[i.ID()] {
			live[i.ID()] = true
			stack = append(stack, i)
		}
	}
	mark(c.Root())
	for _, i := range c.Instructions() {
		if !removable(i) {
			mark(i)
		}
	}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, o := range i.Operands() {
			mark(o)
		}
	}
	return live
}
