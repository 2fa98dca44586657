package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Where a body reads every second element, and elsewhere those between them, two vectors hold what both want: they are
// read once, and taken apart.

// second is a load of every second element, by a copy of a body: the family of the load, and its offset.
type second struct {
	family *int64
	offset int64
	copy   int
}

// first returns the lower offset of the two loads that share what they read, of which one is at offset, and whether
// there are two.
func (f family) first(offset int64) (int64, bool) {
	for k := 0; k+1 < len(f); k++ {
		if f[k+1] == f[k]+1 {
			if offset == f[k] || offset == f[k+1] {
				return f[k], true
			}
			k++
		}
	}
	return 0, false
}

// loadSecond reads every second element, of the first some lanes, together with those between them; 0 if nobody wants
// these, something is written to the array, or there may be jumps between both.
func (g *gen) loadSecond(a *loop.Access, at mem, some int) reg {
	f := g.familyOf(a)
	first, ok := f.first(a.Offset)
	if !ok || !g.readTogether(a) {
		return 0
	}
	return g.amid(a, first, func() []reg {
		k, n := a.Mem.Kind(), g.laneCount()
		at := at.add((first - a.Offset) * a.Mem.Bytes())
		x, y := g.loadUpTo(a.Mem, at, 2*some), g.loadUpTo(a.Mem, at.add(int64(n)*a.Mem.Bytes()), 2*some-n)
		if y == 0 {
			y = x
		}
		return []reg{g.everySecond(k, x, y, 0), g.everySecond(k, x, y, 1)}
	})
}

// amid is a, which is read together with its neighbours, of which read gives all from offset first on, unless they
// were read before.
func (g *gen) amid(a *loop.Access, first int64, read func() []reg) reg {
	f := g.familyOf(a)
	key := second{&f[0], a.Offset, g.copy}
	if r := g.seconds[key]; r != 0 {
		return r
	}
	if g.seconds == nil {
		g.seconds = map[second]reg{}
	}
	for o, r := range read() {
		g.seconds[second{&f[0], first + int64(o), g.copy}] = r
	}
	return g.seconds[key]
}

// everySecond joins elements odd, odd+2, .. of x and of y.
func (g *gen) everySecond(k loop.Kind, x, y reg, odd int) reg {
	n, size, c := g.laneCount(), g.size(k), g.c
	switch {
	case c.target.AVX512:
		i := ins{in: inst(by64(k, asm.VPERMI2D, asm.VPERMI2Q), size, 3), late: true,
			tie: g.picks(k, func(lane int) int { return (2*lane + odd) & (2*n - 1) })}
		i.r[1], i.r[2] = x, y
		return c.define(i)
	case k.Bits() == 64:
		x = c.v([]asm.Op{asm.VPUNPCKLQDQ, asm.VPUNPCKHQDQ}[odd], size, x, y)
	default:
		x = c.vi(asm.VSHUFPS, size, []uint8{0x88, 0xDD}[odd], x, y)
	}
	if size == asm.VL128 {
		return x
	}
	return c.vi(asm.VPERMQI, size, 0xD8, x)
}
