package pass

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// HasSideEffect reports whether i does more than give its value: it draws from a random
// state, exchanges data with devices or the host, calls something that does, or is the
// other half of such an operation. It must be kept, in its place among others of its kind, and not be doubled.
func HasSideEffect(i *hlo.Instruction) bool { return effects(i) != 0 }

// effect is a set of things that instructions act on besides their results.
type effect uint8

// What there is to act on.
const (
	randomState effect = 1 << iota
	infeedQueue
	outfeedQueue
	devices  // collectives
	transfer // sends and receives
	foreign  // custom calls with side effects
)

// opEffects are the effects of operations by themselves.
var opEffects = [op.NumCodes]effect{
	op.Rng: randomState, op.RngGetAndUpdateState: randomState,
	op.Infeed: infeedQueue, op.Outfeed: outfeedQueue,
	op.Send: transfer, op.SendDone: transfer, op.Recv: transfer, op.RecvDone: transfer,
}

// completions are the operations that end or go on with what their operand has begun.
var completions = [op.NumCodes]bool{op.AllGatherDone: true, op.AllReduceDone: true, op.AsyncDone: true,
	op.AsyncUpdate: true, op.CollectivePermuteDone: true}

// effects returns what i acts on.
func effects(i *hlo.Instruction) effect {
	e := ownEffects(i)
	if len(i.Called()) > 0 {
		e |= calledEffects(i, nil)
	}
	return e
}

// ownEffects returns what i acts on, without what it calls.
func ownEffects(i *hlo.Instruction) effect {
	e := opEffects[i.Code()]
	if i.Code().Info().Has(op.Collective) {
		e |= devices
	}
	if a, ok := i.Attrs().(*op.CustomCallAttrs); ok && a.Target == op.TargetRngState {
		e |= randomState
	} else if ok && a.HasSideEffect {
		e |= foreign
	}
	for completions[i.Code()] && len(i.Operands()) > 0 {
		i = i.Operand(0)
		if i.Code().Info().Has(op.Collective) {
			e |= devices
		}
		if i.Code() == op.AsyncStart {
			e |= calledEffects(i, nil)
		}
	}
	return e
}

// calledEffects returns what the computations that i calls act on, but for those seen, of which seen, if it is not nil,
// has all that call others.
func calledEffects(i *hlo.Instruction, seen map[*hlo.Computation]bool) (e effect) {
	for _, c := range i.Called() {
		if seen[c] {
			continue
		}
		if c.Calls() {
			if seen == nil {
				seen = map[*hlo.Computation]bool{}
			}
			seen[c] = true
		}
		for _, x := range c.Instructions() {
			e |= ownEffects(x) | calledEffects(x, seen)
		}
	}
	return e
}
