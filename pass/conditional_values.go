package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// ConditionalValues takes out of conditionals what their branches give for nobody and are given for nothing, and
// tells the branches what is known of the rest.
func ConditionalValues() Pass {
	return Pass{
		Name: "conditional-values",
		Doc: "Results of a conditional that nobody uses go, and operands that a branch does not read; results that " +
			"all branches have from one place outside come from there; constants, and the index itself, are known in " +
			"the branches.",
		About: []op.Code{op.Conditional},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (changed bool, err error) {
			// Callers come first for results, as a branch need not compute what it need not give, and last for operands.
			order, calls := m.PostOrder(), callCounts(m)
			for _, c := range slices.Backward(order) {
				ch, err := choicesIn(c, calls, (*choice).dropResults)
				if err != nil {
					return changed, err
				}
				changed = changed || ch
			}
			for _, c := range order {
				ch, err := choicesIn(c, calls, (*choice).dropOperands)
				if err != nil {
					return changed, err
				}
				changed = changed || ch
			}
			return changed, nil
		},
	}
}

// choice is a conditional whose branches no other instruction calls.
type choice struct{ *hlo.Instruction }

// choicesIn calls f for every conditional of c that passes can change.
func choicesIn(c *hlo.Computation, calls map[*hlo.Computation]int,
	f func(choice *choice) (bool, error)) (changed bool, err error) {
	if !c.Calls() {
		return false, nil
	}
	c.SetRoot(c.Root())
	for _, i := range slices.Clone(c.Instructions()) {
		if i.Code() != op.Conditional || i.Computation() == nil || !ownsBranches(i, calls) {
			continue
		}
		for _, branch := range i.Called() {
			branch.SetRoot(branch.Root())
		}
		ch, err := f(&choice{i})
		if err != nil {
			return changed, errorAt(i, err)
		}
		changed = changed || ch
	}
	return changed, nil
}

// ownsBranches reports whether all computations that i calls are called by nothing else.
func ownsBranches(i *hlo.Instruction, calls map[*hlo.Computation]int) bool {
	return !slices.ContainsFunc(i.Called(), func(f *hlo.Computation) bool { return calls[f] != 1 })
}

// source is where a value comes from: element k of the tuple of, or, if k is negative, of itself.
type source struct {
	of *hlo.Instruction
	k  int
}

// sourceOf looks through tuples that are made and taken apart.
func sourceOf(x *hlo.Instruction, k int) source {
	for {
		switch {
		case k >= 0 && x.Code() == op.Tuple:
			x, k = x.Operand(k), -1
		case k < 0 && x.Code() == op.GetTupleElement:
			x, k = x.Operand(0), elementIndex(x)
		default:
			return source{x, k}
		}
	}
}

// outside is where branch b has its result, or element k of it, from outside; ok is false if it makes it.
func (c *choice) outside(b, k int) (s source, ok bool) {
	f := c.Called()[b]
	s = sourceOf(f.Root(), k)
	switch {
	case s.of == f.Params()[0]:
		return sourceOf(c.Operand(1+b), s.k), true
	case s.of.Code() == op.Constant && len(s.of.ControlPredecessors())+len(s.of.ControlSuccessors()) == 0:
		return s, true
	}
	return s, false
}

// forward returns what stands outside for the result, or element k of it, of whichever branch, with the shape to; nil
// if there is none.
func (c *choice) forward(k int, to shape.Shape) *hlo.Instruction {
	first, ok := c.outside(0, k)
	for b := 1; ok && b < len(c.Called()); b++ {
		var s source
		if s, ok = c.outside(b, k); s != first {
			ok = ok && s.of.Code() == op.Constant && sameConstant(s.of, first.of)
		}
	}
	switch {
	case !ok:
		return nil
	case first.of.Code() == op.Constant && first.of.Computation() != c.Computation():
		if !first.of.Shape().Equal(to) {
			return nil
		}
		return c.Computation().AddClone(first.of, nil)
	case first.k < 0:
		if !first.of.Shape().Equal(to) {
			return nil
		}
		return first.of
	}
	if !first.of.Shape().Elems[first.k].Equal(to) {
		return nil
	}
	e := newMaker(c.Instruction).shaped(op.GetTupleElement, to, &op.GetTupleElementAttrs{Index: first.k},
		[]*hlo.Instruction{first.of})
	annotate(e, c.Instruction, false)
	return e
}

func sameConstant(a, b *hlo.Instruction) bool {
	return b.Code() == op.Constant && a.Shape().Equal(b.Shape()) && op.EqualAttrs(a.Attrs(), b.Attrs())
}

// dropResults takes out of the result what comes from outside anyway, what it has twice, and what nobody uses.
func (c *choice) dropResults() (changed bool, err error) {
	if !c.Shape().IsTuple() {
		if x := c.forward(-1, c.Shape()); x != nil && !c.IsRoot() && len(c.Users()) > 0 {
			c.ReplaceAllUsesWith(x)
			dropUnused(c.Instruction)
			return true, nil
		}
		return false, nil
	}
	changed = c.shareResults()
	used, all := usedElements(c.Instruction)
	if all || !slices.Contains(used, true) { // without any it goes if it has no side effects
		return changed, nil
	}
	return true, c.keepResults(used)
}

// shareResults makes users of an element of the result that is to be had outside use that, and users of one that all
// branches give as another one use the first.
func (c *choice) shareResults() (changed bool) {
	first := map[source]int{} // by what the first branch gives
	for _, e := range slices.Clone(c.Users()) {
		if e.Code() != op.GetTupleElement || e.IsRoot() || len(e.Users()) == 0 || inOrder(e) {
			continue
		}
		k := elementIndex(e)
		if x := c.forward(k, e.Shape()); x != nil {
			e.ReplaceAllUsesWith(x)
			c.Computation().Remove(e)
			changed = true
			continue
		}
		s := sourceOf(c.Called()[0].Root(), k)
		j, ok := first[s]
		if !ok {
			first[s] = k
		} else if j != k && c.same(j, k) {
			e.SetAttrs(&op.GetTupleElementAttrs{Index: j})
			changed = true
		}
	}
	return changed
}

// same reports whether all branches give the same as elements j and k of the result.
func (c *choice) same(j, k int) bool {
	if !c.Shape().Elems[j].Equal(c.Shape().Elems[k]) {
		return false
	}
	return !slices.ContainsFunc(c.Called(), func(f *hlo.Computation) bool {
		return sourceOf(f.Root(), j) != sourceOf(f.Root(), k)
	})
}

// keepResults makes the used elements the result.
func (c *choice) keepResults(used []bool) error {
	for _, f := range c.Called() {
		old := f.Root()
		root, err := elementsOnly(old, used, old.Shape(), old)
		if err != nil {
			return err
		}
		f.SetRoot(root)
		pruneDead(f)
	}
	renumberElements(c.Instruction, used)
	return nil
}

// elementsOnly adds a tuple of the wanted elements of the tuple x, which has the shape s, for what is at at.
func elementsOnly(x *hlo.Instruction, wanted []bool, s shape.Shape, at *hlo.Instruction) (*hlo.Instruction, error) {
	b, mark := newMaker(x), x.Computation().NumIDs()
	var list []*hlo.Instruction
	for k, want := range wanted {
		if want && x.Code() == op.Tuple {
			list = append(list, x.Operand(k))
		} else if want {
			list = append(list, b.shaped(op.GetTupleElement, x.Shape().Elems[k], &op.GetTupleElementAttrs{Index: k},
				[]*hlo.Instruction{x}))
		}
	}
	t := b.tuple(list...)
	if b.err != nil {
		return nil, b.err
	}
	t.SetShape(elementShapes(s, wanted))
	for _, n := range x.Computation().AddedSince(mark) {
		annotate(n, at, false)
	}
	return t, nil
}

// elementShapes is the shape of those elements of s, a tuple, that are wanted; of none, if it is an array.
func elementShapes(s shape.Shape, wanted []bool) shape.Shape {
	var shapes []shape.Shape
	for k, want := range wanted {
		if want {
			shapes = append(shapes, s.Elems[k])
		}
	}
	return shape.MakeTuple(shapes...)
}

// renumberElements makes x, of which only elements are used, a tuple of those that are wanted.
func renumberElements(x *hlo.Instruction, wanted []bool) {
	place, n := make([]int, len(wanted)), 0
	for k, want := range wanted {
		if place[k] = n; want {
			n++
		}
	}
	for _, u := range x.Users() {
		u.SetAttrs(&op.GetTupleElementAttrs{Index: place[elementIndex(u)]})
	}
	x.SetShape(elementShapes(x.Shape(), wanted))
	x.Sharding, x.Origin, x.Statistics = nil, nil, nil
}

// dropOperands puts what is known of the operands into the branches, and takes out of them what no branch reads.
func (c *choice) dropOperands() (changed bool, err error) {
	for k := range c.Called() {
		changed = c.tell(k) || changed
		ch, err := c.dropOperand(k)
		if err != nil {
			return changed, err
		}
		changed = changed || ch
	}
	return changed, nil
}

// tell makes branch b use constants, and the index, as what they are, and of equal elements of the operand the first.
func (c *choice) tell(b int) (changed bool) {
	f, arg := c.Called()[b], c.Operand(1+b)
	param := f.Params()[0]
	first := map[source]*hlo.Instruction{}
	use := func(x *hlo.Instruction, s source) {
		n := first[s]
		if n == nil {
			if n = c.known(b, s, x.Shape()); n == nil && x == param {
				return
			} else if n == nil {
				first[s] = x
				return
			}
			first[s] = n
		}
		if x.Shape().Equal(n.Shape()) {
			x.ReplaceAllUsesWith(n)
			changed = true
		}
	}
	if param.IsArray() && (len(param.Users()) > 0 || param.IsRoot()) {
		use(param, sourceOf(arg, -1))
		return changed
	}
	for _, e := range slices.Clone(param.Users()) {
		if e.Code() == op.GetTupleElement && !inOrder(e) && (len(e.Users()) > 0 || e.IsRoot()) {
			use(e, sourceOf(arg, elementIndex(e)))
		}
	}
	return changed
}

// known adds to branch b what is known there of s, outside of it, if it is the index or a constant.
func (c *choice) known(b int, s source, as shape.Shape) *hlo.Instruction {
	f := c.Called()[b]
	index := sourceOf(c.Operand(0), -1)
	isPred := c.Operand(0).Type() == shape.Pred
	switch {
	case s == index && isPred:
		return (&maker{c: f}).constant(literal.Scalar(b == 0))
	case s == index && b < len(c.Called())-1: // the last branch is that of many
		return (&maker{c: f}).constant(literal.Scalar(int32(b)))
	case s.k < 0 && sinkable(s.of) && s.of.Shape().Equal(as):
		return copyRegion(f, s.of, map[*hlo.Instruction]*hlo.Instruction{})
	}
	return nil
}

// dropOperand takes out of the operand of branch b what that does not read.
func (c *choice) dropOperand(b int) (changed bool, err error) {
	f, arg := c.Called()[b], c.Operand(1+b)
	changed = pruneDead(f) > 0
	param := f.Params()[0]
	read, all := usedElements(param)
	if read == nil || all && param.IsTuple() {
		return changed, nil
	}
	less, err := elementsOnly(arg, read, param.Shape(), c.Instruction)
	if err != nil {
		return changed, err
	}
	c.SetOperand(1+b, less)
	if removable(arg) {
		removeDead(arg)
	}
	renumberElements(param, read)
	return true, nil
}

// usedElements tells which elements of x are used, and whether all are; nil if x itself is.
func usedElements(x *hlo.Instruction) (used []bool, all bool) {
	if !onlyElements(x) {
		return nil, true
	}
	used = make([]bool, len(x.Shape().Elems))
	for _, u := range x.Users() {
		used[elementIndex(u)] = true
	}
	return used, !slices.Contains(used, false)
}
