package gemm

import "unsafe"

// A whose rows are neighbours at each depth, such as a transposed one, has a line and often a page for each depth: a
// micro-kernel would wait for them. It is packed row by row, transposed in registers.

const (
	// farDepths is how far apart depths of A are, in bytes, that are packed.
	farDepths = 512
	// leastColumns is the bytes of a row of C that make turning A pay, which takes as long for each. Other ways to pack
	// it, as it lies, take manyColumns vectors of panels.
	leastColumns = 256
	manyPanels   = 4
)

// columnsToPackA is from how many bytes of a row of C on packing A pays.
func (p *Product) columnsToPackA() int {
	if p.turnsA() {
		return leastColumns
	}
	return manyPanels*p.regs.most*p.regs.vector + 1
}

// turnsA reports whether A is packed row by row that lies the other way, in squares as long as a vector.
func (p *Product) turnsA() bool {
	a := &p.spec.A
	row, flatM := a.Free.Stride()
	depth, flatK := a.Depth.Stride()
	return p.native() && p.kind <= kindS32 && flatM && flatK && row == 1 && depth > 1 && p.m >= p.lanes &&
		p.k >= p.lanes && p.regs.loads(p.kind, a.Type, 0) && fits(depth*a.Type.ByteSize())
}

// packsRows reports whether A can be packed for each item without taking long: by code.
func (p *Product) packsRows() bool {
	a := &p.spec.A
	along := a.Depth.run().Stride == 1 && fits(a.Free.run().Stride*a.Type.ByteSize())
	return p.native() && p.kind <= kindS32 && p.regs.loads(p.kind, a.Type, 0) && (along || p.turnsA())
}

// turnRun packs rows whose elements at a depth are neighbours: squares as long as a vector, the last of which overlap
// those before them.
func (p *Product) turnRun(dst, src unsafe.Pointer, rows, depth int) {
	size := p.spec.A.Type.ByteSize()
	for k := 0; k < depth; k += p.lanes {
		k = min(k, depth-p.lanes)
		from, to := unsafe.Add(src, k*p.sourceA), unsafe.Add(dst, k*p.depthA)
		args := packArgs{count: rows / p.lanes, src: from, dst: to}
		invoke(p, p.blockCopier, &args)
		if rest := rows % p.lanes; rest > 0 {
			last := rows - p.lanes
			args = packArgs{count: 1, src: unsafe.Add(from, last*size), dst: unsafe.Add(to, last*p.rowA)}
			invoke(p, p.blockCopier, &args)
		}
	}
}
