package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// The first cache of a core waits for few lines at a time, and where these come from memory, it brings less than memory
// has. What the hardware asks for by itself ends with a page, of 4 KB even where pages are larger, and who begins one
// waits for its place in memory, too, often the longest. So loops that read what is larger than the caches ask for a
// line in farUnit bytes, far ahead, into the second cache: pages are known when their turn comes, and the hardware
// brings the lines between. Of next rows that are apart all lines are asked for. What is written past the caches does not
// come near, but for a line of each page, which is asked for as one that will be written.

const (
	// farAlong is how many bytes ahead lines are asked for.
	farAlong = 16 << 10
	// farUnit is of how many bytes one line is asked for, farPage of how many that are written.
	farUnit, farPage = 512, 4 << 10
	// farRows is how many bytes of next rows are asked for at least.
	farRows = 2 << 10
	// mostFar is the most bytes of next rows that are asked for: the second cache has them until their turn.
	mostFar = 128 << 10
)

// isFar reports whether b is only read and comes from memory. What the caches might hold is not asked for where a loop
// computes much of it: that gains less than it loses.
func (g *gen) isFar(b *loop.Buffer) bool {
	from := g.c.target.AskFrom
	return from > 0 && !b.Write && (b.Bytes >= from || b.Far && !g.busy[b])
}

// findBusy lists the buffers from memory of which a lane loop computes much.
func (g *gen) findBusy() {
	if g.busy = nil; !slices.ContainsFunc(g.nest.Buffers, func(b loop.Buffer) bool { return b.Far }) {
		return
	}
	g.busy = map[*loop.Buffer]bool{}
	g.nest.Root.EachLoop(func(l *loop.Loop) {
		var read []*loop.Buffer
		for _, n := range l.Body {
			if n.Loop == nil && g.nest.Inst(n.Value).Op == loop.Load {
				read = append(read, &g.nest.Buffers[g.nest.Accesses[g.nest.Inst(n.Value).Access].Buffer])
			}
		}
		if l.Lanes && g.work(l) > mostBesideFar*len(read) {
			for _, b := range read {
				g.busy[b] = true
			}
		}
	})
}

// work is how many instructions the body of l has, but for constants.
func (g *gen) work(l *loop.Loop) (n int) {
	for _, node := range l.Body {
		if node.Loop == nil && g.nest.Inst(node.Value).Op != loop.Const {
			n++
		}
	}
	return n
}

// findFar lists the loads of lane loops to ask for in this way.
func (g *gen) findFar() {
	g.far, g.rows = map[*loop.Access]int64{}, map[*loop.Access]bool{}
	if g.c.target.AskFrom == 0 {
		return
	}
	g.nest.Root.Walk(func(n loop.Node, loops []*loop.Loop) {
		if n.Loop != nil && n.Loop.Lanes {
			g.farIn(n.Loop, loops)
		}
	})
}

// mostBesideFar is the most instructions of a loop that writes and asks for what it reads: it waits for memory.
const mostBesideFar = 8

// farIn lists those of l, which is in loops, if it writes nothing but scratch memory and what goes past the caches.
func (g *gen) farIn(l *loop.Loop, loops []*loop.Loop) {
	var reads []*loop.Access
	bytes, writes := int64(0), false
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
		if i.Op == loop.Store && !b.Scratch {
			if writes = true; !b.Stream {
				return
			}
		}
		if i.Op == loop.Load && g.isFar(b) && a.Index == 0 && stride(a, l.Var) == a.Mem.Bytes() {
			reads = append(reads, a)
			bytes += l.Extent * a.Mem.Bytes()
		}
	}
	small := func(a *loop.Access) bool { return g.nest.Buffers[a.Buffer].Bytes < g.c.target.AskFrom }
	if writes && (g.work(l) > mostBesideFar || slices.ContainsFunc(reads, small)) {
		return
	}
	for _, a := range reads {
		g.far[a] = farAlong
		for _, around := range slices.Backward(loops) {
			if s := stride(a, around.Var); s != 0 {
				if s > l.Extent*a.Mem.Bytes() && bytes <= mostFar {
					g.far[a], g.rows[a] = s*((farRows-1)/bytes+1), true
				}
				break
			}
		}
	}
}

// askFar asks for what follows a, which is at.
func (g *gen) askFar(a *loop.Access, at mem) {
	apart, unit := g.far[a], int64(farUnit)
	if g.rows[a] {
		unit = line
	}
	if apart != 0 {
		g.askUnit(asm.PREFETCHT1, a, at.add(apart), unit)
	}
}

// askWritten asks for the page of what is written past the caches behind a, which is at. Loops that write several
// arrays gain nothing.
func (g *gen) askWritten(a *loop.Access, at mem) {
	s, from := g.lanes, g.c.target.AskFrom
	if from > 0 && g.nest.Buffers[a.Buffer].Bytes >= from && a.Index == 0 &&
		s.across == nil && stride(a, s.loop.Var) == a.Mem.Bytes() && g.streamed(s.loop) == 1 {
		g.askUnit(asm.PREFETCHW, a, at.add(farAlong), farPage)
	}
}

// askUnit asks, at some of the copies of the loop, for the first line of the unit that at is in.
func (g *gen) askUnit(hint asm.Op, a *loop.Access, at mem, unit int64) {
	s := g.lanes
	if s.tail != nil || int64(g.copy*s.apart())*a.Mem.Bytes()%min(unit, farUnit) != 0 {
		return
	}
	if unit > line {
		begin := g.c.gload(asm.LEA, asm.W64, at)
		g.c.gopi(asm.AND, begin, -unit)
		at = mem{base: begin}
	}
	g.c.hint(hint, at)
}
