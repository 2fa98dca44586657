package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// loadShuffled reads every second element, of the first some lanes, by whole vectors.
func (g *gen) loadShuffled(m loop.Mem, at mem, some int) reg {
	k, n := m.Kind(), g.laneCount()
	x := g.loadUpTo(m, at, 2*some-1)
	y := g.loadUpTo(m, at.add(int64(n-1)*m.Bytes()), 2*some-n)
	if y == 0 {
		y = x
	}
	return g.evens(k, x, y)
}

// loadBack reads elements backwards, from at on, by a whole vector, or as many as there are if on, the mask of those,
// is not 0. It returns 0 where their number is not known, and for masks, which have no lanes to turn around.
func (g *gen) loadBack(m loop.Mem, at mem, on reg) reg {
	n := g.laneCount()
	if on != 0 {
		n = g.lanes.tail.n
	}
	if n == 0 || m == loop.MemPred {
		return 0
	}
	at = at.add(int64(1-n) * m.Bytes())
	if on != 0 && m.Bytes() < 4 && !g.t.masksNarrow() {
		return g.reverse(m.Kind(), g.loadPart(m, at, n), n)
	}
	return g.reverse(m.Kind(), g.t.loadUnit(m, at, on), n)
}

// picks is the vector of element numbers f(lane), for a permutation of elements of kind k.
func (g *gen) picks(k loop.Kind, f func(lane int) int) reg {
	if k.Bits() == 64 && g.c.target.AVX512 {
		return g.c.lanes64(func(lane int) uint64 { return uint64(f(lane)) })
	}
	return g.c.lanes32(func(lane int) uint32 { return uint32(f(lane)) })
}

// reverse turns the first some lanes of a vector around.
func (g *gen) reverse(k loop.Kind, x reg, some int) reg {
	n, size := g.laneCount(), g.size(k)
	from := func(lane int) int { return (some - 1 - lane) & (n - 1) }
	fours := uint8(from(0)&3 | from(1)&3<<2 | from(2)&3<<4 | from(3)&3<<6)
	switch {
	case size == asm.VL128:
		return g.c.vi(asm.VPSHUFD, size, fours, x)
	case k.Bits() == 64 && !g.c.target.AVX512:
		return g.c.vi(asm.VPERMQI, size, fours, x)
	}
	return g.c.v(by64(k, asm.VPERMD, asm.VPERMQ), size, g.picks(k, from), x)
}

// evens joins the elements 0, 2, .. of the 2n-1 that x and y hold: x the first n, y the last n.
func (g *gen) evens(k loop.Kind, x, y reg) reg {
	n, size, c := g.laneCount(), g.size(k), g.c
	switch {
	case c.target.AVX512:
		pick := g.picks(k, func(lane int) int {
			if 2*lane < n {
				return 2 * lane
			}
			return (2*lane + 1) & (2*n - 1)
		})
		i := ins{in: inst(by64(k, asm.VPERMI2D, asm.VPERMI2Q), size, 3), tie: pick, late: true}
		i.r[1], i.r[2] = x, y
		return c.define(i)
	case size == asm.VL128:
		return c.vi(asm.VSHUFPS, size, 0xD8, x, y)
	case k.Bits() == 64:
		return c.vi(asm.VPBLENDD, size, 0xF0, c.vi(asm.VPERMQI, size, 0x08, x), c.vi(asm.VPERMQI, size, 0xD0, y))
	}
	low := c.v(asm.VPERMD, size, c.lanes32(func(lane int) uint32 { return uint32(2*lane) & 7 }), x)
	high := c.v(asm.VPERMD, size, c.lanes32(func(lane int) uint32 { return uint32(2*lane-7) & 7 }), y)
	return c.vi(asm.VPBLENDD, size, 0xF0, low, high)
}

// grouped is how many nodes from k on are stores of whole vectors to neighbouring elements, as many as from one lane to
// the next: rows are written so, and complex numbers. It is 1 if they are not.
func (g *gen) grouped(b loop.Block, k int) int {
	if g.lanes == nil || g.nest.Inst(b[k].Value).Op != loop.Store {
		return 1
	}
	a := &g.nest.Accesses[g.nest.Inst(b[k].Value).Access]
	n, rest := g.laneStride(a), g.lanes.tail
	switch {
	case n < 2 || n > mostStep || k+int(n) > len(b) || !g.isGroup(b[k:k+int(n)]):
		return 1
	case joinsBytes(a.Mem, n):
		if rest != nil && rest.n == 0 {
			return 1
		}
	case rest != nil, n&(n-1) != 0 && !g.canStep(a.Mem.Kind(), 3):
		return 1
	}
	return int(n)
}

func (g *gen) isGroup(nodes loop.Block) bool {
	var first *loop.Access
	for k, n := range nodes {
		if n.Loop != nil {
			return false
		}
		i := g.nest.Inst(n.Value)
		if i.Op != loop.Store || i.Args[1] != 0 {
			return false
		}
		a := &g.nest.Accesses[i.Access]
		if k == 0 {
			first = a
		}
		if a.Buffer != first.Buffer || a.Mem != first.Mem || !g.sameIndex(a, first) ||
			a.Mem.Bytes() < 4 && !joinsBytes(a.Mem, int64(len(nodes))) ||
			a.Offset != first.Offset+int64(k) || !slices.Equal(a.Terms, first.Terms) ||
			g.laneStride(a) != int64(len(nodes)) {
			return false
		}
	}
	return true
}

// storeGroup writes the elements of what the nodes store by turns.
func (g *gen) storeGroup(nodes loop.Block) {
	a := &g.nest.Accesses[g.nest.Inst(nodes[0].Value).Access]
	k, bytes := a.Mem.Kind(), int64(g.laneCount())*a.Mem.Bytes()
	for u := range g.copies() {
		g.copy = u
		var x []reg
		for _, n := range nodes {
			x = append(x, g.value(g.nest.Inst(n.Value).Args[0]))
		}
		at := g.address(a)
		if a.Mem.Bytes() < wordBytes {
			g.storeBytes(at, x)
			continue
		}
		for n, v := range g.byTurns(k, x) {
			g.storeUnit(a, at.add(int64(n)*bytes), v, 0)
		}
	}
	g.copy = 0
}

// byTurns gives the elements of some vectors by turns, as many vectors.
func (g *gen) byTurns(k loop.Kind, x []reg) []reg {
	per := partBytes * 8 / k.Bits()
	switch {
	case len(x)%2 == 1 && g.c.target.AVX512:
		return g.byTurnsOdd(k, x)
	case len(x)%2 == 1:
		return g.thrown(k, x)
	case len(x) > 2 && len(x)%per == 0 && !g.c.target.AVX512 && g.size(k) == asm.VL256:
		return g.squaresByTurns(k, x, per)
	case len(x) == 2:
		low, high := g.interleave(k, x[0], x[1])
		return []reg{low, high}
	}
	var even, odd, out []reg
	for n := 0; n < len(x); n += 2 {
		even, odd = append(even, x[n]), append(odd, x[n+1])
	}
	even, odd = g.byTurns(k, even), g.byTurns(k, odd)
	for n := range even {
		out = append(out, g.byTurns(k, []reg{even[n], odd[n]})...)
	}
	return out
}

// byTurnsOdd is byTurns for an odd number of vectors: each result has elements of all.
func (g *gen) byTurnsOdd(k loop.Kind, x []reg) []reg {
	n, out := g.laneCount(), make([]reg, len(x))
	read := func(v int) reg { return x[v] }
	for o := range out {
		from := func(lane int) (v, at int) { return (o*n + lane) % len(x), (o*n + lane) / len(x) }
		out[o] = g.joinTables(k, len(x), n, from, read)
	}
	return out
}

// squaresByTurns is byTurns for AVX2: squares of per words are turned in each half of the vectors, where that is quick,
// and the halves are put in order.
func (g *gen) squaresByTurns(k loop.Kind, x []reg, per int) []reg {
	var turned []reg
	for b := 0; b < len(x); b += per {
		turned = append(turned, g.turnWords(k, x[b:b+per])...)
	}
	squares, out := len(x)/per, make([]reg, len(x))
	part := func(n int) (r reg, half uint8) {
		return turned[n%squares*per+n/squares%per], uint8(n / squares / per)
	}
	for o := range out {
		low, first := part(2 * o)
		high, second := part(2*o + 1)
		out[o] = g.c.vi(asm.VPERM2I128, asm.VL256, first|(2+second)<<4, low, high)
	}
	return out
}

// interleave gives the elements of x and y by turns: those of the lower halves, and those of the upper ones.
func (g *gen) interleave(k loop.Kind, x, y reg) (low, high reg) {
	n, size, c := g.laneCount(), g.size(k), g.c
	if c.target.AVX512 && size != asm.VL128 {
		half := func(from int) reg {
			pick := g.picks(k, func(lane int) int { return (from + lane/2 + lane%2*n) & (2*n - 1) })
			i := ins{in: inst(by64(k, asm.VPERMI2D, asm.VPERMI2Q), size, 3), tie: pick, late: true}
			i.r[1], i.r[2] = x, y
			return c.define(i)
		}
		return half(0), half(n / 2)
	}
	low = c.v(by64(k, asm.VPUNPCKLDQ, asm.VPUNPCKLQDQ), size, x, y)
	high = c.v(by64(k, asm.VPUNPCKHDQ, asm.VPUNPCKHQDQ), size, x, y)
	if size == asm.VL128 {
		return low, high
	}
	return c.vi(asm.VPERM2I128, size, 0x20, low, high), c.vi(asm.VPERM2I128, size, 0x31, low, high)
}
