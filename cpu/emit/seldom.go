package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Instructions that only selections of seldom needed operands use are made once the mask is known, as code that is
// jumped to if a lane of a vector needs it.

// aside is such code: the selections, which share a mask and are made where the last of them stands, and the
// instructions that only their third operands need.
type aside struct{ selects, insts []loop.Value }

// fewestAside is how many instructions are worth a jump.
const fewestAside = 8

// blockPlaces are the places of the instructions of a block, by value and from 1 on; 0: it is not in the block.
type blockPlaces []int32

func (p blockPlaces) of(v loop.Value) (k int, here bool) { return int(p[v]) - 1, p[v] > 0 }

// setAside finds the seldom needed code of each block, by the values that it is made of.
func (g *gen) setAside(b loop.Block, users [][]loop.Value) {
	any := false
	for _, n := range b {
		if n.Loop != nil {
			g.setAside(n.Loop.CondBody, users)
			g.setAside(n.Loop.Body, users)
		} else if i := g.nest.Inst(n.Value); i.Op == loop.Select && i.Imm == loop.Seldom {
			any = true
		}
	}
	if !any {
		return
	}
	place := make(blockPlaces, len(g.nest.Insts))
	for k, n := range b {
		if n.Loop == nil {
			place[n.Value] = int32(k + 1)
		}
	}
	for k := len(b) - 1; k >= 0; k-- {
		v := b[k].Value
		if b[k].Loop != nil || g.asides[v] != nil {
			continue
		}
		if i := g.nest.Inst(v); i.Op == loop.Select && i.Imm == loop.Seldom {
			g.gather(b, v, place, users)
		}
	}
}

// gather makes an aside of last and of the selections in front of it that nobody uses before it.
func (g *gen) gather(b loop.Block, last loop.Value, place blockPlaces, users [][]loop.Value) {
	a := &aside{selects: g.together(last, place, users)}
	in, wanted, left := make([]bool, len(place)), make([]bool, len(b)), 0 // wanted are places of what may be for the aside
	want := func(v loop.Value) {
		k, here := place.of(v)
		if here && !wanted[k] && g.asides[v] == nil && g.canWait(g.nest.Inst(v), place) {
			wanted[k] = true
			left++
		}
	}
	only := func(v loop.Value) bool {
		return !slices.ContainsFunc(users[v], func(u loop.Value) bool {
			s := g.nest.Inst(u)
			third := slices.Contains(a.selects, u) && s.Args[0] != v && s.Args[1] != v
			return !third && !in[u]
		})
	}
	for _, s := range a.selects {
		want(g.nest.Inst(s).Args[2])
	}
	for k := int(place[last]) - 2; k >= 0 && left > 0; k-- {
		if v := b[k].Value; wanted[k] {
			if left--; only(v) {
				in[v] = true
				a.insts = append(a.insts, v)
				for _, x := range g.nest.Inst(v).Operands() {
					want(x)
				}
			}
		}
	}
	if len(a.insts) < fewestAside {
		return
	}
	slices.Reverse(a.insts)
	for _, v := range slices.Concat(a.insts, a.selects) {
		g.asides[v] = a
	}
}

// together lists last and the selections by its mask in front of it that nobody uses before it, in their order.
func (g *gen) together(last loop.Value, place blockPlaces, users [][]loop.Value) (list []loop.Value) {
	at, mask := int(place[last])-1, g.nest.Inst(last).Args[0]
	early := func(u loop.Value) bool { return int(place[u]) <= at+1 }
	for _, v := range users[mask] {
		i := g.nest.Inst(v)
		if k, here := place.of(v); !here || k > at {
			continue
		}
		if i.Op != loop.Select || i.Imm != loop.Seldom || i.Args[0] != mask || g.asides[v] != nil ||
			v != last && slices.ContainsFunc(users[v], early) || slices.Contains(list, v) {
			continue
		}
		list = append(list, v)
	}
	return list
}

// canWait reports whether i, of the block with these places, may be made in cold code, which holds no other cold code.
// Divisions by what differs between iterations have none. On AVX2 scales have some, and 64-bit integers made F32.
func (g *gen) canWait(i *loop.Inst, place blockPlaces) bool {
	if !i.Op.Info().Pure || i.Op == loop.Const || i.Op == loop.Index || i.Op == loop.Load {
		return false
	}
	if !g.c.target.AVX512 {
		converts := (i.Op == loop.SToF || i.Op == loop.UToF) && i.Kind == loop.F32
		return i.Op != loop.Scale && !(converts && g.nest.Kind(i.Args[0]) == loop.I64)
	}
	_, here := place.of(i.Args[1])
	return i.Op != loop.Div || here && g.nest.Inst(i.Args[1]).Op != loop.Const
}

// usersOf lists, by value, the instructions that have it as an operand; 0 stands for a loop or an address.
func usersOf(n *loop.Nest) [][]loop.Value {
	counts, total := make([]int32, len(n.Insts)), 0
	eachUse(n, func(v, _ loop.Value) { counts[v]++; total++ })
	users, room := make([][]loop.Value, len(n.Insts)), make([]loop.Value, total)
	for v, k := range counts {
		users[v], room = room[:0:k], room[k:]
	}
	eachUse(n, func(v, by loop.Value) { users[v] = append(users[v], by) })
	return users
}

// eachUse calls use for each operand in n and the instruction that has it.
func eachUse(n *loop.Nest, use func(v, by loop.Value)) {
	n.Root.Each(func(node loop.Node) {
		if l := node.Loop; l != nil {
			use(l.Cond, 0)
			for _, c := range l.Carries {
				use(c.Init, 0)
				use(c.Next, 0)
			}
			return
		}
		i := n.Inst(node.Value)
		for _, a := range i.Operands() {
			use(a, node.Value)
		}
		if i.Op == loop.Load || i.Op == loop.Store {
			use(n.Accesses[i.Access].Index, 0)
		}
	})
}

// findAsides looks for seldom needed code, if there is any.
func (g *gen) findAsides() {
	g.asides = map[loop.Value]*aside{}
	for k := range g.nest.Insts {
		if i := &g.nest.Insts[k]; i.Op == loop.Select && i.Imm == loop.Seldom {
			g.setAside(g.nest.Root, usersOf(g.nest))
			return
		}
	}
}

// seldom makes the selections of a, of each copy: the second operands, and behind a jump the rest.
func (g *gen) seldom(a *aside) {
	for u := range g.copies() {
		g.copy = u
		var out []reg
		for _, v := range a.selects {
			out = append(out, g.c.copyOf(g.value(g.nest.Inst(v).Args[1])))
		}
		mask := g.value(g.nest.Inst(a.selects[0]).Args[0])
		g.c.cold(g.t.someOff(mask), func() {
			for _, v := range a.insts {
				if g.condition[v] {
					continue
				}
				g.define(v, g.compute(v, g.nest.Inst(v)))
			}
			for k, v := range a.selects {
				i := g.nest.Inst(v)
				g.c.move(out[k], g.blend(i.Kind, mask, out[k], g.value(i.Args[2])))
			}
		})
		for k, v := range a.selects {
			g.define(v, out[k])
		}
	}
	g.copy = 0
}

// someOff compares m, and returns the condition that a lane is off.
func (t avx2) someOff(m reg) asm.Cond {
	t.c.flags(asm.VPTEST, asm.VL256, m, t.maskConst(true))
	return asm.AE
}

// someOff compares m, and returns the condition that a lane is off.
func (t avx512) someOff(m reg) asm.Cond {
	switch n := t.laneCount(); n {
	case 8:
		t.c.flags(asm.KORTESTB, 0, m, m)
	case 16:
		t.c.flags(asm.KORTESTW, 0, m, m)
	case 0: // of one lane: what was turned around has ones behind the lanes
		t.c.gcmpi(asm.CMP, t.maskBits(m, 1), 0)
		return asm.E
	default:
		t.c.gcmpi(asm.CMP, t.maskBits(m, n), 1<<n-1)
		return asm.NE
	}
	return asm.AE
}
