package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// cluster is a set of stored values that one kernel computes.
type cluster struct {
	space   fuse.Space
	members []*hlo.Instruction
	// heavy: a member may be computed once for each position only.
	heavy bool
	// first is the place in post-order of the first member.
	first int
	// reads are the instructions in memory that members read, those of the cluster itself too.
	reads []*hlo.Instruction
	// alone: no other value may join.
	alone bool
}

// clustering groups the stored values of one computation. It goes through them in post-order and lets
// each join the kernel of one of its producers, or one that reads the same, where the
// positions agree and no other step would have to run between. Kernels of other producers then become one with it.
type clustering struct {
	*placement
	reader   *fuse.Reader // of what is read from memory: all stored values
	position []int
	of       []*cluster // by instruction id
	readers  map[*hlo.Instruction][]*cluster
	// before is sequencer.before.
	before map[*hlo.Instruction]*hlo.Instruction
	// visited holds, by instruction id, the number of the last search that came by.
	visited []int
	search  int
	// cuts are the places in post-order, in order, that no kernel has members on both sides of.
	cuts []int
	// apart keeps every value in a kernel of its own.
	apart bool
}

func clusters(c *hlo.Computation, p *placement, before map[*hlo.Instruction]*hlo.Instruction, apart bool) *clustering {
	g := &clustering{placement: p, position: make([]int, c.NumIDs()), of: make([]*cluster, c.NumIDs()),
		readers: map[*hlo.Instruction][]*cluster{}, before: before, apart: apart, visited: make([]int, c.NumIDs())}
	g.reader = fuse.NewReader(func(i *hlo.Instruction) bool { return p.stored[i.ID()] })
	for k, i := range c.PostOrder() {
		g.position[i.ID()], g.cuts = k, append(g.cuts, k)
		if p.fusible[i.ID()] && p.stored[i.ID()] {
			g.add(i)
		}
	}
	return g
}

// settle drops what only the making of steps asks for: nests are told what is stored, and in which kernel. They are all
// made at a time, when most memory is in use.
func (g *clustering) settle() {
	*g = clustering{placement: &placement{stored: g.stored}, of: g.of}
}

// spaceOf is the iteration space of a value alone.
func spaceOf(i *hlo.Instruction) fuse.Space {
	if i.Code() != op.Reduce {
		s := i.Shape()
		if s.IsTuple() {
			s = s.Elems[0]
		}
		return fuse.Space{Dims: s.Dims, Inner: make([]bool, s.Rank())}
	}
	dims := i.Operand(0).Dims()
	inner := make([]bool, len(dims))
	for _, d := range i.Attrs().(*op.ReduceAttrs).Dimensions {
		inner[d] = true
	}
	return fuse.Space{Dims: dims, Inner: inner}
}

func (g *clustering) add(i *hlo.Instruction) {
	space := spaceOf(i)
	uses := g.reader.Uses(i, space)
	if d := g.updating[i.ID()]; d != nil {
		for _, o := range g.products[d.ID()].reads() {
			uses = append(uses, fuse.Use{Inst: o})
		}
	}
	for _, c := range g.candidates(i, uses) {
		if g.join(i, c, space, uses) {
			for _, u := range uses {
				g.merge(c, g.of[u.Inst.ID()])
			}
			return
		}
	}
	c := &cluster{space: space, first: g.position[i.ID()],
		alone: g.nests[i.ID()] || i.Code() == op.Concatenate || turnsApart(i)}
	g.put(i, c, uses)
}

func (g *clustering) put(i *hlo.Instruction, c *cluster, uses []fuse.Use) {
	c.members = append(c.members, i)
	c.heavy = c.heavy || isHeavy(i) && i.Code() != op.Reduce
	g.of[i.ID()] = c
	g.span(c)
	c.reads = slices.Grow(c.reads, len(uses))
	for _, u := range uses {
		if !slices.Contains(c.reads, u.Inst) {
			c.reads = append(c.reads, u.Inst)
			g.readers[u.Inst] = append(g.readers[u.Inst], c)
		}
	}
}

// span notes that c has members from its first one up to here.
func (g *clustering) span(c *cluster) {
	n := len(g.cuts)
	for n > 0 && g.cuts[n-1] > c.first {
		n--
	}
	g.cuts = g.cuts[:n]
}

// candidates are the kernels of the producers of i, the latest first, then those that read what i reads.
func (g *clustering) candidates(i *hlo.Instruction, uses []fuse.Use) []*cluster {
	var out []*cluster
	push := func(c *cluster) {
		if c != nil && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	for _, u := range uses {
		push(g.of[u.Inst.ID()])
	}
	slices.SortStableFunc(out, func(a, b *cluster) int { return b.first - a.first })
	for _, u := range uses {
		readers := g.readers[u.Inst]
		for k := len(readers) - 1; k >= max(0, len(readers)-4); k-- {
			push(readers[k])
		}
	}
	return out
}

// join makes i a member of c if that can be. uses are what i reads where it is computed alone, in space own.
func (g *clustering) join(i *hlo.Instruction, c *cluster, own fuse.Space, uses []fuse.Use) bool {
	if g.apart || c.alone || len(c.members) >= maxMembers || g.nests[i.ID()] {
		return false
	}
	space, ok := c.space.Join(own, i.Code() == op.Reduce)
	if !ok || c.heavy && slices.Contains(space.Inner, true) || isHeavy(i) && i.Code() != op.Reduce ||
		g.goesOverAgain(i, c, space, uses) || g.hasFewLanes(i, c, space) || widensLast(i, c) {
		return false
	}
	if !slices.Equal(space.Dims, own.Dims) || !slices.Equal(space.Inner, own.Inner) {
		uses = g.reader.Uses(i, space)
	}
	for _, u := range uses {
		if g.of[u.Inst.ID()] == c && !u.Same {
			return false
		}
	}
	if !slices.Equal(space.Inner, c.space.Inner) && !g.aligned(c, space) || g.between(c, uses) {
		return false
	}
	c.space = space
	g.put(i, c, uses)
	return true
}

const (
	// A piece of a row of columnPiece bytes is what a kernel of several reductions over rows keeps in registers.
	columnPiece = 256
	// leastPieces is from how many bytes on such pieces of all rows are not near any more.
	leastPieces = 512 << 10
	// leastFarPieces is that where the last cache is far, for arrays of leastFar bytes: pieces of rows, each in another
	// page, are not asked for by the hardware, and whole rows are.
	leastFarPieces, leastFar = 16 << 10, 512 << 10
	// leastColumns is how many bytes a row has at least that is summed in memory instead.
	leastColumns = 1 << 10
)

// goesOverAgain reports whether i, in the space of c, needs a reduction over rows of c, and what both go over is so
// much that it comes from afar both times: each by itself goes along whole rows then.
func (g *clustering) goesOverAgain(i *hlo.Instruction, c *cluster, space fuse.Space, uses []fuse.Use) bool {
	of := i.Shape()
	if i.Code() == op.Reduce {
		of = i.Operand(0).Shape()
	}
	last, all := len(space.Dims)-1, sizeOf(space.Dims)
	if last < 0 || !of.IsArray() || of.Size() != all || !slices.Contains(space.Inner, true) || space.Inner[last] ||
		space.Dims[last]*of.Type.ByteSize() < leastColumns {
		return false
	}
	kept, least := sizeOf(space.Kept()), leastPieces
	if g.farL3 && all*of.Type.ByteSize() >= leastFar {
		least = leastFarPieces
	}
	if all/max(kept, 1)*columnPiece < least {
		return false
	}
	return slices.ContainsFunc(uses, func(u fuse.Use) bool {
		return g.of[u.Inst.ID()] == c && u.Inst.IsArray() && u.Inst.Size() <= kept
	})
}

// aligned reports whether the members of c still read one another at the same position in
// another space.
func (g *clustering) aligned(c *cluster, space fuse.Space) bool {
	for _, m := range c.members {
		for _, u := range g.reader.Uses(m, space) {
			if g.of[u.Inst.ID()] == c && !u.Same {
				return false
			}
		}
	}
	return true
}

// maxSearch is how many instructions between looks at; beyond it says yes.
const maxSearch = 4000

// between reports whether something that is read, and is not of c, needs c.
func (g *clustering) between(c *cluster, uses []fuse.Use) bool {
	g.search++
	var todo []*hlo.Instruction
	n, cut := slices.BinarySearch(g.cuts, c.first)
	least := 0 // nothing in front of it needs what is behind it
	if cut {
		least = c.first
	} else if n > 0 {
		least = g.cuts[n-1]
	}
	visit := func(i *hlo.Instruction) {
		if g.position[i.ID()] >= least && g.visited[i.ID()] != g.search {
			g.visited[i.ID()] = g.search
			todo = append(todo, i)
		}
	}
	for _, u := range uses {
		if g.of[u.Inst.ID()] != c {
			visit(u.Inst)
		}
	}
	for n := 0; len(todo) > 0; n++ {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		of := g.of[i.ID()]
		if of == c || n == maxSearch {
			return true
		}
		sources := i.Operands()
		if of != nil {
			sources = of.reads
		}
		for _, list := range [][]*hlo.Instruction{sources, i.ControlPredecessors()} {
			for _, o := range list {
				visit(o)
			}
		}
		if p := g.before[i]; p != nil {
			visit(p)
		}
	}
	return false
}

// leavesKernel reports whether a member's value is needed outside of its kernel: a product may read it by a view of
// what is made from it in the kernel.
func (g *clustering) leavesKernel(i *hlo.Instruction) bool {
	if i.IsRoot() || g.feeds[i.ID()] {
		return true
	}
	c := g.of[i.ID()]
	seen := map[*hlo.Instruction]bool{}
	var outside func(i *hlo.Instruction) bool
	outside = func(i *hlo.Instruction) bool {
		for _, u := range i.Users() {
			if seen[u] {
				continue
			}
			seen[u] = true
			switch {
			case !g.fusible[u.ID()]:
				return true
			case g.stored[u.ID()]:
				if g.of[u.ID()] != c {
					return true
				}
			case u.IsRoot() || outside(u):
				return true
			}
		}
		return false
	}
	return outside(i)
}
