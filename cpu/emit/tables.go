package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// A table that is no longer than four vectors is looked up in registers: pairs of them are shuffled by the low bits of
// the indices, and the highest bit chooses between the pairs. With AVX2 it has words, and there is no more than a pair.

// mostTable is how many bytes such a table has at most: two pairs of vectors.
const mostTable = 4 * windowBytes

// tableShuffle has the instructions for elements of one size: the load of a part, the lookup in one vector and in two,
// and the test of a bit of the index.
type tableShuffle struct{ load, one, two, test asm.Op }

var tableShuffles = [...]tableShuffle{
	1: {asm.VMOVDQU8, asm.VPERMB, asm.VPERMI2B, asm.VPTESTMD},
	2: {asm.VMOVDQU16, asm.VPERMW, asm.VPERMI2W, asm.VPTESTMD},
	4: {asm.VMOVDQU32, asm.VPERMD, asm.VPERMI2D, asm.VPTESTMD},
	8: {asm.VMOVDQU64, asm.VPERMQ, asm.VPERMI2Q, asm.VPTESTMQ},
}

// loadTable is a load of elements of a buffer that is a short table; 0 if it takes another way.
func (g *gen) loadTable(a *loop.Access) reg {
	bytes := a.Mem.Bytes()
	t := &shortTable{g: g, in: a, n: g.nest.Buffers[a.Buffer].Bytes / bytes, shuffle: tableShuffles[bytes]}
	words, wide := loop.I32, g.c.target.AVX512 && g.c.vl == asm.VL512
	if bytes == 8 {
		words = loop.I64
	}
	t.each = int64(g.c.vl) / 8 / bytes
	switch {
	case len(a.Terms) > 0 || g.nest.Kind(a.Index) != loop.I32 || g.size(words) != g.c.vl:
		return 0
	case !wide && (g.c.target.AVX512 || bytes != 4 || t.n > 2*t.each):
		return 0
	case t.n*bytes > mostTable || a.Mem == loop.MemPred || bytes == 1 && !g.c.target.VBMI:
		return 0
	}
	t.at, t.index = g.address(&loop.Access{Buffer: a.Buffer, Mem: a.Mem}), g.value(a.Index)
	if a.Offset != 0 {
		t.index = g.c.v(asm.VPADDD, g.size(loop.I32), t.index, g.constant(loop.I32, uint64(uint32(a.Offset))))
	}
	switch {
	case !wide:
		return t.halves()
	case bytes == 8:
		t.index = g.c.v(asm.VPMOVZXDQ, asm.VL512, t.index)
	}
	x := t.pair(0)
	if t.n > 2*t.each {
		high := g.c.v(t.shuffle.test, asm.VL512, t.index, g.constant(words, 2*uint64(t.each)))
		x = g.t.pick(words, high, t.pair(2), x)
	}
	if bytes >= wordBytes {
		return x
	}
	return g.cutOut(a.Mem, x)
}

// shortTable is a short table that is looked up.
type shortTable struct {
	g       *gen
	in      *loop.Access
	shuffle tableShuffle
	n, each int64 // elements of all, and of a vector
	at      mem
	index   reg
}

// vector is the vector of elements k*each and up.
func (t *shortTable) vector(k int64) reg {
	c, at, left := t.g.c, t.at.add(k*t.each*t.in.Mem.Bytes()), t.n-k*t.each
	switch {
	case left >= t.each:
		return c.vm(asm.VMOVUPS, c.vl, at)
	case !c.target.AVX512:
		return t.g.t.loadUnit(t.in.Mem, at, t.g.t.tailOf(int(t.each), int(left), 0).mask)
	}
	on := c.v(asm.KMOVQKR, 0, c.imm(1<<left-1))
	x := c.vm(t.shuffle.load, c.vl, at)
	c.zeroing(on)
	return x
}

// pair looks up in vectors k and k+1.
func (t *shortTable) pair(k int64) reg {
	c := t.g.c
	if t.n <= (k+1)*t.each {
		return c.v(t.shuffle.one, c.vl, t.index, t.vector(k))
	}
	i := ins{in: inst(t.shuffle.two, c.vl, 3), tie: t.index, late: true}
	i.r[1], i.r[2] = t.vector(k), t.vector(k+1)
	return c.define(i)
}

// halves looks up words in each of two vectors, where no instruction knows both.
func (t *shortTable) halves() reg {
	c := t.g.c
	x := c.v(asm.VPERMD, c.vl, t.index, t.vector(0))
	if t.n <= t.each {
		return x
	}
	high := c.vi(asm.VPSLLDI, c.vl, 28, t.index) // bit 3 to the sign
	return t.g.t.pick(loop.I32, high, c.v(asm.VPERMD, c.vl, t.index, t.vector(1)), x)
}
