package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Operations whose result is mostly their operand, or whose parts come from several places,
// have kernels that write into their buffer: dynamic-update-slice, scatter, select-and-scatter,
// concatenate; random bits too, which go to buffers of two shapes.

// updates reports whether i is such an operation.
func updates(i *hlo.Instruction) bool {
	switch i.Code() {
	case op.DynamicUpdateSlice, op.Concatenate, op.Scatter, op.SelectAndScatter:
		return true
	}
	return false
}

// into puts out the kernels of i.
func (s *sequencer) into(i *hlo.Instruction) error {
	switch i.Code() {
	case op.Concatenate:
		s.concatenate(i)
		return nil
	case op.DynamicUpdateSlice:
		return s.updateSlice(i)
	case op.ReduceWindow:
		s.setValue(i, s.fresh(i))
		kernels, err := fuse.BuildCumulative(i, s.inMemory, s.machine())
		if err != nil {
			return err
		}
		for _, k := range kernels {
			s.addKernel(k)
		}
		return nil
	case op.RngBitGenerator:
		s.setValue(i, s.builder.value(evaluated(i), s.leaf(Temp, i)))
		kernels, err := fuse.BuildRng(i)
		if err != nil {
			return err
		}
		for _, k := range kernels {
			s.addKernel(k)
		}
		return nil
	case op.SelectAndScatter:
		v := s.fresh(i)
		if !fuse.ScattersWhole(i) {
			s.fill(i.Operand(2), fuse.Ref{Inst: i}, v)
		}
		s.setValue(i, v)
		return s.scatterKernel(i)
	}
	return s.scatter(i)
}

// fresh gives i a buffer of its own.
func (s *sequencer) fresh(i *hlo.Instruction) Value {
	return s.builder.value(i.Shape(), s.leaf(Temp, i))
}

// inMemory is what kernels outside of the clusters read.
func (s *sequencer) inMemory(i *hlo.Instruction) bool { return s.groups.stored[i.ID()] }

// concatenate writes each operand to its place.
func (s *sequencer) concatenate(i *hlo.Instruction) {
	s.setValue(i, s.fresh(i))
	whole := s.complete(fuse.Spec{Name: i.Name(), Dims: i.Dims(), Inner: make([]bool, i.Rank()),
		Roots: []fuse.Root{{Ref: fuse.Ref{Inst: i}}}, InMemory: s.inMemory})
	if fuse.Interleaves(whole) || fuse.WritesRows(whole) {
		s.nest(whole, i)
		return
	}
	for _, spec := range s.parts(i) {
		s.nest(spec, i)
	}
}

// parts is the kernels that write the operands of concatenation i to their places: one for each, but for neighbours
// that are computed from the same, as the two halves of what is turned by an angle.
func (s *sequencer) parts(i *hlo.Instruction) (specs []fuse.Spec) {
	dim := i.Attrs().(*op.ConcatenateAttrs).Dimensions[0]
	for _, r := range s.roots(nil, i, fuse.Ref{Inst: i}, make([]int, i.Rank())) {
		last := len(specs) - 1
		if last >= 0 && len(specs[last].Roots) < mostTogether && s.fromSame(specs[last], r.Inst, dim) {
			specs[last].Roots = append(specs[last].Roots, r)
			continue
		}
		specs = append(specs, s.write(i, r.Inst, r))
	}
	return specs
}

// roots appends the operands of concatenation c, which begins at offset in into, to list, those of concatenations among
// them in their stead.
func (s *sequencer) roots(list []fuse.Root, c *hlo.Instruction, into fuse.Ref, offset []int) []fuse.Root {
	dim := c.Attrs().(*op.ConcatenateAttrs).Dimensions[0]
	for _, o := range c.Operands() {
		switch {
		case o.Size() == 0:
		case o.Code() == op.Concatenate && !s.inMemory(o):
			list = s.roots(list, o, into, offset)
		default:
			list = append(list, fuse.Root{Ref: fuse.Ref{Inst: o}, Into: into, Offset: offset})
		}
		offset = slices.Clone(offset)
		offset[dim] += o.Dims()[dim]
	}
	return list
}

const (
	// mostTogether is how many parts of a concatenation are computed together at most.
	mostTogether = 4
	// leastPart is how many elements of a row of a concatenation one of them has at least.
	leastPart = 16
)

// fromSame reports whether o, a part along dim, is computed from an array as large as itself that the first root of c
// is made from, too, so that both are best computed together.
func (s *sequencer) fromSame(c fuse.Spec, o *hlo.Instruction, dim int) bool {
	first := c.Roots[0].Inst
	if !s.isComputed(o) || !s.isComputed(first) ||
		!o.Shape().SameDims(first.Shape()) || sizeOf(o.Dims()[dim:]) < leastPart {
		return false
	}
	space := fuse.Space{Dims: c.Dims, Inner: c.Inner}
	read := s.groups.reader.Uses(first, space)
	return slices.ContainsFunc(s.groups.reader.Uses(o, space), func(u fuse.Use) bool {
		return u.Inst.IsArray() && u.Inst.Size() >= o.Size() &&
			slices.ContainsFunc(read, func(r fuse.Use) bool { return r.Inst == u.Inst })
	})
}

// isComputed reports whether o, a part of a concatenation, is more than elements that are moved: maybe in another
// shape.
func (s *sequencer) isComputed(o *hlo.Instruction) bool {
	for o.Code() == op.Reshape && !s.inMemory(o) {
		o = o.Operand(0)
	}
	return !s.inMemory(o) && !isFree[o.Code()]
}

// write is the kernel that computes o for a place in the value of i.
func (s *sequencer) write(i, o *hlo.Instruction, root fuse.Root) fuse.Spec {
	return fuse.Spec{Name: i.Name(), Dims: o.Dims(), Inner: make([]bool, o.Rank()),
		Roots: []fuse.Root{root}, InMemory: s.inMemory}
}

// start gives i, or its element k, a buffer that holds operand k.
func (s *sequencer) start(i *hlo.Instruction, k int, into fuse.Ref) error {
	o := i.Operand(k)
	v := Value{}
	inPlace := s.inMemory(o) && s.isAlone(i, k)
	if s.inMemory(o) && !inPlace {
		saved, err := s.saveParts(i, k)
		if err != nil {
			return err
		}
		inPlace = saved && s.isAlone(i, k)
	}
	if inPlace {
		v = s.valueOf(o)
		delete(s.names, v.Buffer)
	} else {
		v = Value{Buffer: s.leaf(Temp, i)(into.Shape())}
	}
	s.setLeaf(i, into.Leaf, v)
	if inPlace {
		s.owned[v.Buffer] = true
		return nil
	}
	s.fill(o, into, v)
	return nil
}

// isAlone reports whether i may write over its operand k.
func (s *sequencer) isAlone(i *hlo.Instruction, k int) bool {
	return !s.readsElsewhere(i, k) && s.mayOverwrite(i.Operand(k), i)
}

// setLeaf makes v the value of i, or of its element n if it is a tuple.
func (s *sequencer) setLeaf(i *hlo.Instruction, n int, v Value) {
	if !i.IsTuple() {
		s.setValue(i, v)
		return
	}
	t, ok := s.value[i]
	if !ok {
		t = Value{Tuple: true, Elems: make([]Value, len(i.Shape().Elems))}
	}
	t.Elems[n] = v
	s.value[i] = t
	s.name(i, v)
}

// fill writes o, or a scalar o everywhere, to the buffer of into.
func (s *sequencer) fill(o *hlo.Instruction, into fuse.Ref, v Value) {
	if s.inMemory(o) && o.Size() == into.Shape().Size() {
		s.steps = append(s.steps, &Copy{s.valueOf(o).Buffer, v.Buffer})
		return
	}
	s.setLeaf(into.Inst, into.Leaf, v)
	spec := s.write(into.Inst, o, fuse.Root{Ref: fuse.Ref{Inst: o}, Into: into})
	if o.Rank() == 0 {
		spec.Roots[0].Spread = true
		spec.Dims, spec.Inner = into.Shape().Dims, make([]bool, into.Shape().Rank())
	}
	s.nest(spec, o)
}

// readsElsewhere reports whether the other operands of i, computed as they are needed, read the
// buffer of operand k.
func (s *sequencer) readsElsewhere(i *hlo.Instruction, k int) bool {
	buffer := s.valueOf(i.Operand(k)).Buffer
	for n, o := range i.Operands() {
		if n != k && s.reads(o, buffer) {
			return true
		}
	}
	return false
}

// reads reports whether o is in a buffer, or is computed, where it is used, from what is.
func (s *sequencer) reads(o *hlo.Instruction, buffer int) bool {
	seen := map[*hlo.Instruction]bool{}
	var reads func(o *hlo.Instruction) bool
	reads = func(o *hlo.Instruction) bool {
		if seen[o] {
			return false
		}
		seen[o] = true
		if s.inMemory(o) {
			return slices.Contains(s.valueOf(o).Leaves(nil), buffer)
		}
		return slices.ContainsFunc(o.Operands(), reads)
	}
	return reads(o)
}

// mayOverwrite reports whether the buffer of o is this sequence's own and everything that reads
// it, other than i, is out already.
func (s *sequencer) mayOverwrite(o, i *hlo.Instruction) bool {
	if !s.isOwn(o) {
		return false
	}
	v := s.valueOf(o)
	return !slices.ContainsFunc(s.namesOf(v.Buffer), func(a *hlo.Instruction) bool {
		return a != i && !s.finished(a, i, v.Buffer)
	})
}

// setValue makes v the value of i.
func (s *sequencer) setValue(i *hlo.Instruction, v Value) {
	s.value[i] = v
	s.name(i, v)
}

// name notes that i has the buffers of v.
func (s *sequencer) name(i *hlo.Instruction, v Value) {
	if !v.Tuple {
		s.names[v.Buffer] = append(s.names[v.Buffer], i)
	}
	for _, e := range v.Elems {
		s.name(i, e)
	}
}

// namesOf are the instructions whose values have a buffer, without those that are overwritten.
func (s *sequencer) namesOf(buffer int) (list []*hlo.Instruction) {
	for _, a := range s.names[buffer] {
		if v, ok := s.value[a]; ok && v.has(buffer) {
			list = append(list, a)
		}
	}
	return list
}

// isOwn reports whether the buffer of o is this sequence's own.
func (s *sequencer) isOwn(o *hlo.Instruction) bool {
	v := s.valueOf(o)
	return !v.Tuple && s.owned[v.Buffer] && s.plan.Buffers[v.Buffer].Kind == Temp
}

// finished reports whether all that reads the buffer by the name of a, other than i, is out.
func (s *sequencer) finished(a, i *hlo.Instruction, buffer int) bool {
	if a.IsRoot() || s.isViewed(a) {
		return false
	}
	for _, u := range a.Users() {
		if u == i {
			continue
		}
		if u.Code() == op.GetTupleElement && s.value[a].Tuple {
			k := u.Attrs().(*op.GetTupleElementAttrs).Index
			if !slices.Contains(s.value[a].Elems[k].Leaves(nil), buffer) {
				continue
			}
		}
		if s.inMemory(u) {
			if !s.done[s.node(u)] {
				return false
			}
			continue
		}
		if !s.finished(u, i, buffer) {
			return false
		}
	}
	return true
}

// scatter combines updates with the operands.
func (s *sequencer) scatter(i *hlo.Instruction) error {
	for k := range len(i.Operands()) / 2 {
		if err := s.start(i, k, fuse.Ref{Inst: i, Leaf: k}); err != nil {
			return err
		}
	}
	return s.scatterKernel(i)
}

func (s *sequencer) scatterKernel(i *hlo.Instruction) error {
	k, err := fuse.BuildScatter(i, s.inMemory, s.machine())
	if err != nil {
		return err
	}
	s.addKernel(k)
	return nil
}
