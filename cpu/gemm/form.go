package gemm

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// microKey is a micro-kernel: two with the same key are the same code.
type microKey struct {
	kind kind
	vnni bool
	// flip: sign bits of A are flipped, and sums begin with what makes up for that. signed: bytes of B have signs.
	flip, signed bool
	vector       int // bytes
	mr, nv       int
	tail         int // lanes of the last vector, 0: all
	packedB      bool
	typeB        shape.ElementType // if it is not packed
	// Bytes: between rows of A, between its depths, between rows of B and of C.
	lda, stepA, ldb, ldc int
	// run is the depths of a run, if A has the depth in runs, or if B has with runsB.
	run   int
	runsB bool
	// windows: steps are rows of places of a window, so many bytes apart in B and in C, and runs are those of B.
	windows bool
	// half is the bytes from even columns to odd ones, which a window that moves on by two has apart, and odd says that
	// the first tap of a run is an odd one; 0: there are no such.
	half int
	odd  bool
	// placed: a table says where steps are.
	placed bool
	// rowsAsked is the rows of C that a turn of the loop asks for, so that few lines are waited for at once; 0: all are
	// asked for before. late: the last turns do, so many; 0: all do.
	rowsAsked, late int
	nextB, nextC    int
	// rowLines is how many lines of the rows of A a step asks for that follow laterSteps further on.
	rowLines int
	// product is the instruction of tiles, deep their depth, rest the depth if it is less than that of a tile.
	product    asm.Op
	deep, rest int
	// across: steps of tiles are panels, so many bytes apart.
	across int
	// ahead is how many lines are asked for in a turn of the loop, or in a step: neighbours, or those of a list.
	ahead           int
	bySteps, listed bool
	// stream: sums are all of the depth and whole lines, which go past the caches.
	stream bool
	// lays: B, which is in place, is laid down packed.
	lays bool
	// laid is the bytes between rows of A where they are laid down packed; 0: they are not.
	laid int
}

// maxRows is the most rows of a block of registers.
const maxRows = 32

// form is the kernels of all panels of one width.
type form struct {
	nv, tail int
	usual    usual
	calls    []rowCall              // of a block of rows; nil: found out anew
	placed   [][]placedSteps        // of each block of rows, if they are in tables
	micro    [maxRows + 1]*microKey // by rows; nil: not needed
	entry    [maxRows + 1]uintptr
	// last is the same for the last depths, of tiles that they do not fill.
	last *byRows
	// plain is the same for a C that does not begin with a line, if the others write past the caches.
	plain *byRows
	// How panels are packed, and the kernels for it: order turned has another for the last vector.
	order          order
	pack, lastPack packKey
	over           int       // how many of the last rows are packed one by one
	lay            *microKey // of the first rows, if they lay B down; else nil
	layEntry       uintptr
	// rows and layBoth are micro and lay for the first panel, if that lays A down.
	rows               *byRows
	layBoth            *microKey
	layBothEntry       uintptr
	start              startKey // if sums do not begin with zero
	starter            uintptr
	packer, lastPacker uintptr
	along              packKey // several panels, if rows are packed along
	alongPacker        uintptr
}

// byRows is micro-kernels that few products have, by rows; nil is none.
type byRows struct {
	key   [maxRows + 1]*microKey // nil: not needed
	entry [maxRows + 1]uintptr
}

// at returns the kernel of so many rows; 0: there is none.
func (b *byRows) at(rows int) uintptr {
	if b == nil {
		return 0
	}
	return b.entry[rows]
}

// stepRows is the most rows of a step for panels of nv vectors.
func (p *Product) stepRows(nv int) int {
	if p.m < fewRows && !p.kind.diagonals() {
		return p.m
	}
	return p.regs.rowsFor(nv)
}

// chooseForms finds the kernels that are needed.
func (p *Product) chooseForms() {
	if p.routeB == dotted {
		p.chooseDots()
		p.chooseNarrow()
		return
	}
	p.chooseNarrow()
	p.chooseCopier()
	p.choosePieces()
	p.chooseTurning()
	if p.routeB == swept {
		p.sweepKernel()
		return
	}
	count := 0
	for i := range p.panels {
		pn := &p.panels[i]
		like := func(o panel) bool { return o.nv == pn.nv && o.cols%p.lanes == pn.cols%p.lanes }
		if first := slices.IndexFunc(p.panels, like); first < i {
			pn.form = p.panels[first].form
		} else {
			pn.form = count
			count++
		}
	}
	p.forms = make([]form, count) // each takes kilobytes: no more than there are
	for i := range p.panels {
		pn := &p.panels[i]
		if f := &p.forms[pn.form]; f.nv == 0 {
			f.nv, f.tail = pn.nv, pn.cols%p.lanes
			p.complete(f)
		}
	}
}

// chooseCopier finds the kernel that packs A.
func (p *Product) chooseCopier() {
	if p.routeA == packed && p.native() && p.orderA == turned && !p.kind.tiles() {
		p.block = packKey{order: turned, kind: p.kind, vector: p.regs.vector, typ: p.spec.A.Type, ld: p.sourceA, to: p.rowA}
	}
	if p.routeA == packed && p.native() && p.orderA == copied && !p.laysA && p.regs.loads(p.kind, p.spec.A.Type, 0) {
		p.block = packKey{order: copied, block: true, kind: p.kind, vector: p.regs.vector, typ: p.spec.A.Type,
			ld: p.sourceA, to: max(p.rowA, p.depthA)}
		if wide := p.kind.wide(); p.depthMajor && wide > 1 {
			p.block.grouped, p.block.kind = wide, kindS32
			p.block.typ = map[int]shape.ElementType{2: shape.U16, 4: shape.U8}[wide]
		}
		if p.depthMajor && p.runRows < p.lanes && p.regs.wide() && !p.denseDepths() {
			p.block.tail = p.runRows
		}
	}
}

// native reports whether the product has machine code.
func (p *Product) native() bool { return p.config.Tier != exec.Portable }

// complete finds the kernels of f, which has its width.
func (p *Product) complete(f *form) {
	nv, tail := f.nv, f.tail
	for _, rows := range p.lengths() {
		st := p.steps(rows, nv)
		f.usual = usual{rows, st} // the last are the most
		f.micro[st.mr] = p.microKey(st.mr, nv, tail)
		if st.small > 0 {
			f.micro[st.less] = p.microKey(st.less, nv, tail)
		}
	}
	if p.routeB != inPlace && p.routeB != inWindows && p.native() {
		p.choosePack(f)
	}
	if p.kind.tiles() {
		p.chooseLast(f)
	}
	p.choosePlain(f)
	p.layForm(f)
	p.rowsForm(f)
	p.chooseStart(f)
	if p.tabled() {
		f.placed = p.placeSteps(nv)
	}
	p.chooseCalls(f)
}

// choosePack finds the kernels that pack panels of a form.
func (p *Product) choosePack(f *form) {
	k := packKey{order: p.orderB, kind: p.kind, vector: p.regs.vector, typ: p.spec.B.Type, nv: f.nv, tail: f.tail,
		ld: p.rowB, to: f.nv * p.regs.vector, column: p.columnB}
	words := p.kind
	if words == kindPairs { // as rows of these they are loaded
		words = kindS32
	}
	switch {
	case p.orderB == turned && p.kind == kindSplit: // two depths are as good as an f64
		k.kind, k.typ = kindF64, shape.F64
		f.order, f.lastPack = turned, k
		k.tail = 0
		f.pack = k
	case p.orderB == copied && (p.kind.wide() > 1 && p.kind != kindPairs || p.regs.loads(words, k.typ, f.tail)):
		f.order, f.pack = copied, k
		if (p.along || p.copiesRows()) && f.tail == 0 {
			f.along = k
			f.along.along = true
		}
	case p.orderB == copied && p.regs.loads(words, k.typ, 0) && p.over(f.tail) < p.k:
		k.over = true
		f.order, f.pack, f.over = copied, k, p.over(f.tail)
	case p.orderB == turned && p.regs.loads(p.kind, k.typ, 0):
		f.order, f.lastPack = turned, k
		k.tail = 0
		f.pack = k
	}
}

func (p *Product) microKey(mr, nv, tail int) *microKey {
	size := p.kind.size()
	k := &microKey{kind: p.kind, vnni: p.kind == kindPairs && p.config.VNNI, vector: p.regs.vector, mr: mr,
		nv: nv, tail: tail, lda: p.rowA, stepA: p.depthA,
		ldb: nv * p.regs.vector, ldc: p.rowsC.step * size, packedB: p.routeB != inPlace && p.routeB != inWindows}
	k.flip, k.signed = p.flips(), p.kind == kindVNNI && p.spec.B.Type == shape.S8
	if !k.packedB {
		k.ldb, k.typeB = p.rowB, p.spec.B.Type
	}
	if !p.direct {
		k.ldc = p.sumsWidth() * size
	}
	if p.kind.tiles() {
		k.product, k.deep = p.tileProduct(), p.turnDepth()
		if p.across {
			k.across = nv * p.regs.vector * p.k
		}
	}
	if p.routeB == inWindows {
		k.bySteps = p.asksBySteps(mr)
		k.windows, k.run, k.nextB, k.nextC = true, p.windows.run, p.windows.stepB, p.windows.width*size
		k.half, k.odd = p.windows.half, p.windows.odd
	}
	if p.runsOfA != nil {
		k.run = p.runDepth
	}
	k.placed = p.tabled()
	k.rowsAsked, k.late = p.rowsAsked(mr, nv)
	if p.overlap != nil {
		k.run, k.runsB = p.overlap.run, true
	}
	if p.native() {
		k.ahead, k.listed, k.stream = p.ahead(mr, k.ldb), p.listed, p.streams()
		k.rowLines = p.rowLines()
	}
	return k
}

// HostConfig returns the configuration for this machine: the highest tier not above limit, as in [exec.HostTier], or
// the portable one where executable memory is refused.
func HostConfig(limit string, threads int) (Config, error) {
	tier, err := exec.HostTier(limit)
	if !exec.Executable() {
		tier = exec.Portable
	}
	host := exec.Host()
	return Config{Tier: tier, Threads: threads, VNNI: hasVNNI(tier), BF16: hasBF16(tier), L1: host.L1D, L2: host.L2,
		L3: host.NearL3(threads), FarL3: host.FarL3(), Halves: host.HalfVectors(), Split: host.SplitUnits(),
		AsksRows: host.AsksRows(), AskFrom: host.AskFrom(),
		TileBF16: tier == exec.AMX && host.AMXBF16 && host.AVX512BF16, TileInt8: tier == exec.AMX && host.AMXInt8}, err
}
