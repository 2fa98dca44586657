package plan

import (
	"cmp"
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// sameElements reports whether kernel k reads buffer from only where, in the same iteration, it then writes
// buffer to, and reads nothing of to: so that both may be one.
func (c *coalescer) sameElements(k *Kernel, from, to int) bool {
	if k == nil {
		return false
	}
	read, write := c.nestBuffer(k, from), c.nestBuffer(k, to)
	return read >= 0 && write >= 0 && overwritesRead(k.Nest, read, write)
}

// overwritesRead reports whether n reads one buffer only where, in the same iteration, it then writes another, and
// reads nothing of that: so that both may be one.
func overwritesRead(n *loop.Nest, read, write int) bool {
	if n.Buffers[read].Write {
		return false
	}
	s := elementSearch{nest: n, read: read, write: write, same: true}
	s.block(n.Root, nil)
	return s.same && s.access != nil && s.stores > 0 && injective(s.access, s.loops)
}

// nestBuffer is the number of buffer b in the nest of k, -1 if it has several or none.
func (c *coalescer) nestBuffer(k *Kernel, b int) int {
	found := -1
	for n, o := range k.Buffers {
		if c.of(o) != b {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = n
	}
	return found
}

// elementSearch compares all accesses of two buffers of a nest.
type elementSearch struct {
	nest        *loop.Nest
	read, write int
	same        bool
	access      *loop.Access // the one
	loops       []*loop.Loop // around it
	stores      int
}

func (s *elementSearch) block(b loop.Block, loops []*loop.Loop) {
	for _, n := range b {
		if n.Loop != nil {
			inner := append(slices.Clone(loops), n.Loop)
			s.block(n.Loop.CondBody, inner)
			s.block(n.Loop.Body, inner)
			continue
		}
		i := s.nest.Inst(n.Value)
		if i.Op != loop.Load && i.Op != loop.Store {
			continue
		}
		a := &s.nest.Accesses[i.Access]
		switch {
		case i.Op == loop.Load && a.Buffer == s.read: // in front of all stores
			s.same = s.same && s.stores == 0
			s.compare(a, loops)
		case i.Op == loop.Load && a.Buffer == s.write:
			s.same = false
		case i.Op == loop.Store && a.Buffer == s.write:
			s.stores++
			s.compare(a, loops)
		}
	}
}

// compare compares an access with those before.
func (s *elementSearch) compare(a *loop.Access, loops []*loop.Loop) {
	if s.access == nil {
		s.access, s.loops = a, loops
	}
	b := s.access
	s.same = s.same && a.Index == 0 && b.Index == 0 && a.Offset == b.Offset && a.Mem == b.Mem &&
		slices.Equal(a.Terms, b.Terms) && slices.Equal(loops, s.loops)
}

// injective reports whether each iteration of the loops has an address of its own.
func injective(a *loop.Access, loops []*loop.Loop) bool {
	extent := map[int]int64{}
	for _, l := range loops {
		if l.Cond != 0 {
			return false
		}
		if l.Extent > 1 {
			extent[l.Var] = l.Extent
		}
	}
	terms := slices.Clone(a.Terms)
	for k := range terms {
		terms[k].Stride = max(terms[k].Stride, -terms[k].Stride)
	}
	slices.SortStableFunc(terms, func(x, y loop.Term) int { return cmp.Compare(x.Stride, y.Stride) })
	reach := int64(0) // of the terms so far
	for _, t := range terms {
		n, ok := extent[t.Var]
		if !ok {
			continue
		}
		if t.Stride <= reach {
			return false
		}
		reach += t.Stride * (n - 1)
		delete(extent, t.Var)
	}
	return len(extent) == 0
}

// replace makes buffer from of kernel k buffer to, which it has too; nothing if k does not have both.
func (c *coalescer) replace(k *Kernel, from, to int) {
	if k == nil {
		return
	}
	read, write := c.nestBuffer(k, from), c.nestBuffer(k, to)
	if read < 0 || write < 0 {
		return
	}
	k.merge(read, write)
}

// merge makes buffer read of the nest of k its buffer write.
func (k *Kernel) merge(read, write int) {
	n := k.Nest
	for i := range n.Accesses {
		if b := &n.Accesses[i].Buffer; *b == read {
			*b = write
		}
	}
	for i := range n.Accesses {
		if b := &n.Accesses[i].Buffer; *b > read {
			*b--
		}
	}
	n.Buffers = slices.Delete(n.Buffers, read, read+1)
	k.Buffers = slices.Delete(k.Buffers, read, read+1)
}
