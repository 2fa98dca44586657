package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// A product of one column, whose rows of A are runs, multiplies whole vectors of the depth: each lane adds every eighth
// depth, or every sixteenth, of f64 every fourth or eighth. In the end all lanes of a row are added. So does one of a
// few columns where there are registers for it: what is loaded of A serves all of them.

// mostOnes is the most columns, leastOnes the least steps along the depth for each of several: their lanes are added.
const mostOnes, leastOnes = 4, 5

// ones reports whether all lanes are depths of a column.
func (k kind) ones() bool {
	return k == kindEights || k == kindSixteens || k == kindFours64 || k == kindEights64
}

// canOnes reports whether the product can go by as many depths at once as a vector has.
func (p *Product) canOnes() bool {
	run := p.spec.B.Depth.run()
	if !p.splits(p.lanes) || run.Size%p.lanes != 0 {
		return false
	}
	return p.n == 1 && run.Stride == 1 || p.n > 1 && p.n <= mostOnes && p.regs.wide() && p.k >= leastOnes*p.n*p.lanes
}

// chooseOnes goes over to a vector of depths at once.
func (p *Product) chooseOnes() {
	switch wide := p.regs.wide(); {
	case p.kind == kindF64 && wide:
		p.kind = kindEights64
	case p.kind == kindF64:
		p.kind = kindFours64
	case wide:
		p.kind = kindSixteens
	default:
		p.kind = kindEights
	}
	p.k /= p.lanes
	p.orderB, p.rowB, p.runDepthB = copied, p.regs.vector, p.spec.B.Depth.run().Size/p.lanes
	if p.n > 1 && !p.copiesColumns() {
		p.orderB, p.runDepthB = gathered, p.k
	}
	p.lanes = 1
	p.panels = panels(p.n, p.lanes, p.regs.most)
	p.packedRoute()
}

// copiesColumns reports whether code packs several columns, which p finds out about: they lie along the depth, or
// squares of them are turned.
func (p *Product) copiesColumns() bool {
	run, size := p.spec.B.Depth.run(), p.kind.size()
	col, flat := p.spec.B.Free.Stride()
	switch {
	case flat && run.Stride == 1 && col > 0 && fits(mostOnes*col*size):
		p.columnB = col * size
		return true
	case flat && col == 1 && run.Stride > 0 && size == 4 && fits(p.lanes*run.Stride*size):
		p.rowB = p.lanes * run.Stride * size
		return true
	}
	return false
}

// gatherVectors packs steps [k0, k1) along the depth of panel pn: a vector for each column. Elements are as long as T.
func gatherVectors[T number](p *Product, dst, b unsafe.Pointer, pn *panel, k0, k1 int) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	lanes, next := p.regs.vector/size, p.spec.B.Depth.run().Stride*size
	to := unsafe.Slice((*T)(dst), (k1-k0)*pn.nv*lanes)
	for k := k0; k < k1; k++ {
		for j := range pn.cols {
			from := unsafe.Add(b, (p.depthOfB.at(k)+p.freeB.at(pn.col+j))*size)
			for l := range lanes {
				to[l] = *(*T)(unsafe.Add(from, l*next))
			}
			to = to[lanes:]
		}
	}
}

// copyVectors packs columns of neighbours, or a few whose elements at a depth are neighbours.
func (e *packer) copyVectors() {
	if e.nv > 1 && e.column == 0 {
		e.turnColumns()
		return
	}
	e.count(1, e.ld, e.to, func(int) {
		for j := range e.nv {
			e.V2M(asm.VMOVUPS, e.vl, asm.Vec(j), asm.M(regB, int32(j*e.column)))
			e.MV(asm.VMOVUPS, e.vl, asm.M(regC, int32(j*e.vector)), asm.Vec(j))
		}
	})
}

// turnColumns packs vectors of 64 bytes by squares of eight depths.
func (e *packer) turnColumns() {
	half := *e
	half.vl, half.wide = asm.VL256, false
	e.setMask(e.nv)
	e.count(1, e.ld, e.to, func(int) {
		for at := range 2 {
			for i := range squareRows {
				e.V2M(asm.VMOVUPS, half.vl, asm.Vec(i), asm.M(regB, int32((at*squareRows+i)*e.ld/16)), asm.MaskZ(1))
			}
			for j, v := range half.transposed(squareRows)[:e.nv] {
				e.MV(asm.VMOVUPS, half.vl, asm.M(regC, int32(j*e.vector+at*e.vector/2)), v)
			}
		}
	})
}

// storeOnes adds the lanes of sums and stores them, or adds them to C: of a column as many rows at a time as 16 bytes
// have sums.
func (m *micro) storeOnes(add bool) {
	free, size := asm.Vec(m.firstB), m.microKey.kind.size()
	for i := 0; i < m.mr; i += 16 / size {
		rows := min(16/size, m.mr-i)
		for j := range m.nv {
			v := m.foldRows(i, rows, j, free)
			if m.wide {
				m.V2I(asm.VEXTRACTF64X4, m.vl, free, v, 1)
				m.V3(m.ins.add, asm.VL256, v, v, free)
			}
			m.V2I(asm.VEXTRACTF32X4, asm.VL256, free, v, 1)
			m.V3(m.ins.add, asm.VL128, v, v, free)
			if at := asm.M(regC, int32(i*m.ldc)); rows*size == 16 && m.ldc == size {
				if add {
					m.V3M(m.ins.add, asm.VL128, v, v, at)
				}
				m.MV(asm.VMOVUPS, asm.VL128, at, v)
				continue
			}
			for r := range rows {
				m.storeOne(v, free, asm.M(regC, int32((i+r)*m.ldc+j*size)), r, add)
			}
		}
	}
}

// foldRows adds, in each 16 bytes, the lanes of column j of rows from i on, as many as have sums there, and returns
// where they are.
func (m *micro) foldRows(i, rows, j int, free asm.Vec) asm.Vec {
	if m.microKey.kind.size() == 4 {
		return m.foldFour(i, rows, j, free)
	}
	v, other := m.sum(i, j), m.sum(i+rows-1, j)
	m.V3(asm.VUNPCKLPD, m.vl, free, v, other)
	m.V3(asm.VUNPCKHPD, m.vl, v, v, other)
	m.V3(m.ins.add, m.vl, v, v, free)
	return v
}

// storeOne stores lane r of v. Register one and the next are free.
func (m *micro) storeOne(v, one asm.Vec, at asm.Mem, r int, add bool) {
	move := asm.VMOVSS
	if m.microKey.kind.size() == 8 {
		move = asm.VMOVSD
	}
	if r > 0 {
		if move == asm.VMOVSD {
			m.V3(asm.VUNPCKHPD, asm.VL128, one, v, v)
		} else {
			m.V3I(asm.VSHUFPS, asm.VL128, one, v, v, uint8(r))
		}
		v = one
	}
	if add {
		m.V2M(move, asm.VL128, one+1, at)
		m.V3(m.ins.add, asm.VL128, one, v, one+1)
		v = one
	}
	m.MV(move, asm.VL128, at, v)
}
