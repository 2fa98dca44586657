package gemm

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/shape"
)

// Products of groups of few features, whose depths and columns are neighbours of those of the next group, go by
// vectors of several groups: A is loaded as it lies, and multiplied with as many vectors of B as a group has features.
// Diagonal d of a group has the elements for depth i and column i^d. So each sum is of one diagonal, and what it adds
// for a depth stays in the lane of that. In the end lanes i^d of the sums of diagonal d are added to those of i. All
// groups are one product: panels of as many columns as a vector has lanes, each of which has columns of A of its own.

// diagonalBytes is the most of a group's features, which is what packing code goes by.
const diagonalBytes = 32

// wideDiagonal is the features from which on sums fill the registers of narrow vectors.
const wideDiagonal = 8

// diagonals reports whether sums are of diagonals.
func (k kind) diagonals() bool { return k >= kindTwos && k <= kindFoursOf64 }

// diagonalKind is the kind for groups of so many features, of f32 or f64.
func diagonalKind(t shape.ElementType, features int) (kind, bool) {
	k, ok := map[shape.ElementType]map[int]kind{
		shape.F32: {2: kindTwos, 4: kindFours, 8: kindEightsOf},
		shape.F64: {2: kindTwosOf64, 4: kindFoursOf64},
	}[t][features]
	return k, ok
}

// Diagonals reports whether so many groups of features, of type t and as many of either kind, fill vectors of so many
// bytes as diagonals do: 32 bytes, or all of them where the sums of one place fill the registers of shorter ones.
func Diagonals(t shape.ElementType, groups, features, vector int) bool {
	_, ok := diagonalKind(t, features)
	least := narrowRegisters.vector
	if features >= wideDiagonal {
		least = wideRegisters.vector
	}
	return ok && vector >= least && groups*features*t.ByteSize()%least == 0
}

// canDiagonals reports whether the product is one of groups of few features, as many columns as depths that are
// neighbours, which fill vectors together.
func (p *Product) canDiagonals() bool {
	s := &p.spec
	a, b, c, t := s.A.Batch.Merged(), s.B.Batch.Merged(), s.Products.Merged(), p.kind.elementType()
	size := t.ByteSize()
	if !p.native() || len(s.A.Depth.Merged()) == 0 ||
		s.A.Type != s.C || s.B.Type != t || p.swapped || s.C != t && !p.widensAround() ||
		!Diagonals(t, p.batch, p.n, p.regs.vector) || s.A.Around != nil && !p.wholePlaces() {
		return false
	}
	for _, groups := range []Axis{a, b, c} {
		if len(groups) != 1 || groups[0] != (Dim{p.batch, p.n}) {
			return false
		}
	}
	features, row, run := s.A.Depth.run(), s.A.Free.run(), s.B.Depth.run()
	col, flat := s.B.Free.Stride()
	taps := p.taps().run()
	return features == Dim{p.n, 1} && flat && col == 1 &&
		run.Size%p.n == 0 && fits(p.n*run.Stride*size) && row.Size >= min(p.m, leastRunRows) && fits(row.Stride*size) &&
		fits(taps.Stride*size)
}

// taps is the depth of A without the features of a group.
func (p *Product) taps() Axis {
	m := p.spec.A.Depth.Merged()
	return m[:len(m)-1]
}

// depthsOfA is how many elements of A's depth a step along it takes: of products by diagonals the depth is the taps.
func (p *Product) depthsOfA() int {
	if p.kind.diagonals() {
		return 1
	}
	return p.kind.wide()
}

// chooseDiagonals goes over to diagonals of groups, and to all groups at once.
func (p *Product) chooseDiagonals() {
	asked, g, size := p.spec, p.n, p.kind.size()
	p.asked = &asked
	columns := p.batch * g
	if columns*size%p.regs.vector != 0 {
		p.regs = narrowRegisters
	}
	p.spec.A.Type = p.kind.elementType() // what is brought is widened
	p.kind, _ = diagonalKind(p.spec.A.Type, g)
	run := p.spec.B.Depth.run()
	p.orderB, p.rowB, p.runDepthB = copied, g*run.Stride*size, run.Size/g
	p.spec.A.Batch, p.spec.B.Batch, p.spec.Products = nil, nil, nil
	p.spec.A.Depth, p.spec.B.Free = p.taps(), Axis{{columns, 1}}
	p.choosePlaces()
	vector := p.regs.vector / size
	p.batch, p.n, p.k, p.lanes = 1, columns, p.k/g, vector/g
	if p.spec.A.Around != nil {
		p.byPlaces()
	}
	p.panels = panels(p.n, p.lanes, g)
	all := narrowTop
	if p.regs.wide() {
		all = wideTop
	}
	p.regs.sums = (all - 1) / (g + 1) * g // and the rows of A, and what is loaded of B
	p.packedRoute()
}

// chooseBlocks cuts the rows of a product by diagonals: A and C of a block take half of the second-level cache, where
// they stay while all panels go by, each of which needs a part of their lines, and what is brought for one of them is
// in the first-level cache.
func (p *Product) chooseBlocks() {
	p.nc, p.group = len(p.panels), len(p.panels)
	size := p.kind.size()
	count, rows, window := parts(p.m*p.n*size, p.config.l2()), p.spec.A.Free.span(), p.spec.A.Depth.span()
	if p.spec.A.Around == nil {
		all := parts((rows+window+p.m*p.n)*size, p.config.l2()/2)
		count = max(count, min(all, rows/(2*window+1)))
	} else {
		most := p.config.l1() / 2
		if p.n*size <= line { // places follow each other in the array, too: the hardware asks for them
			most = p.config.l2() / 4
		}
		count = parts(rows*size, max(most-window*size, 1))
		// Blocks that are next to each other bring the same lines of a window: these are to be few of the piece.
		count = min(count, max(1, rows/(2*window+1)))
	}
	if threads := p.threads(); threads > 1 {
		count = parts(count, threads) * threads
		count = min(count, max(1, p.m/max(1, itemWork/(p.n*p.adds()))))
	}
	p.cutRows(count, true)
}

// copyDiagonals packs rows of all columns, one for each feature of a group: as many vectors, of a diagonal each.
func (e *packer) copyDiagonals() {
	g := e.loader.kind.wide()
	e.count(1, e.ld, e.to, func(int) {
		for at := 0; at < e.vector; at += diagonalBytes {
			v := make([]asm.Vec, g)
			for r := range v {
				v[r] = asm.Vec(r)
				e.V2M(move[e.loader.kind], asm.VL256, v[r], asm.M(regB, int32(r*e.ld/g+at)))
			}
			e.exchange(v, asm.Vec(g))
			for d := range v {
				for bit := 1; bit < g; bit *= 2 {
					if d&bit != 0 {
						e.exchangeLanes(asm.VL256, v[d], v[d], bit)
					}
				}
				e.MV(move[e.loader.kind], asm.VL256, asm.M(regC, int32(d*e.vector+at)), v[d])
			}
		}
	})
}

// exchange changes rows v so that lane i of row d is what it was in row d^i, where i is counted in a group.
func (e *packer) exchange(v []asm.Vec, free asm.Vec) {
	size := e.loader.kind.size()
	blend := asm.VBLENDPS
	if size == 8 {
		blend = asm.VBLENDPD
	}
	for bit := 1; bit < len(v); bit *= 2 {
		var lanes uint8
		for i := range diagonalBytes / size {
			if i&bit != 0 {
				lanes |= 1 << i
			}
		}
		for r := range v {
			if r&bit == 0 {
				other := v[r|bit]
				e.V3I(blend, asm.VL256, free, v[r], other, lanes)
				e.V3I(blend, asm.VL256, other, other, v[r], lanes)
				v[r], free = free, v[r]
			}
		}
	}
}

// exchangeLanes sets to to the lanes of v, each of which changes places with the one whose number differs in a bit.
func (l *loader) exchangeLanes(vl asm.Size, to, v asm.Vec, bit int) {
	switch bytes := bit * l.kind.size(); {
	case bytes == 16 && vl == asm.VL512:
		l.V3I(asm.VSHUFF64X2, vl, to, v, v, 0xB1)
	case bytes == 16:
		l.V3I(asm.VPERM2F128, vl, to, v, v, 0x01)
	case bytes == 8:
		l.V2I(asm.VPERMILPSI, vl, to, v, 0x4E)
	default:
		l.V2I(asm.VPERMILPSI, vl, to, v, 0xB1)
	}
}

// diagonal adds the products of one tap: of rows of A with a vector of B for each diagonal.
func (m *micro) diagonal(d int) {
	for i := range m.mr {
		m.V2M(move[m.microKey.kind], m.vl, asm.Vec(m.firstBc+i), asm.M(regA, int32(d*m.stepA+i*m.lda)))
	}
	for j := range m.nv {
		b := m.loadB(j, d)
		for i := range m.mr {
			m.V3(m.ins.fma, m.vl, m.sum(i, j), b, asm.Vec(m.firstBc+i))
		}
	}
}

// storeDiagonals adds the sums of all diagonals and stores them, or adds them to C.
func (m *micro) storeDiagonals(add bool) {
	free := asm.Vec(m.firstB)
	for bit := m.nv / 2; bit > 0; bit /= 2 {
		for i := range m.mr {
			for d := range bit {
				m.exchangeLanes(m.vl, free, m.sum(i, d+bit), bit)
				m.V3(m.ins.add, m.vl, m.sum(i, d), m.sum(i, d), free)
			}
		}
	}
	for i := range m.mr {
		at := asm.M(regC, int32(i*m.ldc))
		if add {
			m.V3M(m.ins.add, m.vl, m.sum(i, 0), m.sum(i, 0), at)
		}
		m.MV(move[m.microKey.kind], m.vl, at, m.sum(i, 0))
	}
}
