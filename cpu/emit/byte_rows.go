package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Rows of two to four bytes, as pixels of colors, whose elements are computed in lanes of their own, are joined in
// words: a lane has the row of its iteration. Of words that are not full the bytes that count are brought together,
// within each 128 bits and then across them.

// joinsBytes reports whether rows of n elements of m are joined so.
func joinsBytes(m loop.Mem, n int64) bool {
	return (m == loop.MemU8 || m == loop.MemS8) && n >= 2 && n <= wordBytes
}

// storeBytes writes the rows of x, a vector of each element, as many as there are.
func (g *gen) storeBytes(at mem, x []reg) {
	rows, n := g.laneCount(), len(x)
	if t := g.rest(); t != nil {
		rows = t.n
	}
	words, size := x[n-1], g.size(loop.I32)
	for k := n - 2; k >= 0; k-- {
		words = g.byteBelow(g.c.vi(asm.VPSLLDI, size, 8, words), x[k])
	}
	g.storeFirst(at, g.squeeze(words, n), size, int64(rows*n))
}

// byteBelow puts the low bytes of the lanes of x in those of words, which are zeros.
func (g *gen) byteBelow(words, x reg) reg {
	low := g.c.splat32(0xFF)
	if g.c.target.AVX512 {
		return g.logic3(loop.I32, bitwise(loop.Or, bitwise(loop.And, firstOf3, secondOf3), thirdOf3), x, low, words)
	}
	size := g.size(loop.I32)
	return g.c.v(asm.VPORD, size, words, g.c.v(asm.VPANDD, size, x, low))
}

// squeeze brings the first n bytes of the words of x side by side.
func (g *gen) squeeze(x reg, n int) reg {
	size := g.size(loop.I32)
	if n == wordBytes {
		return x
	}
	pick := make([]byte, int(g.c.vl)/8)
	for b := range pick {
		pick[b] = 0x80 // zero
		if part := b % partBytes; part < wordBytes*n {
			pick[b] = byte(part/n*wordBytes + part%n)
		}
	}
	x = g.c.v(asm.VPSHUFB, size, x, g.c.vector(pick))
	if size == asm.VL128 {
		return x
	}
	at := g.c.lanes32(func(lane int) uint32 { return uint32(lane/n*wordBytes+lane%n) & uint32(g.laneCount()-1) })
	return g.c.v(asm.VPERMD, size, at, x)
}

// storeFirst writes the first n bytes of x, a register of some size.
func (g *gen) storeFirst(at mem, x reg, size asm.Size, n int64) {
	if 8*n == int64(size) {
		g.c.store(asm.VMOVUPS, size, at, -1, x)
		return
	}
	part := 0
	if n >= 32 {
		g.c.store(asm.VMOVUPS, asm.VL256, at, -1, x)
		part = 2
	}
	for ; n-int64(partBytes*part) >= partBytes; part++ {
		g.c.store(asm.VMOVUPS, asm.VL128, at.add(int64(partBytes*part)), -1, g.part(x, part, size))
	}
	if rest := n - int64(partBytes*part); rest > 0 {
		x, at = g.part(x, part, size), at.add(int64(partBytes*part))
		pieces(rest, func(from, size int64) { g.c.storeElement(size, at.add(from), x, int(from/size)) })
	}
}
