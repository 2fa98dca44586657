package interp

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// executionOrder returns the instructions of c in the order in which they are
// evaluated: the schedule, or post-order. Where there is a choice a send comes in front of the
// recv-done of its channel, as in the rules of channels: two devices that exchange values
// would wait for each other otherwise.
func executionOrder(c *hlo.Computation) []*hlo.Instruction {
	order := c.PostOrder()
	if c.Module().IsScheduled {
		return order
	}
	sends := map[int][]*hlo.Instruction{} // behind the recv-done of their channel
	received := map[int]bool{}
	for _, n := range order {
		switch channel, _ := n.Channel(); n.Code() {
		case op.RecvDone:
			received[channel] = true
		case op.Send:
			if received[channel] {
				sends[channel] = append(sends[channel], n)
			}
		}
	}
	if len(sends) == 0 {
		return order
	}
	w := sendsFirst{sends: sends, state: make([]byte, c.NumIDs())}
	for _, n := range order {
		w.visit(n)
	}
	if w.cycle {
		return order
	}
	return w.order
}

// sendsFirst is a depth-first walk over instructions and what must come in front of them.
type sendsFirst struct {
	sends map[int][]*hlo.Instruction
	state []byte // by id: 0, visiting, visited
	order []*hlo.Instruction
	cycle bool
}

const (
	visiting = 1
	visited  = 2
)

func (w *sendsFirst) visit(n *hlo.Instruction) {
	if w.state[n.ID()] != 0 {
		w.cycle = w.cycle || w.state[n.ID()] == visiting
		return
	}
	w.state[n.ID()] = visiting
	for _, before := range slices.Concat(n.Operands(), n.ControlPredecessors()) {
		w.visit(before)
	}
	if n.Code() == op.RecvDone {
		channel, _ := n.Channel()
		for _, send := range w.sends[channel] {
			w.visit(send)
		}
	}
	w.state[n.ID()] = visited
	w.order = append(w.order, n)
}
