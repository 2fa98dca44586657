package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
)

// mostBridgeSteps bounds how many instructions it looks at for that, each once for every instruction with an effect.
const mostBridgeSteps = 1 << 22

// ControlRemover takes control edges off instructions without effects: nobody can tell when they are executed. What had
// to come before such an instruction comes before what had to come after it, whether a control edge or an operand said
// so. A computation in which that needs very many edges keeps those that it has.
func ControlRemover() Pass {
	return Pass{
		Name: "control-remover",
		Doc: "Takes control edges off instructions without effects, whose order nobody can tell; those with effects keep " +
			"their order.",
		Run: func(_ context.Context, m *hlo.Module, _ Options) (changed bool, err error) {
			for _, c := range m.PostOrder() {
				changed = removeControl(c) || changed
			}
			return changed, nil
		},
	}
}

// removeControl takes control edges off the instructions of c that have no effects.
func removeControl(c *hlo.Computation) bool {
	var cut []*hlo.Instruction
	for _, i := range c.Instructions() {
		if len(i.ControlPredecessors())+len(i.ControlSuccessors()) > 0 && !HasSideEffect(i) {
			cut = append(cut, i)
		}
	}
	if len(cut) == 0 {
		return false
	}
	b := newBridger(c)
	for _, i := range b.order {
		if b.effects[i.ID()] {
			b.from(i)
		}
		if len(b.bridges) > mostBridges || b.steps > mostBridgeSteps {
			return false
		}
	}
	for _, e := range b.bridges {
		e.after.AddControlPredecessor(e.before)
	}
	for _, i := range cut {
		cutControl(i)
	}
	return true
}

// bridger finds the instructions with effects between which only instructions without effects stand, on a way with a
// control edge.
type bridger struct {
	order   []*hlo.Instruction
	effects []bool // by id: it has effects
	control []bool // by id: a way to it, over instructions without effects, has a control edge
	reached []visit
	stack   []*hlo.Instruction
	bridges []controlEdge
	steps   int
}

// controlEdge says that one instruction comes before another.
type controlEdge struct{ before, after *hlo.Instruction }

// visit tells of an instruction from which one it was reached last, and whether that was by a way with a control edge.
type visit struct {
	from    *hlo.Instruction
	control bool
}

func newBridger(c *hlo.Computation) *bridger {
	b := &bridger{order: c.PostOrder(), effects: make([]bool, c.NumIDs()), control: make([]bool, c.NumIDs()),
		reached: make([]visit, c.NumIDs())}
	for _, i := range b.order {
		b.effects[i.ID()] = HasSideEffect(i)
		b.control[i.ID()] = len(i.ControlPredecessors()) > 0
		for _, o := range i.Operands() {
			b.control[i.ID()] = b.control[i.ID()] || b.control[o.ID()] && !b.effects[o.ID()]
		}
	}
	return b
}

// from notes the bridges that end at i: it walks back over instructions without effects.
func (b *bridger) from(i *hlo.Instruction) {
	b.back(i, i, false)
	for len(b.stack) > 0 && b.steps <= mostBridgeSteps {
		x := b.stack[len(b.stack)-1]
		b.stack = b.stack[:len(b.stack)-1]
		b.back(i, x, b.reached[x.ID()].control)
	}
}

// back goes on from x, which was reached from i, to what comes directly before it.
func (b *bridger) back(i, x *hlo.Instruction, control bool) {
	for _, o := range x.Operands() {
		if control || b.control[o.ID()] && !b.effects[o.ID()] {
			b.reach(i, o, control)
		}
	}
	for _, p := range x.ControlPredecessors() {
		if x != i || !b.effects[p.ID()] { // an edge between two with effects stays
			b.reach(i, p, true)
		}
	}
}

// reach notes that x comes before i.
func (b *bridger) reach(i, x *hlo.Instruction, control bool) {
	b.steps++
	r := &b.reached[x.ID()]
	if r.from == i && (r.control || !control) {
		return
	}
	*r = visit{i, control}
	if b.effects[x.ID()] {
		b.bridges = append(b.bridges, controlEdge{x, i})
	} else {
		b.stack = append(b.stack, x)
	}
}
