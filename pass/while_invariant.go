package pass

import (
	"context"
	"slices"
	"strings"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// WhileLoopInvariantCodeMotion computes in front of a loop what is the same in every
// iteration, and carries it in the state. What is cheap to make again where it is used, or larger than
// what it is made of, stays inside.
func WhileLoopInvariantCodeMotion() Pass {
	return Pass{
		Name: "while-loop-invariant-code-motion",
		Doc: "Moves what is the same in every iteration of a loop in front of it, factorisations of LAPACK too. Constants, " +
			"iotas and broadcasts stay inside, as does what is larger than what it is made of, unless something small is all " +
			"that the loop needs of it.",
		About: []op.Code{op.While},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return loopsIn(m, func(l *loop) (bool, error) { return l.hoist(), nil })
		},
	}
}

// unhoistable are operations that stay in the body: those that are cheap there, those that may not
// end, and those that are part of an asynchronous pair.
var unhoistable = [op.NumCodes]bool{op.Parameter: true, op.Constant: true, op.Iota: true, op.Broadcast: true,
	op.Tuple: true, op.GetTupleElement: true, op.Bitcast: true, op.Reshape: true, op.While: true, op.Conditional: true,
	op.Call: true, op.CustomCall: true, op.AfterAll: true, op.AddDependency: true, op.OptBarrier: true, op.Domain: true,
	op.AsyncStart: true, op.AsyncUpdate: true, op.AsyncDone: true, op.CopyStart: true, op.CopyDone: true}

// hoist moves what it can out of the body.
func (l *loop) hoist() bool {
	moved := l.invariants()
	if len(moved) == 0 {
		return false
	}
	state := l.state()
	outside := map[*hlo.Instruction]*hlo.Instruction{}
	extra := make([]*hlo.Instruction, len(moved))
	for k, i := range moved {
		extra[k] = l.copyOutside(i, state, outside)
	}
	for k, in := range l.widen(extra) {
		moved[k].ReplaceAllUsesWith(in)
	}
	pruneDead(l.body)
	return true
}

// invariants returns what is computed in front of the loop: values that are the same in every iteration, that
// something which stays in the body uses, and that are worth it. Operands come before users.
func (l *loop) invariants() []*hlo.Instruction {
	fixed, reads := l.fixedInBody()
	stays := make([]bool, l.body.NumIDs())
	var moved []*hlo.Instruction
	for _, i := range slices.Backward(l.body.PostOrder()) {
		used := i == l.root || slices.ContainsFunc(i.Users(), func(u *hlo.Instruction) bool { return stays[u.ID()] })
		movable := !unhoistable[i.Code()] || isFactored(i) || factors(i) && i.IsArray()
		if used && fixed[i.ID()] && fits(i) && movable && (reads[i.ID()] || laborious(i)) {
			moved = append(moved, i)
		} else {
			stays[i.ID()] = used
		}
	}
	slices.Reverse(moved)
	return moved
}

// laborious reports whether i, which may depend on constants only, is worth to be taken out of a loop if the
// folding does not compute it: it is more than one operation for each of its elements.
func laborious(i *hlo.Instruction) bool { return i.Code().Info().Fusion != op.FuseLoop }

// fixedInBody tells, by id, which instructions of the body have the same value in every iteration and may
// be computed in front of the loop, and which depend on the state: what does not is a constant, and
// mostly for the folding.
func (l *loop) fixedInBody() (fixed, reads []bool) {
	fixed, reads = make([]bool, l.body.NumIDs()), make([]bool, l.body.NumIDs())
	for _, i := range l.body.PostOrder() {
		if i.Code() == op.GetTupleElement && i.Operand(0) == l.bodyParam {
			fixed[i.ID()] = l.invariant(elementIndex(i)) && i.IsArray()
			reads[i.ID()] = true
			continue
		}
		ok := i != l.root && hoistable(i)
		for _, o := range i.Operands() {
			ok = ok && fixed[o.ID()]
			reads[i.ID()] = reads[i.ID()] || reads[o.ID()]
		}
		fixed[i.ID()] = ok
	}
	return fixed, reads
}

// cheap are operations that may be copied in front of the loop for the sake of others.
var cheap = [op.NumCodes]bool{op.Constant: true, op.Iota: true, op.Broadcast: true, op.Reshape: true}

// factorisations is how the targets of calls begin that only give their results, a tuple. A loop that solves with the
// same matrix factors it once.
const factorisations = "lapack_"

// factors reports whether i is such a call, and isFactored whether i is a part of what one gives.
func factors(i *hlo.Instruction) bool {
	a, ok := i.Attrs().(*op.CustomCallAttrs)
	return ok && strings.HasPrefix(a.Target, factorisations) && !HasSideEffect(i)
}

func isFactored(i *hlo.Instruction) bool {
	return i.Code() == op.GetTupleElement && factors(i.Operand(0)) && i.IsArray()
}

// hoistable reports whether i may be computed in front of a loop.
func hoistable(i *hlo.Instruction) bool {
	if factors(i) || isFactored(i) {
		return len(i.ControlPredecessors())+len(i.ControlSuccessors()) == 0
	}
	if !i.IsArray() || !i.IsStatic() {
		return false
	}
	return cheap[i.Code()] || !unhoistable[i.Code()] && !HasSideEffect(i) &&
		len(i.ControlPredecessors())+len(i.ControlSuccessors()) == 0
}

// fits reports whether the value of i is no larger than what it is made of, or small: a loop then carries it.
func fits(i *hlo.Instruction) bool {
	var read int64
	for _, o := range i.Operands() {
		if n, err := o.Shape().ByteSize(); err == nil && o.Code() != op.Broadcast && o.Code() != op.Iota {
			read += int64(n)
		}
	}
	made, err := i.Shape().ByteSize()
	return err == nil && int64(made) <= max(read, smallState)
}

// smallState is the most bytes that are carried through a loop though they are made of less.
const smallState = 64

// copyOutside adds i, which does not change, and what it depends on in front of the loop.
func (l *loop) copyOutside(i *hlo.Instruction, state []*hlo.Instruction,
	outside map[*hlo.Instruction]*hlo.Instruction) *hlo.Instruction {
	if x := outside[i]; x != nil {
		return x
	}
	if i.Code() == op.GetTupleElement && i.Operand(0) == l.bodyParam {
		outside[i] = state[elementIndex(i)]
		return outside[i]
	}
	operands := make([]*hlo.Instruction, len(i.Operands()))
	for k, o := range i.Operands() {
		operands[k] = l.copyOutside(o, state, outside)
	}
	outside[i] = l.while.Computation().AddClone(i, operands)
	return outside[i]
}
