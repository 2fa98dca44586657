package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// A table of bytes that is no longer than four vectors is looked up in registers: pairs of them are shuffled by the low
// bits of the indices, and the highest bit chooses between the pairs.

// mostBytes is how long such a table is at most: two pairs of vectors.
const mostBytes = 4 * windowBytes

// loadBytes is a load of bytes of a buffer that is a short table; 0 if it takes another way.
func (g *gen) loadBytes(a *loop.Access) reg {
	n := g.nest.Buffers[a.Buffer].Bytes
	short := n <= mostBytes && a.Offset == 0 && len(a.Terms) == 0 && g.nest.Kind(a.Index) == loop.I32
	if !g.c.target.VBMI || !short || a.Mem != loop.MemU8 && a.Mem != loop.MemS8 || g.size(loop.I32) != asm.VL512 {
		return 0
	}
	c, at, index := g.c, g.address(&loop.Access{Buffer: a.Buffer, Mem: a.Mem}), g.value(a.Index)
	vector := func(k int64) reg {
		if left := n - k*windowBytes; left < windowBytes {
			on := c.v(asm.KMOVQKR, 0, c.imm(1<<left-1))
			x := c.vm(asm.VMOVDQU8, asm.VL512, at.add(k*windowBytes))
			c.zeroing(on)
			return x
		}
		return c.vm(asm.VMOVUPS, asm.VL512, at.add(k*windowBytes))
	}
	pair := func(k int64) reg {
		if n <= (k+1)*windowBytes {
			return c.v(asm.VPERMB, asm.VL512, index, vector(k))
		}
		i := ins{in: inst(asm.VPERMI2B, asm.VL512, 3), tie: index, late: true}
		i.r[1], i.r[2] = vector(k), vector(k+1)
		return c.define(i)
	}
	x := pair(0)
	if n > 2*windowBytes {
		high := c.v(asm.VPTESTMD, asm.VL512, index, g.constant(loop.I32, 2*windowBytes))
		x = g.t.pick(loop.I32, high, pair(2), x)
	}
	return g.cutOut(a.Mem, x)
}
