package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// CallGraphFlattener gives every loop, conditional and call computations of its own, so that
// other passes can change one without the others. What reductions and the like apply is still shared.
func CallGraphFlattener() Pass {
	return Pass{
		Name: "call-graph-flattener",
		Doc:  "Gives every loop, conditional and call computations of its own; other passes only change such.",
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			taken := map[*hlo.Computation]bool{m.Entry(): true}
			changed := false
			order := slices.Clone(m.PostOrder())
			for len(order) > 0 { // callers in front of callees, copies too
				c := order[len(order)-1]
				order = order[:len(order)-1]
				for _, i := range c.Instructions() {
					if !owning[i.Code()] {
						continue
					}
					for k, f := range i.Called() {
						if taken[f] {
							f = f.Clone(f.Name())
							i.SetCalled(k, f)
							order = append(order, f)
							changed = true
						}
						taken[f] = true
					}
				}
			}
			return changed, nil
		},
	}
}

// owning are the operations that have computations of their own.
var owning = [op.NumCodes]bool{op.While: true, op.Conditional: true, op.Call: true}

// sameCalls reports whether all of the computations that i calls are one, or alike.
func sameCalls(i *hlo.Instruction) bool {
	first := i.Called()[0]
	return !slices.ContainsFunc(i.Called()[1:], func(c *hlo.Computation) bool {
		return c != first && !sameComputation(c, first, nil)
	})
}
