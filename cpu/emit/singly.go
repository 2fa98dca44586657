package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// What lanes gather only to store it side by side need not meet in a vector: where gathers are slow, each element goes
// through a general register, and takes no more than a load of its number, its own, and a store.

// singlyMoved returns the load of l whose elements are moved so, 0 if there is none: that of words at numbers of the
// lanes, of which nothing is made but what the only store of l writes side by side.
func (g *gen) singlyMoved(l *loop.Loop) loop.Value {
	if !g.c.target.SlowGather {
		return 0
	}
	var store *loop.Inst
	for _, n := range l.Body {
		if n.Loop != nil {
			return 0
		}
		if i := g.nest.Inst(n.Value); i.Op == loop.Store {
			if store != nil {
				return 0
			}
			store = i
		}
	}
	if store == nil || len(l.Carries) > 0 {
		return 0
	}
	v := store.Args[0]
	load, to := g.nest.Inst(v), &g.nest.Accesses[store.Access]
	if load.Op != loop.Load || !g.inBody(l, v) || load.Args[0] != 0 || store.Args[1] != 0 || g.usesOf(v) > 1 {
		return 0
	}
	from := &g.nest.Accesses[load.Access]
	b, into := &g.nest.Buffers[from.Buffer], &g.nest.Buffers[to.Buffer]
	if from.Mem != to.Mem || from.Mem.Bytes() < wordBytes || from.Index == 0 || !g.inBody(l, from.Index) || b.Write ||
		into.Stream || stride(to, l.Var) != to.Mem.Bytes() || to.Index != 0 && g.inBody(l, to.Index) {
		return 0
	}
	return v
}

// usesOf counts the operands that are v.
func (g *gen) usesOf(v loop.Value) (n int) {
	if g.users == nil {
		g.users = usersOf(g.nest)
	}
	return len(g.users[v])
}

// mostSingly is for how many lanes a load of each is less than a gather where all it finds is near.
const mostSingly = 8

// isMovedSingly reports whether a is that of the load of the present loop that is moved so: by whole vectors.
func (g *gen) isMovedSingly(a *loop.Access) bool {
	return g.singly != 0 && a == &g.nest.Accesses[g.nest.Inst(g.singly).Access] && g.lanes.across == nil &&
		g.rest() == nil && g.laneCount() <= mostSingly
}

// moveSingly stores to to what g.singly would have loaded.
func (g *gen) moveSingly(to *loop.Access) {
	from := &g.nest.Accesses[g.nest.Inst(g.singly).Access]
	size := asm.W32
	if from.Mem.Bytes() == 8 {
		size = asm.W64
	}
	at := g.address(to)
	place := g.lanePlaces(from, g.address(from), g.laneStride(from))
	for lane := range g.laneCount() {
		x := g.c.gload(asm.MOV, size, place(lane))
		g.c.store(asm.MOV, size, at.add(int64(lane)*to.Mem.Bytes()), -1, x)
	}
}
