package emit

import (
	"maps"
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// Where all lanes are the same, what is read, computed and written under one mask is made behind one jump. So are loops
// that write under one mask only.

// findUnder finds the instructions under one mask that stand together: it notes how many, by the first of them, and
// the accesses that need not look at their masks any more.
func (g *gen) findUnder() {
	var users [][]loop.Value
	var find func(b loop.Block)
	find = func(b loop.Block) {
		for k := 0; k < len(b); k++ {
			if l := b[k].Loop; l != nil {
				if !g.noteLoop(l) && !l.Lanes {
					find(l.CondBody)
					find(l.Body)
				}
				continue
			}
			if g.maskOf(g.nest.Inst(b[k].Value)) == 0 {
				continue
			}
			if users == nil {
				users = usersOf(g.nest)
			}
			if n := g.underAt(b[k:], users); n > 0 {
				g.noteUnder(b[k : k+n])
				k += n - 1
			}
		}
	}
	find(g.nest.Root)
}

// maskOf is the mask that the access of i has to look at, or 0.
func (g *gen) maskOf(i *loop.Inst) loop.Value {
	switch {
	case i.Op == loop.Load && !g.sure[i.Access]:
		return g.maskHere(i.Args[0])
	case i.Op == loop.Store && !g.sure[i.Access]:
		return g.maskHere(i.Args[1])
	}
	return 0
}

// underAt is how many instructions b begins with that are needed only where the mask of the first one is on, up to the
// last store under it; 0 if there are not two accesses under it.
func (g *gen) underAt(b loop.Block, users [][]loop.Value) int {
	mask := g.maskOf(g.nest.Inst(b[0].Value))
	var ends []int // behind stores
	for k, n := range b {
		if n.Loop != nil || !g.mayBeUnder(g.nest.Inst(n.Value), mask) {
			break
		}
		if g.nest.Inst(n.Value).Op == loop.Store {
			ends = append(ends, k+1)
		}
	}
	for _, n := range slices.Backward(ends) {
		if n > 1 && g.usedInside(b[:n], users) {
			return n
		}
	}
	return 0
}

// mayBeUnder reports whether i may be left out where mask is off, if nobody asks for its result.
func (g *gen) mayBeUnder(i *loop.Inst, mask loop.Value) bool {
	switch i.Op {
	case loop.Store:
		return g.maskOf(i) == mask
	case loop.Load:
		m := g.maskOf(i)
		return m == mask || m == 0
	case loop.Select:
		return i.Imm != loop.Seldom
	}
	return i.Op.Info().Pure
}

// usedInside reports whether only instructions of b use what is made in it.
func (g *gen) usedInside(b loop.Block, users [][]loop.Value) bool {
	in := map[loop.Value]bool{}
	for _, n := range b {
		in[n.Value] = true
	}
	for v := range in {
		if g.nest.Inst(v).Op == loop.Const {
			continue
		}
		if slices.ContainsFunc(users[v], func(u loop.Value) bool { return !in[u] }) {
			return false
		}
	}
	return true
}

// noteLoop notes l if it is made behind one jump, and reports whether it is: all its stores are under a mask that is
// made in front of it, and nobody asks for anything else that it makes.
func (g *gen) noteLoop(l *loop.Loop) bool {
	if g.isRanged(l) || l.When != nil || l.Cond != 0 || len(l.Carries) > 0 {
		return false
	}
	mask, ok := g.maskOfStores(l.Body)
	if !ok || mask == 0 || makes(l.Body, mask) {
		return false
	}
	if g.loopsUnder == nil {
		g.loopsUnder = map[*loop.Loop]loop.Value{}
	}
	g.loopsUnder[l] = mask
	l.Body.Each(func(n loop.Node) {
		if n.Loop == nil && g.maskOf(g.nest.Inst(n.Value)) == mask {
			g.beSure(g.nest.Inst(n.Value).Access)
		}
	})
	return true
}

// maskOfStores returns the mask, or 0, of all stores in b; ok is false if there are none, or they have several.
func (g *gen) maskOfStores(b loop.Block) (mask loop.Value, ok bool) {
	several := false
	b.Each(func(n loop.Node) {
		if n.Loop != nil {
			return
		}
		if i := g.nest.Inst(n.Value); i.Op == loop.Store {
			several = several || ok && i.Args[1] != mask
			mask, ok = i.Args[1], true
		}
	})
	return mask, ok && !several
}

// makes reports whether v is made in b.
func makes(b loop.Block, v loop.Value) (made bool) {
	b.Each(func(n loop.Node) {
		if n.Loop == nil {
			made = made || n.Value == v
			return
		}
		for _, c := range n.Loop.Carries {
			made = made || c.Phi == v || c.Out == v
		}
	})
	return made
}

// loopUnder makes l, where its mask is on if it has one.
func (g *gen) loopUnder(l *loop.Loop) {
	mask := g.loopsUnder[l]
	if mask == 0 {
		g.loop(l)
		return
	}
	g.maybe(func() {
		end := g.c.asm.NewLabel()
		g.jumpUnless(mask, end)
		g.loop(l)
		g.c.bind(end)
	})
}

// beSure notes that access a need not look at its mask any more.
func (g *gen) beSure(a int32) {
	if g.sure == nil {
		g.sure = map[int32]bool{}
	}
	g.sure[a] = true
}

// noteUnder notes that b is made behind one jump.
func (g *gen) noteUnder(b loop.Block) {
	if g.under == nil {
		g.under = map[loop.Value]spanUnder{}
	}
	mask := g.maskOf(g.nest.Inst(b[0].Value))
	g.under[b[0].Value] = spanUnder{mask, len(b)}
	for _, n := range b {
		if i := g.nest.Inst(n.Value); g.maskOf(i) == mask {
			g.beSure(i.Access)
		}
	}
}

// spanUnder is a number of instructions that stand together under a mask.
type spanUnder struct {
	mask loop.Value
	n    int
}

// underMask makes b where mask is on.
func (g *gen) underMask(mask loop.Value, b loop.Block) {
	g.maybe(func() {
		end := g.c.asm.NewLabel()
		g.jumpUnless(mask, end)
		for _, n := range b {
			g.inst(n.Value)
		}
		g.c.bind(end)
	})
}

// maybe makes code that may not run: later code knows no reciprocals, and nothing of what is made of the sums of rows,
// that are computed there.
func (g *gen) maybe(code func()) {
	inverses, foldedOps := maps.Clone(g.inverses), maps.Clone(g.foldedOps)
	code()
	g.inverses, g.foldedOps = inverses, foldedOps
}
