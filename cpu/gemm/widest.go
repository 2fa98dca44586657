package gemm

// nearest is the number of vectors of a block of m rows, few ones of vectors of 64 bytes, if B is in the second-level
// cache: a panel is a walk through all of its pages, and a narrow one waits for its sums.
func (r registers) nearest(m int) int { return [fewRows]int{4, 20, 8, 6, 5, 4}[m] }

// widest is the number of vectors of a panel at most. Where there is work for two items, there are two panels.
func (p *Product) widest() int {
	most := p.regs.widest(p.m)
	if p.m >= fewRows || !p.regs.wide() || !p.nearB() {
		return most
	}
	near := p.regs.nearest(p.m)
	if p.m*p.n*p.k < 2*itemWork {
		return near
	}
	return min(near, max(most, parts(parts(p.n, p.lanes), 2)))
}

// nearB reports whether all of B stays in the second-level cache.
func (p *Product) nearB() bool {
	return p.batch*p.n*p.k*p.spec.B.Type.ByteSize() <= p.config.l2()/2
}
