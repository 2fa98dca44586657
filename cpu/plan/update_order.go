package plan

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Which step comes first decides whether an update can be made in the buffer of what it updates: all that reads the
// old elements has to be out. So updates come last, and of these, those that others still need the old elements
// of wait for the others.

// mostWaits bounds how often an update lets others pass.
const mostWaits = 4

// emitAll puts out the steps of the computation.
func (s *sequencer) emitAll() error {
	first, last := updatesLast(s.comp)
	if err := s.emitEach(first); err != nil {
		return err
	}
	for range mostWaits {
		left, err := s.emitReady(last)
		if err != nil {
			return err
		}
		if len(left) == len(last) {
			break
		}
		last = left
	}
	return s.emitEach(last)
}

func (s *sequencer) emitEach(list []*hlo.Instruction) error {
	for _, i := range list {
		if err := s.emit(i); err != nil {
			return err
		}
	}
	return nil
}

// emitReady puts out the steps of what needs not wait, and returns what has to.
func (s *sequencer) emitReady(list []*hlo.Instruction) (left []*hlo.Instruction, err error) {
	waits := map[*hlo.Instruction]bool{}
	for _, i := range list {
		waits[i] = slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool { return waits[o] }) || s.shouldWait(i)
		if waits[i] {
			left = append(left, i)
			continue
		}
		if err := s.emit(i); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// shouldWait reports whether i updates a buffer that it could write over but for others that still read it.
func (s *sequencer) shouldWait(i *hlo.Instruction) bool {
	if i.Code() != op.DynamicUpdateSlice || s.done[s.node(i)] || !s.groups.nests[i.ID()] {
		return false
	}
	o := i.Operand(0)
	return s.inMemory(o) && s.hasValue(o) && s.isOwn(o) && !s.mayOverwrite(o, i)
}

// hasValue reports whether the steps that compute i, which is in memory, are out.
func (s *sequencer) hasValue(i *hlo.Instruction) bool {
	for i.Code() == op.GetTupleElement && !s.groups.stored[i.ID()] {
		i = i.Operand(0)
	}
	_, ok := s.value[i]
	return ok
}

// updatesLast is the post-order in two parts: what updates, and what needs it, is behind all else, so that other
// readers of what is updated come first.
func updatesLast(c *hlo.Computation) (first, last []*hlo.Instruction) {
	late := make([]bool, c.NumIDs())
	for _, i := range c.PostOrder() {
		late[i.ID()] = updates(i) || slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool { return late[o.ID()] })
		if late[i.ID()] {
			last = append(last, i)
			continue
		}
		first = append(first, i)
	}
	return first, last
}
