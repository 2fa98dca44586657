package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// WhileLoopStateSplitter makes several elements of an element of a loop's state that every iteration joins of parts,
// and of which the next one takes nothing but such parts: they are joined once, behind the loop.
func WhileLoopStateSplitter() Pass {
	return Pass{
		Name: "while-loop-state-splitter",
		Doc: "An element of a loop's state that is a concatenation, of which iterations only need parts, becomes as many " +
			"elements; they are joined behind the loop.",
		About: []op.Code{op.While},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return loopsIn(m, func(l *loop) (changed bool, err error) {
				for k := range l.root.Operands() {
					if l.splitState(k) {
						changed = true
					}
				}
				return changed, nil
			})
		},
	}
}

// leastTrips is how many iterations a loop has at least, if that is known, whose state is cut in front of it and joined
// behind.
const leastTrips = 3

// splitState makes the parts of element k of the state elements by themselves, the first in its place, the others
// behind all; it reports whether it did.
func (l *loop) splitState(k int) bool {
	cut := l.cuttingOf(k)
	if cut == nil {
		return false
	}
	l.splitResult()
	first := newMaker(l.while).element(l.while.Operand(0), k)
	places, joined := []int{k}, l.root.Operand(k)
	for range cut.sizes[1:] {
		places = append(places, len(l.root.Operands())+len(places)-1)
	}
	initial, next := l.state(), slices.Clone(l.root.Operands())
	in := &maker{c: l.body}
	for n, place := range places {
		part := newMaker(l.while).partOf(first, cut, n)
		if !annotated(part) {
			annotate(part, l.while, false)
		}
		after := in.partOf(joined, cut, n)
		if place == k {
			initial[k], next[k] = part, after
			continue
		}
		initial, next = append(initial, part), append(next, after)
	}
	l.takeParts(k, cut, places)
	l.joinResult(k, cut, places)
	l.setState(initial, next)
	pruneDead(l.body)
	return true
}

// cuttingOf returns how element k of the state is cut into parts that are all that iterations need of it; nil if it is
// not.
func (l *loop) cuttingOf(k int) *cutting {
	cut := cuttingOf(l.root.Operand(k))
	if cut == nil || !l.isLong() { // most are not
		return nil
	}
	taken := elementsOf(l.bodyParam, k)
	if len(taken) == 0 || len(elementsOf(l.condParam, k)) > 0 {
		return nil
	}
	for _, e := range taken {
		if e.IsRoot() || len(e.ControlSuccessors())+len(e.ControlPredecessors()) > 0 {
			return nil
		}
		for _, u := range e.Users() {
			if _, ok := cut.partOf(u); !ok {
				return nil
			}
		}
	}
	for n, x := range l.root.Operand(k).Operands() {
		if !x.Shape().Equal(cut.shapeOf(x.Shape(), n)) { // has a layout
			return nil
		}
	}
	return cut
}

// isLong reports whether the loop has so many iterations, as far as can be told, that it pays to cut its state.
func (l *loop) isLong() bool {
	n, ok := TripCount(l.while)
	return !ok || n >= leastTrips
}

// takeParts makes the slices of element k in the body slices of elements places.
func (l *loop) takeParts(k int, cut *cutting, places []int) {
	for _, e := range elementsOf(l.bodyParam, k) {
		parts := make([]*hlo.Instruction, len(places))
		for _, u := range slices.Clone(e.Users()) {
			n, _ := cut.partOf(u)
			if parts[n] == nil {
				parts[n] = l.partOf(l.bodyParam, e, places[n], cut, n)
			}
			ranges := slices.Clone(u.Attrs().(*op.SliceAttrs).Slice)
			ranges[cut.dim] = op.SliceRange{Limit: cut.sizes[n], Stride: 1}
			u.SetAttrs(&op.SliceAttrs{Slice: ranges})
			u.SetOperand(0, parts[n])
		}
		l.body.Remove(e)
	}
}

// joinResult puts the concatenation of elements places of the result in the place of element k.
func (l *loop) joinResult(k int, cut *cutting, places []int) {
	for _, e := range elementsOf(l.while, k) {
		parts := make([]*hlo.Instruction, len(places))
		for n, place := range places {
			parts[n] = l.partOf(l.while, e, place, cut, n)
		}
		c := e.Computation()
		whole := c.Add("", op.Concatenate, e.Shape(), parts, &op.ConcatenateAttrs{Dimensions: []int{cut.dim}})
		annotate(whole, e, true)
		moveControl(e, whole, true)
		e.ReplaceAllUsesWith(whole)
		if e.IsRoot() {
			c.SetRoot(whole)
		}
		c.Remove(e)
	}
}

// partOf adds what takes part n of e, which is element place, out of the state x.
func (l *loop) partOf(x, e *hlo.Instruction, place int, cut *cutting, n int) *hlo.Instruction {
	part := x.Computation().Add("", op.GetTupleElement, cut.flat(e.Shape(), n), []*hlo.Instruction{x},
		&op.GetTupleElementAttrs{Index: place})
	annotate(part, e, false)
	whole := newMaker(x).reshape(part, cut.shapeOf(e.Shape(), n).Dims...)
	if whole != part {
		annotate(whole, e, false)
	}
	return whole
}

// loopBodies returns the loops of m that passes can change, by their bodies.
func loopBodies(m *hlo.Module) map[*hlo.Computation]*loop {
	calls, bodies := callCounts(m), map[*hlo.Computation]*loop{}
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			if l, ok := loopOf(i, calls); ok {
				bodies[l.body] = l
			}
		}
	}
	return bodies
}
