package pass

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// loop is a while instruction over a tuple, whose parts are used one by one: body and
// condition take elements out of their parameters and do nothing else with them, and the root of the
// body is a tuple. No other instruction calls them.
type loop struct {
	while                *hlo.Instruction
	cond, body           *hlo.Computation
	condParam, bodyParam *hlo.Instruction
	root                 *hlo.Instruction // of the body
}

// loopOf returns i as a loop; ok is false if it is none that passes can change.
func loopOf(i *hlo.Instruction, calls map[*hlo.Computation]int) (l *loop, ok bool) {
	if i.Code() != op.While || !i.IsTuple() {
		return nil, false
	}
	l = &loop{while: i, cond: i.Called()[0], body: i.Called()[1]}
	if calls != nil && (calls[l.cond] != 1 || calls[l.body] != 1) {
		return nil, false
	}
	l.condParam, l.bodyParam, l.root = l.cond.Params()[0], l.body.Params()[0], l.body.Root()
	if l.root.Code() != op.Tuple || len(l.root.Users()) > 0 || !onlyElements(l.condParam) || !onlyElements(l.bodyParam) {
		return nil, false
	}
	return l, true
}

// onlyElements reports whether all that is done with the tuple x is taking elements out.
func onlyElements(x *hlo.Instruction) bool {
	return !x.IsRoot() && !slices.ContainsFunc(x.Users(), func(u *hlo.Instruction) bool {
		return u.Code() != op.GetTupleElement
	})
}

// invariant reports whether element k of the state is the same in all iterations.
func (l *loop) invariant(k int) bool {
	e := l.root.Operand(k)
	return e.Code() == op.GetTupleElement && e.Operand(0) == l.bodyParam && elementIndex(e) == k
}

// initial returns what element k of the state is at the start; nil if the program has no
// instruction for it.
func (l *loop) initial(k int) *hlo.Instruction {
	if init := l.while.Operand(0); init.Code() == op.Tuple {
		return init.Operand(k)
	}
	return nil
}

// elementsOf returns the instructions that take element k out of the tuple x.
func elementsOf(x *hlo.Instruction, k int) (list []*hlo.Instruction) {
	for _, u := range x.Users() {
		if u.Code() == op.GetTupleElement && elementIndex(u) == k {
			list = append(list, u)
		}
	}
	return list
}

// splitResult makes the uses of the loop's result take elements out of it, with a tuple of
// them for those that need the whole, so that the state can be changed.
func (l *loop) splitResult() {
	if onlyElements(l.while) {
		return
	}
	b := newMaker(l.while)
	users := slices.Clone(l.while.Users())
	elems := make([]*hlo.Instruction, len(l.while.Shape().Elems))
	for k, s := range l.while.Shape().Elems {
		elems[k] = b.shaped(op.GetTupleElement, s, &op.GetTupleElementAttrs{Index: k}, []*hlo.Instruction{l.while})
	}
	whole := b.tuple(elems...)
	for _, u := range users {
		if u.Code() == op.GetTupleElement {
			continue
		}
		for k, o := range u.Operands() {
			if o == l.while {
				u.SetOperand(k, whole)
			}
		}
	}
	if l.while.IsRoot() {
		l.while.Computation().SetRoot(whole)
	}
}

// setState gives the loop a state of the given initial values, with next as those after an
// iteration. Elements keep their numbers; see renumber.
func (l *loop) setState(initial, next []*hlo.Instruction) {
	b := &maker{c: l.body}
	root := b.tuple(next...)
	root.CopyAnnotations(l.root)
	l.body.SetRoot(root)
	old := l.root
	moveControl(old, root, true)
	l.body.Remove(old)
	name := old.Name()
	root.SetName(name)
	l.root = root
	init := l.while.Operand(0)
	b = newMaker(l.while)
	l.while.SetOperand(0, b.tuple(initial...))
	annotate(l.while.Operand(0), l.while, false)
	if len(init.Users()) == 0 && !init.IsRoot() && removable(init) {
		removeDead(init)
	}
	shapes := make([]shape.Shape, len(next))
	for k, e := range initial {
		shapes[k] = e.Shape()
	}
	for _, i := range []*hlo.Instruction{l.condParam, l.bodyParam, l.while, root} {
		i.SetShape(shape.MakeTuple(shapes...))
		i.Sharding, i.Origin = nil, nil
	}
}

// state returns the initial values of the state, as instructions beside the loop.
func (l *loop) state() []*hlo.Instruction {
	b := newMaker(l.while)
	list := make([]*hlo.Instruction, len(l.while.Shape().Elems))
	for k := range list {
		list[k] = b.element(l.while.Operand(0), k)
	}
	return list
}

// widen adds the values extra, which do not change, to the state of the loop, and returns
// them as the body sees them.
func (l *loop) widen(extra []*hlo.Instruction) []*hlo.Instruction {
	l.splitResult()
	n := len(l.while.Shape().Elems)
	next, inside := slices.Clone(l.root.Operands()), make([]*hlo.Instruction, len(extra))
	for k, x := range extra {
		inside[k] = l.body.Add(x.Name(), op.GetTupleElement, x.Shape(), []*hlo.Instruction{l.bodyParam},
			&op.GetTupleElementAttrs{Index: n + k})
		annotate(inside[k], x, false)
		next = append(next, inside[k])
	}
	l.setState(append(l.state(), extra...), next)
	return inside
}

// narrow takes the elements of the state out for which keep is false, which nothing that is
// kept may depend on.
func (l *loop) narrow(keep []bool) {
	l.splitResult()
	place := make([]int, len(keep))
	var initial, next []*hlo.Instruction
	for k, x := range l.state() {
		if keep[k] {
			place[k] = len(initial)
			initial, next = append(initial, x), append(next, l.root.Operand(k))
		}
	}
	l.setState(initial, next)
	for _, x := range []*hlo.Instruction{l.condParam, l.bodyParam, l.while} {
		for _, u := range slices.Clone(x.Users()) {
			if k := elementIndex(u); keep[k] {
				u.SetAttrs(&op.GetTupleElementAttrs{Index: place[k]})
			} else if c := u.Computation(); len(u.Users()) == 0 && !u.IsRoot() {
				c.Remove(u)
			}
		}
	}
	pruneDead(l.body)
	pruneDead(l.cond)
}

// loopsIn calls f for every loop of m that passes can change, inner ones in front.
func loopsIn(m *hlo.Module, f func(l *loop) (bool, error)) (changed bool, err error) {
	var calls map[*hlo.Computation]int // nil: not counted, or not since the last change
	for _, c := range m.PostOrder() {
		if !c.Calls() {
			continue
		}
		c.SetRoot(c.Root())
		for _, i := range slices.Clone(c.PostOrder()) {
			if i.Computation() == nil || i.Code() != op.While {
				continue
			}
			if calls == nil {
				calls = callCounts(m)
			}
			l, ok := loopOf(i, calls)
			if !ok {
				continue
			}
			l.cond.SetRoot(l.cond.Root())
			l.body.SetRoot(l.body.Root())
			ch, err := f(l)
			if err != nil {
				return changed, errorAt(i, err)
			}
			if ch {
				changed, calls = true, nil
			}
		}
	}
	return changed, nil
}
