package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/shape"
)

// AVX-512 has an instruction that multiplies bf16 in pairs: what is one depth to the micro-kernel are two of the
// operands, side by side in a lane, whose products are added to a sum of f32. It takes half of the multiplications, and
// half of the loads, that f32 do. Like that of tiles, it rounds to nearest even, and what is denormal counts as zero.

// leastBF16 is the least depth that is multiplied so.
const leastBF16 = 16

// canBF16 reports whether the product, whose B is packed anyway, can go by pairs of bf16: A along the depth, in runs of
// whole pairs, or along the rows, B in one of the orders that kernels pack.
func (p *Product) canBF16() bool {
	a, b := &p.spec.A, &p.spec.B
	if !p.config.BF16 || !p.regs.wide() || p.kind != kindF32 || a.Type != shape.BF16 || b.Type != shape.BF16 ||
		!p.packsB() || p.k < leastBF16 {
		return false
	}
	_, ok := p.groupOrder(2)
	return ok && p.groupsOfA(2)
}

// packsB reports whether B is packed, by whomever.
func (p *Product) packsB() bool {
	return p.routeB == packed || p.routeB == packedBy || p.routeB == constant
}

// groupOrder is how B is packed in groups of wide depths: none is in two runs, and a run of columns is as long as what
// is turned at once.
func (p *Product) groupOrder(wide int) (order, bool) {
	b := &p.spec.B
	col, flat := b.Free.Stride()
	run, size := b.Depth.run(), b.Type.ByteSize()
	switch {
	case !flat || run.Size%wide != 0:
		return gathered, false
	case run.Stride == 1 && fits(col*size) && run.Size/wide >= p.lanes:
		return turned, true
	}
	return copied, (col == 1 || p.n == 1) && fits(wide*run.Stride*size)
}

// groupDepths goes over to groups of neighbours along the depth, as many as the kind has, that B is packed in.
func (p *Product) groupDepths(how order) {
	b := &p.spec.B
	wide, size := p.kind.wide(), b.Type.ByteSize()
	col, _ := b.Free.Stride()
	run := b.Depth.run()
	p.k /= wide
	p.orderB, p.runDepthB = how, run.Size/wide
	if p.rowB = wide * run.Stride * size; how == turned {
		p.rowB = col * size
	}
	p.packedRoute()
}

// chooseBF16 goes over to pairs of bf16.
func (p *Product) chooseBF16() {
	how, _ := p.groupOrder(2)
	p.kind = kindBF16
	p.groupDepths(how)
}

// groupsInPlace reports whether micro-kernels read groups of A where they are.
func (p *Product) groupsInPlace() bool {
	a := &p.spec.A
	row, depth := a.Free.run(), a.Depth.run()
	if depth.Stride != 1 || row.Size < min(p.m, leastRunRows) {
		return false
	}
	p.runRows, p.runDepth = row.Size, depth.Size/p.kind.wide()
	p.rowA, p.depthA = row.Stride*a.Type.ByteSize(), p.kind.size()
	return true
}

// groupsApart is the gather of groups of two words, or of four bytes, of which each is so many elements after the one
// before.
func groupsApart(wide, apart int) gather {
	if wide == 2 {
		return func(dst, src unsafe.Pointer, base, step, n int) {
			for i := range n {
				at := unsafe.Add(src, 2*(base+i*step))
				*elem[uint32](dst, 4*i) = uint32(*elem[uint16](at, 0)) | uint32(*elem[uint16](at, 2*apart))<<16
			}
		}
	}
	return func(dst, src unsafe.Pointer, base, step, n int) {
		for i := range n {
			at := unsafe.Add(src, base+i*step)
			*elem[[4]byte](dst, 4*i) = [4]byte{*elem[byte](at, 0), *elem[byte](at, apart), *elem[byte](at, 2*apart),
				*elem[byte](at, 3*apart)}
		}
	}
}

// groupRows packs depths of A whose elements are neighbours, so many together, of any number of rows.
func (e *packer) groupRows() {
	e.rows(e.vector/4, 4, func(from, to asm.Mem) {
		for i := range e.grouped {
			e.load(e.typ, asm.Vec(i), from.Add(int32(i*e.ld/e.grouped)), false)
			if i > 0 {
				e.V2I(asm.VPSLLDI, e.vl, asm.Vec(i), asm.Vec(i), uint8(i*32/e.grouped))
				e.V3(asm.VPORD, e.vl, 0, 0, asm.Vec(i))
			}
		}
		e.MV(asm.VMOVDQU32, e.vl, to, 0)
	})
}
