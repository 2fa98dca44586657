package gemm

import "github.com/goxla/xla/cpu/asm"

// A product of one column, whose rows of A are runs, multiplies whole vectors of the depth: each lane adds every eighth
// depth, or every sixteenth, of f64 every fourth or eighth. In the end all lanes of a row are added.

// ones reports whether all lanes are depths of one column.
func (k kind) ones() bool {
	return k == kindEights || k == kindSixteens || k == kindFours64 || k == kindEights64
}

// canOnes reports whether the product can go by as many depths at once as a vector has.
func (p *Product) canOnes() bool {
	run := p.spec.B.Depth.run()
	return p.n == 1 && p.splits(p.lanes) && run.Stride == 1 && run.Size%p.lanes == 0
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
	p.orderB, p.rowB = copied, p.regs.vector
	p.k, p.runDepthB, p.lanes = p.k/p.lanes, p.spec.B.Depth.run().Size/p.lanes, 1
	p.panels = panels(p.n, p.lanes, 1)
	p.packedRoute()
}

// copyVectors packs a column of neighbours.
func (e *packer) copyVectors() {
	e.count(1, e.ld, e.to, func(int) {
		e.V2M(asm.VMOVUPS, e.vl, 0, asm.M(regB, 0))
		e.MV(asm.VMOVUPS, e.vl, asm.M(regC, 0), 0)
	})
}

// storeOnes adds the lanes of sums and stores them, or adds them to C: as many rows at a time as 16 bytes have sums.
func (m *micro) storeOnes(add bool) {
	free, size := asm.Vec(m.firstB), m.microKey.kind.size()
	for i := 0; i < m.mr; i += 16 / size {
		rows := min(16/size, m.mr-i)
		v := m.foldRows(i, rows, free)
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
			m.storeOne(v, free, asm.M(regC, int32((i+r)*m.ldc)), r, add)
		}
	}
}

// foldRows adds, in each 16 bytes, the lanes of rows from i on, as many as have sums there, and returns where they are.
func (m *micro) foldRows(i, rows int, free asm.Vec) asm.Vec {
	if m.microKey.kind.size() == 4 {
		return m.foldFour(i, rows, 0, free)
	}
	v, other := m.sum(i, 0), m.sum(i+rows-1, 0)
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
