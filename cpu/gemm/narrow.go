package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/shape"
)

// narrowKey is a kernel that stores rows of sums as elements of a narrower type.
type narrowKey struct {
	kind     kind
	vector   int
	typ      shape.ElementType
	from, to int // bytes between rows of sums, and of C
	// pair: two vectors go at once, of sums of bf16, whose denormal numbers count as zero.
	pair bool
	// short: rows have so many sums, less than a vector, and are apart; 0: that many, or more.
	short int
}

// lanes is how many sums go at once.
func (k *narrowKey) lanes() int {
	if n := k.vector / k.kind.size(); !k.pair {
		return n
	}
	return 2 * k.vector / k.kind.size()
}

// narrows reports whether code can store sums as elements of type t.
func (r registers) narrows(k kind, t shape.ElementType) bool {
	switch {
	case k.sums() == kindF32:
		return t == shape.BF16 || t == shape.F16
	case k.sums() == kindS32 && r.wide():
		return t.ByteSize() < 4
	}
	return false
}

// chooseNarrow finds the kernel that gives C its type.
func (p *Product) chooseNarrow() {
	if !p.direct && p.native() && p.regs.narrows(p.kind, p.spec.C) {
		p.narrowKey = narrowKey{kind: p.kind.sums(), vector: p.regs.vector, typ: p.spec.C,
			from: p.sumsWidth() * p.kind.size(), to: p.rowsC.step * p.spec.C.ByteSize(),
			pair: (p.kind == kindWords || p.kind == kindBF16) && p.spec.C == shape.BF16 && p.leastGroup() >= 2*p.lanes}
		if lanes := p.narrowKey.lanes(); p.n < lanes && p.regs.wide() && p.rowsC.step > p.n {
			p.narrowKey.short = p.n
		}
	}
}

// leastGroup is the least columns of a group of panels.
func (p *Product) leastGroup() int {
	last := &p.panels[(len(p.panels)-1)/p.group*p.group]
	return min(p.sumsWidth(), p.n-last.col)
}

// store gives C the sums of columns [left, right) of a block of rows, in its own type.
func (w *task) store(sums unsafe.Pointer, lds, n, row, rows, left, right int) {
	for i := 0; i < rows; {
		count := w.p.rowsC.piece(row+i, rows-i)
		w.storeRun(unsafe.Add(sums, i*lds), lds, n, row+i, count, left, right)
		i += count
	}
}

// storeRun does so for rows that are evenly spaced. Those that follow one another in both are one row.
func (w *task) storeRun(sums unsafe.Pointer, lds, n, row, rows, left, right int) {
	p := w.p
	size, length := p.spec.C.ByteSize(), right-left
	to := unsafe.Add(w.c, (p.placeOfRow(n, row)+left)*size)
	if lds == length*p.kind.size() && p.rowsC.step == length {
		length, rows = length*rows, 1
	}
	if p.narrowKey.short > 0 {
		args := packArgs{count: rows, src: sums, dst: to}
		invoke(p, p.narrower, &args)
		return
	}
	if lanes := p.narrowKey.lanes(); p.narrower != 0 && length >= lanes {
		args := packArgs{count: rows, src: sums, dst: to, vectors: (length - 1) / lanes,
			lastSrc: (length - lanes) * p.kind.size(), lastDst: (length - lanes) * size}
		invoke(p, p.narrower, &args)
		return
	}
	if p.kind.sameBits(p.spec.C) { // the sums are apart for the sake of the cache
		for i := range rows {
			copy(unsafe.Slice((*byte)(unsafe.Add(to, i*p.rowsC.step*size)), length*size),
				unsafe.Slice((*byte)(unsafe.Add(sums, i*lds)), length*size))
		}
		return
	}
	for i := range rows {
		p.write(unsafe.Add(to, i*p.rowsC.step*size), unsafe.Add(sums, i*lds), length)
	}
}

func emitNarrow(a *asm.Assembler, k narrowKey) {
	e := &packer{loader: newLoader(a, k.kind, k.vector), packKey: packKey{kind: k.kind, vector: k.vector,
		typ: k.kind.elementType(), ld: k.from, to: k.to}}
	e.arguments()
	if k.short > 0 {
		e.setMask(k.short)
		e.count(1, k.from, k.to, func(int) {
			e.V2M(move[k.kind], e.vl, 0, asm.M(regB, 0), asm.MaskZ(1))
			e.narrow(k.typ, asm.M(regC, 0), asm.Mask(1))
		})
		e.Zero0(asm.VZEROUPPER)
		e.Ret()
		return
	}
	e.rows(k.lanes(), k.typ.ByteSize(), func(from, to asm.Mem) {
		if k.pair {
			next := from
			next.Disp += int32(k.vector)
			e.V2M(asm.VMOVUPS, e.vl, 1, next)
			e.V3M(asm.VCVTNE2PS2BF16, e.vl, 0, 1, from)
			e.MV(asm.VMOVUPS, e.vl, to, 0)
			return
		}
		e.V2M(move[k.kind], e.vl, 0, from)
		e.narrow(k.typ, to)
	})
	e.Zero0(asm.VZEROUPPER)
	e.Ret()
}

// narrow stores register 0 as a vector of elements of type t, or some of them.
func (e *packer) narrow(t shape.ElementType, to asm.Mem, some ...asm.Opt) {
	switch {
	case t == shape.F16:
		e.MVI(asm.VCVTPS2PH, e.vl, to, 0, 0, some...)
		return
	case t == shape.BF16:
		e.roundBF16()
	}
	switch {
	case t.ByteSize() == 1:
		e.MV(asm.VPMOVDB, e.vl, to, 0, some...)
	case e.wide:
		e.MV(asm.VPMOVDW, e.vl, to, 0, some...)
	default: // the words are in the lower halves of doublewords that are below 65536
		e.V3(asm.VPACKUSDW, e.vl, 0, 0, 0)
		e.V2I(asm.VPERMQI, e.vl, 0, 0, 0x08)
		e.MV(asm.VMOVUPS, asm.VL128, to, 0)
	}
}

// roundBF16 leaves in the lower halves of register 0 the upper halves of its f32, rounded to nearest even. A NaN is
// made quiet instead.
func (e *packer) roundBF16() {
	if e.wide {
		e.KVM(asm.VPTESTMD, e.vl, 2, 0, e.Splat32(e.vl, 1<<16))
		e.KV2I(asm.VCMPPSK, e.vl, 3, 0, 0, asm.CmpUNORD_Q)
		e.V3M(asm.VPADDD, e.vl, 2, 0, e.Splat32(e.vl, 0x7FFF))
		e.V3M(asm.VPADDD, e.vl, 2, 2, e.Splat32(e.vl, 1), asm.Mask(2))
		e.V3M(asm.VPORD, e.vl, 2, 0, e.Splat32(e.vl, 0x40<<16), asm.Mask(3))
		e.V2I(asm.VPSRLDI, e.vl, 0, 2, 16)
		return
	}
	e.V2I(asm.VPSRLDI, e.vl, 1, 0, 16)
	e.V3M(asm.VPANDD, e.vl, 2, 1, e.Splat32(e.vl, 1))
	e.V3M(asm.VPADDD, e.vl, 2, 2, e.Splat32(e.vl, 0x7FFF))
	e.V3(asm.VPADDD, e.vl, 2, 2, 0)
	e.V2I(asm.VPSRLDI, e.vl, 2, 2, 16)
	e.V3M(asm.VPORD, e.vl, 1, 1, e.Splat32(e.vl, 0x40))
	e.V3I(asm.VCMPPS, e.vl, 0, 0, 0, asm.CmpUNORD_Q)
	e.V4(asm.VBLENDVPS, e.vl, 0, 2, 1, 0)
}
