package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// WhileLoopConstantSinking puts constants, and broadcasts and iotas, that a loop carries
// unchanged into its body and condition, where other passes see their values.
func WhileLoopConstantSinking() Pass {
	return Pass{
		Name:  "while-loop-constant-sinking",
		Doc:   "Makes constants, broadcasts of constants and iotas that a loop only carries again inside it.",
		About: []op.Code{op.While},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return loopsIn(m, func(l *loop) (bool, error) { return l.sink(), nil })
		},
	}
}

func (l *loop) sink() (changed bool) {
	for k := range l.root.Operands() {
		first := l.initial(k)
		if first == nil || !l.invariant(k) || !sinkable(first) {
			continue
		}
		for _, param := range []*hlo.Instruction{l.condParam, l.bodyParam} {
			for _, e := range elementsOf(param, k) {
				changed = l.sinkInto(e, first) || changed
			}
		}
	}
	return changed
}

// sinkable reports whether x is a constant or made of one without reading memory.
func sinkable(x *hlo.Instruction) bool {
	if x.Code() == op.Broadcast {
		x = x.Operand(0)
	}
	return (x.Code() == op.Constant || x.Code() == op.Iota) && x.IsArray()
}

// sinkInto makes the users of e, but for the root of the body where it only goes on to be carried, use a copy of x.
func (l *loop) sinkInto(e, x *hlo.Instruction) bool {
	users := slices.DeleteFunc(slices.Clone(e.Users()), func(u *hlo.Instruction) bool { return u == l.root })
	if len(users) == 0 {
		return false
	}
	n := copyRegion(e.Computation(), x, map[*hlo.Instruction]*hlo.Instruction{})
	for _, u := range users {
		for k, o := range u.Operands() {
			if o == e {
				u.SetOperand(k, n)
			}
		}
	}
	dropUnused(e)
	return true
}

// copyRegion adds i and what it depends on to the computation to.
func copyRegion(to *hlo.Computation, i *hlo.Instruction,
	copies map[*hlo.Instruction]*hlo.Instruction) *hlo.Instruction {
	if c := copies[i]; c != nil {
		return c
	}
	operands := make([]*hlo.Instruction, len(i.Operands()))
	for k, o := range i.Operands() {
		operands[k] = copyRegion(to, o, copies)
	}
	copies[i] = to.AddClone(i, operands)
	return copies[i]
}
