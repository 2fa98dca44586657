package gemm

// A panel of B and the next one stay in a cache while a block of A is multiplied with it. Narrow panels fit the
// first-level cache, or nearly so; wide ones are read from the second, which holds the block of A too: each element of
// it is used often enough. What B and A do not need is left to C and to what the hardware asks for by itself.
//
// A line of C costs more than one of a panel, which comes in order. So narrow panels may be as deep as the first-level
// cache is large, if sixteen of them fit the second, and deeper if that makes one block of what would be two.

// blockDepth returns how much of the depth a block has, of panels of so many vectors, if it can.
func (p *Product) blockDepth(direct bool, vectors int) int {
	if p.routeB == inPlace && p.sweepsAlone() {
		return p.k
	}
	n := p.mostDepth()
	if !p.regs.wide() && p.packsB() && p.k <= n*3/2 {
		n = p.k
	}
	if whole := p.wholeBytes() / (p.m * p.kind.size()); p.packsB() && p.routeB != constant && whole >= leastDepth {
		n = min(n, whole) // all rows are one block
	}
	if p.along || direct && p.laysNear() {
		n = min(n, p.nearDepth(vectors))
	}
	if p.crowded(n, vectors) {
		n = max(n/2, leastDepth)
	}
	if p.m < fewRows && p.routeB == inPlace && direct {
		n = max(n, callWork/8/(vectors*p.lanes))
	}
	return min(n, p.k, p.depthOfLines(direct))
}

// depthAlone is how deep blocks are if nothing follows the product. Sums are rounded once for each block, and whether
// something follows depends on the threads, whose number is not to show.
func (p *Product) depthAlone() int {
	s, alone := p.Spec(), new(Product)
	s.Together = 0
	if err := alone.begin(s, p.config); err != nil {
		return p.kc
	}
	if alone.choose(); alone.routeB == swept {
		return p.kc
	}
	return alone.kc
}

// Sets of the first-level cache, whose ways are a page each, and the least depth of a block that is cut for it.
const (
	nearSets  = 4 << 10 / line
	leastNear = 48
)

// depthOfLines is the most depth of a block of an A in place whose rows are neighbours and whose depths are lines of
// their own, as of gradients of weights: steps that follow each other read the same lines, which stay in the
// first-level cache beside the panel if they are few on each set they fall on. It is all of the depth where that is not
// so, or where C, which is read and written once for each block, would not stay in the second-level cache.
func (p *Product) depthOfLines(direct bool) int {
	size := p.kind.size()
	if !direct || p.kind.wide() > 1 || p.rowA != size || p.depthA < line || p.m*p.n*size > p.config.l2()/4 {
		return p.k
	}
	crowd, panel := 1, p.panels[0].nv*p.regs.vector
	if p.depthA%line == 0 {
		crowd = gcd(p.depthA/line, nearSets)
	}
	if crowd == 1 && p.regs.wide() { // half of the lines would be those of the panel
		return p.k
	}
	n := p.config.l1() / line / (crowd + parts(panel, line))
	if n < leastNear {
		return p.k
	}
	return n
}

// mostDepth is the most depth of a block.
func (p *Product) mostDepth() int {
	row := p.regs.most * p.regs.vector
	n := p.config.l1() * 3 / 4 / row
	if !p.regs.wide() {
		n = max(n, p.config.l2()/16/row)
	}
	if n >= leastDepth {
		return min(n, 2*leastDepth)
	}
	return min(max(p.config.l2()/8/row, leastDepth), 16*leastDepth/p.kind.size())
}

// nearDepth is the most depth of a panel of so many vectors that stays in the first-level cache.
func (p *Product) nearDepth(vectors int) int {
	return p.config.l1() * 3 / 4 / (vectors * p.regs.vector)
}

// crowded reports whether a block of A, of all rows and so much depth, leaves too little of the second-level cache to
// panels that are packed: the one that is multiplied, the next one, and what that is packed from.
func (p *Product) crowded(depth, vectors int) bool {
	rows := p.m * p.kind.size()
	return (p.routeB == packed || p.routeB == packedBy) && rows*depth <= p.wholeBytes() &&
		min(p.k, depth)*(rows+3*max(vectors*p.regs.vector, bundleBytes)) > p.config.l2()/2
}

// leastDepth is the depth from which on reading and writing C is little beside multiplying.
const leastDepth = 256
