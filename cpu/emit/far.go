package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// The first cache of a core waits for few lines at a time, and where these come from memory, it brings less than memory
// has. So loops that only read what is larger than the caches ask for lines into the second cache: those further along,
// or of the next rows, if these are apart. Where what one array has is written past the caches, to one array, it helps
// to have lines in the first cache, and not in the second one; with more arrays the hardware does as well.

const (
	// farAlong is how many bytes ahead a line is asked for, or at least so many as are read of all arrays before.
	farAlong = 2 << 10
	// mostFar is the most bytes of next rows that are asked for: the second cache has them until their turn.
	mostFar = 128 << 10
)

// isFar reports whether b is only read and comes from memory.
func (g *gen) isFar(b *loop.Buffer) bool {
	return g.c.target.AskFrom > 0 && !b.Write && b.Bytes >= g.c.target.AskFrom
}

// findFar lists the loads of lane loops to ask for in this way.
func (g *gen) findFar() {
	g.far, g.beside = map[*loop.Access]int64{}, map[*loop.Access]bool{}
	if g.c.target.AskFrom == 0 {
		return
	}
	g.nest.Root.Walk(func(n loop.Node, loops []*loop.Loop) {
		if n.Loop != nil && n.Loop.Lanes {
			g.farIn(n.Loop, loops)
		}
	})
}

// farIn lists those of l, which is in loops, if it writes nothing but scratch memory.
func (g *gen) farIn(l *loop.Loop, loops []*loop.Loop) {
	var reads []*loop.Access
	bytes, loads, stores := int64(0), 0, 0
	for _, n := range l.Body {
		if n.Loop != nil {
			return
		}
		i := g.nest.Inst(n.Value)
		if i.Op != loop.Load && i.Op != loop.Store {
			continue
		}
		a := &g.nest.Accesses[i.Access]
		b := &g.nest.Buffers[a.Buffer]
		if i.Op == loop.Load {
			loads++
		} else if !b.Scratch {
			stores++
			if !b.Stream {
				return
			}
		}
		if g.isFar(b) && a.Index == 0 && stride(a, l.Var) == a.Mem.Bytes() {
			reads = append(reads, a)
			bytes += l.Extent * a.Mem.Bytes()
		}
	}
	if stores > 0 && (loads > 1 || stores > 1 || besideLoops(loops)) {
		return
	}
	for _, a := range reads {
		g.far[a], g.beside[a] = farAlong, stores > 0
		for _, around := range slices.Backward(loops) {
			if s := stride(a, around.Var); s != 0 {
				if s > l.Extent*a.Mem.Bytes() && bytes <= mostFar {
					g.far[a] = s * ((farAlong-1)/bytes + 1)
				}
				break
			}
		}
	}
}

// besideLoops reports whether there are several loops in the last of loops, which may have read the row before.
func besideLoops(loops []*loop.Loop) bool {
	n := 0
	if len(loops) > 0 {
		for _, node := range loops[len(loops)-1].Body {
			if node.Loop != nil {
				n++
			}
		}
	}
	return n > 1
}

// askFar asks for what follows a, which is at.
func (g *gen) askFar(a *loop.Access, at mem) {
	s := g.lanes
	if apart := g.far[a]; apart != 0 && s.tail == nil && int64(g.copy*s.lanes)*a.Mem.Bytes()%line == 0 {
		hint := asm.PREFETCHT1
		if g.beside[a] {
			hint = asm.PREFETCHT0
		}
		g.c.hint(hint, at.add(apart))
	}
}
