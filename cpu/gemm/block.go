package gemm

import (
	"cmp"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/shape"
)

// Config is the machine that a product is made for.
type Config struct {
	Tier exec.Tier
	// Threads is the most threads that a run uses: that many scratch areas are needed.
	Threads int
	// Denormals: how products take such numbers of f32 and f64.
	Denormals exec.Denormals
	// VNNI: the instructions of AVX-512 for products of small integers are there.
	VNNI bool
	// BF16: those for products of bf16 are there.
	BF16 bool
	// L1 and L2 are the sizes of a core's caches for data in bytes; 0: 32 KiB, 1 MiB.
	L1, L2 int
	// L3 is how many bytes of the last cache take what is written faster than memory ([exec.Features.NearL3]); 0: none do.
	L3 int
	// FarL3: a line of the last cache is long in coming, if the hardware has not asked for it ([exec.Features.FarL3]).
	FarL3 bool
	// Halves: vectors of 64 bytes take two slots ([exec.Features.HalfVectors]).
	Halves bool
	// Split: sums have units of their own ([exec.Features.SplitUnits]). Products do not look at it.
	Split bool
	// AsksRows: code asks for the lines of rows that it reads in turns ([exec.Features.AsksRows]).
	AsksRows bool
	// AskFrom: of so many bytes, what is only read is asked for ([exec.Features.AskFrom]); 0: never.
	AskFrom int
	// TileBF16 and TileInt8: there are tile registers for products of bf16, with the instructions of AVX-512 for bf16, and
	// of s8 and u8.
	TileBF16, TileInt8 bool
}

// Words reports whether bf16 are multiplied two at once.
func (c *Config) Words() bool { return c.TileBF16 || c.BF16 }

func (c *Config) l1() int { return cmp.Or(c.L1, 32<<10) }

func (c *Config) l2() int { return cmp.Or(c.L2, 1<<20) }

// wholeBytes is the most of a block of A.
func (p *Product) wholeBytes() int { return p.config.l2() * 3 / 8 }

// blockRows is the rows of a block of A. Where they are not all, and panels are asked for ahead, half as many leave
// room for more of what is asked for. Of rows that are laid down it is as many for f64 as for f32, since panels take as
// long.
func (p *Product) blockRows() int {
	most := p.wholeBytes() / (p.kc * p.kind.size())
	switch {
	case p.m <= most || p.routeB == inPlace:
	case p.laysA:
		most = p.wholeBytes() * 5 / 8 / (p.kc * shape.F32.ByteSize())
	default:
		most /= 2
	}
	if sums := p.config.l2() / 8 / (p.n * p.kind.size()); p.kind.tiles() && !p.direct && sums >= leastSums {
		most = min(most, sums) // they are rounded while they are near
	}
	return max(fewRows, min(p.m, most))
}

// leastSums is the least rows of sums that are rounded at a time: each reads all of B.
const leastSums = 128

// How an operand reaches the micro-kernel.
type route uint8

const (
	inPlace   route = iota
	packed          // A: each block by the thread that needs it. B: before the product, by all threads
	packedBy        // B: by the thread that needs it; an item is all rows of a product of the batch and some panels
	constant        // B: by Prepack
	dotted          // B: in place, along the depth
	inWindows       // B: in place, as places of a window
	swept           // B: in place, row by row
)

var routeNames = [...]string{"in place", "packed", "packed by item", "packed before", "along the depth", "in windows",
	"row by row"}

// Sizes of blocks, in bytes unless said otherwise.
const (
	packBytes  = 8 << 20 // of B packed at a time
	minPackedN = 256     // columns packed at a time at least, if several blocks of A are multiplied with them
	// fewRows: for fewer rows of A, blocks of registers are as many rows high and wider.
	fewRows = 6
	// itemWork is the least work of an item, in multiply-adds: about a microsecond.
	itemWork = 1 << 16
	// callWork is the most of one call of a micro-kernel.
	callWork = 2 << 20
	// evenWork is the least of an item of many threads, which is there to even them out.
	evenWork = 16 * itemWork
	// manyThreads: so many do not go at the same speed.
	manyThreads = 4
	// ownItems is how many items a thread has of many panels, to even out what threads need.
	ownItems = 4
)

// shape of a block of registers: vectors of 64 bytes in 32 registers, or of 32 bytes in 16.
type registers struct{ vector, sums, most int }

var (
	wideRegisters   = registers{64, 24, 4}
	narrowRegisters = registers{32, 12, 2}
)

// wide reports whether vectors have 64 bytes, and opmasks.
func (r registers) wide() bool { return r.vector == 64 }

// rowsFor is how many rows of nv vectors fit.
func (r registers) rowsFor(nv int) int { return min(r.sums/nv, maxRows) }

// widest is the number of vectors of a block of m rows. Where they are few it is not more than 256 bytes: reading
// longer parts of rows of B is slower (BenchmarkF32, 1x4096x1024).
func (r registers) widest(m int) int {
	if m >= fewRows || r.wide() {
		return r.most
	}
	return [fewRows]int{1, 8, 4, 3, 2, 2}[m]
}

// panel is a part of the columns as wide as a block of registers.
type panel struct {
	col, cols int
	nv        int
	form      int // of its kernels
	// at is where it is in packed B, in vectors for each depth.
	at int
}

// panels cuts n columns into parts of at most most vectors, as equal as can be.
func panels(n, lanes, most int) []panel {
	vectors := (n + lanes - 1) / lanes
	count := (vectors + most - 1) / most
	out := make([]panel, 0, count)
	for at := 0; at < vectors; {
		nv := (vectors - at + count - len(out) - 1) / (count - len(out))
		out = append(out, panel{col: at * lanes, cols: min(nv*lanes, n-at*lanes), nv: nv, at: at})
		at += nv
	}
	return out
}

// chooseRegisters finds the registers of the tier.
func (p *Product) chooseRegisters() {
	p.regs = narrowRegisters
	if p.config.Tier >= exec.AVX512 {
		p.regs = wideRegisters
	}
	p.lanes = p.regs.vector / p.kind.size()
}

// line is the size of a line of a cache.
const line = 64

func parts(n, size int) int { return (n + size - 1) / size }

// chooseB decides how B reaches the micro-kernels, and in which order it is packed if it is.
func (p *Product) chooseB() {
	b := &p.spec.B
	col, flatN := b.Free.Stride()
	row, flatK := b.Depth.Stride()
	size := b.Type.ByteSize()
	flat := flatN && flatK
	rows := flat && fits(row*size) && (col == 1 || p.n == 1)
	same := p.kind.sameBits(b.Type)
	switch {
	case flat && p.canDot(col, row) && !(rows && p.n > 1):
		p.planDots()
		return
	case rows && p.loadsRows() && p.chooseSweep(row*size):
		return
	case rows && p.loadsRows() &&
		(p.m < fewRows || same && !p.spec.Constant && p.m < min(p.rowsToPack(row*size), p.rowsToPackWide(row*size))):
		p.routeB, p.rowB = inPlace, row*size
		p.along = p.packsAlong(row * size)
		if p.mayStay = p.along || p.paysToLay(row*size); !p.mayStay {
			return
		}
	case rows:
		p.along = p.packsAlong(row * size)
	}
	p.along = p.along && !p.spec.Constant // which is packed ahead, once
	p.packedRoute()
	run := b.Depth.run()
	p.runDepthB = run.Size
	switch {
	case flatN && fits(run.Stride*size) && (col == 1 || p.n == 1):
		p.orderB, p.rowB = copied, run.Stride*size
	case flatN && run.Stride == 1 && run.Size >= p.lanes && fits(col*size):
		p.orderB, p.rowB = turned, col*size
	}
}

// packedRoute decides who packs B.
func (p *Product) packedRoute() {
	switch {
	case p.spec.Constant:
		p.routeB = constant
	case p.ownByBatch():
		p.routeB = packedBy
	default:
		p.routeB = packed
	}
}

// loadsRows reports whether micro-kernels can load rows of B.
func (p *Product) loadsRows() bool {
	same, tail := p.kind.sameBits(p.spec.B.Type), p.n%p.lanes
	switch {
	case !p.native():
		return same
	case p.kind == kindS32 && !p.regs.wide(): // no register is left for a mask
		return same && tail == 0
	}
	return p.regs.loads(p.kind, p.spec.B.Type, tail)
}

// fits reports whether addresses of a few dozen rows so far apart can be immediates.
func fits(stride int) bool { return stride >= 0 && stride < 1<<24 }

// directA reports whether the micro-kernels read A where it is.
func (p *Product) directA() bool {
	a := &p.spec.A
	size := p.kind.size()
	row, flatM := a.Free.Stride()
	depth, flatK := a.Depth.Stride()
	p.runRows, p.runDepth = p.m, p.k
	if (!flatM || !flatK) && p.runsA() {
		row, depth, flatM, flatK = a.Free.run().Stride, a.Depth.run().Stride, true, true
	}
	if p.kind.tiles() {
		return p.tilesInPlace()
	}
	if p.kind.grouped() {
		return p.groupsInPlace()
	}
	if p.kind == kindPairs && a.Type == shape.S16 && flatM && flatK {
		p.rowA, p.depthA = 2*row, size
		return true
	}
	if p.kind.diagonals() {
		p.rowA, p.depthA = row*size, depth*size
		return true
	}
	if p.kind.splits() {
		ways := p.kind.wide()
		p.runDepth, p.rowA, p.depthA = p.spec.A.Depth.run().Size/ways, row*size, ways*size
		return true
	}
	if !p.kind.sameBits(a.Type) || !flatM || !flatK || !fits(row*size) || !fits(depth*size) {
		return false
	}
	if p.native() && depth != 1 && depth*size >= farDepths && p.n*size >= p.columnsToPackA() {
		return false
	}
	p.rowA, p.depthA = row*size, depth*size
	p.laysA = depth == 1 && p.runRows >= p.m && p.runDepth >= p.k && p.laysRows(row*size)
	return !p.laysA
}

// skew keeps rows of packed A off multiples of a power of two.
const skew = 64

// packA decides how blocks of A are packed: as they lie, rows or depths one behind the other.
func (p *Product) packA() {
	a := &p.spec.A
	size := p.kind.size()
	row, depth := a.Free.run(), a.Depth.run()
	p.routeA, p.runRows, p.runDepth = packed, row.Size, parts(depth.Size, p.kind.wide())
	p.rowA, p.depthA = aligned(p.kc*size)+skew, size
	switch {
	case p.kind.tiles() && depth.Stride != 1:
		p.orderA, p.sourceA = turned, depth.Stride*a.Type.ByteSize()
	case depth.Stride == 1 && fits(row.Stride*a.Type.ByteSize()):
		p.orderA, p.sourceA = copied, row.Stride*a.Type.ByteSize()
	case p.turnsA():
		p.orderA, p.sourceA = turned, depth.Stride*a.Type.ByteSize()
	case row.Stride == 1 && fits(depth.Stride*a.Type.ByteSize()):
		p.orderA, p.sourceA, p.depthMajor = copied, depth.Stride*a.Type.ByteSize(), true
		p.rowA, p.depthA = size, aligned(p.mc*size)+skew
		p.sourceA *= p.kind.wide()
		if p.denseDepths() {
			p.depthA = p.mc * size
		}
	}
}

// chooseOwn goes over to threads that pack for themselves what they multiply with all rows: what is packed is read from
// the cache, and nobody waits for others. That is not for products of so few panels that threads would be idle, or read
// A for too little each, nor where a part of the depth is too little to turn. An A that is not read in place is packed
// for each item.
func (p *Product) chooseOwn(threads, mc int, direct bool) bool {
	n := len(p.panels)
	if p.routeB != packed || p.packsWhole() || !direct && !p.packsRows() {
		return false
	}
	if p.batch*p.m*p.n*p.adds() < 8*itemWork { // done before others are there
		threads = 1
	}
	most, many := n, minPackedN/(p.panels[0].nv*p.lanes)
	if p.m > mc { // packed panels are kept
		most = max(1, packBytes/(threads*p.kc*p.panels[0].nv*p.regs.vector))
	}
	count := parts(parts(n, most)*p.batch, threads) * threads
	if threads > 1 && (direct || p.laysA) {
		count *= max(1, min(ownItems, n*p.batch/(2*count*max(1, many))))
	}
	for group := n + 1; group > 1; count += threads {
		if group = min(n, parts(n*p.batch, count)); p.m > mc && group < min(n, many) {
			return false
		}
		if !p.unevenly(group, threads) {
			p.routeB, p.nc, p.group = packedBy, n, group
			return true
		}
	}
	return false
}

// splitColumns gives each thread panels, which it multiplies with all rows: then each part of B is read by one thread
// only.
func (p *Product) splitColumns(threads int) bool {
	if p.batch >= threads || p.routeB != inPlace && p.routeB != constant {
		return false
	}
	least := max(1, itemWork/max(1, p.m*p.adds()*p.panels[0].nv*p.lanes))
	group := max(least, parts(len(p.panels), threads))
	if threads == 1 || p.unevenly(group, threads) {
		return false
	}
	p.group = group
	return true
}

// chooseItems cuts rows and panels into items.
func (p *Product) chooseItems(direct bool) {
	if p.kind.diagonals() {
		p.chooseBlocks()
		return
	}
	p.nc = len(p.panels)
	if p.chooseFollowed(direct) {
		return
	}
	if p.routeB == packed && p.overlap == nil {
		columns := max(minPackedN, packBytes/(p.k*p.kind.size()))
		most := max(1, min(p.nc, columns/(p.panels[0].nv*p.lanes)))
		p.nc = parts(p.nc, parts(p.nc, most))
	}
	if p.chooseAcross(direct) {
		return
	}
	threads := p.threads()
	mc := p.blockRows()
	own := p.chooseOwn(threads, mc, direct)
	p.stay(own)
	if own || direct && p.m <= mc && p.splitColumns(threads) {
		p.cutRows(parts(p.m, mc), direct)
		return
	}
	count := parts(p.m, mc)
	if p.batch < threads && p.routeB != packedBy {
		count = parts(count, threads) * threads
		least := max(1, itemWork/max(1, p.n*p.adds()))
		count = min(count, max(1, p.m/max(least, 4*fewRows)))
	}
	p.cutRows(count, direct)
	if p.routeB != packedBy {
		p.evenRows(threads)
	}
	if p.group = p.nc; p.overlap != nil {
		p.group = p.overlapGroup()
	}
	switch have := p.batch * parts(p.m, p.mc); {
	case p.routeB == packedBy:
	case have < threads:
		p.group = p.groupFor(itemWork, 2*threads)
	case threads >= manyThreads && have < ownItems*threads && (direct || p.laysA) && !p.kind.tiles() && p.overlap == nil:
		p.group = p.groupFor(evenWork, parts(ownItems*threads, have))
	}
}

// groupFor is how many panels a group has, if there are to be so many groups of as much work, in multiply-adds.
func (p *Product) groupFor(work, groups int) int {
	least := max(1, work/max(1, p.mc*p.adds()*p.panels[0].nv*p.lanes))
	return max(1, min(p.nc, max(least, parts(p.nc, groups))))
}

// cutRows cuts the rows into so many blocks, or a few more: of whole steps, and whole runs.
func (p *Product) cutRows(count int, direct bool) {
	p.mc = parts(p.m, max(count, 1))
	if mr := p.regs.rowsFor(p.panels[0].nv); p.m >= mr {
		p.mc = min(p.m, parts(p.mc, mr)*mr)
	} else if p.kind.tiles() { // an A that is turned when it is packed has kernels for whole tiles and for the last rows
		p.mc = min(p.m, parts(p.mc, tileRows)*tileRows)
	}
	run := p.rowsC.size
	if direct {
		run = min(run, p.runRows)
	}
	if p.mc > run {
		p.mc = p.mc / run * run
	}
}

// evenRows cuts blocks of rows again that are too few for every thread to have as many, such as three runs for two
// threads: into parts of a run.
func (p *Product) evenRows(threads int) {
	run, step := min(p.rowsC.size, p.runRows), p.regs.rowsFor(p.panels[0].nv)
	idle := func(mc int) bool { // for more than an eighth of the time
		items := p.batch * parts(p.m, mc)
		return 8*(parts(items, threads)*threads-items) > items
	}
	if p.mc%run > 0 || p.mc == p.m || !idle(p.mc) {
		return
	}
	for n := 2; run/n >= max(4*fewRows, step); n++ {
		if run%n == 0 && run/n%step == 0 && !idle(run/n) {
			p.mc = run / n
			return
		}
	}
}
