package gemm

import "unsafe"

// packPanel writes panel pn of B to dst: for each depth a row as wide as the panel, zero behind the last column.
func (p *Product) packPanel(dst, b unsafe.Pointer, batch int, pn *panel) {
	if fn := p.packKernel(pn); fn != 0 {
		p.packNative(fn, dst, b, batch, pn)
		return
	}
	base := p.spec.B.Offset + p.batchB[batch]
	size := p.kind.size()
	row := p.width(pn) * size
	columns := p.freeB[pn.col : pn.col+pn.cols]
	for k, o := range p.depthOfB {
		to := unsafe.Add(dst, k*row)
		p.readB(to, b, base+o, columns)
		if pad := row - pn.cols*size; pad > 0 {
			clear(unsafe.Slice((*byte)(unsafe.Add(to, pn.cols*size)), pad))
		}
	}
}

// packRows writes rows [row, row+rows) of A in depths [k0, k1) to dst, step by step: for each depth the rows
// of the step.
func (p *Product) packRows(dst, a unsafe.Pointer, batch, row int, st steps, k0, k1 int) {
	base := p.spec.A.Offset + p.batchA[batch]
	size := p.kind.size()
	for n := range st.big + st.small {
		mr := st.mr
		if n >= st.big {
			mr--
		}
		rows := p.freeA[row : row+mr]
		for _, o := range p.depthOfA[k0:k1] {
			p.readA(dst, a, base+o, rows)
			dst = unsafe.Add(dst, mr*size)
		}
		row += mr
	}
}
