package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// What does not fill a vector, at the end of a row of known length, takes no mask where those are vectors: a masked
// store takes as long as tens of others on some processors, and there is none of elements of less than 4 bytes. It is
// written in a few pieces, and read so where elements are narrow. Elements that lie in steps come from whole vectors up
// to the last of them.

// partOf is how many lanes are on, of a known number that does not fill a vector, if on is the mask of these and pieces
// are better; else 0.
func (g *gen) partOf(on reg) int {
	if g.c.target.AVX512 {
		return 0
	}
	return g.knownOf(on)
}

// knownOf is how many lanes are on, if on is the mask of a known number that does not fill a vector; else 0.
func (g *gen) knownOf(on reg) int {
	if t := g.rest(); t != nil && on == t.mask {
		return t.n
	}
	return 0
}

// pieces calls f for each of the pieces of n bytes of a register of 128 bits, the largest first.
func pieces(n int64, f func(from, size int64)) {
	from := int64(0)
	for size := int64(8); size > 0; size /= 2 {
		for ; n-from >= size; from += size {
			f(from, size)
		}
	}
}

// storePart writes the first n lanes of x.
func (g *gen) storePart(m loop.Mem, at mem, x reg, n int) {
	bytes, x := int64(n)*m.Bytes(), g.t.pack(m, x)
	if bytes >= 16 {
		g.c.store(asm.VMOVUPS, asm.VL128, at, -1, x)
		if bytes -= 16; bytes == 0 {
			return
		}
		at, x = at.add(16), g.c.upperHalf(x, 128)
	}
	pieces(bytes, func(from, size int64) { g.c.storeElement(size, at.add(from), x, int(from/size)) })
}

// loadPart reads n neighbours of less than 4 bytes.
func (g *gen) loadPart(m loop.Mem, at mem, n int) reg {
	x := g.c.zeroVec()
	pieces(int64(n)*m.Bytes(), func(from, size int64) { g.insertPiece(x, at.add(from), from, size) })
	return g.t.widen(m, x)
}

// insertPiece reads size bytes into x, where they are at byte from.
func (g *gen) insertPiece(x reg, at mem, from, size int64) {
	op := map[int64]asm.Op{1: asm.VPINSRB, 2: asm.VPINSRW, 4: asm.VPINSRD, 8: asm.VPINSRQ}[size]
	i := ins{in: inst(op, asm.VL128, 3), tie: x}
	i.r[0], i.r[1] = x, x
	i.in.Imm, i.in.HasImm = from/size, true
	g.c.place(&i, at, asm.InLoad)
	g.c.add(i)
}

// loadUpTo reads a vector of which only the first n elements are there to be read; it is 0 if none is.
func (g *gen) loadUpTo(m loop.Mem, at mem, n int) reg {
	switch lanes := g.laneCount(); {
	case n <= 0:
		return 0
	case n < lanes:
		return g.t.loadUnit(m, at, g.t.tailOf(lanes, n, 0).mask)
	}
	return g.t.loadUnit(m, at, 0)
}

// exactPart is the size of the register of which the lanes in on are all, if on is the mask of the known rest of a row
// and there is such a register, else 0. Reading and writing it takes no mask: what is read soon after it was written,
// in the next iteration of a loop around, need then not wait until it is in the cache.
func (g *gen) exactPart(m loop.Mem, on reg) int64 {
	if on == 0 || g.lanes == nil || g.lanes.tail == nil || on != g.lanes.tail.mask {
		return 0
	}
	bytes := int64(g.lanes.tail.n) * m.Bytes()
	switch m {
	case loop.MemF32, loop.MemI32, loop.MemF64, loop.MemI64:
		if bytes == 4 || bytes == 8 || bytes == 16 || bytes == 32 {
			return bytes
		}
	}
	return 0
}

// exactParts are the sizes of the two registers, the larger first, of which the lanes in on are all, if on is the mask
// of the known rest of an array that a loop around reads and writes in each iteration; else 0.
func (g *gen) exactParts(a *loop.Access, on reg) (low, high int64) {
	if on == 0 || g.lanes == nil || g.lanes.tail == nil || on != g.lanes.tail.mask || !g.comesAgain(a) {
		return 0, 0
	}
	bytes := int64(g.lanes.tail.n) * a.Mem.Bytes()
	for low = 32; low >= 8 && a.Mem.Bytes() >= 4 && a.Mem != loop.MemPred; low /= 2 {
		if high = bytes - low; high == 4 || high == 8 && low > 8 || high == 16 && low > 16 {
			return low, high
		}
	}
	return 0, 0
}

// comesAgain reports whether a is of elements that the nest writes, the same in all iterations of a loop around.
func (g *gen) comesAgain(a *loop.Access) bool {
	return g.nest.Buffers[a.Buffer].Write && a.Index == 0 && slices.ContainsFunc(g.loops, func(o *openLoop) bool {
		return !o.loop.Lanes && !o.loop.Parallel && stride(a, o.loop.Var) == 0
	})
}

// loadParts reads two registers of so many bytes into one, and zeros behind them.
func (g *gen) loadParts(at mem, low, high int64) reg {
	x := g.loadExact(at, low)
	if low == 8 {
		g.insertPiece(x, at.add(low), low, high)
		return x
	}
	return g.c.vi(asm.VINSERTI32X4, asm.Size(16*low), uint8(low/16), x, g.loadExact(at.add(low), high))
}

// storeParts writes the first bytes of x from two registers.
func (g *gen) storeParts(at mem, x reg, low, high int64) {
	g.storeExact(at, x, low)
	if low == 8 {
		g.c.storeElement(high, at.add(low), x, int(low/high))
		return
	}
	g.storeExact(at.add(low), g.part(x, int(low/16), asm.Size(16*low)), high)
}

// loadExact reads a register of so many bytes, and zeros behind it.
func (g *gen) loadExact(at mem, bytes int64) reg {
	switch bytes {
	case 4:
		return g.c.vm(asm.VMOVD, asm.VL128, at)
	case 8:
		return g.c.vm(asm.VMOVQX, asm.VL128, at)
	}
	return g.c.vm(asm.VMOVUPS, asm.Size(8*bytes), at)
}

// storeExact writes the first bytes of x.
func (g *gen) storeExact(at mem, x reg, bytes int64) {
	if bytes <= 8 {
		g.c.storeElement(bytes, at, x, 0)
		return
	}
	g.c.store(asm.VMOVUPS, asm.Size(8*bytes), at, -1, x)
}
