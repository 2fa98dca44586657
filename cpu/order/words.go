package order

import (
	"encoding/binary"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// Words sets dst to words of the n elements of src, each of so many bytes: the upper half of the image of element i in
// front of first+i.
func (c *Code) Words(dst []int64, src []byte, element int, m Map, first uint32) {
	lanes, w := c.lanes(8), m.at(64)
	whole := len(dst) / lanes * lanes
	for at := 0; at < whole; at += callElements {
		c.call(wordsKernel, 8, element, &args{a: unsafe.Pointer(&src[at*element]), b: unsafe.Pointer(&dst[at]),
			n: min(whole-at, callElements) / lanes, x: [4]uint64{w.Negative, w.Flip, 0xFFFFFFFF << 32, uint64(64 - m.Bits)},
			at: int(first) + at})
	}
	for i := whole; i < len(dst); i++ {
		dst[i] = m.Image(elementAt(src, element, i))>>32<<32 | int64(first+uint32(i))
	}
}

// elementAt returns the bits of an element.
func elementAt(src []byte, element, i int) uint64 {
	switch at := src[i*element:]; element {
	case 1:
		return uint64(at[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(at))
	case 4:
		return uint64(binary.LittleEndian.Uint32(at))
	default:
		return binary.LittleEndian.Uint64(at)
	}
}

// widen loads lanes of elements of less bytes, or of as many. Those of fewer bits than a lane are
// shifted to its upper end by count.
func (g *gen) widen(v asm.Vec, from asm.Mem, element int, count asm.Vec) {
	if element == g.size {
		g.V2M(g.move(), g.vl, v, from)
		return
	}
	op := [5]asm.Op{1: g.by(asm.VPMOVZXBD, asm.VPMOVZXBQ), 2: g.by(asm.VPMOVZXWD, asm.VPMOVZXWQ),
		4: asm.VPMOVZXDQ}[element]
	g.V2M(op, g.vl, v, from)
	g.V3(g.by(asm.VPSLLD, asm.VPSLLQ), g.vl, v, v, count)
}

// emitWords emits the kernel that sets b to words of the elements a, in n turns: x is what is flipped of negative
// numbers, what of all, the bits of the image, and by how many bits an element is shifted; at is the first index.
func emitWords(g gen, element int) {
	v := func(i int) asm.Vec { return asm.Vec(i) }
	negative, flip, upper, count, zero, index, step := v(4), v(5), v(6), v(7), v(8), v(9), v(10)
	for i, r := range []asm.Vec{negative, flip, upper} {
		g.spread(r, argX+8*i)
	}
	g.V2M(asm.VPBROADCASTQ, asm.VL128, count, g.arg(argX+24))
	g.V3(asm.VPXORD, g.vl, zero, zero, zero)
	g.spread(index, argAt)
	g.V3M(asm.VPADDQ, g.vl, index, index, g.lanesConst(func(i int) int { return i }))
	g.V2M(g.move(), g.vl, step, g.lanesConst(func(int) int { return g.lanes }))
	g.load(asm.RAX, argA)
	g.load(asm.RBX, argB)
	g.load(asm.RCX, argN)
	g.Align(aligned)
	next := g.Here()
	g.widen(0, asm.M(asm.RAX, 0), element, count)
	g.negate(0, 1, negative, zero)
	g.V3(asm.VPXORD, g.vl, 0, 0, flip)
	g.V3(asm.VPANDD, g.vl, 0, 0, upper)
	g.V3(asm.VPORD, g.vl, 0, 0, index)
	g.MV(g.move(), g.vl, asm.M(asm.RBX, 0), 0)
	g.V3(asm.VPADDQ, g.vl, index, index, step)
	g.RI(asm.ADD, asm.W64, asm.RAX, int64(g.lanes*element))
	g.RI(asm.ADD, asm.W64, asm.RBX, int64(g.bytes()))
	g.RI(asm.SUB, asm.W64, asm.RCX, 1)
	g.Jcc(asm.NE, next)
	g.end()
}
