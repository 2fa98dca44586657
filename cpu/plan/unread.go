package plan

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass"
	"github.com/goxla/xla/shape"
)

// A loop that stacks what its iterations give, as the outputs of a scan, begins with an array of zeros of which it
// overwrites a row in each, and all in the end. Nothing reads the zeros, so they are not written.

// overwrites reports whether loop w writes all of element k of its state, an array, and reads nothing of it before.
func overwrites(w *hlo.Instruction, k int) bool {
	cond, body := w.Called()[0], w.Called()[1]
	if w.Operand(0).Code() != op.Tuple || body.Root().Code() != op.Tuple || elementOf(cond, k, nil) {
		return false
	}
	u := body.Root().Operand(k)
	if u.Code() != op.DynamicUpdateSlice || len(u.Users()) != 1 || !elementOf(body, k, u) {
		return false
	}
	counter, ok := pass.LoopCounter(w)
	return ok && counter.StacksRows(u, body)
}

// elementOf reports whether c reads element k of its parameter: by anything, or by anything but u's first operand.
func elementOf(c *hlo.Computation, k int, u *hlo.Instruction) bool {
	found := false
	for _, i := range c.Params()[0].Users() {
		switch {
		case i.Code() != op.GetTupleElement:
			return u == nil
		case i.Attrs().(*op.GetTupleElementAttrs).Index != k:
		case u == nil:
			return true
		case i != u.Operand(0) || len(i.Users()) != 1 || i.IsRoot() || uses(u, i) != 1:
			return false
		default:
			found = true
		}
	}
	return found
}

// uses counts the operands of i that are o.
func uses(i, o *hlo.Instruction) (n int) {
	for _, x := range i.Operands() {
		if x == o {
			n++
		}
	}
	return n
}

// nothing is the value of i, which nothing reads: a buffer without memory.
func (s *sequencer) nothing(i *hlo.Instruction) Value {
	return Value{Buffer: s.add(Buffer{Kind: Temp, Shape: shape.Make(i.Type(), 0), Of: i})}
}

// unread reports whether i is only what elements of the states of loops begin with that these overwrite.
func unread(i *hlo.Instruction) bool {
	if i.Code() != op.Broadcast || i.IsRoot() || len(i.ControlSuccessors()) > 0 {
		return false
	}
	for _, t := range i.Users() {
		if t.Code() != op.Tuple || t.IsRoot() || len(t.Users()) != 1 || t.Users()[0].Code() != op.While {
			return false
		}
		for k, o := range t.Operands() {
			if o == i && !overwrites(t.Users()[0], k) {
				return false
			}
		}
	}
	return len(i.Users()) > 0
}
