package gemm

import "github.com/goxla/xla/cpu/asm"

// A product of one column, whose rows of A are runs, multiplies whole vectors of the depth: each lane adds every eighth
// depth, or every sixteenth. In the end all lanes of a row are added.

// canOnes reports whether the product can go by as many depths at once as a vector has.
func (p *Product) canOnes() bool {
	run := p.spec.B.Depth.run()
	return p.n == 1 && p.splits(p.lanes) && run.Stride == 1 && run.Size%p.lanes == 0
}

// chooseOnes goes over to a vector of depths at once.
func (p *Product) chooseOnes() {
	p.kind = kindEights
	if p.regs.wide() {
		p.kind = kindSixteens
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

// storeOnes adds the lanes of sums and stores them, or adds them to C: four rows at a time.
func (m *micro) storeOnes(add bool) {
	free := asm.Vec(m.firstB)
	for i := 0; i < m.mr; i += 4 {
		rows := min(4, m.mr-i)
		v := m.foldFour(i, rows, free)
		if m.wide {
			m.V2I(asm.VEXTRACTF64X4, m.vl, free, v, 1)
			m.V3(m.ins.add, asm.VL256, v, v, free)
		}
		m.V2I(asm.VEXTRACTF32X4, asm.VL256, free, v, 1)
		m.V3(m.ins.add, asm.VL128, v, v, free)
		if at := asm.M(regC, int32(i*m.ldc)); rows == 4 && m.ldc == 4 {
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

// storeOne stores lane r of v. Register one and the next are free.
func (m *micro) storeOne(v, one asm.Vec, at asm.Mem, r int, add bool) {
	if r > 0 {
		m.V3I(asm.VSHUFPS, asm.VL128, one, v, v, uint8(r))
		v = one
	}
	if add {
		m.V2M(asm.VMOVSS, asm.VL128, one+1, at)
		m.V3(m.ins.add, asm.VL128, one, v, one+1)
		v = one
	}
	m.MV(asm.VMOVSS, asm.VL128, at, v)
}
