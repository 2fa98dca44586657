package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// WhileLoopStackJoiner is for loops that read a row of one array in each iteration, write little into it, and stack
// the rows in another one, as a scan over layers does with their caches. If nobody else needs the array that is read,
// or it is so small that it is copied soon, the stack begins as that: an iteration finds its row there, and does not
// copy it.
func WhileLoopStackJoiner() Pass {
	return Pass{
		Name: "while-loop-stack-joiner",
		Doc: "An array of which each iteration of a loop reads a row, to write parts of it and to stack the rows in " +
			"another array, is what that one is at the start, if nothing else needs that or it is small: rows are read there.",
		About: []op.Code{op.While, op.DynamicUpdateSlice},
		Run: func(_ context.Context, m *hlo.Module, o Options) (bool, error) {
			return loopsIn(m, func(l *loop) (changed bool, err error) {
				for k := range l.root.Operands() {
					if l.joinStack(k, o.Donated) {
						changed = true
					}
				}
				return changed, nil
			})
		},
	}
}

// joinStack does that for element k of the state, a stack, and reports whether it is one.
func (l *loop) joinStack(k int, donated []int) bool {
	u := l.root.Operand(k)
	from := l.stackedFrom(u)
	if from == nil || !l.isStack(k, u) || !l.readsRows(from, u) || !l.canOverwrite(elementIndex(from), donated) {
		return false
	}
	initial := l.state()
	initial[k] = initial[elementIndex(from)]
	for _, e := range elementsOf(l.bodyParam, elementIndex(from)) {
		for _, s := range slices.Clone(e.Users()) {
			if s != l.root {
				s.SetOperand(0, u.Operand(0))
			}
		}
	}
	l.setState(initial, slices.Clone(l.root.Operands()))
	return true
}

// stackedFrom returns the element of the state, one that does not change, of which u writes a row with updates; nil if
// there is none.
func (l *loop) stackedFrom(u *hlo.Instruction) *hlo.Instruction {
	s := updatedSlice(u)
	if s == nil || s.Code() != op.DynamicSlice {
		return nil
	}
	e := s.Operand(0)
	if e.Code() != op.GetTupleElement || e.Operand(0) != l.bodyParam || !l.invariant(elementIndex(e)) {
		return nil
	}
	return e
}

// isStack reports whether update u, element k of the next state, writes another row in each iteration, all in the end,
// and nothing else is done with that element, nor read of it but its last value.
func (l *loop) isStack(k int, u *hlo.Instruction) bool {
	old := elementsOf(l.bodyParam, k)
	if len(u.Users()) != 1 || count(l.root.Operands(), u) != 1 || len(old) != 1 || old[0].IsRoot() ||
		len(old[0].Users()) != 1 || u.Operand(0) != old[0] || count(u.Operands(), old[0]) != 1 ||
		len(elementsOf(l.condParam, k)) > 0 {
		return false
	}
	counter, ok := LoopCounter(l.while)
	return ok && counter.StacksRows(u, l.body)
}

// rowDim is the dimension in which u updates one of several elements, where it updates all of the others; -1 if there
// is none.
func rowDim(u *hlo.Instruction) int {
	dims, part, row := u.Dims(), u.Operand(1).Dims(), -1
	for d := range dims {
		switch {
		case part[d] == dims[d]:
		case row >= 0 || part[d] != 1:
			return -1
		default:
			row = d
		}
	}
	return row
}

// readsRows reports whether all that an iteration reads of the elements like from is the row that u writes.
func (l *loop) readsRows(from, u *hlo.Instruction) bool {
	k, d := elementIndex(from), rowDim(u)
	for _, e := range elementsOf(l.bodyParam, k) {
		if e.IsRoot() || count(l.root.Operands(), e) > 1 {
			return false
		}
		for _, s := range e.Users() {
			if s != l.root && (s.Code() != op.DynamicSlice || s.Operand(0) != e ||
				!slices.Equal(s.Dims(), u.Operand(1).Dims()) || s.Operand(1+d) != u.Operand(2+d)) {
				return false
			}
		}
	}
	return true
}

// smallStack is how many bytes are copied at once rather than by rows, twice each. More may not stay in the caches
// until an iteration needs its row.
const smallStack = 1 << 20

// canOverwrite reports whether the loop may overwrite what element k of its state is at the start, or else can copy
// that soon: it is computed in front of it, or the state of another loop, or the memory of an argument that is given
// up, and nothing else needs it.
func (l *loop) canOverwrite(k int, donated []int) bool {
	tuple, x := l.while.Operand(0), l.initial(k)
	if n, err := l.while.Shape().Elems[k].ByteSize(); err == nil && n <= smallStack {
		return true
	}
	if x == nil || x.IsRoot() || len(tuple.Users()) > 1 || len(x.Users()) > 1 || count(tuple.Operands(), x) > 1 {
		return false
	}
	p := x
	for p.Code() == op.GetTupleElement {
		p = p.Operand(0)
	}
	c := x.Computation()
	switch {
	case x.Code() == op.Constant || x.Code() == op.Broadcast || x.Code() == op.Iota:
		return false
	case p.Code() == op.Parameter && c == c.Module().Entry():
		return slices.Contains(donated, leafNumber(x))
	case p.Code() == op.Parameter:
		return loopBodies(c.Module())[c] != nil
	}
	return true
}

// leafNumber is the number of x, an argument or a part of one, among the arrays of all.
func leafNumber(x *hlo.Instruction) (n int) {
	for ; x.Code() == op.GetTupleElement; x = x.Operand(0) {
		n += leaves(x.Operand(0).Shape().Elems[:elementIndex(x)]...)
	}
	for _, p := range x.Computation().Params()[:x.Attrs().(*op.ParameterAttrs).Number] {
		n += leaves(p.Shape())
	}
	return n
}

// leaves is how many parts of list are no tuples.
func leaves(list ...shape.Shape) (n int) {
	for _, s := range list {
		if s.IsTuple() {
			n += leaves(s.Elems...)
		} else {
			n++
		}
	}
	return n
}

// count returns how many of list are x.
func count(list []*hlo.Instruction, x *hlo.Instruction) (n int) {
	for _, y := range list {
		if y == x {
			n++
		}
	}
	return n
}
