package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// A loop inside of a lane loop that counts up to a number known at run time does a round of iterations for the elements
// that are in registers: it carries all that there is of them from one iteration to the next.

// times makes a loop in lanes that counts up to n.
func (g *gen) times(l *loop.Loop, n loop.Value) {
	phis := g.enter(l)
	end := g.c.asm.NewLabel()
	limit := g.toGeneral(g.value(n), loop.I32)
	o := newOpenLoop(l, g.c.imm(0))
	g.push(o)
	g.c.gcmpi(asm.CMP, limit, 0)
	g.c.jcc(asm.LE, end)
	start := g.c.newLoop()
	from := len(g.c.list)
	g.block(l.Body)
	g.advance(l, phis, from)
	g.c.gopi(asm.ADD, o.counter, 1)
	g.c.gcmp(o.counter, limit)
	g.c.jcc(asm.L, start)
	g.c.endLoop()
	g.c.bind(end)
	g.pop()
	g.leave(l, phis)
}

// inRound reports whether code is made for such a loop.
func (g *gen) inRound() bool { return g.lanes != nil && g.loops[len(g.loops)-1].loop.Cond != 0 }

// onceInRound reports whether v, which a round is about to make, is the same in all lanes, so that one will do for all
// copies.
func (g *gen) onceInRound(i *loop.Inst) bool {
	return g.inRound() && i.Op != loop.Store && i.Kind != loop.Mask && g.sameInLanes(i)
}

// addUnder makes x op (mask ? y : 0) of a round, where 0 changes nothing, as one instruction under the mask, which
// leaves x as it is elsewhere; it returns 0 if i is no such. The operand is left without a use, if nothing else needs
// it. In a round y is there: elsewhere it may have been left out where the mask is known to be off.
func (g *gen) addUnder(i *loop.Inst) reg {
	adds := i.Kind.IsInt() && (i.Op == loop.Add || i.Op == loop.Or || i.Op == loop.Xor)
	if !adds || !g.c.target.AVX512 || !g.inRound() {
		return 0
	}
	for k, a := range i.Args[:2] {
		s := g.nest.Inst(a)
		none := g.nest.Inst(s.Args[2])
		if s.Op != loop.Select || none.Op != loop.Const || none.Imm != 0 || g.nest.Inst(s.Args[0]).Op == loop.Const {
			continue
		}
		x := g.value(i.Args[1-k])
		made := g.t.table().find(i.Op, i.Kind, i.Kind)(g, i, [3]reg{x, g.value(s.Args[1])})
		return g.blend(i.Kind, g.value(s.Args[0]), made, x)
	}
	return 0
}
