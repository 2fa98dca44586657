package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// maxUnrollTrips is the most iterations that are unrolled.
const maxUnrollTrips = 16

// longIteration is how many operations of sums and the like an iteration has, beside which it does not count that a
// loop goes on, and sumOfMany how many, at least, make one element of such a sum.
const (
	longIteration = 1 << 21
	sumOfMany     = 1 << 6
)

// WhileLoopUnroller removes loops that do not run or run once, and writes out those that run
// a few times, if what they become is no larger than Options.UnrollLimit and iterations do not stand apart.
func WhileLoopUnroller() Pass {
	return Pass{
		Name: "while-loop-unroller",
		Doc: "A loop that never runs is its initial state, one that runs once is its body; a few iterations of a small " +
			"body are written out, unless each is long, does the same, and waits for all of the one before, or does little " +
			"but write to places that only data tells.",
		About: []op.Code{op.While},
		Run: func(_ context.Context, m *hlo.Module, o Options) (bool, error) {
			limit := o.UnrollLimit
			if limit == 0 {
				limit = DefaultUnrollLimit
			}
			changed, err := rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if i.Code() != op.While {
					return nil, nil
				}
				n, ok := TripCount(i)
				size := sizeWithLoops(i.Called()[1])
				if !ok || n > maxUnrollTrips || !repeatable(i, n) {
					return nil, nil
				}
				if n > 1 && (n*size > int64(limit) || standApart(i) || seeks(i)) {
					return nil, nil
				}
				state, body := i.Operand(0), i.Called()[1]
				copies := make([]*hlo.Instruction, body.NumIDs())
				for range n {
					state = inlineAgain(i, body, []*hlo.Instruction{state}, nil, copies)
				}
				return state, nil
			})
			m.RemoveUnused()
			return changed, err
		},
	}
}

// sizeWithLoops is how many instructions c and the bodies of loops in it have: each copy of a loop is as much code.
func sizeWithLoops(c *hlo.Computation) int64 {
	size := int64(len(c.Instructions()))
	for _, i := range c.Instructions() {
		if i.Code() == op.While && size < DefaultUnrollLimit {
			size += sizeWithLoops(i.Called()[1])
		}
	}
	return size
}

// repeatable reports whether n iterations of the loop w may be written one after the other:
// side effects, whose order counts, come in one iteration at most, and not in the condition.
func repeatable(w *hlo.Instruction, n int64) bool {
	seen := map[*hlo.Computation]bool{w.Called()[1]: n <= 1}
	return calledEffects(w, seen) == 0
}

// standApart reports whether the iterations of w are the same computation, of which no part could be joined with one of
// the next, and take so long that written out they would only be more code.
func standApart(w *hlo.Instruction) bool {
	l, ok := loopOf(w, nil)
	if !ok {
		return false
	}
	c, ok := LoopCounter(w)
	if !ok || !l.onlyCounts(c.Index) || l.startsFromConstants() {
		return false
	}
	work := int64(0)
	for _, i := range l.body.Instructions() {
		info := i.Code().Info()
		if info.Flops == nil || info.Has(op.Elementwise) {
			continue
		}
		if n := info.Flops(i.Inputs(), i.Shape()); n >= sumOfMany*elements(i) {
			work += min(n, longIteration)
		}
	}
	return work >= longIteration
}

// seeks reports whether w does little but write to places of arrays that only data tells, as one that exchanges rows
// does: nothing of that becomes known when it is written out, and a loop that does little goes on at once.
func seeks(w *hlo.Instruction) bool {
	l, ok := loopOf(w, nil)
	if !ok {
		return false
	}
	found, unknown := false, make([]bool, l.body.NumIDs())
	for _, i := range l.body.PostOrder() {
		info, from := i.Code().Info(), 2
		if i.Code() == op.Scatter {
			from = 1
		} else if len(i.Called()) > 0 || info.Flops != nil && !info.Has(op.Elementwise) {
			return false
		}
		isUnknown := func(o *hlo.Instruction) bool { return unknown[o.ID()] }
		unknown[i.ID()] = slices.ContainsFunc(i.Operands(), isUnknown) ||
			i.Code() == op.GetTupleElement && i.Operand(0) == l.bodyParam && !l.counts(elementIndex(i))
		if i.Code() == op.DynamicUpdateSlice || i.Code() == op.Scatter {
			found = found || slices.ContainsFunc(i.Operands()[from:], isUnknown)
		}
	}
	return found
}

// counts reports whether element k of the state has a known value in each iteration.
func (l *loop) counts(k int) bool {
	_, starts := integerOf(l.initial(k))
	_, steps := l.step(k)
	return starts && steps
}

// onlyCounts reports whether the body does nothing with element k of the state but make the next one of it.
func (l *loop) onlyCounts(k int) bool {
	next := l.root.Operand(k)
	return len(next.Users()) == 1 && !slices.ContainsFunc(elementsOf(l.bodyParam, k), func(e *hlo.Instruction) bool {
		return slices.ContainsFunc(e.Users(), func(u *hlo.Instruction) bool { return u != next })
	})
}

// startsFromConstants reports whether an array of the state that changes is known at the start: the first iteration
// may then be less work than the others.
func (l *loop) startsFromConstants() bool {
	for k, s := range l.while.Shape().Elems {
		x := l.initial(k)
		if x == nil || s.IsTuple() || l.invariant(k) || s.IsArray() && s.Rank() == 0 {
			continue
		}
		if x.Code() == op.Constant || x.Code() == op.Broadcast && x.Operand(0).Code() == op.Constant {
			return true
		}
	}
	return false
}
