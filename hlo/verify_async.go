package hlo

import (
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// asyncPair is an operation in two instructions.
type asyncPair struct {
	start, done op.Code
	// carried: the state between the two may go through the state of a loop, in a tuple.
	carried bool
}

// asyncPairs are the pairs with opcodes of their own.
var asyncPairs = []asyncPair{
	{op.AllGatherStart, op.AllGatherDone, false},
	{op.AllReduceStart, op.AllReduceDone, false},
	{op.CollectivePermuteStart, op.CollectivePermuteDone, false},
	{op.CopyStart, op.CopyDone, false},
	{op.Recv, op.RecvDone, true},
	{op.Send, op.SendDone, true},
}

func pairOf(c op.Code) asyncPair {
	k := slices.IndexFunc(asyncPairs, func(p asyncPair) bool { return p.start == c || p.done == c })
	return asyncPairs[k]
}

// asyncPairStart checks that a start has its done as only user. A send or receive
// may instead be the whole of an asynchronous computation.
func (v *verifier) asyncPairStart(i *Instruction) error {
	p := pairOf(i.code)
	if p.carried && v.async[i.comp] {
		return nil
	}
	if len(i.users) != 1 {
		return i.errorf("", "", "expects one user, a %s, got %d", p.done, len(i.users))
	}
	if u := i.users[0]; u.code != p.done && !(p.carried && u.code == op.Tuple) {
		return i.errorf("", "", "expects a %s as user, got the %s %%%s", p.done, u.code, u.name)
	}
	return nil
}

// asyncPairDone checks that the operand of a done is its start.
func (v *verifier) asyncPairDone(i *Instruction) error {
	p, o := pairOf(i.code), i.operands[0]
	if o.code != p.start && !(p.carried && o.code == op.GetTupleElement) {
		return i.errorf("", "", "expects a %s as operand, got the %s %%%s", p.start, o.code, o.name)
	}
	return nil
}

// carriers holds the operations that take the state of an asynchronous operation around a loop.
var carriers = opSet(op.Call, op.Conditional, op.GetTupleElement, op.OptBarrier, op.Parameter, op.Tuple, op.While)

// asyncUser checks that an async-start or -update goes on to exactly one instruction.
func (v *verifier) asyncUser(i *Instruction) error {
	switch {
	case len(i.users) == 0 && i.IsRoot() && i.comp != v.m.entry:
		return nil // its done is in the caller
	case len(i.users) != 1:
		return i.errorf("", "", "expects one user, an async-update or async-done, got %d", len(i.users))
	}
	if u := i.users[0]; u.code != op.AsyncUpdate && u.code != op.AsyncDone && !carriers[u.code] {
		return i.errorf("", "", "expects an async-update or async-done as user, got the %s %%%s", u.code, u.name)
	}
	return nil
}

// asyncOperand checks that an async-update or -done follows an async-start or
// -update, or is told what it waits for, where the state comes around a loop.
func (v *verifier) asyncOperand(i *Instruction) error {
	if len(i.operands) == 0 {
		return i.errorf("", "", "expects an operand, got none")
	}
	o := i.operands[0]
	if v.asyncComputation(i) == nil || o.code != op.AsyncStart && o.code != op.AsyncUpdate && !carriers[o.code] {
		return i.errorf("", "", "expects an async-start or async-update as operand, got the %s %%%s", o.code, o.name)
	}
	return nil
}

// asyncComputation returns what the asynchronous instruction i runs, nil if that cannot be told.
func (v *verifier) asyncComputation(i *Instruction) *Computation {
	at := i
	for v.runs[at] == nil && len(at.called) == 0 {
		if at.code != op.AsyncUpdate && at.code != op.AsyncDone || len(at.operands) == 0 {
			return nil
		}
		at = at.operands[0]
	}
	if c := v.runs[at]; c != nil {
		v.runs[i] = c
	} else if at.code == op.AsyncStart || at.code == op.AsyncUpdate || at.code == op.AsyncDone {
		v.runs[i] = at.called[0]
	}
	return v.runs[i]
}

// groupAttribute is the frontend attribute of an async-start that runs several operations as one.
const groupAttribute = "_collectives_group"

// asyncBody checks that an asynchronous computation holds one operation, unless it is a marked group.
func (v *verifier) asyncBody(i *Instruction) error {
	isGroup := slices.ContainsFunc(i.FrontendAttributes, func(kv KeyValue) bool { return kv.Key == groupAttribute })
	c := i.called[0]
	for _, x := range c.Instructions() {
		if x != c.Root() && x.code != op.Parameter && !isGroup {
			return i.errorf("calls", "", "expects %s to hold only parameters and the root, got %%%s", c.name, x.name)
		}
	}
	return nil
}

// asyncStartShape checks the shape ((operands), result, contexts...) of an async-start.
func (v *verifier) asyncStartShape(i *Instruction) error {
	if err := v.asyncState(i, i.shape); err != nil {
		return err
	}
	bound := i.shape.Elems[0].Elems
	if len(bound) != len(i.operands) {
		return i.errorf("", "", "expects %d operand shapes in the result, got %d", len(i.operands), len(bound))
	}
	for k, o := range i.operands {
		if !v.sameShape(bound[k], o.shape, false) {
			return i.errorf("", "", "expects %v at {0,%d} of the result, got %v", o.shape, k, bound[k])
		}
	}
	return nil
}

// asyncState checks that s is ((operands), result, contexts...), where the operands
// are the first parameters of the computation and the result is that of its root, or () if still open.
func (v *verifier) asyncState(i *Instruction, s shape.Shape) error {
	if s.Type != shape.Tuple || len(s.Elems) < 2 || s.Elems[0].Type != shape.Tuple {
		return i.errorf("", "", "expects the form ((operand shapes), result shape, ...), got %v", s)
	}
	called := v.signature(v.asyncComputation(i))
	bound := s.Elems[0].Elems
	if len(bound) > len(called.Params) {
		return i.errorf("", "", "expects at most %d operand shapes, got %d", len(called.Params), len(bound))
	}
	for k := range bound {
		if !v.sameShape(bound[k], called.Params[k], false) {
			return i.errorf("", "", "expects %v, that of parameter %d, at {0,%d}, got %v",
				called.Params[k], k, k, bound[k])
		}
	}
	if result := s.Elems[1]; !isEmptyTuple(result) && !v.sameShape(result, called.Result, false) {
		return i.errorf("", "", "expects %v, that of the root, at {1}, got %v", called.Result, result)
	}
	return nil
}

func isEmptyTuple(s shape.Shape) bool { return s.Type == shape.Tuple && len(s.Elems) == 0 }

// asyncUpdateShape checks that an async-update keeps what is known and adds its operands.
func (v *verifier) asyncUpdateShape(i *Instruction) error {
	for _, s := range []shape.Shape{i.operands[0].shape, i.shape} {
		if err := v.asyncState(i, s); err != nil {
			return err
		}
	}
	before, after := i.operands[0].shape.Elems, i.shape.Elems
	if len(before[0].Elems)+len(i.operands)-1 != len(after[0].Elems) {
		return i.errorf("", "", "expects %d operand shapes in the result, got %d",
			len(before[0].Elems)+len(i.operands)-1, len(after[0].Elems))
	}
	if !isEmptyTuple(before[1]) && isEmptyTuple(after[1]) {
		return i.errorf("", "", "expects %v at {1}, got ()", before[1])
	}
	return nil
}

// asyncDoneShape checks that an async-done gives the result of its computation.
func (v *verifier) asyncDoneShape(i *Instruction) error {
	if err := v.asyncState(i, i.operands[0].shape); err != nil {
		return err
	}
	if want := v.signature(v.asyncComputation(i)).Result; !v.sameShape(i.shape, want, false) {
		return i.errorf("", "", "expects shape %v, got %v", want, i.shape)
	}
	return nil
}
