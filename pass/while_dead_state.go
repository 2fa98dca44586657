package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// WhileLoopDeadState takes elements out of the state of loops that nobody outside uses and
// that only serve to compute themselves, and puts what an element is at the start in the place of one
// that never changes.
func WhileLoopDeadState() Pass {
	return Pass{
		Name: "while-loop-dead-state",
		Doc: "Takes elements out of a loop's state that only compute themselves; an element that never changes is, " +
			"behind the loop, what it was in front of it; elements that are always equal become one.",
		About: []op.Code{op.While},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return loopsIn(m, func(l *loop) (bool, error) {
				changed := l.forwardInvariants()
				changed = l.mergeEqual() || changed
				keep, all := l.liveState()
				if !all {
					l.narrow(keep)
				}
				return changed || !all, nil
			})
		},
	}
}

// forwardInvariants makes users of the result's elements that never change use the initial values.
func (l *loop) forwardInvariants() (changed bool) {
	for k := range l.root.Operands() {
		if !l.invariant(k) {
			continue
		}
		for _, e := range elementsOf(l.while, k) {
			if len(e.Users()) == 0 && !e.IsRoot() {
				continue
			}
			b := newMaker(l.while)
			first := b.element(l.while.Operand(0), k)
			if e.IsRoot() && !first.Shape().Equal(e.Shape()) {
				continue
			}
			e.ReplaceAllUsesWith(first)
			dropUnused(e)
			changed = true
		}
	}
	return changed
}

// mergeEqual makes uses of an element that is equal to one in front of it, at the start and
// after every iteration, use that one.
func (l *loop) mergeEqual() (changed bool) {
	next := l.root.Operands()
	for k := range next {
		for j := range k {
			if l.initial(k) == nil || l.initial(j) != l.initial(k) || !next[k].Shape().Equal(next[j].Shape()) {
				continue
			}
			if next[j] != next[k] && !(l.invariant(j) && l.invariant(k)) {
				continue
			}
			for _, x := range []*hlo.Instruction{l.condParam, l.bodyParam, l.while} {
				for _, e := range elementsOf(x, k) {
					if x == l.bodyParam && len(e.Users()) == 1 && e.Users()[0] == l.root && next[k] == e {
						continue // only carries itself
					}
					e.SetAttrs(&op.GetTupleElementAttrs{Index: j})
					changed = true
				}
			}
			break
		}
	}
	return changed
}

// liveState tells which elements of the state are needed: by the condition, by users of the
// result, by side effects in the body, and by what computes those.
func (l *loop) liveState() (keep []bool, all bool) {
	keep = make([]bool, len(l.root.Operands()))
	var todo []int
	mark := func(k int) {
		if !keep[k] {
			keep[k] = true
			todo = append(todo, k)
		}
	}
	for _, u := range l.condParam.Users() {
		mark(elementIndex(u))
	}
	for k := range keep {
		for _, e := range elementsOf(l.while, k) {
			if len(e.Users()) > 0 || e.IsRoot() || len(e.ControlSuccessors()) > 0 {
				mark(k)
			}
		}
		if !onlyElements(l.while) {
			mark(k)
		}
	}
	seen := make([]bool, l.body.NumIDs())
	for _, i := range l.body.Instructions() {
		if HasSideEffect(i) || len(i.ControlSuccessors()) > 0 {
			l.markFrom(i, seen, mark)
		}
	}
	for len(todo) > 0 {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		l.markFrom(l.root.Operand(k), seen, mark)
	}
	all = true
	for _, k := range keep {
		all = all && k
	}
	return keep, all
}

// markFrom calls mark for the elements of the state that i, of the body, depends on.
func (l *loop) markFrom(i *hlo.Instruction, seen []bool, mark func(int)) {
	for stack := []*hlo.Instruction{i}; len(stack) > 0; {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[x.ID()] {
			continue
		}
		seen[x.ID()] = true
		if x.Code() == op.GetTupleElement && x.Operand(0) == l.bodyParam {
			mark(elementIndex(x))
		}
		stack = append(stack, x.Operands()...)
	}
}
