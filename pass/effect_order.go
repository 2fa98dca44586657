package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// EffectOrder ties instructions that act on the same thing (the random state, infeed,
// outfeed, other devices by collectives or by sends and receives) together by control edges
// in their order of execution, which later passes then cannot change, and drops the schedule.
func EffectOrder() Pass {
	return Pass{
		Name: "effect-order",
		Doc: "Ties random draws, infeeds, outfeeds, collectives, and sends and receives of a computation together by " +
			"control edges in their order of execution, and drops the schedule: other passes cannot change the order then.",
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) { return orderEffects(m), nil },
	}
}

// ordered are the effects whose instructions are kept in order, each for itself.
var ordered = []effect{randomState, infeedQueue, outfeedQueue, devices, transfer, foreign}

func orderEffects(m *hlo.Module) (changed bool) {
	of := map[*hlo.Computation]effect{} // those that are called come first
	for _, c := range m.PostOrder() {
		order, last := c.PostOrder(), make([]*hlo.Instruction, len(ordered))
		for _, i := range order {
			e := ownEffects(i)
			for _, callee := range i.Called() {
				e |= of[callee]
			}
			of[c] |= e
			for k, kind := range ordered {
				if e&kind == 0 {
					continue
				}
				if last[k] != nil && !follows(i, last[k]) {
					i.AddControlPredecessor(last[k])
					changed = true
				}
				last[k] = i
			}
		}
	}
	if m.IsScheduled {
		m.IsScheduled, changed = false, true
	}
	return changed
}

// follows reports whether i stays behind before without another edge: it has it as a control predecessor, or as an
// operand where both have their effects themselves. What one of them calls may be put in its place, where what has
// the effect need not give the value, or take it; so is what a random draw is expanded to, which takes its limits last.
func follows(i, before *hlo.Instruction) bool {
	for _, o := range i.Operands() {
		if o == before && ownEffects(before) != 0 && ownEffects(i) != 0 && i.Code() != op.Rng {
			return true
		}
	}
	for _, p := range i.ControlPredecessors() {
		if p == before {
			return true
		}
	}
	return false
}
