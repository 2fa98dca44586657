package emit

import "github.com/goxla/xla/cpu/loop"

// A sum over rows of lanes, which a loop of rows carries from one to the next, need not be folded behind each row: the
// partial sums of the lanes go on through all rows, and are folded once.

// keepSums starts the carries of the lane loops in l that only go on from iteration to iteration, and returns the
// loops.
func (g *gen) keepSums(l *loop.Loop) (kept []*loop.Loop) {
	if g.lanes != nil || len(l.Carries) == 0 {
		return nil
	}
	for _, n := range l.Body {
		m := n.Loop
		if m == nil || !m.Lanes || m.When != nil || !g.goesOn(l, m) {
			continue
		}
		if g.kept == nil {
			g.kept = map[*loop.Loop][][]reg{}
		}
		g.kept[m] = g.accumulators(m, g.chooseCopies(m, g.lanesOf(m)))
		for _, c := range m.Carries { // to those who ask what l carries, it stays what it is
			g.define(c.Out, g.value(c.Init))
		}
		kept = append(kept, m)
	}
	return kept
}

// goesOn reports whether all carries of the lane loop m begin with one of l and make its next value, and that is all
// that either is used for.
func (g *gen) goesOn(l, m *loop.Loop) bool {
	if g.users == nil {
		g.users = usersOf(g.nest)
	}
	for _, c := range m.Carries {
		if c.Scan || g.around(l, c) == nil || len(g.users[c.Init]) != 1 || len(g.users[c.Out]) != 1 {
			return false
		}
	}
	return len(m.Carries) > 0
}

// around is the carry of l that c takes from one iteration to the next, or nil.
func (g *gen) around(l *loop.Loop, c loop.Carry) *loop.Carry {
	for k := range l.Carries {
		if o := &l.Carries[k]; o.Phi == c.Init && o.Next == c.Out {
			return o
		}
	}
	return nil
}

// foldSums makes the outs of l of the carries that were kept in it.
func (g *gen) foldSums(l *loop.Loop, kept []*loop.Loop) {
	for _, m := range kept {
		g.combine(m, g.kept[m], g.lanesOf(m))
		for _, c := range m.Carries {
			g.define(g.around(l, c).Out, g.vals[0][c.Out])
		}
	}
}
