package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// In a lane loop there may be integers that are the same in all lanes, as a loop inside of it or memory tells them: the
// rows that a sum of gathered rows takes. Where only addresses use them they are made once, not for each copy, and are
// part of an address in a general register, so that lanes that are next to each other in memory are read as vectors.

// findSame says which values only addresses use, by way of others of them.
func (g *gen) findSame() {
	n := g.nest
	g.onlyPlaces = make([]bool, len(n.Insts))
	order := placesFirst(n.Root, make([]loop.Value, 0, len(n.Insts)))
	for _, v := range order {
		i := n.Inst(v)
		g.onlyPlaces[v] = scalarOps[i.Op] && i.Op != loop.Phi && i.Op != loop.Out && i.Op != loop.Store &&
			(i.Kind.IsInt() || i.Kind == loop.Mask) && (i.Op != loop.Load || i.Args[0] == 0)
	}
	elsewhere := func(list ...loop.Value) {
		for _, v := range list {
			g.onlyPlaces[v] = false
		}
	}
	n.Root.Each(func(node loop.Node) {
		if l := node.Loop; l != nil {
			elsewhere(l.Cond)
			for _, c := range l.Carries {
				elsewhere(c.Phi, c.Init, c.Next, c.Out)
			}
		}
	})
	for _, v := range slices.Backward(order) {
		if i := n.Inst(v); !g.onlyPlaces[v] {
			for _, a := range i.Operands() {
				if a != chooses(i) {
					elsewhere(a)
				}
			}
		}
	}
}

// chooses is the mask by which i reads, writes or selects, or 0. One that is the same in all lanes is as good as a
// number that only addresses use: what is under it is jumped over where it is off.
func chooses(i *loop.Inst) loop.Value {
	switch i.Op {
	case loop.Load, loop.Select:
		return i.Args[0]
	case loop.Store:
		return i.Args[1]
	}
	return 0
}

// placesFirst appends the values of b in the order in which they are made.
func placesFirst(b loop.Block, list []loop.Value) []loop.Value {
	for _, n := range b {
		if n.Loop == nil {
			list = append(list, n.Value)
			continue
		}
		list = placesFirst(n.Loop.Body, placesFirst(n.Loop.CondBody, list))
	}
	return list
}

// sameHere reports whether v, which the open lane loop is about to make, is the same in all lanes and copies, and only
// addresses use it.
func (g *gen) sameHere(v loop.Value, i *loop.Inst) bool {
	return g.lanes != nil && g.onlyPlaces[v] && g.sameInLanes(i)
}

// sameInLanes reports whether i, which the open lane loop is about to make, is the same in all lanes and copies, as
// what it is made from is.
func (g *gen) sameInLanes(i *loop.Inst) bool {
	for _, a := range i.Operands() {
		if a = g.maskHere(a); a != 0 && g.nest.Inst(a).Op != loop.Const && !g.uniform(a) {
			return false
		}
	}
	switch s := g.lanes; i.Op {
	case loop.Index:
		return int(i.Imm) != s.loop.Var && (s.across == nil || int(i.Imm) != s.across.Var)
	case loop.Load:
		return g.samePlace(i)
	}
	return true
}

// samePlace reports whether load i, in the open lane loop, reads the same element for all lanes and copies.
func (g *gen) samePlace(i *loop.Inst) bool {
	a, s := &g.nest.Accesses[i.Access], g.lanes
	return stride(a, s.loop.Var) == 0 && (s.across == nil || stride(a, s.across.Var) == 0) &&
		(a.Index == 0 || g.uniform(a.Index))
}

// sameLoad reports whether v, which the open lane loop is about to make, is an element that memory has once for all
// lanes and copies, to be read once.
func (g *gen) sameLoad(v loop.Value, i *loop.Inst) bool {
	return g.copies() > 1 && i.Op == loop.Load && i.Args[0] == 0 && !g.forAddress[v] && g.samePlace(i)
}

// alikeHere reports whether v, which the open lane loop is about to make of the elements of sameLoad and of what is
// known outside of it, is made once for all copies: it is the same in all of them.
func (g *gen) alikeHere(v loop.Value, i *loop.Inst) bool {
	if g.copies() == 1 || g.forAddress[v] || g.lanes.clear != nil || g.inRound() {
		return false
	}
	switch i.Op {
	case loop.Load, loop.Store, loop.Index, loop.Scan, loop.Table:
		return false
	}
	some := false
	for _, a := range i.Operands() {
		switch {
		case g.alike[a]:
			some = true
		case a != 0 && g.nest.Inst(a).Op != loop.Const && !g.uniform(a):
			return false
		}
	}
	return some
}

// defineAlike makes r the register of v in all copies.
func (g *gen) defineAlike(v loop.Value, r reg) {
	g.defineAll(v, slices.Repeat([]reg{r}, g.copies()))
	g.alike[v] = true
}

// defineSame makes r the register of v in all copies, until the end of the body of the lane loop.
func (g *gen) defineSame(v loop.Value, r reg) {
	g.vals[0][v], g.inLanes[v] = r, false
	g.sames = append(g.sames, v)
	if g.forAddress[v] {
		g.index[v] = g.toGeneral(r, g.nest.Kind(v))
	}
}

// endSame forgets them.
func (g *gen) endSame() {
	for _, v := range g.sames {
		g.inLanes[v], g.index[v] = true, 0
	}
	g.sames = g.sames[:0]
}
