package gemm

import (
	"math"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// On route packedBy, a thread packs a few panels at a time, a bundle, while it multiplies the one before it with the
// first rows: a part of the depth between two calls of a micro-kernel, during the first of which it was asked for. A
// part is pieces of rows of B, or of columns, far apart, so a list has the distances of their lines. Of a large B in
// place the next panel is asked for in the same way.

// sources is how the next bundle of panels is packed while one is multiplied: in parts of so much of the depth, each
// asked for during one call of a micro-kernel and packed after it.
type sources struct {
	depth, calls, steps int // of a part; calls for a bundle; steps of a call, at most
	partBytes           int // of a packed panel
	lists
}

// lists are the lines of a part of a bundle, and of as much of a panel that is read without packing it any more:
// distances in bytes. Behind each stand zeros, for what a call may ask for beyond it: as many as none has.
type lists struct{ part, kept, none []int32 }

// bundleBytes is the least length of the pieces of rows of B that are packed at a time.
const bundleBytes = 256

// bundleCalls is how many calls a panel is multiplied in, if it has as many steps.
const bundleCalls = 16

// leastCall is the least work of one of these calls, in multiply-adds.
const leastCall = 1 << 18

// asksSources reports whether kernels ask for lines of lists. Those of tiles have no time to.
func (p *Product) asksSources() bool {
	switch {
	case p.kind.tiles() || p.kind > kindSplit || !p.native() || p.asksProducts() || p.isNear():
		return false
	case p.routeB == inPlace && (p.m < fewRows || p.k*p.rowB < p.config.l2()/4):
		return false
	case p.routeB == packedBy && (p.along || p.orderB == gathered || p.packsWhole()):
		return false
	case p.routeB != inPlace && p.routeB != packedBy:
		return false
	}
	count, apart, length := p.sourceShape(p.listedDepth())
	return count*apart+length < math.MaxInt32
}

// isNear reports whether all of B stays in the second-level cache, from where narrow panels come in time by themselves.
func (p *Product) isNear() bool {
	bytes := p.k * p.kind.wide() * p.n * p.spec.B.Type.ByteSize()
	return !p.regs.wide() && !p.config.FarL3 && p.batch == 1 && bytes <= p.config.l2()/2
}

// packsWhole reports whether panels of B are packed with all of their depth only: it is not one run, or its parts are
// too little to turn.
func (p *Product) packsWhole() bool {
	return p.runDepthB < p.k || p.orderB == turned && p.leastPart() < p.lanes
}

// keeps reports whether packed panels are multiplied with more than one block of rows.
func (p *Product) keeps() bool { return p.rowBlocks() > 1 }

// chooseBundle decides how much of B is packed at a time, and kept.
func (p *Product) chooseBundle() {
	size := p.spec.B.Type.ByteSize()
	p.bundle = min(p.group, max(1, bundleBytes/(p.panels[0].nv*p.lanes*size)))
	if p.along {
		p.bundle = p.bundleAlong()
	} else if p.lays = p.canLay(); p.lays {
		p.bundle = 1
	}
	p.ownPanels, p.ownDepth = p.bundle, p.kc
	if p.keeps() || p.packsWhole() {
		p.ownPanels = p.group
	}
	if p.keeps() && !p.direct || p.packsWhole() {
		p.ownDepth = p.k
	}
	p.chooseParts()
}

// chooseParts decides how much of a bundle is asked for at a time.
func (p *Product) chooseParts() {
	st := p.steps(min(p.mc, p.rowsC.size, p.runRows), p.panels[0].nv)
	count := st.big + st.small
	if p.tabled() {
		count *= p.mc / p.runOfRows()
	}
	s := &p.sources
	s.steps = max(parts(count, bundleCalls), leastCall/(p.kc*st.mr*p.panels[0].nv*p.lanes))
	if p.lays { // the first step asks for nothing
		s.steps = max(1, min(s.steps, count-1))
	}
	s.calls = p.bundle * parts(count, s.steps)
	s.depth = min(p.kc, max(packDepth, aligned(parts(p.kc, max(1, s.calls-1)))))
	s.partBytes = s.depth * p.panels[0].nv * p.regs.vector
}

// slots is how many bundles there is room for: one is packed while the other is multiplied.
func (p *Product) slots() int {
	several := p.batch > 1 || len(p.panels) > p.bundle || p.kc < p.k || p.kind.tiles()
	if several && p.listed && !p.lays && p.ownPanels == p.bundle && !p.keeps() {
		return 2
	}
	return 1
}

// ownFrom is where what is packed begins that has depth k.
func (p *Product) ownFrom(k int) int {
	if p.ownDepth == p.k {
		return 0
	}
	return k
}

// slotVectors is the vectors of a slot.
func (p *Product) slotVectors() int {
	last := &p.panels[p.bundle-1]
	return (last.at + last.nv) * p.ownDepth
}

// listedDepth is the depth of what a list has: of a part, or of all of a panel that is laid down.
func (p *Product) listedDepth() int {
	if p.lays {
		return p.kc
	}
	return p.sources.depth
}

// sourceShape is the rows, or columns, of the elements of so much depth, how far apart they are and how long, in bytes.
func (p *Product) sourceShape(depth int) (count, apart, length int) {
	last := &p.panels[p.bundle-1]
	wide, size := p.kind.wide(), p.spec.B.Type.ByteSize()
	count, apart, length = depth*wide, p.rowB/wide, (last.col+last.cols)*size
	if p.orderB == turned {
		return last.col + last.cols, p.rowB, count * size
	}
	return count, apart, length
}

// askedLines is the most lines that a call asks for.
func (p *Product) askedLines() int {
	count, _, length := p.sourceShape(p.sources.depth)
	return max(count*parts(length, line), p.sources.partBytes/line)
}

// listing is what lists depend on.
type listing struct {
	count, apart, length, rest, partBytes int
	inPlace                               bool
}

// listSources makes the lists, if p has none yet: those in made, if others have the same. They take as much memory as
// all else of a product, and a product that does not run needs none.
func (p *Product) listSources(made map[listing]lists) {
	if !p.listed || p.sources.part != nil {
		return
	}
	key := p.listing()
	if _, ok := made[key]; !ok {
		made[key] = key.lists()
	}
	p.sources.lists = made[key]
}

func (p *Product) listing() listing {
	s := &p.sources
	rest := p.askedLines()
	for i := range p.forms {
		for _, k := range p.forms[i].micro {
			if k != nil {
				rest = max(rest, s.steps*p.turns(p.depth(0))*k.ahead)
			}
		}
	}
	count, apart, length := p.sourceShape(p.listedDepth())
	return listing{count, apart, length, rest, s.partBytes, p.routeB == inPlace}
}

func (g listing) lists() (s lists) {
	s.part = make([]int32, 0, g.count*(parts(g.length-1, line)+1)+g.rest)
	for i := range g.count {
		for at := line - 1; at < g.length+line-1; at += line { // from where rows begin anywhere in a line
			s.part = append(s.part, int32(i*g.apart+min(at, g.length-1)))
		}
	}
	s.none = s.part[len(s.part):][:g.rest] // no others are behind those of a list
	if g.inPlace {
		s.kept = s.part
		return s
	}
	s.kept = make([]int32, 0, parts(g.partBytes, line)+g.rest)
	for at := 0; at < g.partBytes; at += line {
		s.kept = append(s.kept, int32(at))
	}
	return s
}

// bundle is panels [first, end) of product n, from depth k on, which a thread packs while it multiplies others.
type bundle struct {
	n, k, depth, first, end int
	packed, asked           int  // of the depths
	kept                    bool // it is not to be packed any more, and only asked for
}

// source makes sure that panel i of [first, last) is packed, and says what is needed next.
func (w *task) source(n, row, k, i, first, last int) {
	p := w.p
	if p.lays {
		w.laidSource(n, row, k, i, first, last)
		return
	}
	start := i - (i-first)%p.bundle // of its bundle
	due, end := i == start, min(start+p.bundle, last)
	if row == 0 && due {
		w.packBundle(n, k, i, first, end)
	}
	switch {
	case !p.listed:
	case row == 0 && end < last:
		if due {
			w.packNext(n, k, w.args.depth, end, min(end+p.bundle, last))
		}
	case i+1 < last && p.keeps():
		w.askKept(n, k, i+1)
	case due || p.keeps():
		w.askNext(n, row, k, first, last)
	}
}

// packBundle packs panels [i, end), of an item whose panels begin with first, or what is left of them.
func (w *task) packBundle(n, k, i, first, end int) {
	p := w.p
	whole := p.packsWhole()
	if whole && k > 0 {
		return
	}
	if w.firstOwn, w.depthOwn = first, p.ownFrom(k); p.ownPanels == p.bundle {
		w.firstOwn = i
	}
	if p.slots() > 1 {
		w.slot = 1 - w.slot
	}
	from, k1 := k, k+w.args.depth
	if whole {
		k1 = p.k
	}
	if b := &w.coming; !b.kept && b.n == n && b.k == k && b.first == i && b.end == end {
		from += b.packed
	}
	w.coming = bundle{}
	w.packOwn(n, from, k1, i, end)
}

// packNext says that panels [i, end) are packed while others are multiplied.
func (w *task) packNext(n, k, depth, i, end int) {
	w.coming = bundle{n: n, k: k, depth: depth, first: i, end: end}
}

// askKept says that panel i, packed or in place, is needed next, from depth k on.
func (w *task) askKept(n, k, i int) {
	w.coming = bundle{n: n, k: k, depth: w.p.depth(k), first: i, end: i + 1, kept: true}
}

// askRows says what is needed of B, in place, after panel i of [first, last) in the depth from k on.
func (w *task) askRows(n, k, i, first, last int) {
	if i++; i == last {
		i, k = first, k+w.args.depth
	}
	w.coming = bundle{}
	if k < w.p.k {
		w.askKept(n, k, i)
	}
}

// askNext says what is needed after panels [first, last), for rows from row on, in the part of the depth from k on.
func (w *task) askNext(n, row, k, first, last int) {
	p := w.p
	nextRow, nextK := row+p.mc, k
	if p.direct && nextRow >= p.m {
		nextRow, nextK = 0, k+w.args.depth
	}
	if !p.direct {
		if nextRow, nextK = row, k+w.args.depth; nextK >= p.k {
			nextRow, nextK = row+p.mc, 0
		}
	}
	w.coming = bundle{}
	switch {
	case nextRow < p.m && nextK < p.k && nextRow > 0:
		w.askKept(n, nextK, first)
	case p.slots() == 1 && !p.lays:
	case nextRow < p.m && nextK < p.k:
		w.packNext(n, nextK, p.depth(nextK), first, min(first+p.bundle, last))
	case w.following && last < len(p.panels):
		w.packNext(n, 0, p.depth(0), last, min(last+p.bundle, last+p.group, len(p.panels)))
	case w.following && n+1 < p.batch:
		w.packNext(n+1, 0, p.depth(0), 0, min(p.bundle, p.group))
	}
}

// rest has the next call ask for nothing.
func (w *task) rest() {
	w.args.next, w.args.list = uintptr(w.args.b), unsafe.Pointer(unsafe.SliceData(w.p.sources.none))
}

// proceed packs what was asked for during the last call of a micro-kernel, and says what the next one asks for.
func (w *task) proceed() {
	p, b := w.p, &w.coming
	s := &p.sources
	w.rest()
	if b.packed < b.asked && !b.kept {
		w.packAhead(b.k+b.packed, b.k+b.asked)
	}
	b.packed = b.asked
	if b.asked == b.depth {
		return
	}
	pn := &p.panels[b.first]
	if k := b.k + b.asked; b.kept {
		w.args.next, w.args.list = uintptr(w.panel(b.n, pn, k)), unsafe.Pointer(unsafe.SliceData(s.kept))
	} else {
		w.args.next, w.args.list = uintptr(w.inB(b.n, pn, k)), unsafe.Pointer(unsafe.SliceData(s.part))
	}
	if b.asked += s.depth; b.depth-b.asked < s.depth/2 || b.depth-b.asked < packDepth {
		b.asked = b.depth
	}
}

// packAhead packs depths [k0, k1) of the bundle that is multiplied next.
func (w *task) packAhead(k0, k1 int) {
	p, b := w.p, &w.coming
	firstOwn, depthOwn, slot := w.firstOwn, w.depthOwn, w.slot
	if p.slots() > 1 {
		w.firstOwn, w.depthOwn, w.slot = b.first, p.ownFrom(b.k), 1-slot
	}
	w.packOwn(b.n, k0, k1, b.first, b.end)
	w.firstOwn, w.depthOwn, w.slot = firstOwn, depthOwn, slot
}

// asking loads the registers of what a kernel asks for.
func (k *microKey) asking(a *asm.Assembler) {
	if k.ahead > 0 {
		a.RM(asm.MOV, asm.W64, regNext, asm.M(asm.RDI, argNext))
	}
	if k.ahead > 0 && k.listed {
		a.RM(asm.MOV, asm.W64, regList, asm.M(asm.RDI, argList))
	}
}

// ask asks for line i of those of a turn.
func (k *microKey) ask(a *asm.Assembler, i int) {
	if !k.listed {
		a.Prefetch(asm.PREFETCHT1, asm.M(regNext, int32(i*line)))
		return
	}
	a.RM(asm.MOVSXD, asm.W64, regLine, asm.M(regList, int32(4*i)))
	a.Prefetch(asm.PREFETCHT1, asm.MX(regNext, regLine, 1, 0))
}

// asked goes on to what is asked for in the next turn.
func (k *microKey) asked(a *asm.Assembler) {
	switch {
	case k.ahead == 0:
	case k.listed:
		a.RI(asm.ADD, asm.W64, regList, int64(4*k.ahead))
	default:
		a.RI(asm.ADD, asm.W64, regNext, int64(k.ahead*line))
	}
}
