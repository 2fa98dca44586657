package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Elements of an array that are read where they are needed keep it from being overwritten until then. In a step that
// swaps two elements,
//
//	x2 = dynamic-update-slice(x, dynamic-slice(x, j), i), x3 = dynamic-update-slice(x2, dynamic-slice(x, i), j)
//
// x3 needs an element of x behind x2. To save that element is less than to copy x.

const (
	// timesSaved is how many times as large as what is saved of it an array is at least.
	timesSaved = 2
	// leastCopied is how many bytes take as long to copy as a kernel that saves an element, where no loop around both
	// has them in one kernel.
	leastCopied = 4 << 10
)

// saveParts puts out the kernels of the few elements of operand k of i that would be read behind i, which writes over
// that operand; it reports whether there were any.
func (s *sequencer) saveParts(i *hlo.Instruction, k int) (saved bool, err error) {
	o := i.Operand(k)
	if !s.isOwn(o) {
		return false, nil
	}
	p := partSearch{sequencer: s, of: i, buffer: s.valueOf(o).Buffer, seen: map[*hlo.Instruction]bool{}}
	p.left = s.plan.Buffers[p.buffer].Bytes / timesSaved
	names := s.namesOf(p.buffer)
	slices.SortStableFunc(names, func(a, b *hlo.Instruction) int { return a.ID() - b.ID() })
	for _, a := range names {
		if !p.readers(a) {
			return false, nil
		}
	}
	if len(p.parts)+len(p.kept) == 0 || s.loops == 0 && s.plan.Buffers[p.buffer].Bytes < int64(len(p.parts))*leastCopied ||
		!s.readKept(slices.Concat(p.parts, p.kept), names) {
		return false, nil
	}
	return true, s.store(p.parts...)
}

// store puts out kernels of values that until now were computed where they are read.
func (s *sequencer) store(list ...*hlo.Instruction) error {
	for _, u := range list {
		s.setValue(u, s.fresh(u))
		s.nest(s.write(u, u, fuse.Root{Ref: fuse.Ref{Inst: u}}), u)
	}
	if err := s.makeNests(); err != nil { // nests in front of these do not find them in memory
		return err
	}
	for _, u := range list {
		s.groups.stored[u.ID()], s.done[s.node(u)] = true, true
	}
	return nil
}

// partSearch looks for all that is still to be read of a buffer that an instruction writes over.
type partSearch struct {
	*sequencer
	of     *hlo.Instruction
	buffer int
	left   int64 // how many bytes more are few
	parts  []*hlo.Instruction
	kept   []*hlo.Instruction // that are stored already
	seen   map[*hlo.Instruction]bool
}

// readers adds the parts that are read of a, which has the buffer or is computed from it; false if there is more than
// few parts, or they cannot be computed yet.
func (p *partSearch) readers(a *hlo.Instruction) bool {
	if a.IsRoot() {
		return false
	}
	for _, u := range a.Users() {
		if u == p.of || p.seen[u] || p.isOther(a, u) {
			continue
		}
		p.seen[u] = true
		switch {
		case p.inMemory(u):
			if !p.done[p.node(u)] {
				return false
			}
			if viewSteps[u.Code()] != nil {
				p.kept = append(p.kept, u)
			}
		case isPart(u) && !p.needed(u): // only by what is out
		case isPart(u) && p.bytes(u) <= p.left:
			if !p.canCompute(u) {
				return false
			}
			p.left -= p.bytes(u)
			p.parts = append(p.parts, u)
		case !p.readers(u):
			return false
		}
	}
	return true
}

// needed reports whether something that is not out yet computes u, which is not in memory, to read it.
func (p *partSearch) needed(u *hlo.Instruction) bool {
	list, listed := []*hlo.Instruction{u}, map[*hlo.Instruction]bool{}
	for n := 0; n < len(list); n++ {
		for _, w := range list[n].Users() {
			if p.inMemory(w) {
				if w == p.of || !p.done[p.node(w)] {
					return true
				}
			} else if !listed[w] {
				list, listed[w] = append(list, w), true
			}
		}
	}
	return false
}

// canCompute reports whether all that u is computed from is in memory.
func (p *partSearch) canCompute(u *hlo.Instruction) bool {
	return !slices.ContainsFunc(p.inline(u.Operands()), func(o *hlo.Instruction) bool { return !p.hasValue(o) })
}

func (p *partSearch) bytes(u *hlo.Instruction) int64 {
	return int64(u.Size() * u.Type().ByteSize())
}

// isOther reports whether u is an element of tuple a that is not in the buffer.
func (p *partSearch) isOther(a, u *hlo.Instruction) bool {
	if u.Code() != op.GetTupleElement || !p.value[a].Tuple {
		return false
	}
	return !p.value[a].Elems[u.Attrs().(*op.GetTupleElementAttrs).Index].has(p.buffer)
}

// has reports whether v, or an element of it, is in buffer b.
func (v Value) has(b int) bool {
	if !v.Tuple {
		return v.Buffer == b
	}
	return slices.ContainsFunc(v.Elems, func(e Value) bool { return e.has(b) })
}

// isPart reports whether i is elements of its operand.
func isPart(i *hlo.Instruction) bool {
	return i.Code() == op.DynamicSlice || i.Code() == op.Slice || i.Code() == op.Gather
}

// freeStates has few elements of an array stored that is in the state of a loop, if the next one is made from them
// where they are read, and of all others element by element: then it can be made in the array's own place.
func (p *placement) freeStates(root *hlo.Instruction) {
	if root.Code() != op.Tuple || p.apart {
		return
	}
	for k, next := range root.Operands() {
		if !p.fusible[next.ID()] || !next.Code().Info().Has(op.Elementwise) {
			continue
		}
		parts, list := []*hlo.Instruction{}, []*hlo.Instruction{next}
		for n := 0; n < len(list) && len(list) <= maxInline; n++ {
			for _, o := range list[n].Operands() {
				if p.stored[o.ID()] || slices.Contains(list, o) {
					continue
				}
				list = append(list, o)
				if isPart(o) && isState(o.Operand(0), k) {
					parts = append(parts, o)
				}
			}
		}
		for _, i := range parts {
			if onlyParts(i.Operand(0)) {
				p.forced[i.ID()], p.again = true, true
			}
		}
	}
}

// isState reports whether x is element k of a parameter, maybe with updates.
func isState(x *hlo.Instruction, k int) bool {
	for x.Code() == op.DynamicUpdateSlice {
		x = x.Operand(0)
	}
	return x.Code() == op.GetTupleElement && x.Operand(0).Code() == op.Parameter &&
		x.Attrs().(*op.GetTupleElementAttrs).Index == k
}

// onlyParts reports whether all that is read of x are few elements, the own one, or all for a sum.
func onlyParts(x *hlo.Instruction) bool {
	left := x.Size() / timesSaved
	return !slices.ContainsFunc(x.Users(), func(u *hlo.Instruction) bool {
		if isPart(u) {
			left -= u.Size()
			return left < 0
		}
		return !isHeavy(u) && !u.Code().Info().Has(op.Elementwise)
	})
}
