package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// scalarRows holds what is done by scalar instructions, lane by lane, and divisions.
func scalarRows(t *table) {
	t.set(loop.SDiv, loop.I32, divide(asm.VCVTDQ2PD, asm.VCVTTPD2DQ, false))
	t.set(loop.SRem, loop.I32, divide(asm.VCVTDQ2PD, asm.VCVTTPD2DQ, true))
	t.set(loop.SDiv, loop.I64, eachLane64(scalarSigned(asm.RAX)))
	t.set(loop.SRem, loop.I64, eachLane64(scalarSigned(asm.RDX)))
	t.set(loop.UDiv, loop.I64, eachLane64(scalarUnsigned(asm.RAX)))
	t.set(loop.URem, loop.I64, eachLane64(scalarUnsigned(asm.RDX)))
	t.set(loop.MulHiU, loop.I64, mulHigh64(false))
	t.set(loop.MulHiS, loop.I64, mulHigh64(true))
}

// divide divides 32-bit integers as doubles, in which the quotient is exact but for the cut. By zero
// the conversion back gives what is out of range, which is made all ones.
func divide(to, from asm.Op, remainder bool) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		c, size := g.c, g.size(loop.I32)
		q := g.inDoubles(size, x[0], x[1], func(size asm.Size, a, b reg) reg {
			return c.v(from, size, c.v(asm.VDIVPD, size, c.v(to, size, a), c.v(to, size, b)))
		})
		q = g.orIfZero(q, x[1])
		if !remainder {
			return q
		}
		return c.v(asm.VPSUBD, size, x[0], c.v(asm.VPMULLD, size, q, x[1]))
	}
}

// orIfZero makes all bits of q set where y is zero.
func (g *gen) orIfZero(q, y reg) reg {
	zero := g.t.cmpInt(loop.I32, loop.EQ, y, g.c.splat32(0))
	return g.t.pick(loop.I32, zero, g.c.splat32(^uint32(0)), q)
}

// inDoubles runs f, which gives 32-bit elements by way of 64-bit ones, on a vector of 32-bit elements: half by half
// where that many 64-bit elements do not fit.
func (g *gen) inDoubles(size asm.Size, x, y reg, f func(size asm.Size, x, y reg) reg) reg {
	c := g.c
	if 2*size <= c.vl && (g.laneCount() != 0) {
		return f(2*size, x, y)
	}
	upper, lower := asm.VEXTRACTI64X4, asm.VINSERTI64X4
	if size == asm.VL256 {
		upper, lower = asm.VEXTRACTI32X4, asm.VINSERTI32X4
	}
	low := f(size, x, y)
	if g.laneCount() == 0 {
		return g.spread(low, loop.I32)
	}
	high := f(size, c.vi(upper, size, 1, x), c.vi(upper, size, 1, y))
	return c.vi(lower, size, 1, low, high)
}

// Scratch memory for lanes: two operands and the result.
const (
	scratchX = 0
	scratchY = 64
	scratchR = 128
)

// eachLane64 stores 64-bit lanes and computes one at a time; f computes RAX from RAX and the operand in memory.
//
//go:noinline
func eachLane64(f func(g *gen, y mem) (result reg)) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		c, size := g.c, g.size(loop.I64)
		n := int64(g.laneCount())
		if n == 0 {
			n = 1
		}
		c.store(asm.VMOVUPS, size, mem{base: rsi, disp: scratchX}, -1, x[0])
		c.store(asm.VMOVUPS, size, mem{base: rsi, disp: scratchY}, -1, x[1])
		lane := c.imm(0)
		start := c.newLoop()
		at := func(area int64) mem { return mem{base: rsi, index: lane, scale: 8, disp: area} }
		c.gloadTo(rax, asm.MOV, asm.W64, at(scratchX))
		c.gstore(at(scratchR), f(g, at(scratchY)))
		c.gopi(asm.ADD, lane, 1)
		c.gcmpi(asm.CMP, lane, n)
		c.jcc(asm.L, start)
		c.endLoop()
		if g.laneCount() == 0 {
			return c.vm(asm.VBROADCASTSD, c.vl, mem{base: rsi, disp: scratchR})
		}
		return c.vm(asm.VMOVUPS, size, mem{base: rsi, disp: scratchR})
	}
}

// gstore stores a general register.
func (c *code) gstore(m mem, x reg) { c.store(asm.MOV, asm.W64, m, -1, x) }

// scalarUnsigned divides RAX by memory; the result is the quotient, RAX, or the remainder, RDX.
func scalarUnsigned(result asm.Reg) func(g *gen, y mem) reg {
	return func(g *gen, y mem) reg {
		c := g.c
		byZero, end := c.asm.NewLabel(), c.asm.NewLabel()
		d := c.gload(asm.MOV, asm.W64, y)
		c.flags(asm.TEST, asm.W64, d, d)
		c.jcc(asm.E, byZero)
		c.gop(asm.XOR, rdx, rdx)
		c.onPair(asm.DIV, d)
		c.jmp(end)
		c.bind(byZero)
		c.byZero()
		c.bind(end)
		return fixed(result)
	}
}

// byZero gives the results of a division by zero: all bits set, and the dividend.
func (c *code) byZero() {
	c.move(rdx, rax)
	c.moveImm(rax, -1)
}

func (c *code) moveImm(dst reg, v int64) {
	i := ins{in: inst(asm.MOV, asm.W64, 1)}
	i.in.Imm, i.in.HasImm = v, true
	i.r[0] = dst
	c.add(i)
}

// onPair is an operation on RDX:RAX and d: a division, or a product.
func (c *code) onPair(op asm.Op, d reg) {
	i := ins{in: inst(op, asm.W64, 1), def: -1}
	i.r[0] = d
	c.add(i)
}

// scalarSigned is scalarUnsigned with signs; by -1 it negates, since the least number would trap.
func scalarSigned(result asm.Reg) func(g *gen, y mem) reg {
	return func(g *gen, y mem) reg {
		c := g.c
		byZero, negate, end := c.asm.NewLabel(), c.asm.NewLabel(), c.asm.NewLabel()
		d := c.gload(asm.MOV, asm.W64, y)
		c.flags(asm.TEST, asm.W64, d, d)
		c.jcc(asm.E, byZero)
		c.gcmpi(asm.CMP, d, -1)
		c.jcc(asm.E, negate)
		c.add(ins{in: inst(asm.CQO, asm.W64, 0), def: -1})
		c.onPair(asm.IDIV, d)
		c.jmp(end)
		c.bind(byZero)
		c.byZero()
		c.jmp(end)
		c.bind(negate)
		c.gun(asm.NEG, asm.W64, rax)
		c.moveImm(rdx, 0)
		c.bind(end)
		return fixed(result)
	}
}
