package order

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// Candidates are images of elements, and where these are.
type Candidates[T Word] struct{ Keys, Indices []T }

// Slack is the room that Candidates need beyond the length from which on [Filter] stops.
const Slack = 80

// Filter appends to list the images, those of m at the upper end of T, of the elements of src from first on that are at
// most bound. It stops when there are limit of them or a few more, and returns where. Elements have so many bytes, at
// most those of T.
func Filter[T Word](c *Code, list *Candidates[T], src []byte, element int, m Map, bound T, first, limit int) int {
	size, n := sizeOf[T](), len(src)/element
	w, unit := m.at(uint(8*size)), filterVectors*c.lanes(size)
	for first+unit <= n && len(list.Keys) < limit {
		a := args{a: unsafe.Pointer(&src[first*element]), b: unsafe.Pointer(unsafe.SliceData(list.Keys)),
			c: unsafe.Pointer(unsafe.SliceData(list.Indices)), n: min(n-first, callElements) / unit,
			x: [4]uint64{w.Negative, w.Flip, uint64(bound), uint64(8*size) - uint64(m.Bits)}, count: len(list.Keys),
			at: first, limit: limit}
		c.call(filterKernel, size, element, &a)
		list.Keys, list.Indices = list.Keys[:a.count], list.Indices[:a.count]
		first += (min(n-first, callElements)/unit - a.n) * unit
	}
	for up := m.at(64); first < n && len(list.Keys) < limit; first++ {
		if key := T(up.of(elementAt(src, element, first)<<(64-m.Bits)) >> (64 - 8*size)); key <= bound {
			list.Keys, list.Indices = append(list.Keys, key), append(list.Indices, T(first))
		}
	}
	return first
}

// filterVectors is how many vectors are looked at at once: mostly none of their elements goes through.
const filterVectors = 4

// emitFilter emits the kernel that appends the images of elements of a to the keys b and the places c, which hold count
// of them, as [Filter] does, in up to n turns. x is what is flipped of negative numbers, what of all, the
// bound, and by how many bits an element is shifted; at is the first index. n becomes the turns that are left.
func emitFilter(g gen, element int) {
	f := filtering{gen: g, negative: 9, flip: 10, bound: 11, index: 12, count: 13, spare: 8}
	for i, r := range []asm.Vec{f.negative, f.flip, f.bound} {
		f.spread(r, argX+8*i)
	}
	if element < f.size {
		f.V2M(asm.VPBROADCASTQ, asm.VL128, f.count, f.arg(argX+24))
	} else {
		f.V3(asm.VPXORD, f.vl, f.count, f.count, f.count)
	}
	f.spread(f.index, argAt)
	f.V3M(f.by(asm.VPADDD, asm.VPADDQ), f.vl, f.index, f.index, f.lanesConst(func(i int) int { return i }))
	f.load(asm.RAX, argA)
	f.load(asm.RBX, argB)
	f.load(asm.RDX, argC)
	f.load(asm.R8, argN)
	f.load(asm.RCX, argCount)
	if !f.wide {
		f.RM(asm.LEA, asm.W64, asm.R14, f.splits())
	}
	next, none, done := f.NewLabel(), f.NewLabel(), f.NewLabel()
	f.Align(aligned)
	f.Bind(next)
	for i := range filterVectors {
		f.widen(asm.Vec(i), asm.M(asm.RAX, int32(i*f.lanes*element)), element, f.count)
		f.negate(asm.Vec(i), f.spare, f.negative, f.count)
		f.V3(asm.VPXORD, f.vl, asm.Vec(i), asm.Vec(i), f.flip)
	}
	f.test(none)
	for i := range filterVectors {
		f.keep(i)
	}
	f.RM(asm.CMP, asm.W64, asm.RCX, f.arg(argLimit))
	f.Jcc(asm.GE, done)
	f.Bind(none)
	f.V3M(f.by(asm.VPADDD, asm.VPADDQ), f.vl, f.index, f.index,
		f.lanesConst(func(int) int { return filterVectors * f.lanes }))
	f.RI(asm.ADD, asm.W64, asm.RAX, int64(filterVectors*f.lanes*element))
	f.RI(asm.SUB, asm.W64, asm.R8, 1)
	f.Jcc(asm.NE, next)
	f.RI(asm.ADD, asm.W64, asm.R8, 1)
	f.Bind(done)
	f.RI(asm.SUB, asm.W64, asm.R8, 1)
	f.MR(asm.MOV, asm.W64, f.arg(argN), asm.R8)
	f.MR(asm.MOV, asm.W64, f.arg(argCount), asm.RCX)
	f.end()
}

// filtering emits a filter. count is zero where it is not needed.
type filtering struct {
	gen
	negative, flip, bound, index, count, spare asm.Vec
}

// test jumps to none if no element of the vectors goes through. What does is in opmasks from 1 on, or else what does
// not in registers from 4 on.
func (f *filtering) test(none asm.Label) {
	if f.wide {
		for i := range filterVectors {
			f.KV2I(f.by(asm.VPCMPD, asm.VPCMPQ), f.vl, asm.K(1+i), asm.Vec(i), f.bound, asm.CmpLE)
		}
		f.K3(asm.KORW, 5, 1, 2)
		f.K3(asm.KORW, 6, 3, 4)
		f.K2(asm.KORTESTW, 5, 6)
		f.Jcc(asm.E, none)
		return
	}
	for i := range filterVectors {
		f.V3(f.by(asm.VPCMPGTD, asm.VPCMPGTQ), f.vl, asm.Vec(4+i), asm.Vec(i), f.bound)
	}
	f.V3(asm.VPANDD, f.vl, 14, 4, 5)
	f.V3(asm.VPANDD, f.vl, 15, 6, 7)
	f.V3(asm.VPANDD, f.vl, 14, 14, 15)
	f.GV(f.by(asm.VMOVMSKPS, asm.VMOVMSKPD), f.vl, asm.R9, 14)
	f.RI(asm.CMP, asm.W32, asm.R9, 1<<f.lanes-1)
	f.Jcc(asm.E, none)
}

// keep appends what goes through of vector i.
func (f *filtering) keep(i int) {
	at := f.index
	if i > 0 {
		at = f.spare
		f.V3M(f.by(asm.VPADDD, asm.VPADDQ), f.vl, at, f.index, f.lanesConst(func(int) int { return i * f.lanes }))
	}
	key := asm.Vec(i)
	if f.wide {
		k := asm.K(1 + i)
		f.GK(asm.KMOVWRK, asm.R9, k)
		f.V2(f.by(asm.VPCOMPRESSD, asm.VPCOMPRESSQ), f.vl, 14, key, asm.MaskZ(k))
		f.V2(f.by(asm.VPCOMPRESSD, asm.VPCOMPRESSQ), f.vl, 15, at, asm.MaskZ(k))
	} else {
		f.GV(f.by(asm.VMOVMSKPS, asm.VMOVMSKPD), f.vl, asm.R9, asm.Vec(4+i))
		f.RI(asm.XOR, asm.W32, asm.R9, 1<<f.lanes-1)
		f.V2M(asm.VPMOVZXBD, f.vl, 14, asm.MX(asm.R14, asm.R9, 8, 0))
		f.V3(asm.VPERMD, f.vl, 15, 14, at)
		f.V3(asm.VPERMD, f.vl, 14, 14, key)
	}
	f.MV(f.move(), f.vl, asm.MX(asm.RBX, asm.RCX, uint8(f.size), 0), 14)
	f.MV(f.move(), f.vl, asm.MX(asm.RDX, asm.RCX, uint8(f.size), 0), 15)
	f.RR(asm.POPCNT, asm.W32, asm.R9, asm.R9)
	f.RR(asm.ADD, asm.W64, asm.RCX, asm.R9)
}
