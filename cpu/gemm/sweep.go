package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/shape"
)

// Few rows of A times a B whose rows are longer than a block of registers: B goes by in the order of memory, some of
// its rows at a time, and the sums are in memory, that is in the first-level cache. A panel of B as wide as a block of
// registers is short pieces of many rows, which the hardware does not ask for by itself.

// sweepKey is a kernel: rows of B, so many at once, times all rows of A.
type sweepKey struct {
	kind         kind
	vector       int
	rows, depths int
	typeB        shape.ElementType
	tail         int // lanes of the last vector of a row of B
	lda, stepA   int // bytes between rows of A, and between its depths
	ldb, ldc     int
}

// sweepArgs is the argument block.
type sweepArgs struct {
	depth   int
	a, b, c unsafe.Pointer
	vectors int // whole ones, of a row
	tail    int // not 0: a part of a vector follows
	add     int // not 0: to what C holds
}

// Offsets of its fields.
const (
	sweepDepth = 8 * iota
	sweepA
	sweepB
	sweepC
	sweepVectors
	sweepTail
	sweepAdd
)

const (
	// maxSweepRows is the most rows of A.
	maxSweepRows = 4
	// sweepBytes is what an item reads of B at least, once for each row of A.
	sweepBytes = 256 << 10
)

// sweepDepths is how many rows of B go together, for a number of rows of A: what is broadcast of A stays in registers.
func sweepDepths(rows int) int { return [maxSweepRows + 1]int{0, 4, 4, 3, 2}[rows] }

// leastPiece is the least bytes of a row of B that a thread reads if it leaves others to others: the hardware asks for
// what follows, and nobody needs that. For one or two rows of A shorter pieces are better than panels, still.
const (
	leastPiece    = 4 << 10
	leastPieceFew = 1 << 10
)

// piece is the least piece of this product.
func (p *Product) piece() int {
	if p.m <= 2 {
		return leastPieceFew
	}
	return leastPiece
}

// canSweep reports whether the product, whose B has contiguous rows that can be loaded, goes row by row of B.
func (p *Product) canSweep() bool {
	return p.sweepsAlone() && (!p.sharesRows() || p.rowBytes() >= p.config.Threads*p.piece())
}

// sweepsAlone reports whether one thread goes row by row of B. Then several sum in that order, too, if they do not.
// With vectors of 64 bytes that is no gain for the most rows of A, and where B is near, panels are wide.
func (p *Product) sweepsAlone() bool {
	most := maxSweepRows
	if p.regs.wide() {
		most--
	}
	if !p.native() || p.m > most || len(p.panels) == 1 || p.rowsC.piece(0, p.m) < p.m ||
		p.regs.wide() && p.nearB() {
		return false
	}
	return p.m < maxSweepRows || p.rowBytes() >= leastPiece // else each row is not in another page
}

// sharesRows reports whether each thread is to have a part of the columns.
func (p *Product) sharesRows() bool {
	return p.batch < p.config.Threads && p.m*p.k*p.rowBytes() >= 2*sweepBytes
}

// rowBytes is the size of a row of B.
func (p *Product) rowBytes() int { return p.n * p.spec.B.Type.ByteSize() }

// chooseSweep cuts the columns into panels whose sums stay in the first-level cache, and the depth into calls.
func (p *Product) chooseSweep(direct bool) {
	p.mc, p.group = p.m, 1
	unit := line / p.kind.size()
	count := parts(p.n*p.m*p.kind.size(), p.config.l1()/2)
	if p.sharesRows() {
		count = parts(count, p.config.Threads) * p.config.Threads
	}
	cols := parts(parts(p.n, count), unit) * unit
	p.panels = p.panels[:0]
	for col := 0; col < p.n; col += cols {
		n := min(cols, p.n-col)
		p.panels = append(p.panels, panel{col: col, cols: n, nv: parts(n, p.lanes), at: col / p.lanes})
	}
	p.nc = len(p.panels)
	p.kc = min(p.k, max(1, callWork/8/(cols*p.m*unroll))*unroll)
	if !direct {
		p.packA()
	}
}

// sweepKernel finds the kernel.
func (p *Product) sweepKernel() {
	size := p.kind.size()
	p.sweepKey = sweepKey{kind: p.kind, vector: p.regs.vector, rows: p.m, depths: sweepDepths(p.m),
		typeB: p.spec.B.Type, tail: p.n % p.lanes, lda: p.rowA, stepA: p.depthA, ldb: p.rowB, ldc: p.rowsC.step * size}
	if !p.direct {
		p.sweepKey.ldc = p.sumsWidth() * size
	}
}

// sweep multiplies the rows of A with the columns of a panel.
func (w *task) sweep(n int, pn *panel) {
	p := w.p
	args := sweepArgs{vectors: pn.cols / p.lanes, tail: pn.cols % p.lanes, c: unsafe.Add(w.own, w.areas.block)}
	if p.direct {
		args.c = unsafe.Add(w.c, (p.placeOfRow(n, 0)+pn.col)*p.kind.size())
	}
	for k := 0; k < p.k; k += p.kc {
		w.args.depth = min(p.kc, p.k-k)
		args.depth, args.add = w.args.depth, k
		args.a, args.b = w.rows(n, 0, p.m, k), w.panel(n, pn, k)
		invoke(p, p.sweeper, &args)
	}
	if !p.direct {
		w.store(args.c, p.sweepKey.ldc, n, 0, p.m, pn.col, pn.col+pn.cols)
	}
}

// Registers of a sweep, beside those of others: the places in a row of B and of C.
const (
	regAtB = asm.R10
	regAtC = asm.R11
)

// sweep emits a kernel. Its vector registers are, from 0: what is broadcast of A, depth by depth, the sums of a vector,
// and a vector of B. The last one of 16 holds the lane mask where there are no opmasks.
type sweep struct {
	loader
	sweepKey
	ins numeric
}

func emitSweep(a *asm.Assembler, k sweepKey) {
	s := &sweep{loader: newLoader(a, k.kind, k.vector), sweepKey: k, ins: numerics[k.kind]}
	s.mask = 15
	s.RM(asm.MOV, asm.W64, regDepth, asm.M(asm.RDI, sweepDepth))
	s.RM(asm.MOV, asm.W64, regA, asm.M(asm.RDI, sweepA))
	s.RM(asm.MOV, asm.W64, regB, asm.M(asm.RDI, sweepB))
	if k.tail > 0 {
		s.setMask(k.tail)
	}
	s.clear()
	rest, one, done := s.NewLabel(), s.NewLabel(), s.NewLabel()
	s.RI(asm.SUB, asm.W64, regDepth, int64(k.depths))
	s.Jcc(asm.L, rest)
	turn := s.Here()
	s.pass(k.depths)
	s.RI(asm.SUB, asm.W64, regDepth, int64(k.depths))
	s.Jcc(asm.GE, turn)
	s.Bind(rest)
	s.RI(asm.ADD, asm.W64, regDepth, int64(k.depths))
	s.Jcc(asm.E, done)
	s.Bind(one)
	s.pass(1)
	s.RI(asm.SUB, asm.W64, regDepth, 1)
	s.Jcc(asm.NE, one)
	s.Bind(done)
	s.Zero0(asm.VZEROUPPER)
	s.Ret()
}

// along calls do for each vector of a row of C, two at a time, then one, then the part at the end.
func (s *sweep) along(do func(vectors int, part bool)) {
	s.RM(asm.MOV, asm.W64, regAtC, asm.M(asm.RDI, sweepC))
	s.RM(asm.MOV, asm.W64, regSteps, asm.M(asm.RDI, sweepVectors))
	rest, tail, done := s.NewLabel(), s.NewLabel(), s.NewLabel()
	s.RI(asm.SUB, asm.W64, regSteps, 2)
	s.Jcc(asm.L, rest)
	s.Align(align / 2)
	two := s.Here()
	do(2, false)
	s.RI(asm.SUB, asm.W64, regSteps, 2)
	s.Jcc(asm.GE, two)
	s.Bind(rest)
	s.RI(asm.ADD, asm.W64, regSteps, 2)
	s.Jcc(asm.E, tail)
	do(1, false)
	s.Bind(tail)
	if s.tail > 0 {
		s.MI(asm.CMP, asm.W64, asm.M(asm.RDI, sweepTail), 0)
		s.Jcc(asm.E, done)
		do(1, true)
		s.Bind(done)
	}
}

// clear sets C to zero, unless its sums go on.
func (s *sweep) clear() {
	keep := s.NewLabel()
	s.MI(asm.CMP, asm.W64, asm.M(asm.RDI, sweepAdd), 0)
	s.Jcc(asm.NE, keep)
	s.V3(asm.VPXORD, s.vl, 0, 0, 0)
	s.along(func(vectors int, part bool) {
		for i := range s.rows {
			for j := range vectors {
				s.store(0, s.atC(i, j), part)
			}
		}
		s.RI(asm.ADD, asm.W64, regAtC, int64(vectors*s.vector))
	})
	s.Bind(keep)
}

func (s *sweep) atC(row, vector int) asm.Mem {
	return asm.M(regAtC, int32(row*s.ldc+vector*s.vector))
}

func (s *sweep) store(v asm.Vec, to asm.Mem, part bool) {
	switch {
	case !part:
		s.MV(move[s.sweepKey.kind], s.vl, to, v)
	case s.wide:
		s.MV(move[s.sweepKey.kind], s.vl, to, v, asm.Mask(1))
	default:
		s.MV2(s.ins.masked, s.vl, to, s.mask, v)
	}
}

// pass adds the products of so many depths, and goes on to the next.
func (s *sweep) pass(depths int) {
	for i := range s.rows {
		for d := range depths {
			s.V2M(s.ins.broadcast, s.vl, s.factor(i, d), asm.M(regA, int32(i*s.lda+d*s.stepA)))
		}
	}
	s.RR(asm.MOV, asm.W64, regAtB, regB)
	width := s.vector / s.sweepKey.kind.size() * s.typeB.ByteSize()
	s.along(func(vectors int, part bool) {
		for j := range vectors {
			s.vectorOf(depths, j, j*width, part)
		}
		s.RI(asm.ADD, asm.W64, regAtB, int64(vectors*width))
		s.RI(asm.ADD, asm.W64, regAtC, int64(vectors*s.vector))
	})
	s.RI(asm.ADD, asm.W64, regA, int64(depths*s.stepA))
	s.RI(asm.ADD, asm.W64, regB, int64(depths*s.ldb))
}

func (s *sweep) factor(row, depth int) asm.Vec { return asm.Vec(row*s.depths + depth) }

// vectorOf adds the products of vector j, that B has at so many bytes.
func (s *sweep) vectorOf(depths, j, at int, part bool) {
	first := asm.Vec(s.rows * s.depths)
	b := first + asm.Vec(s.rows)
	for i := range s.rows {
		s.load(s.sweepKey.kind.elementType(), first+asm.Vec(i), s.atC(i, j), part)
	}
	for d := range depths {
		from := asm.M(regAtB, int32(d*s.ldb+at))
		if s.rows == 1 && !part && s.ins.fma != 0 && loadings[s.sweepKey.kind][s.typeB].plain(s.sweepKey.kind) {
			s.V3M(s.ins.fma, s.vl, first, s.factor(0, d), from)
			continue
		}
		s.load(s.typeB, b, from, part)
		for i := range s.rows {
			s.multiply(first+asm.Vec(i), s.factor(i, d), b)
		}
	}
	for i := range s.rows {
		s.store(first+asm.Vec(i), s.atC(i, j), part)
	}
}

// multiply adds x times y to a sum. Where that is two instructions, what is next to y holds the product.
func (s *sweep) multiply(sum, x, y asm.Vec) {
	if s.ins.fma != 0 {
		s.V3(s.ins.fma, s.vl, sum, x, y)
		return
	}
	s.V3(s.ins.mul, s.vl, y+1, x, y)
	s.V3(s.ins.add, s.vl, sum, sum, y+1)
}
