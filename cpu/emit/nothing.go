package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
)

// Lanes behind the end of an array are zeros where they are read. So a sum of what is read, or of products of that,
// goes on in them as it was, and no mask need say so: but for the sign of a zero, which is lost where a zero that has
// none is added in the end.

// addNothing reports whether that holds for all that lane loop l, which is open, carries.
func (g *gen) addNothing(l *loop.Loop) bool {
	return !slices.ContainsFunc(l.Carries, func(c loop.Carry) bool { return !g.addsNothing(c) })
}

func (g *gen) addsNothing(c loop.Carry) bool {
	if c.Scan || c.Reduce != loop.Add || !g.nest.Kind(c.Phi).IsFloat() {
		return false
	}
	start := c.Init
	for _, o := range slices.Backward(g.loops) {
		for _, around := range o.loop.Carries {
			if around.Phi == start {
				start = around.Init
			}
		}
	}
	if i := g.nest.Inst(start); i.Op != loop.Const || i.Imm != 0 {
		return false
	}
	for v := c.Next; v != c.Phi; {
		switch i := g.nest.Inst(v); {
		case i.Op == loop.FMA && g.zeroBehind(i.Args[0]) && g.zeroBehind(i.Args[1]):
			v = i.Args[2]
		case i.Op == loop.Add && g.zeroBehind(i.Args[0]):
			v = i.Args[1]
		case i.Op == loop.Add && g.zeroBehind(i.Args[1]):
			v = i.Args[0]
		default:
			return false
		}
	}
	return true
}

// zeroBehind reports whether v is 0 in lanes that are behind the end.
func (g *gen) zeroBehind(v loop.Value) bool {
	switch i := g.nest.Inst(v); i.Op {
	case loop.Const:
		return i.Imm == 0
	case loop.Select:
		return g.zeroBehind(i.Args[1]) && g.zeroBehind(i.Args[2])
	case loop.Load:
		a := &g.nest.Accesses[i.Access]
		return a.Index == 0 && g.laneStride(a) == 1 && (a.Mem == loop.MemF32 || a.Mem == loop.MemF64)
	}
	return false
}
