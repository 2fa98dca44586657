package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Complex numbers side by side are read by two loads of every second element. Where one follows the other, the two
// vectors that hold both parts are read once. Numbers that are far apart are read one by one, but both parts together.

// paired reports whether nodes k and k+1 of b are such loads, of whole vectors.
func (g *gen) paired(b loop.Block, k int) bool {
	s := g.lanes
	if s == nil || s.moves || s.across != nil || s.clear != nil || s.tail != nil || k+1 >= len(b) || b[k+1].Loop != nil ||
		g.asides[b[k+1].Value] != nil || g.condition[b[k].Value] || g.condition[b[k+1].Value] {
		return false
	}
	if _, ok := g.under[b[k+1].Value]; ok {
		return false
	}
	i, j := g.nest.Inst(b[k].Value), g.nest.Inst(b[k+1].Value)
	if i.Op != loop.Load || j.Op != loop.Load || i.Args[0] != 0 || j.Args[0] != 0 {
		return false
	}
	x, y := &g.nest.Accesses[i.Access], &g.nest.Accesses[j.Access]
	return x.Buffer == y.Buffer && x.Mem == y.Mem && x.Mem.Bytes() >= 4 && g.sameIndex(x, y) &&
		y.Offset == x.Offset+1 && (g.laneStride(x) == 2 || g.farPairs(x)) && slices.Equal(x.Terms, y.Terms)
}

// farPairs reports whether the lanes of a are so far apart that whole vectors are not what they are read by, and that
// more neighbours are not read together.
func (g *gen) farPairs(a *loop.Access) bool {
	step := g.laneStride(a)
	if _, square := g.squareOf(a); square && step > 0 {
		return false
	}
	return (step > 2 || step < -1) && !g.canStep(a.Mem.Kind(), step) && g.laneCount() >= 4
}

// sameIndex reports whether accesses have no index, or one that is the same, also in all lanes.
func (g *gen) sameIndex(x, y *loop.Access) bool {
	return x.Index == y.Index && (x.Index == 0 || g.uniform(x.Index))
}

// loadPair is the two loads.
func (g *gen) loadPair(first, second loop.Value) {
	a := &g.nest.Accesses[g.nest.Inst(first).Access]
	k, bytes := a.Mem.Kind(), int64(g.laneCount())*a.Mem.Bytes()
	for u := range g.copies() {
		g.copy = u
		at := g.address(a)
		var x, y reg
		if step := g.laneStride(a); step == 2 {
			x, y = g.t.loadUnit(a.Mem, at, 0), g.t.loadUnit(a.Mem, at.add(bytes), 0)
		} else {
			place := func(lane int) mem { return at.add(int64(lane) * step * a.Mem.Bytes()) }
			n := g.laneCount() / 2
			x, y = g.joinPairs(k, place), g.joinPairs(k, func(lane int) mem { return place(n + lane) })
		}
		even, odd := g.unzip(k, x, y)
		g.define(first, even)
		g.define(second, odd)
	}
	g.copy = 0
}

// joinPairs reads pairs of elements from so many places that a vector is full.
func (g *gen) joinPairs(k loop.Kind, place func(lane int) mem) reg {
	size := g.size(k)
	if k.Bits() == 64 {
		return g.parts(size, place)
	}
	parts := make([]reg, int(size)/8/partBytes)
	for p := range parts {
		i := ins{in: inst(asm.VPINSRQ, asm.VL128, 3)}
		i.in.Imm, i.in.HasImm = 1, true
		i.r[1] = g.c.vm(asm.VMOVQ, asm.VL128, place(2*p))
		g.c.place(&i, place(2*p+1), asm.InLoad)
		parts[p] = g.c.define(i)
	}
	return g.joinParts(parts)
}

// unzip gives the elements with even and those with odd numbers of x and, behind it, y.
func (g *gen) unzip(k loop.Kind, x, y reg) (even, odd reg) {
	size, c := g.size(k), g.c
	if c.target.AVX512 && size != asm.VL128 {
		each := func(from int) reg {
			pick := g.picks(k, func(lane int) int { return (2*lane + from) & (2*g.laneCount() - 1) })
			i := ins{in: inst(by64(k, asm.VPERMI2D, asm.VPERMI2Q), size, 3), tie: pick, late: true}
			i.r[1], i.r[2] = x, y
			return c.define(i)
		}
		return each(0), each(1)
	}
	if k.Bits() == 64 {
		even, odd = c.v(asm.VUNPCKLPD, size, x, y), c.v(asm.VUNPCKHPD, size, x, y)
	} else {
		even, odd = c.vi(asm.VSHUFPS, size, 0x88, x, y), c.vi(asm.VSHUFPS, size, 0xDD, x, y)
	}
	if size == asm.VL128 {
		return even, odd
	}
	return c.vi(asm.VPERMQI, size, 0xD8, even), c.vi(asm.VPERMQI, size, 0xD8, odd)
}
