package gemm

import "github.com/goxla/xla/cpu/asm"

// Columns that fill no more than a quarter of a vector take one whose lanes come in fours: each adds every fourth depth
// of a column. Four neighbours in a row of A are loaded to all fours at once. In the end the lanes of a four are added.
// Columns that fill no more than half of a vector take two such, which halves what is loaded, if the depth is long
// enough for adding twice as many lanes.

// leastTwoQuads is that depth.
const leastTwoQuads = 128

// canQuads reports whether the product can go by four depths at once.
func (p *Product) canQuads() bool {
	return (p.n <= p.lanes/4 || p.n <= p.lanes/2 && p.k >= leastTwoQuads) && p.splits(4) && p.quadOrder()
}

// quadOrder reports whether code can pack B: rows, or pieces of columns, that are neighbours.
func (p *Product) quadOrder() bool {
	col, flat := p.spec.B.Free.Stride()
	run := p.spec.B.Depth.run()
	if !flat || run.Size%4 != 0 {
		return false
	}
	return (col == 1 || p.n == 1) && fits(16*run.Stride) || run.Stride == 1 && col > 0 && fits(16*col)
}

// oneByQuads reports whether s, of one column, is better not transposed: its A is runs that go by four depths, or two
// of f64.
func (s *Spec) oneByQuads(c *Config) bool {
	p := &Product{spec: *s, config: *c, m: s.M(), n: s.N(), k: s.K()}
	p.kind, _ = kindOf(s.A.Type, s.B.Type, s.C)
	_, flatM := s.A.Free.Stride()
	_, flatK := s.A.Depth.Stride()
	p.lanes = narrowRegisters.vector / p.kind.size()
	return !(flatM && flatK) && (p.kind == kindF32 && p.canQuads() || p.kind == kindF64 && p.canSplit())
}

// chooseQuads goes over to four depths at once.
func (p *Product) chooseQuads() {
	col, _ := p.spec.B.Free.Stride()
	run := p.spec.B.Depth.run()
	p.orderB, p.rowB, p.columnB = copied, 16*run.Stride, 0
	if col != 1 && p.n > 1 {
		p.columnB = 4 * col
	}
	p.kind = kindQuads
	p.k, p.runDepthB, p.lanes = p.k/4, run.Size/4, p.lanes/4
	p.panels = panels(p.n, p.lanes, 2)
	p.packedRoute()
}

// copyFours packs four depths of each column to 16 bytes; columns that are not there are zero.
func (e *packer) copyFours() {
	if e.tail > 0 && e.wide {
		e.setMask(e.tail)
	}
	e.count(1, e.ld, e.to, func(int) {
		for j := range e.nv {
			e.copyFoursOf(j)
		}
	})
}

// copyFoursOf does so for the columns of vector j.
func (e *packer) copyFoursOf(j int) {
	columns := e.vector / 16
	have, first := columns, j*columns
	if e.tail > 0 && j == e.nv-1 {
		have = e.tail
	}
	list := []asm.Vec{0, 1, 2, 3}
	if e.column > 0 {
		for c := range have {
			e.V2M(asm.VMOVUPS, asm.VL128, list[c], asm.M(regB, int32((first+c)*e.column)))
		}
	} else {
		for d := range list {
			e.loadFew(list[d], asm.M(regB, int32(d*e.ld/4+4*first)), have)
		}
		list = e.turnFour(list)
	}
	for c := range columns {
		if c >= have {
			e.V3(asm.VPXORD, asm.VL128, list[c], list[c], list[c])
		}
		e.MV(asm.VMOVUPS, asm.VL128, asm.M(regC, int32(j*e.vector+16*c)), list[c])
	}
}

// turnFour transposes four registers of 16 bytes and returns where the result is.
func (e *packer) turnFour(v []asm.Vec) []asm.Vec {
	t := []asm.Vec{4, 5, 6, 7}
	e.V3(asm.VUNPCKLPS, asm.VL128, t[0], v[0], v[1])
	e.V3(asm.VUNPCKLPS, asm.VL128, t[1], v[2], v[3])
	e.V3(asm.VUNPCKHPS, asm.VL128, t[2], v[0], v[1])
	e.V3(asm.VUNPCKHPS, asm.VL128, t[3], v[2], v[3])
	for i := range 2 {
		e.V3(asm.VUNPCKLPD, asm.VL128, v[2*i], t[2*i], t[2*i+1])
		e.V3(asm.VUNPCKHPD, asm.VL128, v[2*i+1], t[2*i], t[2*i+1])
	}
	return v
}

// loadFew loads the first n of four f32; on vectors of 64 bytes those that the mask selects, if n is less than 4.
func (l *loader) loadFew(v asm.Vec, from asm.Mem, n int) {
	switch {
	case n == 4:
		l.V2M(asm.VMOVUPS, asm.VL128, v, from)
	case l.wide:
		l.V2M(asm.VMOVUPS, asm.VL128, v, from, asm.MaskZ(1))
	case n == 2:
		l.V2M(asm.VMOVSD, asm.VL128, v, from)
	default:
		l.V2M(asm.VMOVSS, asm.VL128, v, from)
	}
}

// storeFew stores what loadFew loads.
func (l *loader) storeFew(to asm.Mem, v asm.Vec, n int) {
	switch {
	case n == 4:
		l.MV(asm.VMOVUPS, asm.VL128, to, v)
	case l.wide:
		l.MV(asm.VMOVUPS, asm.VL128, to, v, asm.Mask(1))
	case n == 2:
		l.MV(asm.VMOVSD, asm.VL128, to, v)
	default:
		l.MV(asm.VMOVSS, asm.VL128, to, v)
	}
}

// storeQuads adds the fours of sums and stores them, or adds them to C: four rows at a time.
func (m *micro) storeQuads(add bool) {
	places, free := asm.Vec(m.firstB), asm.Vec(m.firstB+1)
	columns := m.vector / 16
	var order []uint32
	for lane := range uint32(4 * columns) { // of row lane/columns, column lane%columns
		order = append(order, lane%uint32(columns)*4+lane/uint32(columns))
	}
	m.V2M(asm.VMOVUPS, m.vl, places, m.Const(words32(order...)))
	for j := range m.nv {
		for i := 0; i < m.mr; i += 4 {
			rows := min(4, m.mr-i)
			v := m.foldFour(i, rows, j, free)
			m.V3(asm.VPERMPS, m.vl, v, places, v)
			for r := range rows {
				m.storeRow(v, free, i+r, r, j, add)
			}
		}
	}
}

// foldFour adds, in each 16 bytes of vector j, the lanes of rows from i on, four at most, and returns where there is
// one for each.
func (m *micro) foldFour(i, rows, j int, free asm.Vec) asm.Vec {
	v := m.sum(i, j)
	m.foldPairs(v, m.sum(i+min(1, rows-1), j), free)
	other := v
	if rows > 2 {
		other = m.sum(i+2, j)
		m.foldPairs(other, m.sum(i+rows-1, j), free)
	}
	m.V3(asm.VUNPCKLPD, m.vl, free, v, other)
	m.V3(asm.VUNPCKHPD, m.vl, v, v, other)
	m.V3(m.ins.add, m.vl, v, v, free)
	return v
}

// foldPairs leaves in x, for each 16 bytes, sums of two lanes of x and of y: x, y, x, y.
func (m *micro) foldPairs(x, y, free asm.Vec) {
	m.V3(asm.VUNPCKLPS, m.vl, free, x, y)
	m.V3(asm.VUNPCKHPS, m.vl, x, x, y)
	m.V3(m.ins.add, m.vl, x, x, free)
}

// storeRow stores the columns of vector j of row i, which is row r of those in v. Register row is free.
func (m *micro) storeRow(v, row asm.Vec, i, r, j int, add bool) {
	columns := m.vector / 16
	n := columns
	if m.tail > 0 && j == m.nv-1 {
		n = m.tail
	}
	if quarter := r * columns / 4; quarter > 0 {
		m.V2I(asm.VEXTRACTF32X4, m.vl, row, v, uint8(quarter))
		v = row
	}
	if columns == 2 && r%2 == 1 {
		m.V3(asm.VUNPCKHPD, asm.VL128, row, v, v)
		v = row
	}
	at := asm.M(regC, int32(i*m.ldc+4*j*columns))
	if add {
		old := row + 1
		m.loadFew(old, at, n)
		m.V3(m.ins.add, asm.VL128, row, v, old)
		v = row
	}
	m.storeFew(at, v, n)
}
