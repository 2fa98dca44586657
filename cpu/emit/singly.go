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

// mostSingly is for how many lanes a load of each is less than a gather where all it finds is near. Where the numbers
// are in memory side by side it is for any: nothing is taken out of a vector.
const mostSingly = 8

// isMovedSingly reports whether a is that of the load of the present loop that is moved so: by whole vectors.
func (g *gen) isMovedSingly(a *loop.Access) bool {
	return g.singly != 0 && a == &g.nest.Accesses[g.nest.Inst(g.singly).Access] && g.lanes.across == nil &&
		g.rest() == nil && (g.laneCount() <= mostSingly || g.numbersInMemory(a) != nil)
}

// numbersInMemory returns the access of the numbers at which a finds what it reads, if they are read as they are, one
// behind the other.
func (g *gen) numbersInMemory(a *loop.Access) *loop.Access {
	i := g.nest.Inst(a.Index)
	if i.Op != loop.Load || i.Args[0] != 0 || !g.inBody(g.lanes.loop, a.Index) {
		return nil
	}
	numbers := &g.nest.Accesses[i.Access]
	if numbers.Index != 0 || g.nest.Buffers[numbers.Buffer].Write || !numbers.Mem.Kind().IsInt() ||
		stride(numbers, g.lanes.loop.Var) != numbers.Mem.Bytes() {
		return nil
	}
	return numbers
}

// moveSingly stores to to what g.singly would have loaded.
func (g *gen) moveSingly(to *loop.Access) {
	from := &g.nest.Accesses[g.nest.Inst(g.singly).Access]
	size := asm.W32
	if from.Mem.Bytes() == 8 {
		size = asm.W64
	}
	at := g.address(to)
	place := g.singlePlaces(from)
	for lane := range g.laneCount() {
		x := g.c.gload(asm.MOV, size, place(lane))
		g.c.store(asm.MOV, size, at.add(int64(lane)*to.Mem.Bytes()), -1, x)
	}
}

// singlePlaces is lanePlaces for what is moved singly.
func (g *gen) singlePlaces(from *loop.Access) func(lane int) mem {
	numbers := g.numbersInMemory(from)
	if numbers == nil {
		return g.lanePlaces(from, g.address(from), g.laneStride(from))
	}
	at, number := g.flat(g.address(from)), g.address(numbers)
	step, bytes := g.laneStride(from), from.Mem.Bytes()
	op, size := numberLoad(numbers.Mem)
	return func(lane int) mem {
		m := at.add(int64(lane) * step * bytes)
		m.index, m.scale = g.c.gload(op, size, number.add(int64(lane)*numbers.Mem.Bytes())), uint8(bytes)
		return m
	}
}

// numberLoad is the instruction that reads an integer into a whole general register.
func numberLoad(m loop.Mem) (op asm.Op, size asm.Size) {
	switch m {
	case loop.MemU8:
		return asm.MOVZX8, asm.W32
	case loop.MemS8:
		return asm.MOVSX8, asm.W64
	case loop.MemU16:
		return asm.MOVZX16, asm.W32
	case loop.MemS16:
		return asm.MOVSX16, asm.W64
	case loop.MemI32:
		return asm.MOVSXD, asm.W64
	}
	return asm.MOV, asm.W64
}

// loadSingly is a gather of words where gathers are slow: one load for each element, of which four or two are put into
// a register of 128 bits. It returns 0 where lanes may be off that are not known.
func (g *gen) loadSingly(a *loop.Access, at mem, step int64, on reg, masked bool) reg {
	paired := g.c.target.PairedGather && a.Index != 0 && !g.uniform(a.Index) && g.nest.Kind(a.Index) == loop.I32
	if !g.c.target.SlowGather && !paired || masked {
		return 0
	}
	bits, n := g.onBits(on, masked)
	if bits != 0 {
		return 0
	}
	first, more, per := asm.VMOVD, asm.VPINSRD, 4
	if a.Mem.Bytes() == 8 {
		first, more, per = asm.VMOVQ, asm.VPINSRQ, 2
	}
	var place func(lane int) mem
	if g.c.target.SlowGather {
		place = g.lanePlaces(a, g.flat(at), step)
	} else {
		place = g.pairedPlaces(a, at, step)
	}
	var parts []reg
	for lane := range n {
		if lane%per == 0 {
			parts = append(parts, g.c.vm(first, asm.VL128, place(lane)))
			continue
		}
		p := parts[len(parts)-1]
		i := ins{in: inst(more, asm.VL128, 3), tie: p}
		i.r[0], i.r[1] = p, p
		i.in.Imm, i.in.HasImm = int64(lane%per), true
		g.c.place(&i, place(lane), asm.InLoad)
		g.c.add(i)
	}
	return g.joinParts(parts)
}

// pairedPlaces is lanePlaces for lanes one behind the other: their numbers of 32 bits come out of the vector by two.
func (g *gen) pairedPlaces(a *loop.Access, at mem, step int64) func(lane int) mem {
	x, two := g.value(a.Index), reg(0)
	at = g.flat(at)
	return func(lane int) mem {
		m := at.add(int64(lane) * step * a.Mem.Bytes())
		m.scale = uint8(a.Mem.Bytes())
		if lane%2 == 1 {
			g.c.gopi(asm.SAR, two, 32)
			m.index = two
			return m
		}
		p := g.part(x, lane/4, g.size(loop.I32))
		if lane%4 == 2 {
			p = g.c.vi(asm.VPSHUFD, asm.VL128, 0xEE, p)
		}
		two = g.c.vecToGen(asm.VMOVQ, p)
		m.index = g.c.grr(asm.MOVSXD, asm.W64, two)
		return m
	}
}

// joinParts makes a vector of its parts.
func (g *gen) joinParts(parts []reg) reg {
	for op, size := asm.VINSERTI32X4, asm.VL256; len(parts) > 1; op, size = asm.VINSERTI64X4, asm.VL512 {
		for k := 0; k < len(parts); k += 2 {
			if parts[k/2] = parts[k]; k+1 < len(parts) {
				parts[k/2] = g.c.vi(op, size, 1, parts[k], parts[k+1])
			}
		}
		parts = parts[:(len(parts)+1)/2]
	}
	return parts[0]
}
