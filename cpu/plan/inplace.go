package plan

import (
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
	return s.same && s.access != nil && len(s.stores) > 0 && s.overwritten() && s.apart()
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

// elementSearch compares all accesses of two buffers of a nest, which may differ in their offsets alone, as those of
// rows that are done together do.
type elementSearch struct {
	nest          *loop.Nest
	read, write   int
	same          bool
	access        *loop.Access // the first one
	loops         []*loop.Loop // around it
	loads, stores []int64      // offsets
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
			s.same = s.same && len(s.stores) == 0
			s.loads = append(s.loads, a.Offset)
			s.compare(a, loops)
		case i.Op == loop.Load && a.Buffer == s.write:
			s.same = false
		case i.Op == loop.Store && a.Buffer == s.write:
			s.stores = append(s.stores, a.Offset)
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
	s.same = s.same && a.Index == 0 && b.Index == 0 && a.Mem == b.Mem &&
		slices.Equal(a.Terms, b.Terms) && slices.Equal(loops, s.loops)
}

// overwritten reports whether all elements that an iteration reads are among those that it writes, which are different
// ones, each as far from the next.
func (s *elementSearch) overwritten() bool {
	slices.Sort(s.stores)
	for k, at := range s.stores[1:] {
		if at == s.stores[k] || at-s.stores[k] != s.stores[1]-s.stores[0] {
			return false
		}
	}
	return !slices.ContainsFunc(s.loads, func(at int64) bool { return !slices.Contains(s.stores, at) })
}

// apart reports whether each iteration of the loops, and each element that it writes, has an address of its own.
func (s *elementSearch) apart() bool {
	var steps []loop.Steps
	for _, l := range s.loops {
		if l.Cond != 0 {
			return false
		}
		steps = append(steps, loop.Steps{Stride: s.access.Stride(l.Var), Count: l.Extent})
	}
	if n := len(s.stores); n > 1 {
		steps = append(steps, loop.Steps{Stride: s.stores[1] - s.stores[0], Count: int64(n)})
	}
	return loop.DistinctPlaces(steps)
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
