package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Where a line of the last cache is long in coming, what kernels go along is in flight too late: the hardware asks for
// some lines of what is read and for hardly any of what is written. So who reads or writes a line asks for one that is
// a few further on. What is written is read for that first, and is faster than past the caches.

const (
	// readsAlong and writesAlong are how many bytes ahead a line is asked for.
	readsAlong, writesAlong = 1 << 10, 512
	// leastAlong is from how many bytes on a row is long enough to ask for its own lines only.
	leastAlong = 4 << 10
)

// findAlong lists the accesses of lane loops to ask along: what is written, and what is read beside it.
func (g *gen) findAlong() {
	g.along = map[*loop.Access]bool{}
	if !g.c.target.FarCache {
		return
	}
	var around []*loop.Loop
	var walk func(l *loop.Loop)
	walk = func(l *loop.Loop) {
		around = append(around, l)
		if l.Lanes {
			g.alongIn(l, around)
		}
		for _, n := range l.Body {
			if n.Loop != nil {
				walk(n.Loop)
			}
		}
		around = around[:len(around)-1]
	}
	for _, n := range g.nest.Root {
		if n.Loop != nil {
			walk(n.Loop)
		}
	}
}

// alongIn does so for l, the last of loops.
func (g *gen) alongIn(l *loop.Loop, loops []*loop.Loop) {
	var found []*loop.Access
	writes := false
	for _, n := range l.Body {
		if n.Loop != nil {
			continue
		}
		i := g.nest.Inst(n.Value)
		if i.Op != loop.Load && i.Op != loop.Store {
			continue
		}
		if a := &g.nest.Accesses[i.Access]; g.ahead[a] == 0 && g.goesAlong(a, loops) {
			found, writes = append(found, a), writes || i.Op == loop.Store
		}
	}
	for _, a := range found {
		g.along[a] = writes
	}
}

// goesAlong reports whether a goes along memory that is far, in the last of loops and from there on in those around it.
func (g *gen) goesAlong(a *loop.Access, loops []*loop.Loop) bool {
	l := loops[len(loops)-1]
	row := l.Extent * a.Mem.Bytes()
	if a.Index != 0 || g.nest.Buffers[a.Buffer].Bytes < leastAhead || stride(a, l.Var) != a.Mem.Bytes() {
		return false
	}
	if row >= leastAlong {
		return true
	}
	for _, around := range slices.Backward(loops[:len(loops)-1]) {
		if s := stride(a, around.Var); s != 0 {
			return s == row
		}
	}
	return false
}

// askAlong asks for what is so many bytes behind the place of a, which is at.
func (g *gen) askAlong(a *loop.Access, at mem, apart int64) {
	s := g.lanes
	if g.along[a] && s.tail == nil && int64(g.copy*s.lanes)*a.Mem.Bytes()%line == 0 {
		g.c.hint(asm.PREFETCHT0, at.add(apart))
	}
}
