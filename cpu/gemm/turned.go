package gemm

import "github.com/goxla/xla/shape"

// A product of few columns leaves most lanes of vectors of columns empty. Where rows of A lie along the depth, it goes
// as one of few rows, with A and B in each other's places: vectors are depths then (dot.go), and C is written turned.
// Floats that are sums as they are have ways of their own for it, if rows are many (ones.go, quads.go, split.go): they
// read more rows at once, for an A that comes from further away than the second-level cache, and for few
// registers.

// canTurn reports whether the product is better turned.
func (p *Product) canTurn() bool {
	a, b := &p.spec.A, &p.spec.B
	if !p.native() || p.spec.placed() || p.n < 2 || p.n >= p.m || p.n > p.fewColumns() || a.Around != nil ||
		b.Around != nil {
		return false
	}
	row, flatM := a.Free.Stride()
	depth, flatK := a.Depth.Stride()
	col, flatN := b.Free.Stride()
	along, flatB := b.Depth.Stride()
	if !flatM || !flatK || !flatN || !flatB || depth != 1 || !fits(row*a.Type.ByteSize()) || !p.worthDots() ||
		p.splits(2) && !p.turnsFloats() {
		return false
	}
	if along != 1 && !p.turnsFew(b) || along == 1 && !fits(col*b.Type.ByteSize()) {
		return false
	}
	_, ok := loadings[p.kind][a.Type]
	_, okB := loadings[p.kind][b.Type]
	return ok && okB
}

// turnsFloats reports whether that is so of floats that have other ways, of which columns that are half a vector leave
// no lane empty.
func (p *Product) turnsFloats() bool {
	return p.regs.wide() && p.n < p.lanes/2 && p.batch*p.m*p.k*p.kind.size() <= p.config.l2()
}

// deepBytes is the depth of rows of bytes of which the many that are multiplied four at once leave the first-level
// cache.
const deepBytes = 2 << 10

// fewColumns is the most columns: of vectors of columns they would leave half of one empty, or a little more where
// bytes are multiplied four at once.
func (p *Product) fewColumns() int {
	if p.config.VNNI && p.regs.wide() && isByte(p.spec.A.Type) && isByte(p.spec.B.Type) && p.k < deepBytes {
		return p.lanes * 3 / 8
	}
	return p.lanes / 2
}

// turn turns the product.
func (p *Product) turn() {
	asked := p.spec
	p.asked, p.turned, p.swapped = &asked, true, !p.swapped
	p.spec.A, p.spec.B, p.spec.Constant = asked.B, asked.A, false
	p.m, p.n = p.n, p.m
	p.rowsC = placesOf(0, Axis{{p.n, p.m}})
	if words := p.spec.A.Type == shape.BF16 && p.spec.B.Type == shape.BF16; words && p.config.BF16 && p.regs.wide() &&
		p.k%2 == 0 && p.k >= 2*deepDots*p.lanes {
		p.kind, p.k = kindBF16, p.k/2
	}
	p.planDots()
}
