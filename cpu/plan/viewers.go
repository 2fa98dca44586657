package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// A product reads by a view what its operand is made from: that must not be overwritten before, even if the operand, or
// what is between the two, is stored too.

// findViewers notes which products read which values by a view.
func (s *sequencer) findViewers() {
	s.viewers = map[*hlo.Instruction][]*hlo.Instruction{}
	for _, i := range s.comp.Instructions() {
		if r := s.groups.products[i.ID()]; r != nil {
			for _, o := range r.reads() {
				if !slices.Contains(i.Operands(), o) {
					s.viewers[o] = append(s.viewers[o], i)
				}
			}
		}
	}
}

// isViewed reports whether a product that is not out reads a by a view.
func (s *sequencer) isViewed(a *hlo.Instruction) bool {
	return slices.ContainsFunc(s.viewers[a], func(i *hlo.Instruction) bool { return !s.done[s.node(i)] })
}

// readKept lets products that are not out read the values of list, which are stored, and reports whether none of them
// reads one of olds, or what is not stored, then; if not, nothing has changed.
func (s *sequencer) readKept(list, olds []*hlo.Instruction) bool {
	var set []int // not those that an update before this one keeps
	for _, i := range list {
		if kept := &s.groups.kept[i.ID()]; !*kept {
			*kept, set = true, append(set, i.ID())
		}
	}
	again := map[*hlo.Instruction]*product{}
	missing := func(o *hlo.Instruction) bool { // overwritten, or an operand without a place of its own
		return slices.Contains(olds, o) || !s.inMemory(o) && o.Code() != op.GetTupleElement && !slices.Contains(list, o)
	}
	for _, a := range olds {
		for _, i := range s.viewers[a] {
			if s.done[s.node(i)] || again[i] != nil {
				continue
			}
			r := s.groups.readingOf(i)
			if r == nil || slices.ContainsFunc(r.reads(), missing) {
				for _, id := range set {
					s.groups.kept[id] = false
				}
				return false
			}
			again[i] = r
		}
	}
	for i, r := range again {
		s.groups.products[i.ID()] = r
	}
	if len(again) > 0 {
		s.findViewers()
	}
	return true
}

// readingOf returns the product i, which is one, as values are kept now.
func (p *placement) readingOf(i *hlo.Instruction) *product {
	r := p.productOf(i)
	if r == nil && isPlainDot(i) {
		if r = p.dotOf(i); gemm.Check(r.specs[0]) != nil {
			return nil
		}
		p.stridedRows(i, r)
	}
	if r != nil && p.inside[i.ID()] && !p.findUpdate(i, r) {
		return nil
	}
	return r
}
