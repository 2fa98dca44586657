package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// Windows that slide over rows of an image, some places at a time, read most of what they need again, from the nearest
// caches. What they reach for the first time comes from further away, in pieces of several rows by turns, of which
// hardware follows few. So who reads that, or writes the result, asks for what the next places have there.

const (
	// mostTapsApart is after how many iterations a loop may read an element again.
	mostTapsApart = 4
	// mostArrays is how many arrays or parts of them a lane loop may read for windows to be looked for.
	mostArrays = 16
)

// leastElement is how many bytes elements have at least: of narrower ones a vector is too little of a line.
const leastElement = 4

// asksWindows reports whether code does so: of AMD with narrow vectors.
func (g *gen) asksWindows() bool { return g.c.target.AsksRows && !g.c.target.AVX512 }

// alongWindows lists what the last of loops, a lane loop without others inside, is to ask for.
func (g *gen) alongWindows(loops []*loop.Loop) {
	l := loops[len(loops)-1]
	around := slices.DeleteFunc(slices.Clone(loops[:len(loops)-1]), func(o *loop.Loop) bool { return o.Extent <= 1 })
	if len(around) < 2 || slices.ContainsFunc(l.Body, func(n loop.Node) bool { return n.Loop != nil }) {
		return
	}
	slices.Reverse(around)
	slides := false
	for _, window := range g.windowsIn(l) {
		slides = g.alongWindow(l, window, around) || slides
	}
	for _, n := range l.Body {
		i := g.nest.Inst(n.Value)
		if i.Op != loop.Store || !slides {
			continue
		}
		a := &g.nest.Accesses[i.Access]
		if next := stride(a, around[0].Var); next > 0 && g.goesFar(a, l) && !g.nest.Buffers[a.Buffer].Stream {
			g.along[a] = next
		}
	}
}

// goesFar reports whether a goes along the lanes of l, in memory that is not in the second cache.
func (g *gen) goesFar(a *loop.Access, l *loop.Loop) bool {
	return a.Index == 0 && a.Mem.Bytes() >= leastElement && stride(a, l.Var) == a.Mem.Bytes() &&
		g.nest.Buffers[a.Buffer].Bytes >= leastAhead
}

// windowsIn returns the loads of l, those that differ in where they begin alone together.
func (g *gen) windowsIn(l *loop.Loop) (windows [][]*loop.Access) {
	for _, n := range l.Body {
		i := g.nest.Inst(n.Value)
		if i.Op != loop.Load || g.nest.Buffers[g.nest.Accesses[i.Access].Buffer].Write {
			continue
		}
		a := &g.nest.Accesses[i.Access]
		k := slices.IndexFunc(windows, func(w []*loop.Access) bool {
			b := w[0]
			return a.Buffer == b.Buffer && a.Mem == b.Mem && a.Index == b.Index && slices.Equal(a.Terms, b.Terms)
		})
		if k < 0 {
			if windows, k = append(windows, nil), len(windows); k == mostArrays {
				return nil
			}
		}
		windows[k] = append(windows[k], a)
	}
	return windows
}

// alongWindow lists those of the loads of a window that are the first ones to read what they do, in the loops around,
// of which the first is the innermost, and reports whether others read it again in the second one: these are rows.
func (g *gen) alongWindow(l *loop.Loop, window []*loop.Access, around []*loop.Loop) bool {
	a, offsets, rows := window[0], map[int64]bool{}, false
	for _, b := range window {
		offsets[b.Offset] = true
	}
	again := func(b *loop.Access, o *loop.Loop) bool {
		for k := range int64(mostTapsApart) {
			if s := a.Stride(o.Var); s != 0 && offsets[b.Offset+(k+1)*s] {
				return true
			}
		}
		return false
	}
	first := slices.DeleteFunc(slices.Clone(window), func(b *loop.Access) bool {
		row := again(b, around[1])
		rows = rows || row
		return row || again(b, around[0])
	})
	if next := stride(a, around[0].Var); rows && next > 0 && g.goesFar(a, l) {
		for _, b := range first {
			g.along[b] = next
		}
	}
	return rows
}

// What windows of many taps reach is brought near a piece of each place by turns, and the next piece later: who reads a
// piece asks for that one. What is made of it is written in such pieces, too, so who writes asks for those of the next
// places.

// mostPiece is how many bytes a piece has at most.
const mostPiece = 256

// alongPieces lists what the last of loops is to ask for in this way.
func (g *gen) alongPieces(loops []*loop.Loop) {
	l, around := loops[len(loops)-1], loops[:len(loops)-1]
	brings, sums := g.nearBy(l)
	for _, n := range l.Body {
		i := g.nest.Inst(n.Value)
		if n.Loop != nil || i.Op != loop.Load && i.Op != loop.Store || len(around) < 2 {
			continue
		}
		a := &g.nest.Accesses[i.Access]
		piece := l.Extent * a.Mem.Bytes()
		if !g.goesFar(a, l) || piece > mostPiece {
			continue
		}
		next := around[len(around)-1]
		switch {
		case i.Op == loop.Load && brings:
			k := slices.IndexFunc(around, func(o *loop.Loop) bool { return stride(a, o.Var) == piece })
			if k >= 0 && stride(a, next.Var) > piece {
				g.along[a] = piece
			}
		case i.Op == loop.Store && sums && !g.nest.Buffers[a.Buffer].Stream && stride(a, next.Var) > piece:
			g.along[a] = stride(a, next.Var)
		}
	}
}

// nearBy reports whether l, a lane loop, writes to scratch memory alone, and whether loops in it read that.
func (g *gen) nearBy(l *loop.Loop) (brings, sums bool) {
	scratch := func(n loop.Node, op loop.Op) (is, near bool) {
		i := g.nest.Inst(n.Value)
		is = n.Loop == nil && i.Op == op
		return is, is && g.nest.Buffers[g.nest.Accesses[i.Access].Buffer].Scratch
	}
	brings = true
	for _, n := range l.Body {
		is, near := scratch(n, loop.Store)
		brings = brings && (!is || near) && n.Loop == nil
		if n.Loop != nil {
			n.Loop.Body.Each(func(m loop.Node) {
				_, near := scratch(m, loop.Load)
				sums = sums || near
			})
		}
	}
	return brings, sums
}
