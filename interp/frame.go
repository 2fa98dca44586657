package interp

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
)

// frame holds the values of one execution of a computation. A value is dropped
// after its last use, so that a run needs no more memory than its live values. A
// computation that is called again, as the body of a loop is, uses its frame again.
type frame struct {
	order  []*hlo.Instruction
	counts []int32           // by instruction id: uses of the value, one more for the root
	uses   []int32           // by instruction id: uses to come
	values []literal.Literal // by instruction id
	busy   bool
}

// enter returns a frame to execute c in.
func (in *Interp) enter(c *hlo.Computation) *frame {
	f := in.frames[c]
	if f == nil || f.busy {
		f = newFrame(c)
		in.frames[c] = f
	}
	f.busy = true
	copy(f.uses, f.counts)
	return f
}

// leave drops the values of f.
func (in *Interp) leave(f *frame) {
	for id, v := range f.values {
		if v.IsValid() {
			in.drop(f, id)
		}
	}
	f.busy = false
}

func newFrame(c *hlo.Computation) *frame {
	n := c.NumIDs()
	f := &frame{order: executionOrder(c), counts: make([]int32, n), uses: make([]int32, n),
		values: make([]literal.Literal, n)}
	for _, i := range f.order {
		for _, o := range i.Operands() {
			f.counts[o.ID()]++
		}
	}
	f.counts[c.Root().ID()]++
	return f
}

// set keeps the value of n, if somebody needs it.
func (in *Interp) set(f *frame, n *hlo.Instruction, v literal.Literal) {
	if f.uses[n.ID()] > 0 {
		f.values[n.ID()] = v
		in.memory.hold(v)
	}
}

func (in *Interp) drop(f *frame, id int) {
	in.memory.release(f.values[id])
	f.values[id] = literal.Literal{}
}

// operands returns the values of n's operands.
func (f *frame) operands(n *hlo.Instruction) []literal.Literal {
	args := make([]literal.Literal, len(n.Operands()))
	for k, o := range n.Operands() {
		args[k] = f.values[o.ID()]
	}
	return args
}

// done drops the operands of n that nobody needs any more, after n was evaluated.
func (in *Interp) done(f *frame, n *hlo.Instruction) {
	for _, o := range n.Operands() {
		if f.uses[o.ID()]--; f.uses[o.ID()] == 0 {
			in.drop(f, o.ID())
		}
	}
}
