package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
)

// EffectOrder ties instructions that act on the same thing (the random state, infeed,
// outfeed, other devices) together by control edges in their order of execution, which
// later passes then cannot change, and drops the schedule. Sends and receives are ordered by
// their channels.
func EffectOrder() Pass {
	return Pass{
		Name: "effect-order",
		Doc: "Ties random draws, infeeds, outfeeds and collectives of a computation together by control edges in " +
			"their order of execution, and drops the schedule: other passes cannot change the order then.",
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) { return orderEffects(m), nil },
	}
}

// ordered are the effects whose instructions are kept in order, each for itself.
var ordered = []effect{randomState, infeedQueue, outfeedQueue, devices, foreign}

func orderEffects(m *hlo.Module) (changed bool) {
	for _, c := range m.PostOrder() {
		order, last := c.PostOrder(), make([]*hlo.Instruction, len(ordered))
		for _, i := range order {
			e := effects(i)
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

// follows reports whether i has before as an operand or control predecessor.
func follows(i, before *hlo.Instruction) bool {
	for _, o := range i.Operands() {
		if o == before {
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
