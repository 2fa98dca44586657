package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// maxUnrollTrips is the most iterations that are unrolled.
const maxUnrollTrips = 16

// WhileLoopUnroller removes loops that do not run or run once, and writes out those that run
// a few times, if what they become is no larger than Options.UnrollLimit.
func WhileLoopUnroller() Pass {
	return Pass{
		Name: "while-loop-unroller",
		Doc: "A loop that never runs is its initial state, one that runs once is its body; a few iterations of a small " +
			"body are written out.",
		About: []op.Code{op.While},
		Run: func(_ context.Context, m *hlo.Module, o Options) (bool, error) {
			limit := o.UnrollLimit
			if limit == 0 {
				limit = DefaultUnrollLimit
			}
			changed, err := rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if i.Code() != op.While {
					return nil, nil
				}
				n, ok := TripCount(i)
				size := int64(len(i.Called()[1].Instructions()))
				if !ok || n > maxUnrollTrips || n > 1 && n*size > int64(limit) || !repeatable(i, n) {
					return nil, nil
				}
				state, body := i.Operand(0), i.Called()[1]
				copies := make([]*hlo.Instruction, body.NumIDs())
				for range n {
					state = inlineAgain(i, body, []*hlo.Instruction{state}, nil, copies)
				}
				return state, nil
			})
			m.RemoveUnused()
			return changed, err
		},
	}
}

// repeatable reports whether n iterations of the loop w may be written one after the other:
// side effects, whose order counts, come in one iteration at most, and not in the condition.
func repeatable(w *hlo.Instruction, n int64) bool {
	seen := map[*hlo.Computation]bool{w.Called()[1]: n <= 1}
	return calledEffects(w, seen) == 0
}
