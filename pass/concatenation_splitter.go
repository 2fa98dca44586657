package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass/match"
)

// ConcatenationSplitter computes what is made of concatenations element by element for each of their parts, where
// parts are needed by themselves:
//
//	y = x + 2 * concatenate(a, b)
//	c = slice(y, the part of a)             c = slice(x, the part of a) + 2 * a
//
// So the components of a system of equations, which a program stacks to add a step to all of them at once, never go
// through memory between one stage of the step and the next.
func ConcatenationSplitter() Pass {
	return Pass{
		Name: "concatenation-splitter",
		Doc: "Computes what is made of concatenations element by element for each of their parts, where slices take such " +
			"parts out again, in this iteration of a loop or in the next one.",
		About: []op.Code{op.Concatenate, op.While},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			bodies := loopBodies(m)
			changed := false
			for _, c := range m.PostOrder() {
				s := newSplitter(c, bodies[c])
				if !slices.Contains(s.wanted, true) {
					continue
				}
				ch, err := rewriteComputation(c, s.split)
				if err != nil {
					return changed, err
				}
				changed = changed || ch
			}
			return changed, nil
		},
	}
}

const (
	// mostParts is how many parts a concatenation has at most that is split, mostSplit how many operations there are of
	// all parts of what hangs together.
	mostParts, mostSplit = 16, 1024
	// mostReduced is how many parts are reduced one after the other at most.
	mostReduced = 4
	// workOfJoining is how many operations there are at least to a part that is joined with others to short rows.
	workOfJoining = 4
	// leastCut is how many elements an array has at least that is cut.
	leastCut = 64
	// leastPartRow is how many elements a part has at least one after the other.
	leastPartRow = 16
)

// splitter finds, in one computation, what is to be split.
type splitter struct {
	body *loop // that the computation is the body of; nil if of none
	// cut is by instruction: how concatenations, and what is made of them element by element, are cut; nil otherwise.
	cut []*cutting
	// group is by instruction: another of those that hang together, or itself.
	group []int
	// size is by group the operations of all parts, wanted whether parts are needed by themselves, short whether parts
	// have short rows, so that to join them or to read them takes long, and open the parts of what all is needed of.
	size, open    []int
	wanted, short []bool
}

func newSplitter(c *hlo.Computation, body *loop) *splitter {
	n := c.NumIDs()
	s := &splitter{body: body, cut: make([]*cutting, n), group: make([]int, n), size: make([]int, n),
		open: make([]int, n), wanted: make([]bool, n), short: make([]bool, n)}
	order := c.PostOrder()
	s.findCuts(order)
	for _, i := range order {
		cut, g := s.cut[i.ID()], s.groupOf(i.ID())
		if cut == nil {
			continue
		}
		if s.neededWhole(i, cut) {
			s.open[g] += len(cut.sizes)
		}
		s.short[g] = s.short[g] || cut.leastRow(i) < leastPartRow
		if i.Code() == op.Concatenate || i.Code() == op.GetTupleElement {
			continue
		}
		s.size[g] += len(cut.sizes)
		s.wanted[g] = s.wanted[g] || cut.readByParts(i) || s.nextByParts(i, cut)
	}
	return s
}

// neededWhole reports whether something needs x that does not hang together with it and is no slice of a part, nor the
// next iteration, which takes only parts.
func (s *splitter) neededWhole(x *hlo.Instruction, cut *cutting) bool {
	return x.IsRoot() || slices.ContainsFunc(x.Users(), func(u *hlo.Instruction) bool {
		if s.body != nil && u == s.body.root {
			return !s.carriedInParts(x, cut)
		}
		return !s.inParts(u, x, cut)
	})
}

// inParts reports whether u, which uses something, is a slice of a part, or hangs together with x.
func (s *splitter) inParts(u, x *hlo.Instruction, cut *cutting) bool {
	if _, ok := cut.partOf(u); ok || cut.isJoinedBy(u) {
		return true
	}
	return s.cut[u.ID()] != nil && s.groupOf(u.ID()) == s.groupOf(x.ID())
}

// carriedInParts reports whether the next iteration needs only parts of x.
func (s *splitter) carriedInParts(x *hlo.Instruction, cut *cutting) bool {
	for k, next := range s.body.root.Operands() {
		if next != x {
			continue
		}
		taken := elementsOf(s.body.bodyParam, k)
		if len(elementsOf(s.body.condParam, k)) > 0 || len(taken) == 0 {
			return false
		}
		for _, e := range taken {
			if slices.ContainsFunc(e.Users(), func(u *hlo.Instruction) bool { return !s.inParts(u, x, cut) }) {
				return false
			}
		}
	}
	return s.body.isLong()
}

func (s *splitter) groupOf(id int) int {
	for s.group[id] != id {
		s.group[id] = s.group[s.group[id]]
		id = s.group[id]
	}
	return id
}

// findCuts finds how instructions are cut, and what hangs together: what is made of something that is cut, and what
// that is made of.
func (s *splitter) findCuts(order []*hlo.Instruction) {
	for _, i := range order {
		s.group[i.ID()] = i.ID()
		switch {
		case i.Code() == op.Concatenate:
			s.cut[i.ID()] = cuttingOf(i)
		case s.isState(i):
			s.cut[i.ID()] = cuttingOfUses(i)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, i := range order {
			changed = s.cutLikeOperands(i) || changed
		}
		for _, i := range slices.Backward(order) {
			changed = s.cutOperands(i) || changed
		}
	}
}

// isState reports whether i takes an element out of the state of the loop.
func (s *splitter) isState(i *hlo.Instruction) bool {
	return s.body != nil && i.Code() == op.GetTupleElement && i.Operand(0) == s.body.bodyParam
}

// isByElements reports whether i is computed element by element of arrays.
func isByElements(i *hlo.Instruction) bool {
	info := i.Code().Info()
	return info.Has(op.Elementwise) && info.Calls == nil && len(i.Operands()) > 0 && isWide(i)
}

// cutLikeOperands cuts i as what it is made of is cut, if all that is cut of that is cut in one way.
func (s *splitter) cutLikeOperands(i *hlo.Instruction) bool {
	if s.cut[i.ID()] != nil || i.Code() != op.Transpose && !isByElements(i) {
		return false
	}
	var cut *cutting
	for _, x := range i.Operands() {
		switch c := s.cut[x.ID()]; {
		case c == nil:
		case i.Code() == op.Transpose:
			cut = c.transposed(i)
		case cut == nil:
			cut = c
		case !cut.equal(c):
			return false
		}
	}
	if cut == nil {
		return false
	}
	s.cut[i.ID()] = cut
	for _, x := range i.Operands() {
		s.join(x, i)
	}
	return true
}

// join has x and i hang together, if x is cut.
func (s *splitter) join(x, i *hlo.Instruction) {
	if s.cut[x.ID()] != nil {
		s.group[s.groupOf(x.ID())] = s.groupOf(i.ID())
	}
}

// cutOperands cuts what i is made of as i is cut, where that is computed by elements or the state of a loop, and to
// read parts of it takes long.
func (s *splitter) cutOperands(i *hlo.Instruction) (changed bool) {
	cut := s.cut[i.ID()]
	if cut == nil || !isByElements(i) || cut.leastRow(i) >= leastPartRow {
		return false
	}
	for _, x := range i.Operands() {
		if s.cut[x.ID()] != nil || !isByElements(x) && !(s.isState(x) && isWide(x)) {
			continue
		}
		s.cut[x.ID()] = cut
		s.join(x, i)
		changed = true
	}
	return changed
}

// nextByParts reports whether x is part of the state of a loop, and the next iteration takes a part of it.
func (s *splitter) nextByParts(x *hlo.Instruction, cut *cutting) bool {
	if s.body == nil {
		return false
	}
	for k, next := range s.body.root.Operands() {
		if next == x && slices.ContainsFunc(elementsOf(s.body.bodyParam, k), cut.readByParts) {
			return true
		}
	}
	return false
}

// split returns the concatenation of the parts of i.
func (s *splitter) split(i *hlo.Instruction) (*hlo.Instruction, error) {
	if i.Code() == op.Reduce {
		return s.splitReduce(i)
	}
	if i.Code() == op.Concatenate || i.Code() == op.GetTupleElement || !s.splits(i) {
		return nil, nil
	}
	b, cut := newMaker(i), s.cut[i.ID()]
	parts := make([]*hlo.Instruction, len(cut.sizes))
	for k := range parts {
		parts[k] = b.makePart(i, cut, k)
	}
	return b.finish(b.add(op.Concatenate, &op.ConcatenateAttrs{Dimensions: []int{cut.dim}}, parts...))
}

// splits reports whether i is split.
func (s *splitter) splits(i *hlo.Instruction) bool {
	if i.ID() >= len(s.cut) || s.cut[i.ID()] == nil {
		return false
	}
	g := s.groupOf(i.ID())
	return s.wanted[g] && s.size[g] <= mostSplit && !(s.short[g] && s.size[g] < workOfJoining*s.open[g])
}

// splitReduce returns what reduction i makes of the parts of what was split.
func (s *splitter) splitReduce(i *hlo.Instruction) (*hlo.Instruction, error) {
	x := i.Operand(0)
	cut := cuttingOf(x)
	if cut == nil || !cut.isJoinedBy(i) || x.ID() < len(s.cut) && !s.splits(x) {
		return nil, nil
	}
	kind, _ := match.Reducer(i.Called()[0])
	b := newMaker(i)
	sum := b.broadcast(i.Operand(1), i.Shape())
	for k := range cut.sizes {
		sum = b.add(kind.Code(), nil, sum, b.partOf(x, cut, k))
	}
	return b.finish(sum)
}

// makePart computes part k of i.
func (b *maker) makePart(i *hlo.Instruction, cut *cutting, k int) *hlo.Instruction {
	if i.Code() == op.Transpose {
		x, perm := i.Operand(0), i.Attrs().(*op.TransposeAttrs).Dimensions
		from := &cutting{dim: perm[cut.dim], sizes: cut.sizes}
		return b.transpose(b.reshape(b.partOf(x, from, k), from.shapeOf(x.Shape(), k).Dims...), perm)
	}
	operands := make([]*hlo.Instruction, len(i.Operands()))
	for n, x := range i.Operands() {
		operands[n] = b.partOf(x, cut, k)
	}
	part := b.shaped(i.Code(), cut.flat(i.Shape(), k), i.Attrs(), operands)
	return b.reshape(part, cut.shapeOf(i.Shape(), k).Dims...)
}
