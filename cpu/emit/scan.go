package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// A scan combines in each vector neighbours first, then those two apart, four apart and so on, and then all with what
// came before the vector. That goes on by one operation a vector: the last lane of the vector alone, combined with it.

// scan computes instruction v, whose value is the carry combined with the lanes of x up to each one.
func (g *gen) scan(i *loop.Inst, x reg) reg {
	c := g.carryOf(i.Args[0])
	kind := i.Kind
	op := &loop.Inst{Op: c.Reduce, Kind: kind}
	s := g.t.table().find(c.Reduce, kind, kind)
	nothing := g.constant(kind, loop.Identity(c.Reduce, kind))
	if t := g.lanes.tail; t != nil {
		x = g.blend(kind, t.mask, x, nothing)
	}
	for n := 1; n < g.laneCount(); n *= 2 {
		x = s(g, op, [3]reg{x, g.lanesUp(kind, x, nothing, n)})
	}
	before := g.scans[i.Args[0]]
	g.scans[i.Args[0]] = s(g, op, [3]reg{before, g.lastLane(kind, x)})
	return s(g, op, [3]reg{before, x})
}

// carryOf finds the carry of the open lane loop that has this phi.
func (g *gen) carryOf(phi loop.Value) *loop.Carry {
	for k := range g.lanes.loop.Carries {
		if c := &g.lanes.loop.Carries[k]; c.Phi == phi {
			return c
		}
	}
	g.fail("scan: v%d is no phi of the lane loop", phi)
	return &loop.Carry{}
}

// lanesUp moves the lanes of x n up; below come those of fill.
func (g *gen) lanesUp(k loop.Kind, x, fill reg, n int) reg {
	size, c := g.size(k), g.c
	if c.target.AVX512 {
		return c.vi(by64(k, asm.VALIGND, asm.VALIGNQ), size, uint8(int(size)/k.Bits()-n), x, fill)
	}
	words := k.Bits() / 32
	n *= words
	blend := uint8(1<<n - 1)
	if size == asm.VL128 {
		moved := c.vi(asm.VPSHUFD, size, upTo4(n), x)
		return c.vi(asm.VPBLENDD, size, blend, moved, fill)
	}
	switch n {
	case 4:
		return c.vi(asm.VPERM2F128, size, 0x02, x, fill)
	case 2:
		return c.vi(asm.VPBLENDD, size, blend, c.vi(asm.VPERMPDI, size, upTo4(1)&^3, x), fill)
	}
	up := c.lanes32(func(lane int) uint32 { return uint32(lane-n) & 7 })
	return c.vi(asm.VPBLENDD, size, blend, c.v(asm.VPERMD, size, up, x), fill)
}

// upTo4 is the shuffle of four elements that moves them n up.
func upTo4(n int) uint8 {
	imm := uint8(0)
	for lane := range 4 {
		imm |= uint8((lane-n)&3) << (2 * lane)
	}
	return imm
}

// lastLane gives the last lane of x in all lanes.
func (g *gen) lastLane(k loop.Kind, x reg) reg {
	last := g.laneCount() - 1
	if g.c.target.AVX512 {
		return g.c.v(by64(k, asm.VPERMD, asm.VPERMQ), g.c.vl, g.picks(k, func(int) int { return last }), x)
	}
	words := k.Bits() / 32
	pick := g.c.lanes32(func(lane int) uint32 { return uint32(last*words + lane%words) })
	return g.c.v(asm.VPERMD, g.c.vl, pick, x)
}
