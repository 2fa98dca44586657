package interp

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// This file is about who holds a value. An operation that returns its operand with a
// few elements changed may write to the operand's own array if nobody will look at
// that again; a loop that fills an array then costs what it writes, not a copy of all
// an iteration.
//
// Everything that will be looked at again is counted by [memory]: the values in
// frames, and those that an evaluator keeps while it calls computations. An array is
// written to only if
//
//   - it was made by such an operation of this run (it is fresh), so it is no argument,
//     constant or result of a handler, and was not handed to anybody outside;
//   - it has one holder, so no tuple, reshape or other frame shares it;
//   - that holder is the operand, and this is its last use.
//
// The operations that pass their operands on to computations give them up first, so
// that the caller's hold does not stand in the way. The computation takes its
// arguments over when all its parameters have their values.

// passesOn marks the operations whose evaluators own a hold of each operand.
var passesOn = [op.NumCodes]bool{op.Call: true, op.Conditional: true, op.Fusion: true, op.While: true}

// handOver gives the evaluator of n its holds, and drops those of the frame that are not needed any more.
func (in *Interp) handOver(f *frame, n *hlo.Instruction, operands []literal.Literal) {
	in.holdAll(operands)
	if f != nil {
		in.done(f, n)
	}
}

func (in *Interp) holdAll(values []literal.Literal) {
	for _, v := range values {
		in.memory.hold(v)
	}
}

func (in *Interp) releaseAll(values []literal.Literal) {
	for _, v := range values {
		in.memory.release(v)
	}
}

// owe keeps the hold of v, which an evaluator returns, until the value of the
// instruction is set.
func (in *Interp) owe(v literal.Literal) literal.Literal {
	in.owed = append(in.owed, v)
	return v
}

// settle releases what is owed from mark on.
func (in *Interp) settle(mark int) {
	in.releaseAll(in.owed[mark:])
	clear(in.owed[mark:])
	in.owed = in.owed[:mark]
}

// apply evaluates c on args, which go over to it, and owes the result.
func (in *Interp) apply(c *hlo.Computation, args []literal.Literal) (literal.Literal, error) {
	v, err := in.invoke(c, args)
	if err != nil {
		return literal.Literal{}, err
	}
	return in.owe(v), nil
}

// applyBorrowed is apply for args that somebody else holds too.
func (in *Interp) applyBorrowed(c *hlo.Computation, args []literal.Literal) (literal.Literal, error) {
	in.holdAll(args)
	return in.apply(c, args)
}

// targets returns how many operands of n, the first ones, its results are changed copies of.
func targets(n *hlo.Instruction) int {
	switch n.Code() {
	case op.DynamicUpdateSlice:
		return 1
	case op.Scatter:
		return len(n.Operands()) / 2
	}
	return 0
}

// target returns operand k as an array to write to: itself, or a copy.
func (c *call) target(k int) literal.Literal {
	if c.mayOverwrite(k) {
		return c.args[k]
	}
	return c.args[k].Clone()
}

// mayOverwrite reports whether nobody will look at operand k after this.
func (c *call) mayOverwrite(k int) bool {
	return c.frame != nil && c.frame.uses[c.n.Operand(k).ID()] == 1 && c.in.memory.isOwn(c.args[k])
}

// allocates reports whether the evaluator of c makes an array.
func (c *call) allocates() bool {
	n := targets(c.n)
	for k := range n {
		if !c.mayOverwrite(k) {
			return true
		}
	}
	return n == 0
}

// showsOperands reports whether n may hand its operands to somebody outside the run,
// who may look at them at any time. Handlers of custom calls are such too; see callHandler.
func showsOperands(n *hlo.Instruction) bool {
	info := n.Code().Info()
	return info.Has(op.Collective) || info.Has(op.SideEffect)
}

// show is called with values that somebody outside may look at from now on.
func (in *Interp) show(values []literal.Literal) {
	for _, v := range values {
		in.memory.setFresh(v, false)
	}
}

// releasingOrder returns order with the parameters in front, and their number; the elements
// of a tuple are taken out as soon as it is there, so that it does not hold on to one
// until another is needed.
func releasingOrder(order []*hlo.Instruction) (sorted []*hlo.Instruction, params int) {
	w := elementsFirst{reached: map[*hlo.Instruction]bool{}, placed: map[*hlo.Instruction]bool{}}
	for _, n := range order {
		w.reached[n] = true
	}
	for _, n := range order {
		if n.Code() == op.Parameter {
			w.placed[n] = true
			w.order = append(w.order, n)
		}
	}
	params = len(w.order)
	for _, n := range w.order[:params] {
		w.placeElements(n)
	}
	for _, n := range order {
		w.place(n)
	}
	return w.order, params
}

// elementsFirst puts instructions in an order.
type elementsFirst struct {
	reached, placed map[*hlo.Instruction]bool
	order           []*hlo.Instruction
}

func (w *elementsFirst) place(n *hlo.Instruction) {
	if !w.placed[n] {
		w.placed[n] = true
		w.order = append(w.order, n)
		w.placeElements(n)
	}
}

func (w *elementsFirst) placeElements(n *hlo.Instruction) {
	if !n.IsTuple() {
		return
	}
	for _, u := range n.Users() {
		if u.Code() == op.GetTupleElement && w.reached[u] && len(u.ControlPredecessors()) == 0 {
			w.place(u)
		}
	}
}
