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
	row, depth := a.Free.run(), a.Depth.run()
	along := depth.Stride == 1 && fits(2*row.Stride)
	across := row.Stride == 1 && depth.Stride > 1 && fits(4*depth.Stride)
	_, ok := p.groupOrder(2)
	return ok && depth.Size%2 == 0 && (along || across)
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

// pairsInPlace reports whether micro-kernels read pairs of A where they are.
func (p *Product) pairsInPlace() bool {
	a := &p.spec.A
	row, depth := a.Free.run(), a.Depth.run()
	if depth.Stride != 1 || row.Size < min(p.m, leastRunRows) {
		return false
	}
	p.runRows, p.runDepth = row.Size, depth.Size/p.kind.wide()
	p.rowA, p.depthA = row.Stride*a.Type.ByteSize(), p.kind.size()
	return true
}

// pairsApart is the gather of words with those that are so many elements further on.
func pairsApart(apart int) gather {
	return func(dst, src unsafe.Pointer, base, step, n int) {
		to := unsafe.Slice((*uint32)(dst), n)
		for i := range to {
			at := unsafe.Add(src, (base+i*step)*2)
			to[i] = uint32(*(*uint16)(at)) | uint32(*(*uint16)(unsafe.Add(at, 2*apart)))<<16
		}
	}
}

// pairRows packs depths of A whose words are neighbours, two and two, of any number of rows.
func (e *packer) pairRows() {
	e.rows(e.vector/4, 4, func(from, to asm.Mem) {
		e.load(e.typ, 0, from, false)
		e.load(e.typ, 1, from.Add(int32(e.ld/2)), false)
		e.V2I(asm.VPSLLDI, e.vl, 1, 1, 16)
		e.V3(asm.VPORD, e.vl, 0, 0, 1)
		e.MV(asm.VMOVDQU32, e.vl, to, 0)
	})
}
