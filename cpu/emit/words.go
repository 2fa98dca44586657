package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Narrow elements that are a few steps apart, as the columns of short rows and the channels of pixels are, stand in
// words of 32 bits, one a lane, or in every second such word, or third ..: words are read by whole vectors, and the
// element cut out of each. The words of all lanes are there to be read if the buffer is nothing but such words.

// wordBytes is the size of a word, which is what a lane holds.
const wordBytes = 4

// loadWords reads elements of less than 32 bits that are step elements apart. It returns 0 if there is no form for it.
func (g *gen) loadWords(a *loop.Access, step int64, on reg) reg {
	inside, ok := g.insideOf(a, step)
	if !ok || a.Index != 0 {
		return 0
	}
	at := g.address(a)
	at.disp -= inside * a.Mem.Bytes()
	if o := g.loops[len(g.loops)-1]; stride(a, o.loop.Var)%(step*a.Mem.Bytes()) != 0 {
		return g.loadWordsAt(a, at, step, on, g.bytesInside(a, o, inside))
	}
	word, bits := inside*a.Mem.Bytes()/wordBytes*wordBytes, inside*a.Mem.Bytes()%wordBytes*8
	x := g.words(at.add(word), step*a.Mem.Bytes(), on)
	if x != 0 && bits != 0 {
		x = g.c.vi(asm.VPSRLDI, g.size(loop.I32), uint8(bits), x)
	}
	return g.cutOut(a.Mem, x)
}

// loadWordsAt is loadWords where the bytes in front of the element, in its group, are a number that the loop around
// tells.
func (g *gen) loadWordsAt(a *loop.Access, at mem, step int64, on, bytes reg) reg {
	at.index, at.scale = 0, 0
	if step*a.Mem.Bytes() > wordBytes {
		at.index, at.scale = g.c.copyOf(bytes), 1
		g.c.gopi(asm.AND, at.index, -wordBytes)
		g.c.gopi(asm.AND, bytes, wordBytes-1)
	}
	x := g.words(at, step*a.Mem.Bytes(), on)
	if x == 0 {
		return 0
	}
	g.c.gopi(asm.SHL, bytes, 3)
	return g.cutOut(a.Mem, g.c.v(asm.VPSRLVD, g.size(loop.I32), x, g.t.spreadGeneral(bytes, loop.I32)))
}

// bytesInside is how many bytes of its group are in front of an element of a, of which some elements are constant.
func (g *gen) bytesInside(a *loop.Access, o *openLoop, elements int64) reg {
	bytes := g.scale(o.counter, stride(a, o.loop.Var))
	if elements != 0 {
		g.c.gopi(asm.ADD, bytes, elements*a.Mem.Bytes())
	}
	return bytes
}

// insideOf is the part of a's offset that stays in a group of step elements, and whether all that changes with a loop
// goes from one group to another, but for the innermost loop's, which stays in the group too: then groups are whole
// words, and none is cut by the end of the buffer.
func (g *gen) insideOf(a *loop.Access, step int64) (inside int64, ok bool) {
	group := step * a.Mem.Bytes()
	if group != 2 && group%wordBytes != 0 || g.nest.Buffers[a.Buffer].Bytes%group != 0 || a.Offset < 0 {
		return 0, false
	}
	own := g.loops[len(g.loops)-1].loop
	most := a.Offset % step
	for _, t := range a.Terms {
		switch {
		case t.Stride%step == 0:
		case t.Var == own.Var && t.Stride > 0:
			most += (own.Extent - 1) * t.Stride
		default:
			return 0, false
		}
	}
	return a.Offset % step, most < step
}

// loadApart reads elements of less than 32 bits that are a few steps apart, in all lanes. It returns 0 if there is no
// form for it.
func (g *gen) loadApart(m loop.Mem, at mem, step int64) reg {
	bytes := int(m.Bytes())
	if r := g.loadSpread(m, at, int(step), g.laneCount()); r != 0 {
		return r
	}
	if g.laneCount()*bytes < partBytes {
		return g.loadEnds(m, at, int(step))
	}
	if step > mostStep {
		return 0
	}
	return g.t.widen(m, g.movedSteps(asm.Size(8*g.laneCount()*bytes), at, bytes, int(step)))
}

// loadSpread is loadApart, in the first n lanes, for bytes so near that the four of each 128 bits of lanes are within
// 16: one shuffle brings them to their lanes. No part goes on behind the last byte.
func (g *gen) loadSpread(m loop.Mem, at mem, step, n int) reg {
	size, each := g.size(loop.I32), partBytes/wordBytes
	end := (n-1)*step + 1
	if m != loop.MemU8 && m != loop.MemS8 || n < 2*each || (each-1)*step >= partBytes || end < partBytes {
		return 0
	}
	in := 0 // a word, the place of the byte: bytes with a sign come to the top
	if m == loop.MemS8 {
		in = wordBytes - 1
	}
	start := func(part int) int { return min(part*each*step, end-partBytes) }
	pick := make([]byte, int(g.c.vl)/8)
	for b := range pick {
		pick[b] = 0x80 // zero
		if lane := b / wordBytes; b%wordBytes == in && lane < n {
			pick[b] = byte(lane*step - start(lane/each))
		}
	}
	x := g.parts(size, func(part int) mem { return at.add(int64(start(part))) })
	x = g.c.v(asm.VPSHUFB, size, x, g.c.vector(pick))
	if m == loop.MemS8 {
		x = g.c.vi(asm.VPSRADI, size, 8*(wordBytes-1), x)
	}
	return x
}

// loadEnds is loadApart for lanes that fill less than a part: it reads the parts that begin with the first element and
// end with the last, if these have all of them between them. 0: they do not.
func (g *gen) loadEnds(m loop.Mem, at mem, step int) reg {
	bytes, n := int(m.Bytes()), g.laneCount()
	last := ((n-1)*step+1)*bytes - partBytes // where the second part begins
	if last <= 0 {
		return 0
	}
	pick := [2][]byte{make([]byte, int(g.c.vl)/8), make([]byte, int(g.c.vl)/8)}
	for b := range pick[0] {
		pick[0][b], pick[1][b] = 0x80, 0x80 // zero
		from := b/bytes*step*bytes + b%bytes
		switch {
		case b >= n*bytes:
		case from/bytes*bytes+bytes <= partBytes:
			pick[0][b] = byte(from)
		case from/bytes*bytes >= last:
			pick[1][b] = byte(from - last)
		default:
			return 0
		}
	}
	part := func(at mem, pick []byte) reg {
		return g.c.v(asm.VPSHUFB, asm.VL128, g.c.vm(asm.VMOVUPS, asm.VL128, at), g.c.vector(pick))
	}
	x, y := part(at, pick[0]), part(at.add(int64(last)), pick[1])
	return g.t.widen(m, g.c.v(asm.VPORD, asm.VL128, x, y))
}

// words reads a word for each lane, from at on, where there is one in so many bytes.
func (g *gen) words(at mem, group int64, on reg) reg {
	n := g.laneCount()
	if on != 0 {
		n = g.partOf(on)
	}
	switch step := group / wordBytes; {
	case group < wordBytes && on != 0 && !g.t.masksNarrow():
		if n == 0 {
			return 0
		}
		return g.loadPart(loop.MemU16, at, n)
	case group < wordBytes:
		return g.t.loadUnit(loop.MemU16, at, on)
	case step == 1:
		return g.t.loadUnit(loop.MemI32, at, on)
	case n == 0:
	case step == 2:
		return g.loadShuffled(loop.MemI32, at, n)
	case g.canStep(loop.I32, step):
		return g.loadSteps(loop.MemI32, at, int(step), n)
	}
	return 0
}

// cutOut makes lanes of the elements of m at the bottom of the words of x; 0 of 0.
func (g *gen) cutOut(m loop.Mem, x reg) reg {
	size, c := g.size(loop.I32), g.c
	if x == 0 {
		return 0
	}
	up := uint8(8 * (wordBytes - m.Bytes()))
	switch m {
	case loop.MemU8, loop.MemU16:
		return c.v(asm.VPANDD, size, x, g.constant(loop.I32, 1<<(8*m.Bytes())-1))
	case loop.MemS8, loop.MemS16:
		return c.vi(asm.VPSRADI, size, up, c.vi(asm.VPSLLDI, size, up, x))
	case loop.MemBF16:
		return c.vi(asm.VPSLLDI, size, up, x)
	case loop.MemPred:
		if c.target.AVX512 {
			return c.v(asm.VPTESTMD, size, x, g.constant(loop.I32, 0xFF))
		}
		return g.t.widen(m, g.t.pack(loop.MemU8, x))
	}
	return g.t.widen(m, g.t.pack(loop.MemU16, x))
}
