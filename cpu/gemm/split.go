package gemm

import (
	"encoding/binary"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/shape"
)

// Columns that leave a half of their last vector empty, or more, take vectors of half as many columns, whose lanes come
// in twos: the even depths of a column are added in one, the odd ones in the other. Two neighbours in a row of A are
// loaded to all twos at once, so A must lie along the depth. In the end the lanes of a two are added.

// Split pays where vectors are few and rows are many, as B has to be packed.
const (
	mostSplit     = 4 // vectors
	leastSplitRow = 32
)

// canSplit reports whether the product can go by even and odd depths, and has less to multiply then, or less to load:
// of a block of one vector each element of A is loaded for one multiply-add, of two vectors for two. Where memory that
// C is written to takes longer, whole vectors go there.
func (p *Product) canSplit() bool {
	vectors := parts(p.n, p.lanes)
	full := parts(p.n, p.lanes/2) == 2*vectors
	if vectors > mostSplit || full && (vectors > 1 || p.spec.Stream) || !p.splits(2) {
		return false
	}
	_, ok := p.splitOrder()
	return ok
}

// splits reports whether A can be loaded so many depths at once, which lie along its rows.
func (p *Product) splits(ways int) bool {
	a, b, t := &p.spec.A, &p.spec.B, p.kind.elementType()
	if !p.native() || p.m < leastSplitRow || t == shape.S32 || a.Type != t || b.Type != t || p.spec.C != t {
		return false
	}
	row, run := a.Free.run(), a.Depth.run()
	return run.Stride == 1 && run.Size%ways == 0 && row.Size >= leastRunRows && fits(row.Stride*t.ByteSize())
}

// splitOrder is how B is packed.
func (p *Product) splitOrder() (order, bool) {
	col, flat := p.spec.B.Free.Stride()
	run := p.spec.B.Depth.run()
	switch {
	case !flat || run.Size%2 != 0:
		return gathered, false
	case (col == 1 || p.n == 1) && fits(2*run.Stride*p.kind.size()):
		return copied, true
	case p.kind == kindF32 && run.Stride == 1 && run.Size >= p.lanes && fits(col*4):
		return turned, true
	}
	return gathered, false
}

// chooseSplit goes over to even and odd depths.
func (p *Product) chooseSplit() {
	p.orderB, _ = p.splitOrder()
	col, _ := p.spec.B.Free.Stride()
	run := p.spec.B.Depth.run()
	p.rowB = col * p.kind.size()
	if p.orderB == copied {
		p.rowB = 2 * run.Stride * p.kind.size()
	}
	if p.kind = kindSplit; p.spec.C == shape.F64 {
		p.kind = kindSplit64
	}
	p.k, p.runDepthB, p.lanes = p.k/2, run.Size/2, p.lanes/2
	p.panels = panels(p.n, p.lanes, p.regs.most)
	p.packedRoute()
}

// copySplit packs rows of elements that are neighbours, two and two.
func (e *packer) copySplit() {
	half := e.vl / 2
	if e.tail > 0 {
		e.setMask(e.tail)
	}
	e.count(1, e.ld, e.to, func(int) {
		for j := range e.nv {
			even, odd, lo, hi := asm.Vec(0), asm.Vec(1), asm.Vec(2), asm.Vec(3)
			part := e.tail > 0 && j == e.nv-1
			e.loadHalf(even, asm.M(regB, int32(j*e.vector/2)), part)
			e.loadHalf(odd, asm.M(regB, int32(e.ld/2+j*e.vector/2)), part)
			if e.loader.kind == kindSplit64 {
				e.V3(asm.VUNPCKLPD, half, lo, even, odd)
				e.V3(asm.VUNPCKHPD, half, hi, even, odd)
			} else {
				e.V3(asm.VUNPCKLPS, half, lo, even, odd)
				e.V3(asm.VUNPCKHPS, half, hi, even, odd)
			}
			if e.wide {
				e.V3I(asm.VPERM2F128, half, even, lo, hi, 0x20)
				e.V3I(asm.VPERM2F128, half, odd, lo, hi, 0x31)
				lo, hi = even, odd
			}
			e.MV(asm.VMOVUPS, half, asm.M(regC, int32(j*e.vector)), lo)
			e.MV(asm.VMOVUPS, half, asm.M(regC, int32(j*e.vector+e.vector/2)), hi)
		}
	})
}

// loadHalf loads half a vector, or the part of it that the mask selects.
func (l *loader) loadHalf(v asm.Vec, from asm.Mem, part bool) {
	switch {
	case !part:
		l.V2M(move[l.kind], l.vl/2, v, from)
	case l.wide:
		l.V2M(move[l.kind], l.vl/2, v, from, asm.MaskZ(1))
	default:
		l.V3M(numerics[l.kind].masked, l.vl/2, v, l.mask, from)
	}
}

// storeSplit adds the twos of sums and stores them, or adds them to C: two rows at a time make a vector, the first in
// its lower half.
func (m *micro) storeSplit(add bool) {
	places, odd := asm.Vec(m.firstB), asm.Vec(m.firstB+1)
	if m.wide {
		m.V2M(asm.VMOVDQU64, m.vl, places, m.Const(words64(0, 2, 4, 6, 1, 3, 5, 7)))
	}
	for i := 0; i < m.mr; i += 2 {
		for j := range m.nv {
			x, y := m.sum(i, j), m.sum(min(i+1, m.mr-1), j)
			if m.microKey.kind == kindSplit64 {
				m.V3(asm.VUNPCKHPD, m.vl, odd, x, y)
				m.V3(asm.VUNPCKLPD, m.vl, x, x, y)
			} else {
				m.V3I(asm.VSHUFPS, m.vl, odd, x, y, 0xDD)
				m.V3I(asm.VSHUFPS, m.vl, x, x, y, 0x88)
			}
			m.V3(m.ins.add, m.vl, x, x, odd)
			if m.wide {
				m.V3(asm.VPERMQ, m.vl, x, places, x)
			} else {
				m.V2I(asm.VPERMQI, m.vl, x, x, 0xD8)
			}
			if i+1 < m.mr {
				m.upperHalf(y, x)
				m.storeHalf(y, odd, i+1, j, add)
			}
			m.storeHalf(x, odd, i, j, add)
		}
	}
}

// upperHalf sets v to the upper half of x.
func (m *micro) upperHalf(v, x asm.Vec) {
	if m.wide {
		m.V2I(asm.VEXTRACTF64X4, m.vl, v, x, 1)
		return
	}
	m.V2I(asm.VEXTRACTF32X4, m.vl, v, x, 1)
}

// storeHalf stores vector j of row i, the lower half of v. Register old is free.
func (m *micro) storeHalf(v, old asm.Vec, i, j int, add bool) {
	half, at := m.vl/2, asm.M(regC, int32(i*m.ldc+j*m.vector/2))
	part := m.tail > 0 && j == m.nv-1
	if add {
		m.loadHalf(old, at, part)
		m.V3(m.ins.add, half, v, v, old)
	}
	switch {
	case !part:
		m.MV(move[m.microKey.kind], half, at, v)
	case m.wide:
		m.MV(move[m.microKey.kind], half, at, v, asm.Mask(1))
	default:
		m.MV2(m.ins.masked, half, at, m.mask, v)
	}
}

// words32 is the bytes of 32-bit words.
func words32(v ...uint32) []byte {
	var out []byte
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, x)
	}
	return out
}

// words64 is the bytes of 64-bit words.
func words64(v ...uint64) []byte {
	var out []byte
	for _, x := range v {
		out = binary.LittleEndian.AppendUint64(out, x)
	}
	return out
}
