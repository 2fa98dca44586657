package plan

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// What is computed for an update, and is read besides, is in memory once the update is made: the others can read it
// there instead of computing it again. In a step of a stencil code,
//
//	u = add(slice(h), ..), h2 = dynamic-update-slice(h, u, 1, 1), e2 = .. subtract(slice(u), slice(u)) ..
//
// e2 then has one operand in memory where it had all that u is computed from; and what it reads at places that are not
// its own has been overwritten already, so that it may overwrite what else it reads.

// ReadUpdates has the values of updates in m, at known places, be read where they were written; it reports whether
// there were any.
func ReadUpdates(m *hlo.Module) (changed bool) {
	for _, c := range m.Computations() {
		if c.IsFused() {
			continue
		}
		for _, i := range slices.Clone(c.PostOrder()) {
			if i.Code() == op.DynamicUpdateSlice && readUpdate(i) {
				changed = true
			}
		}
	}
	return changed
}

// readUpdate replaces the other uses of the update of i by a part of i, where i need not wait for them.
func readUpdate(i *hlo.Instruction) bool {
	starts, ok := constantStarts(i)
	u, x := i.Operand(1), i.Operand(0)
	if !ok || len(u.Users()) < 2 || !u.Code().Info().Has(op.Elementwise) || costOf(u) == 0 || u.IsRoot() ||
		u.Size() == 0 || x == u {
		return false
	}
	others := slices.DeleteFunc(slices.Clone(u.Users()), func(w *hlo.Instruction) bool { return w == i })
	later, ok := reached(append(slices.Clone(others), i.Users()...), nil)
	if !ok || later.seen[i.ID()] || len(u.ControlSuccessors()) > 0 {
		return false
	}
	olds := slices.DeleteFunc(slices.Clone(x.Users()), func(w *hlo.Instruction) bool { return w == i || w == u })
	readers, ok := reached(olds, func(w *hlo.Instruction) bool { return w == u || w == i || keeps(w) })
	if !ok {
		return false
	}
	for _, w := range readers.list { // i would not overwrite x
		if later.seen[w.ID()] && w != u && w != i {
			return false
		}
	}
	part := &op.SliceAttrs{}
	for d, n := range u.Dims() {
		part.Slice = append(part.Slice, op.SliceRange{Start: starts[d], Limit: starts[d] + n, Stride: 1})
	}
	read := i.Computation().Add("", op.Slice, u.Shape(), []*hlo.Instruction{i}, part)
	for _, w := range others {
		for k, o := range w.Operands() {
			if o == u {
				w.SetOperand(k, read)
			}
		}
	}
	return true
}

// keeps reports whether i is surely in memory when it is there: what reads it reads none of its operands.
func keeps(i *hlo.Instruction) bool {
	return isHeavy(i) || i.Code() == op.DynamicUpdateSlice || i.Code() == op.Scatter || i.Code() == op.While
}

// reach is instructions that were found: a list, and which they are by id.
type reach struct {
	list []*hlo.Instruction
	seen []bool
}

// reached returns the instructions that need one of list, these included, up to those of which ends is true; false if
// there are many.
func reached(list []*hlo.Instruction, ends func(*hlo.Instruction) bool) (r reach, ok bool) {
	if len(list) > 0 {
		r.seen = make([]bool, list[0].Computation().NumIDs())
	}
	for todo := list; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if r.seen[i.ID()] {
			continue
		}
		r.seen[i.ID()], r.list = true, append(r.list, i)
		if len(r.list) > maxSearch {
			return r, false
		}
		if ends == nil || !ends(i) {
			todo = append(todo, i.Users()...)
			todo = append(todo, i.ControlSuccessors()...)
		}
	}
	return r, true
}
