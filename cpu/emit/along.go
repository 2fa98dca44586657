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
	// leastRowAlong is how many bytes a row has at least that is asked for as a whole, fewestRowsAlong how many there are.
	leastRowAlong, fewestRowsAlong = 128, 8
	// mostApartAlong is how many rows there are at most from one to the next. Rows far apart go past the caches.
	mostApartAlong = 4
	// mostPiecesAlong is how many pieces of memory may be gone along by turns, such rows of each.
	mostPiecesAlong = 16
)

// findAlong lists the accesses of lane loops to ask along: what is written, and what is read beside it.
func (g *gen) findAlong() {
	g.along = map[*loop.Access]int64{}
	if !g.c.target.FarCache && !g.asksWindows() {
		return
	}
	g.nest.Root.Walk(func(n loop.Node, loops []*loop.Loop) {
		if n.Loop != nil && n.Loop.Lanes {
			loops = append(slices.Clip(loops), n.Loop)
			if g.asksWindows() {
				g.alongWindows(loops)
				g.alongPieces(loops)
			} else if g.alongIn(loops, loop.Store, writesAlong) {
				g.alongIn(loops, loop.Load, readsAlong)
			}
		}
	})
}

// alongIn lists those of instructions o in the last of loops, which ask for what is so many bytes behind, and reports
// whether there are any.
func (g *gen) alongIn(loops []*loop.Loop, o loop.Op, least int64) (found bool) {
	for _, n := range loops[len(loops)-1].Body {
		if n.Loop != nil || g.nest.Inst(n.Value).Op != o {
			continue
		}
		a := &g.nest.Accesses[g.nest.Inst(n.Value).Access]
		if apart := g.apartAlong(a, loops, least); apart != 0 && g.ahead[a] == 0 {
			g.along[a], found = apart, true
		}
	}
	return found
}

// apartAlong is how far behind a line of a is that is to be asked for, which goes along memory that is far in the last
// of loops and from there on in those around it, maybe in several pieces by turns: least bytes, or so many rows where
// these are not one after the other; 0 if there is none.
func (g *gen) apartAlong(a *loop.Access, loops []*loop.Loop, least int64) int64 {
	l := loops[len(loops)-1]
	row := l.Extent * a.Mem.Bytes()
	if a.Index != 0 || g.nest.Buffers[a.Buffer].Bytes < leastAhead || stride(a, l.Var) != a.Mem.Bytes() {
		return 0
	}
	if row >= leastAlong {
		return least
	}
	pieces := int64(1)
	for _, around := range slices.Backward(loops[:len(loops)-1]) {
		whole := row >= leastRowAlong && around.Extent >= fewestRowsAlong
		switch s := stride(a, around.Var); {
		case s == row && (whole || pieces == 1):
			return least
		case s > row && s <= mostApartAlong*row && whole:
			return s * ((least-1)/row + 1)
		case s != 0:
			if pieces *= around.Extent; pieces > mostPiecesAlong {
				return 0
			}
		}
	}
	return 0
}

// askAlong asks for the line further on than the place of a, which is at.
func (g *gen) askAlong(a *loop.Access, at mem) {
	s := g.lanes
	if apart := g.along[a]; apart != 0 && s.tail == nil && int64(g.copy*s.apart())*a.Mem.Bytes()%line == 0 {
		g.c.hint(asm.PREFETCHT0, at.add(apart))
	}
}
