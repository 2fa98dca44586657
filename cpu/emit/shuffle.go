package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// loadShuffled reads every second element, or elements backwards, by whole vectors.
func (g *gen) loadShuffled(m loop.Mem, at mem, step int64) reg {
	k, n := m.Kind(), int64(g.laneCount())
	if step == -1 {
		return g.reverse(k, g.t.loadUnit(m, at.add((1-n)*m.Bytes()), 0))
	}
	return g.evens(k, g.t.loadUnit(m, at, 0), g.t.loadUnit(m, at.add((n-1)*m.Bytes()), 0))
}

// picks is the vector of element numbers f(lane), for a permutation of elements of kind k.
func (g *gen) picks(k loop.Kind, f func(lane int) int) reg {
	if k.Bits() == 64 && g.c.target.AVX512 {
		return g.c.lanes64(func(lane int) uint64 { return uint64(f(lane)) })
	}
	return g.c.lanes32(func(lane int) uint32 { return uint32(f(lane)) })
}

// reverse turns a vector around.
func (g *gen) reverse(k loop.Kind, x reg) reg {
	n, size := g.laneCount(), g.size(k)
	switch {
	case size == asm.VL128:
		return g.c.vi(asm.VPSHUFD, size, 0x1B, x)
	case k.Bits() == 64 && !g.c.target.AVX512:
		return g.c.vi(asm.VPERMQI, size, 0x1B, x)
	}
	back := g.picks(k, func(lane int) int { return (n - 1 - lane) & (n - 1) })
	return g.c.v(by64(k, asm.VPERMD, asm.VPERMQ), size, back, x)
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
