package pass

import "github.com/goxla/xla/hlo"

// sweep is what one pass, which goes over a computation again and again, has seen of it: where there was nothing to do,
// and nothing was edited since, there is nothing to do. It is for a rewrite that looks at nothing but an instruction,
// what that is computed from through any number of operands, what those call, and how many users they have.
type sweep struct {
	// seen is by instruction: how many edits there were, and 1 more, when it was found that there was nothing to do.
	seen []int
	// latest is by instruction: the last edit of all that it is computed from.
	latest []int
	// inside is by computation that calls others: the last edit of it and all that it calls.
	inside map[*hlo.Computation]int
}

// unless returns f without those instructions for which it would find nothing to do. It is good for going once over c,
// in post-order. Behind the first edit all is looked at, for what was passed may have changed.
func (s *sweep) unless(c *hlo.Computation, f rewrite) rewrite {
	m := c.Module()
	before := m.Edits()
	clear(s.inside)
	s.latest = append(s.latest[:0], make([]int, c.NumIDs())...)
	s.seen = append(s.seen, make([]int, c.NumIDs()-len(s.seen))...)
	return func(i *hlo.Instruction) (*hlo.Instruction, error) {
		if m.Edits() == before {
			latest := s.lastEdit(i)
			s.latest[i.ID()] = latest
			if latest < s.seen[i.ID()] {
				return nil, nil
			}
		}
		edits := m.Edits()
		n, err := f(i)
		if n == nil || n == i {
			s.seen[i.ID()] = edits + 1
		}
		return n, err
	}
}

// lastEdit returns the number of the last edit of what i is computed from, whose own are known.
func (s *sweep) lastEdit(i *hlo.Instruction) int {
	last := i.Edited()
	for _, o := range i.Operands() {
		last = max(last, s.latest[o.ID()])
	}
	for _, c := range i.Called() {
		last = max(last, s.lastEditInside(c))
	}
	return last
}

// lastEditInside returns the number of the last edit of c and of all that it calls.
func (s *sweep) lastEditInside(c *hlo.Computation) int {
	if !c.Calls() {
		return c.Edited()
	}
	last, known := s.inside[c]
	if known {
		return last
	}
	last = c.Edited()
	for _, i := range c.Instructions() {
		for _, f := range i.Called() {
			last = max(last, s.lastEditInside(f))
		}
	}
	if s.inside == nil {
		s.inside = map[*hlo.Computation]int{}
	}
	s.inside[c] = last
	return last
}
