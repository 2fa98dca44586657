package gemm

import (
	"unsafe"

	"github.com/goxla/xla/shape"
)

// Few rows of A times a B whose rows are longer than a block of registers: B goes by in the order of memory, some of
// its rows at a time, and the sums are in memory, that is in the first-level cache. A panel of B as wide as a block of
// registers is short pieces of many rows, which the hardware does not ask for by itself.

// sweepKey is a kernel: rows of B, so many at once, times all rows of A.
type sweepKey struct {
	kind   kind
	vector int
	rows   int
	sweepBlock
	rest       int // depths that are left at the end
	typeB      shape.ElementType
	tail       int // lanes of the last vector of a row of B
	lda, stepA int // bytes between rows of A, and between its depths
	ldb, ldc   int
	ask        int // not 0: so many bytes behind what is read of B is asked for
}

// sweepBlock is how many rows of B go together, and what is multiplied at once: rows of A and vectors of a row of B.
type sweepBlock struct {
	depths, high, vectors int
	held                  bool // what is broadcast of A stays in registers
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
	// heldRows is the most rows of A of which what is broadcast stays in registers, heldRowsFew that of narrow vectors
	// that are multiplied and added in one instruction.
	heldRows    = 4
	heldRowsFew = 2
	// farSweepRows is the most rows where a last cache is far away, or B comes from memory. What is broadcast of more than
	// a few is read again for each few vectors, whose sums are in registers for farSweepDepths rows of B.
	farSweepRows   = 12
	farSweepDepths = 8
	// askedSweepRows is the most rows where B comes from memory and is not f32: it is converted, which is more work than
	// in a panel, or sums take much of the first-level cache.
	askedSweepRows = 8
	// narrowSweepRows is the most rows for narrow vectors of sums as they are. Their blocks have about narrowSums sums, of
	// up to four rows: to store twelve at once, a core waits until they are there (Zen 3: 0.97 and 0.75 of the peak).
	narrowSweepRows = 16
	narrowSums      = 9
	// nearSweepRows is the most of these where all of B stays in the second-level cache.
	nearSweepRows = 8
	// crowdedDepths is how many rows of B go together that all fall on one set of the first-level cache.
	crowdedDepths = 6
	// sweepBytes is what an item reads of B at least, once for each row of A.
	sweepBytes = 256 << 10
)

// sweepBlock returns the blocks for a number of rows of A; fused says that one instruction multiplies and adds.
func (r registers) sweepBlock(rows int, fused bool) sweepBlock {
	switch {
	case !r.wide() && fused && rows > heldRowsFew:
		high := parts(rows, parts(rows, heldRows))
		return sweepBlock{depths: farSweepDepths, high: high, vectors: narrowSums / high}
	case rows > heldRows:
		return sweepBlock{depths: farSweepDepths, high: rows, vectors: max(1, min(r.most, r.sums/rows))}
	case rows == heldRows && r.wide():
		return sweepBlock{depths: 4, vectors: 2, held: true}
	}
	return sweepBlock{depths: [heldRows + 1]int{0, 4, 4, 3, 2}[rows], vectors: 2, held: true}
}

// sweepBlock returns the blocks of p.
func (p *Product) sweepBlock() sweepBlock {
	b := p.regs.sweepBlock(p.m, numerics[p.kind].fma != 0)
	if !p.regs.wide() && !b.held && p.rowB%(nearSets*line) == 0 {
		b.depths = crowdedDepths
	}
	return b
}

// leastPiece is the least bytes of a row of B that a thread reads if it leaves others to others: the hardware asks for
// what follows, and nobody needs that. For one or two rows of A, or where the last cache is far or B comes from memory,
// shorter pieces are better than panels, still.
const (
	leastPiece    = 4 << 10
	leastPieceFew = 1 << 10
)

// piece is the least piece of this product.
func (p *Product) piece() int {
	if p.m <= 2 || p.config.FarL3 || p.asksB() || p.sweepsNarrow() && p.m <= farSweepRows {
		return leastPieceFew
	}
	return leastPiece
}

// chooseSweep decides whether the product, whose B has contiguous rows that can be loaded, so many bytes apart, goes
// row by row of B. If one thread would, but several have pieces that are too short, they sum in the same order.
func (p *Product) chooseSweep(apart int) bool {
	if !p.sweepsAlone() || p.m > heldRows && p.spec.Constant {
		return false
	}
	p.routeB, p.rowB = inPlace, apart
	if !p.sharesRows() || p.rowBytes() >= p.config.Threads*p.piece() || !p.regs.wide() && !p.sweepBlock().held {
		p.routeB = swept
	}
	return true
}

// sweepsAlone reports whether one thread goes row by row of B. With vectors of 64 bytes that is no gain for the most
// rows of A where the last cache is not far, and where B is near, panels are wide. Rows of B shorter than a piece are
// for few rows of A only.
func (p *Product) sweepsAlone() bool {
	if !p.native() || p.m > p.mostSwept() || len(p.panels) == 1 || p.rowsC.piece(0, p.m) < p.m ||
		p.regs.wide() && p.nearB() && !p.asksB() {
		return false
	}
	return p.m < heldRows || p.rowBytes() >= p.piece()
}

// mostSwept is the most rows of A.
func (p *Product) mostSwept() int {
	fused := numerics[p.kind].fma != 0
	switch {
	case fused && (p.config.FarL3 || p.asksB() && p.spec.B.Type == shape.F32 && p.regs.wide()):
		return farSweepRows
	case p.sweepsNarrow() && p.nearB():
		return nearSweepRows
	case p.sweepsNarrow():
		return narrowSweepRows
	case fused && p.asksB():
		return askedSweepRows
	case p.regs.wide():
		return heldRows - 1
	}
	return heldRows
}

// sweepsNarrow reports whether blocks are those of narrow vectors, of a B that is not converted.
func (p *Product) sweepsNarrow() bool {
	return !p.regs.wide() && numerics[p.kind].fma != 0 && p.kind.sameBits(p.spec.B.Type)
}

// sharesRows reports whether each thread is to have a part of the columns.
func (p *Product) sharesRows() bool {
	return p.batch < p.config.Threads && p.m*p.k*p.rowBytes() >= 2*sweepBytes
}

// rowBytes is the size of a row of B.
func (p *Product) rowBytes() int { return p.n * p.spec.B.Type.ByteSize() }

// cutSweep cuts the columns into panels whose sums stay in the first-level cache, and the depth into calls. Rows of C
// are in the way of each other there where they are pages apart: sums of more than a few are summed elsewhere.
func (p *Product) cutSweep(direct bool) {
	p.mc, p.group = p.m, 1
	near := p.config.l1() / 2
	if !p.sweepBlock().held {
		near, p.direct = p.config.l1()*3/4, false
	}
	unit := line / p.kind.size()
	count := parts(p.n*p.m*p.kind.size(), near)
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
	depths := p.sweepBlock().depths
	p.kc = min(p.k, max(1, callWork/8/(cols*p.m*depths))*depths)
	if crowd := gcd(max(p.rowA, 1)/line, nearSets); p.sweepsNarrow() && p.rowA%line == 0 && p.m*crowd > 4*nearSets {
		direct = false // rows of A would push each other out of the first-level cache
	}
	if !direct {
		p.packA()
	}
}

// spread returns how far apart sums of rows of so many are: rows are on other sets of a cache than their neighbours,
// and a load of one does not look like one of what was just stored to another.
func (p *Product) spread(columns int) int {
	const page, apart = 4 << 10, 512
	return (parts(columns*p.kind.size()-apart, page)*page + apart) / p.kind.size()
}

// sweepKernel finds the kernel.
func (p *Product) sweepKernel() {
	size := p.kind.size()
	b := p.sweepBlock()
	p.sweepKey = sweepKey{kind: p.kind, vector: p.regs.vector, rows: p.m, sweepBlock: b, rest: p.k % b.depths,
		typeB: p.spec.B.Type, tail: p.n % p.lanes, lda: p.rowA, stepA: p.depthA, ldb: p.rowB, ldc: p.rowsC.step * size}
	p.sweepKey.ask = p.askB(b.depths*p.rowB, b.depths*p.panels[0].cols*p.spec.B.Type.ByteSize())
	if p.sweepKey.ask == 0 && p.sweepsNarrow() && p.m >= heldRows && p.asksNext() {
		p.sweepKey.ask = b.depths * p.rowB
	}
	if !p.direct {
		p.sweepKey.ldc = p.sumsWidth() * size
	}
}

// asksNext reports whether the next rows of B, or columns, are asked for while some are multiplied with several rows of
// A by narrow vectors: they are not in the second-level cache, and find room in the first beside the others.
func (p *Product) asksNext() bool {
	if p.regs.wide() || p.nearB() {
		return false
	}
	return p.rowB%line > 0 || gcd(p.rowB/line, nearSets) <= nearSets/4
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
