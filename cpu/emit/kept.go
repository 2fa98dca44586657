package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// A sum over rows of lanes, which loops around it carry from one row to the next, need not be folded behind each row:
// the partial sums of the lanes go on through all rows, and are folded once. Scans beside it begin with each row.

// keepSums starts the carries of the lane loops in l that only go on from iteration to iteration, and returns the
// loops: those of which no loop around l has done so.
func (g *gen) keepSums(l *loop.Loop) (kept []*loop.Loop) {
	if g.lanes != nil || len(l.Carries) == 0 {
		return nil
	}
	for _, m := range g.rowsIn(l) {
		if g.kept[m] == nil {
			if g.kept == nil {
				g.kept = map[*loop.Loop][][]reg{}
			}
			g.kept[m] = g.accumulators(m, g.chooseCopies(m, g.lanesOf(m)), false)
			kept = append(kept, m)
		}
		for _, c := range m.Carries { // to those who ask what l carries, it stays what it is
			if init := g.around(l, c); init != nil {
				g.define(c.Out, g.value(init.Phi))
			}
		}
	}
	return kept
}

// rowsIn returns the lane loops in l, or in loops in it, whose carries go on from iteration to iteration of all of
// them.
func (g *gen) rowsIn(l *loop.Loop) (rows []*loop.Loop) {
	for _, n := range l.Body {
		m := n.Loop
		switch {
		case m == nil || m.When != nil || m.Cond != 0 || !g.goesOn(l, m):
		case m.Lanes:
			rows = append(rows, m)
		default:
			rows = append(rows, slices.DeleteFunc(g.rowsIn(m), func(m *loop.Loop) bool { return !g.goesOn(l, m) })...)
		}
	}
	return rows
}

// goesOn reports whether m, a loop in l, has carries, but for scans, and all begin with one of l and make its next one,
// and that is all that either is used for. Of loops around scans that holds for some.
func (g *gen) goesOn(l, m *loop.Loop) bool {
	scans := !m.Lanes && g.hasScan(m)
	some := false
	for _, c := range m.Carries {
		switch {
		case c.Scan:
		case g.around(l, c) != nil && g.usesOf(c.Init) == 1 && g.usesOf(c.Out) == 1:
			some = true
		case !scans:
			return false
		}
	}
	return some
}

// hasScan reports whether a loop in l has one.
func (g *gen) hasScan(l *loop.Loop) bool {
	return slices.ContainsFunc(l.Body, func(n loop.Node) bool {
		return n.Loop != nil && slices.ContainsFunc(n.Loop.Carries, func(c loop.Carry) bool { return c.Scan })
	})
}

// around is the carry of l that c, of a loop in it, takes from one iteration to the next, through the loops between,
// or nil.
func (g *gen) around(l *loop.Loop, c loop.Carry) *loop.Carry {
	for k := range l.Carries {
		if o := &l.Carries[k]; o.Phi == c.Init && o.Next == c.Out {
			return o
		}
	}
	for _, n := range l.Body {
		if n.Loop == nil || n.Loop.Lanes {
			continue
		}
		if o := g.around(n.Loop, c); o != nil {
			return g.around(l, *o)
		}
	}
	return nil
}

// foldSums makes the outs of l of the carries that were kept in it.
func (g *gen) foldSums(l *loop.Loop, kept []*loop.Loop) {
	for _, m := range kept {
		for _, c := range m.Carries {
			if !c.Scan {
				g.define(c.Init, g.value(g.around(l, c).Phi))
			}
		}
		g.combine(m, g.kept[m], g.lanesOf(m))
		for _, c := range m.Carries {
			if !c.Scan {
				g.define(g.around(l, c).Out, g.vals[0][c.Out])
			}
		}
	}
}
