package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// updateSlice writes the update over the operand: in its own buffer where nothing else needs that any more.
func (s *sequencer) updateSlice(i *hlo.Instruction) error {
	if done, err := s.updateProduct(i); done || err != nil {
		return err
	}
	if s.updateOwnElements(i) || s.updateAround(i) {
		return nil
	}
	if err := s.computeFirst(i); err != nil {
		return err
	}
	if err := s.start(i, 0, fuse.Ref{Inst: i}); err != nil {
		return err
	}
	s.nest(s.overwrite(i), i)
	return nil
}

// overwrite is the kernel that computes the update of i where it goes.
func (s *sequencer) overwrite(i *hlo.Instruction) fuse.Spec {
	update := i.Operand(1)
	root := fuse.Root{Ref: fuse.Ref{Inst: update}, Into: fuse.Ref{Inst: i}}
	if starts, ok := constantStarts(i); ok {
		root.Offset = starts
	} else {
		root.Update = i
	}
	return s.write(i, update, root)
}

// constantStarts returns where the update of i goes if that is known.
func constantStarts(i *hlo.Instruction) ([]int, bool) {
	starts := make([]int, i.Rank())
	if len(i.Operands()) != 2+len(starts) {
		return nil, false
	}
	for d := range starts {
		n, ok := constantStart(i.Operand(2+d), i.Dims()[d]-i.Operand(1).Dims()[d])
		if !ok {
			return nil, false
		}
		starts[d] = n
	}
	return starts, true
}

// constantStart returns the start that index tells, if that is known; it is most at most.
func constantStart(index *hlo.Instruction, most int) (int, bool) {
	if index.Code() != op.Constant || index.Rank() != 0 || index.Type() == shape.U64 {
		return 0, false
	}
	return int(min(max(index.Attrs().(*op.ConstantAttrs).Value.IntAt(0), 0), int64(most))), true
}

// updateOwnElements puts out one kernel for an update that is computed from elements of the operand just where it
// then overwrites them, and reports whether i is one.
func (s *sequencer) updateOwnElements(i *hlo.Instruction) bool {
	operand := i.Operand(0)
	if _, ok := constantStarts(i); !ok || !s.readsOperand(i) || !s.mayOverwrite(operand, i) {
		return false
	}
	k, err := fuse.Build(s.complete(s.overwrite(i)))
	if err != nil || slices.ContainsFunc(k.Nest.Buffers, func(b loop.Buffer) bool { return b.Scratch }) {
		return false
	}
	v := s.valueOf(operand)
	before := s.names[v.Buffer]
	delete(s.names, v.Buffer)
	s.setValue(i, v)
	step := &Kernel{}
	s.attach(step, k)
	if !step.mergeOwn(v.Buffer) {
		delete(s.value, i)
		s.names[v.Buffer] = before
		return false
	}
	s.owned[v.Buffer] = true
	s.steps = append(s.steps, step)
	return true
}

const (
	// leastAround is how many elements an update has at least that goes to an array by itself, and mostAround how many
	// times as many as what is around it.
	leastAround, timesAround = 2048, 4
)

// updateAround puts out an update that is computed from other elements of the operand than it overwrites, as a step of
// a stencil is, where it is nearly all of it: it goes to a new array, and so does what is around it. To compute it
// first would be to write it twice. It reports whether i is one.
func (s *sequencer) updateAround(i *hlo.Instruction) bool {
	starts, ok := constantStarts(i)
	size := i.Operand(1).Size()
	if !ok || size < leastAround || i.Size()-size > size/timesAround || !s.readsOperand(i) {
		return false
	}
	s.setValue(i, s.fresh(i))
	s.nest(s.overwrite(i), i)
	from, dims := make([]int, len(starts)), slices.Clone(i.Dims())
	around := func(d, at, n int) {
		if n == 0 {
			return
		}
		from, dims := slices.Clone(from), slices.Clone(dims)
		from[d], dims[d] = at, n
		s.nest(fuse.Spec{Name: i.Name(), Dims: dims, Inner: make([]bool, len(dims)), InMemory: s.inMemory,
			Roots: []fuse.Root{{Ref: fuse.Ref{Inst: i.Operand(0)}, From: from, Into: fuse.Ref{Inst: i}, Offset: from}}}, i)
	}
	for d, start := range starts { // of the dimensions in front, only what is beside the update
		n := i.Operand(1).Dims()[d]
		around(d, 0, start)
		around(d, start+n, dims[d]-start-n)
		from[d], dims[d] = start, n
	}
	return true
}

// mergeOwn makes one of the two buffers of k's nest that are buffer b of the plan, of which one is read and one is
// written, if each iteration reads at most what it then overwrites; it reports whether that is so.
func (k *Kernel) mergeOwn(b int) bool {
	read, write := -1, -1
	for n, o := range k.Buffers {
		if o != b {
			continue
		}
		to := &read
		if k.Nest.Buffers[n].Write {
			to = &write
		}
		if *to >= 0 {
			return false
		}
		*to = n
	}
	if read < 0 || write < 0 || !overwritesRead(k.Nest, read, write) {
		return false
	}
	k.merge(read, write)
	return true
}

// readsOperand reports whether the update of i is computed, where it is written, from the buffer that it goes into.
func (s *sequencer) readsOperand(i *hlo.Instruction) bool {
	operand, update := i.Operand(0), i.Operand(1)
	return s.inMemory(operand) && !s.inMemory(update) && s.reads(update, s.valueOf(operand).Buffer)
}

// computeFirst gives the update a buffer of its own where it is computed from the operand that it goes
// into: then that may be written over.
func (s *sequencer) computeFirst(i *hlo.Instruction) error {
	if !s.readsOperand(i) {
		return nil
	}
	return s.store(i.Operand(1))
}
