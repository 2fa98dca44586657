package order

import (
	"math"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// Map makes signed integers of elements of Bits bits, so that their order is that of the elements: those below zero
// have the bits of Negative flipped, and all those of Flip.
type Map struct {
	Bits           uint
	Negative, Flip uint64
}

// at returns m for elements at the upper end of lanes of so many bits.
func (m Map) at(lane uint) Map {
	by := lane - m.Bits
	return Map{lane, m.Negative << by, m.Flip << by}
}

// of returns the image of x, which has 64 bits.
func (m Map) of(x uint64) int64 {
	return int64(x ^ uint64(int64(x)>>63)&m.Negative ^ m.Flip)
}

// Image returns the image of the element with bits x, at the upper end of 64 bits.
func (m Map) Image(x uint64) int64 { return m.at(64).of(x << (64 - m.Bits)) }

// Element is the inverse of Image.
func (m Map) Element(image int64) uint64 {
	w := m.at(64)
	x := uint64(image) ^ w.Flip
	return (x ^ uint64(int64(x)>>63)&w.Negative) >> (64 - m.Bits)
}

// Marks are the numbers that [Images] looks for: NaN, which is any magnitude above Infinity, and the negative zero.
type Marks struct {
	Magnitude, Infinity, NegativeZero uint64
}

// Found says which of them there are.
type Found struct{ NaN, NegativeZero bool }

// callElements bounds the elements of one call, for the time it takes.
const callElements = 1 << 18

// Word is a type of lanes.
type Word interface{ int32 | int64 }

func sizeOf[T Word]() int { return int(unsafe.Sizeof(T(0))) }

// Images sets dst to the images of src, which may be the same array, and reports what it found of the marks; with marks
// that are zero that means nothing. It is a part of [Sort32] or [Sort64].
func Images[T Word](c *Code, dst, src []T, m Map, marks Marks) (f Found) {
	return images(c, dst, src, [2]uint64{0, m.Flip}, m.Negative, marks)
}

// Elements is the inverse of [Images], in place.
func Elements[T Word](c *Code, a []T, m Map) {
	if m.Negative|m.Flip != 0 {
		images(c, a, a, [2]uint64{m.Flip, 0}, m.Negative, Marks{})
	}
}

// images flips the first bits, then those of negative numbers, then the second bits.
func images[T Word](c *Code, dst, src []T, flip [2]uint64, negative uint64, marks Marks) (f Found) {
	size := sizeOf[T]()
	unit := imageVectors * c.lanes(size)
	whole := len(src) / unit * unit
	for at := 0; at < whole; at += callElements {
		a := args{a: unsafe.Pointer(&src[at]), b: unsafe.Pointer(&dst[at]), n: min(whole-at, callElements) / unit,
			x: [4]uint64{flip[0], negative, flip[1], marks.Magnitude}, count: int(marks.Infinity), at: int(marks.NegativeZero)}
		c.call(imageKernel, size, size, &a)
		f.NaN, f.NegativeZero = f.NaN || a.count != 0, f.NegativeZero || a.at != 0
	}
	for i := whole; i < len(src); i++ {
		x := src[i]
		mag := x & T(marks.Magnitude)
		f.NaN, f.NegativeZero = f.NaN || mag > T(marks.Infinity), f.NegativeZero || x == T(marks.NegativeZero)
		x ^= T(flip[0])
		dst[i] = x ^ x>>(8*size-1)&T(negative) ^ T(flip[1])
	}
	return f
}

// imageVectors is how many vectors one turn of the loop does.
const imageVectors = 2

// emitImage emits the kernel that sets b to what [images] makes of a, in n turns. x is the first flip, negative, the
// second flip and the magnitude, count the infinity and at the negative zero; these two become what was found.
func emitImage(g gen) {
	v := func(i int) asm.Vec { return asm.Vec(i) }
	flip1, negative, flip2, magnitude, infinity, minus, zero := v(4), v(5), v(6), v(7), v(8), v(9), v(10)
	nan, zeros := v(11), v(12)
	for i, r := range []asm.Vec{flip1, negative, flip2, magnitude} {
		g.spread(r, argX+8*i)
	}
	g.spread(infinity, argCount)
	g.spread(minus, argAt)
	for _, r := range []asm.Vec{zero, nan, zeros} {
		g.V3(asm.VPXORD, g.vl, r, r, r)
	}
	g.load(asm.RAX, argA)
	g.load(asm.RBX, argB)
	g.load(asm.RCX, argN)
	g.Align(aligned)
	next := g.Here()
	for i := range imageVectors {
		x, t := v(2*i), v(2*i+1)
		at := int32(i * g.bytes())
		g.V2M(g.move(), g.vl, x, asm.M(asm.RAX, at))
		g.V3(asm.VPANDD, g.vl, t, x, magnitude)
		g.gather(nan, asm.CmpGT, t, infinity)
		g.gather(zeros, asm.CmpEQ, x, minus)
		g.V3(asm.VPXORD, g.vl, x, x, flip1)
		g.negate(x, t, negative, zero)
		g.V3(asm.VPXORD, g.vl, x, x, flip2)
		g.MV(g.move(), g.vl, asm.M(asm.RBX, at), x)
	}
	g.RI(asm.ADD, asm.W64, asm.RAX, int64(imageVectors*g.bytes()))
	g.RI(asm.ADD, asm.W64, asm.RBX, int64(imageVectors*g.bytes()))
	g.RI(asm.SUB, asm.W64, asm.RCX, 1)
	g.Jcc(asm.NE, next)
	g.any(argCount, nan)
	g.any(argAt, zeros)
	g.end()
}

// gather sets all bits of the lanes of found in which a compares to b, and changes a for AVX2.
func (g *gen) gather(found asm.Vec, how uint8, a, b asm.Vec) {
	if g.wide {
		k := asm.K(1 + how/4)
		g.KV2I(g.by(asm.VPCMPD, asm.VPCMPQ), g.vl, k, a, b, how)
		g.V3I(asm.VPTERNLOGD, g.vl, found, found, found, math.MaxUint8, asm.Mask(k))
		return
	}
	op := g.by(asm.VPCMPGTD, asm.VPCMPGTQ)
	if how == asm.CmpEQ {
		op = g.by(asm.VPCMPEQD, asm.VPCMPEQQ)
	}
	g.V3(op, g.vl, 13, a, b)
	g.V3(asm.VPORD, g.vl, found, found, 13)
}

// any stores whether a bit of found is set.
func (g *gen) any(at int, found asm.Vec) {
	if g.wide {
		g.V3I(asm.VSHUFI32X4, g.vl, 0, found, found, 0x4E)
		g.V3(asm.VPORD, g.vl, 0, 0, found)
	} else {
		g.V2(g.move(), g.vl, 0, found)
	}
	g.GV(asm.VMOVMSKPS, asm.VL256, asm.RAX, 0)
	g.MR(asm.MOV, asm.W64, g.arg(at), asm.RAX)
}
