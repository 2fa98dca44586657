package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Of an odd number of vectors that follow each other, every such element is in a lane of its own, as lanes are a power
// of two: they are blended, and permuted once. To write elements by turns, each vector is permuted once, and what has
// its lanes is blended. AVX2 permutes across halves one vector a cycle, and blends four.

// thirds is how many neighbours are read so.
const thirds = 3

// loadThirds reads every third element together with those between them, where the body wants all of them; else 0.
func (g *gen) loadThirds(a *loop.Access, at mem) reg {
	k, f := a.Mem.Kind(), g.familyOf(a)
	if g.c.target.AVX512 || g.size(k) != asm.VL256 || a.Mem.Bytes() < wordBytes || len(f) < thirds || !g.readTogether(a) {
		return 0
	}
	first, ok := f.group(a.Offset, thirds)
	if !ok {
		return 0
	}
	return g.amid(a, first, func() []reg {
		n, at := g.laneCount(), at.add((first-a.Offset)*a.Mem.Bytes())
		x, out := make([]reg, thirds), make([]reg, thirds)
		for v := range x {
			x[v] = g.t.loadUnit(a.Mem, at.add(int64(v*n)*a.Mem.Bytes()), 0)
		}
		for o := range out {
			// Lane p of vector v has element v*n+p, which is one of those that are wanted if it is o more than a multiple.
			r := g.blended(k, x, func(v, p int) bool { return (v*n+p)%thirds == o })
			out[o] = g.permuted(k, r, func(lane int) int { return (o + thirds*lane) % n })
		}
		return out
	})
}

// readTogether reports whether what is read with a when it is first wanted is what the body would read later: nothing
// is written to the array, and there are no jumps between them.
func (g *gen) readTogether(a *loop.Access) bool {
	return a.Index == 0 && !g.nest.Buffers[a.Buffer].Write && len(g.asides)+len(g.under) == 0
}

// thrown is byTurns for an odd number of vectors on AVX2: of vector v element lane becomes element lane*len(x)+v.
func (g *gen) thrown(k loop.Kind, x []reg) []reg {
	n, to, out := g.laneCount(), make([]reg, len(x)), make([]reg, len(x))
	for v, r := range x {
		from := make([]int, n)
		for lane := range n {
			from[(lane*len(x)+v)%n] = lane
		}
		to[v] = g.permuted(k, r, func(p int) int { return from[p%n] })
	}
	for o := range out {
		out[o] = g.blended(k, to, func(v, p int) bool { return (o*n+p)%len(x) == v })
	}
	return out
}

// blended takes lane p from the vector v of which has(v, p).
func (g *gen) blended(k loop.Kind, x []reg, has func(v, p int) bool) reg {
	words, r := k.Bits()/32, x[0]
	for v := 1; v < len(x); v++ {
		mask := uint8(0)
		for p := range g.laneCount() {
			if has(v, p) {
				mask |= (1<<words - 1) << (p * words)
			}
		}
		r = g.c.vi(asm.VPBLENDD, asm.VL256, mask, r, x[v])
	}
	return r
}

// permuted has element from(lane) of x in a lane.
func (g *gen) permuted(k loop.Kind, x reg, from func(lane int) int) reg {
	if k.Bits() == 64 {
		return g.c.vi(asm.VPERMQI, asm.VL256, uint8(from(0)|from(1)<<2|from(2)<<4|from(3)<<6), x)
	}
	return g.c.v(asm.VPERMD, asm.VL256, g.picks(k, from), x)
}
