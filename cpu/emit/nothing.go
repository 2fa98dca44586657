package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Lanes behind the end of an array are zeros where they are read. So a sum of what is read, or of products of that,
// goes on in them as it was, and no mask need say so: but for the sign of a zero, which is lost where a zero that has
// none is added in the end. So does what any of them is, of truth values.

// addNothing reports whether that holds for all that lane loop l, which is open, carries.
func (g *gen) addNothing(l *loop.Loop) bool {
	return !slices.ContainsFunc(l.Carries, func(c loop.Carry) bool { return !g.addsNothing(c) })
}

func (g *gen) addsNothing(c loop.Carry) bool {
	kind := g.nest.Kind(c.Phi)
	if c.Scan || (c.Reduce != loop.Add || !kind.IsFloat()) && (c.Reduce != loop.Or || kind != loop.Mask) {
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
		case i.Op == c.Reduce && g.zeroBehind(i.Args[0]):
			v = i.Args[1]
		case i.Op == c.Reduce && g.zeroBehind(i.Args[1]):
			v = i.Args[0]
		default:
			return false
		}
	}
	return true
}

// underTail is next, what c goes on with, where the tail is on, else x, which c was. Of masks in registers of their own
// any of both, or both, is one instruction less than a choice.
func (g *gen) underTail(c loop.Carry, tail, next, x reg) reg {
	if kind := g.nest.Kind(c.Phi); !g.c.target.AVX512 || kind != loop.Mask || !g.narrows(c) {
		return g.blend(kind, tail, next, x)
	}
	if c.Reduce == loop.Or {
		return g.c.k(asm.KORW, x, g.c.k(asm.KANDW, tail, next))
	}
	return g.c.k(asm.KANDNW, g.c.k(asm.KANDNW, next, tail), x)
}

// narrows reports whether c, a mask, only ever gains lanes, or only loses them.
func (g *gen) narrows(c loop.Carry) bool {
	i := g.nest.Inst(c.Next)
	return (i.Op == loop.Or || i.Op == loop.And) && i.Op == c.Reduce && (i.Args[0] == c.Phi || i.Args[1] == c.Phi)
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
		read := a.Mem == loop.MemF32 || a.Mem == loop.MemF64 || a.Mem == loop.MemPred
		return read && a.Index == 0 && g.laneStride(a) == 1
	}
	return false
}
