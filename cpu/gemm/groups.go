package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// Groups of neighbours along the depth, pairs of bf16 (bf16.go) or fours of bytes (vnni.go), are one depth to a
// micro-kernel: a lane has one of them. Those of tiles (tiles.go) are packed alike.

// grouped reports whether vectors have groups in their lanes.
func (k kind) grouped() bool { return k == kindBF16 || k == kindVNNI }

// packsB reports whether B is packed, by whomever.
func (p *Product) packsB() bool {
	return p.routeB == packed || p.routeB == packedBy || p.routeB == constant
}

// groupsOfA reports whether micro-kernels can have A in groups of so many depths: it lies along them, in whole groups,
// or along the rows.
func (p *Product) groupsOfA(wide int) bool {
	a := &p.spec.A
	row, depth, size := a.Free.run(), a.Depth.run(), a.Type.ByteSize()
	along := depth.Stride == 1 && fits(size*row.Stride)
	across := row.Stride == 1 && depth.Stride > 1 && fits(wide*size*depth.Stride)
	return depth.Size%wide == 0 && (along || across)
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

// chooseGroups goes over to a kind that multiplies groups, which is possible.
func (p *Product) chooseGroups(k kind) {
	how, _ := p.groupOrder(k.wide())
	p.kind = k
	p.groupDepths(how)
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
		e.loadGroup(0, from, false)
		e.MV(asm.VMOVDQU32, e.vl, to, 0)
	})
}

// loadGroup leaves in register v the groups of a vector of rows, or of a part of one.
func (e *packer) loadGroup(v asm.Vec, from asm.Mem, part bool) {
	for i := range max(1, e.grouped) {
		e.load(e.typ, v+asm.Vec(i), from.Add(int32(i*e.ld/max(1, e.grouped))), part)
		if i > 0 {
			e.V2I(asm.VPSLLDI, e.vl, v+asm.Vec(i), v+asm.Vec(i), uint8(i*32/e.grouped))
			e.V3(asm.VPORD, e.vl, v, v, v+asm.Vec(i))
		}
	}
}

// shortRows packs depths of A whose elements are neighbours and fewer than a vector has. Opmasks are there.
func (e *packer) shortRows() {
	e.setMask(e.tail)
	e.count(unroll, e.ld, e.to, func(n int) {
		for i := range n {
			e.loadGroup(asm.Vec(4*i), asm.M(regB, int32(i*e.ld)), true)
			e.MV(move[e.loader.kind], e.vl, asm.M(regC, int32(i*e.to)), asm.Vec(4*i), asm.Mask(1))
		}
	})
}

// denseDepths reports whether the few rows of a depth of A follow those of the one before: what is packed is one row.
func (p *Product) denseDepths() bool {
	a := &p.spec.A
	return a.Depth.run().Stride == a.Free.run().Size && p.runRows == p.mc && p.mc == p.m && p.m < p.lanes &&
		p.kind.wide() == 1
}
