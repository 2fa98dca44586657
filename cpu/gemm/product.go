package gemm

import (
	"fmt"
)

// Product is a planned product. It is not changed by a run and may be used by many at once.
type Product struct {
	spec   Spec
	asked  *Spec   // if spec is another one
	around *around // if there are zeros around A
	frame  *frame  // if planes of B are brought with zeros around them
	config Config
	kind   kind
	// sizes
	batch, m, n, k int
	// swapped: A and B have changed places, for a C of one column.
	swapped bool
	// turned: and so have those of few columns, which are rows here: C lies the other way.
	turned         bool
	alone          bool // one thread does it
	routeA, routeB route
	regs           registers
	lanes          int // of a vector
	panels         []panel
	// mc rows, kc of the depth, nc and group panels: of a block of A, of what is packed at a time, of an item.
	mc, kc, nc, group int
	// On route packedBy: bundle panels are packed at a time, just before they are multiplied with the first rows, and
	// ownPanels of them, so much of their depth, are kept.
	bundle, ownPanels, ownDepth int
	// lays: it is the first rows that pack them (lay.go).
	lays bool
	// laysA: those of the first panel pack A (layrows.go).
	laysA bool
	// along: rows of several panels are packed one behind the other (along.go).
	along bool
	// mayStay: B is read in place unless it is packed so.
	mayStay bool
	// What kernels that ask for lines of a list are given (sources.go), if they are.
	listed  bool
	sources sources
	later   int // see laterRows
	// Bytes between what the micro-kernels read: rows and depths of A, in place or in a packed block, rows of B in
	// place; rowB of what is packed, and sourceA, are those between contiguous pieces in the array.
	rowA, depthA, rowB, sourceA int
	columnB                     int // bytes between columns that are packed by four depths; 0: rows are
	orderA, orderB              order
	depthMajor                  bool // packed A is depth by depth
	// Elements of A that are evenly spaced: rows and depths of a run.
	runRows, runDepth int
	runDepthB         int // of B, if it is packed
	windows           windows
	// runsOfA is where the runs of depths begin, in bytes, if micro-kernels multiply several of them.
	runsOfA []int
	// where products and rows of C are
	batchC, rowsC places
	// direct: the sums are C itself.
	direct bool
	// overlap is how B is packed if its columns have the same elements again and again (overlap.go).
	overlap *overlap
	// deep is the depth of tiles that are read of runs of A in place.
	deep int
	// across: tiles multiply strips of rows with panel after panel (across.go).
	across bool
	// follows: items are some rows of C and all columns.
	follows bool
	// denseA and denseB are the bytes of one product's A and B, if these have no gaps; else 0.
	denseA, denseB int
	// places of what is packed, or is a batch.
	batchA, batchB, freeA, freeB, depthOfA, depthOfB places
	readA, readB                                     gather
	copiesB                                          bool // readB copies
	write                                            scatter
	forms                                            []form
	block                                            packKey // of A
	blockCopier                                      uintptr
	pieces                                           []piece
	turning                                          turning
	narrowKey                                        narrowKey
	narrower                                         uintptr
	sweepKey                                         sweepKey
	sweeper                                          uintptr
	dotKeys                                          [4]dotKey // groups of columns, the rest, of all and the last rows
	dots                                             [4]uintptr
	few                                              fewKey // how A is turned for them, if it is
	fewTurner                                        uintptr
	code                                             *kernels // nil: kernels in Go
	run                                              known
	// emulate, if it is set, runs kernels in the place of the processor.
	emulate func(fn uintptr, args []byte)
}

// New plans the product.
func New(s Spec, c Config) (*Product, error) {
	p := new(Product)
	if err := p.begin(s, c); err != nil {
		return nil, err
	}
	p.choose()
	p.alone = p.threads() == 1
	a, b := &p.spec.A, &p.spec.B
	p.batchA, p.batchB = placesOf(0, a.Batch), placesOf(0, b.Batch)
	p.readA, p.readB, p.write = reader(p.kind, a.Type), reader(p.kind, b.Type), writer(p.kind, s.C)
	if p.kind == kindPairs && p.orderB == copied {
		p.readB = pairReader(b.Type, b.Depth.run().Stride)
	}
	p.copiesB = p.kind.sameBits(b.Type) && (p.kind == kindF32 || p.kind == kindF64 || p.kind == kindS32)
	if p.depthMajor && p.kind.wide() > 1 {
		p.readA = groupsApart(p.kind.wide(), a.Depth.run().Stride)
	}
	if p.routeA == packed || p.runRows < p.m || p.runDepth < p.k || a.Around != nil {
		p.freeA, p.depthOfA = placesOf(0, a.Free), placesOf(0, a.Depth).every(p.depthsOfA())
	}
	if err := p.chooseAround(); err != nil {
		return nil, err
	}
	if p.packsB() {
		p.freeB, p.depthOfB = placesOf(0, b.Free), placesOf(0, b.Depth).every(p.kind.wide())
	}
	if p.overlap != nil {
		p.depthOfB = placesOf(0, p.overlap.base).every(p.kind.wide())
	}
	p.denseA, p.denseB = a.denseBytes(), b.denseBytes()
	p.listed = p.asksSources()
	p.later = p.laterRows()
	p.chooseForms()
	p.run = p.knownOfRuns()
	return p, nil
}

// Check returns the error of New, at little cost.
func Check(s Spec) error {
	var p Product
	return p.begin(s, Config{})
}

// begin makes p a product for which nothing is decided yet.
func (p *Product) begin(s Spec, c Config) error {
	if err := s.check(); err != nil {
		return err
	}
	if s.dense() {
		s.Rows, s.Products = nil, nil
	}
	*p = Product{spec: s, config: c, batch: s.Batch(), m: s.M(), n: s.N(), k: s.K()}
	p.kind, _ = kindOf(s.A.Type, s.B.Type, s.C)
	if p.n == 1 && p.m > 1 && !s.placed() && !s.oneByQuads(&c) {
		p.spec.A, p.spec.B, p.spec.Constant, p.swapped = s.B, s.A, false, true
		p.m, p.n = p.n, p.m
	}
	p.direct = p.kind.sameBits(s.C)
	p.choosePlaces()
	if step := p.rowsC.step; !fits(step * p.kind.size()) {
		return fmt.Errorf("gemm: expected rows of C less than 16 MiB apart, got %d elements", step)
	}
	return nil
}

// Spec returns what was asked for.
func (p *Product) Spec() Spec {
	if p.asked != nil {
		return *p.asked
	}
	s := p.spec
	if p.swapped {
		s.A, s.B = s.B, s.A
	}
	return s
}

// String describes the product and its routes.
func (p *Product) String() string {
	s := p.Spec()
	b := routeNames[p.routeB]
	a := routeNames[p.routeA]
	if p.laysA {
		a = "laid down by the first panel"
	}
	if p.lays {
		b = "laid down by the first rows"
	}
	return fmt.Sprintf("%v; a %s, b %s", &s, a, b)
}

// vectors is how many vectors all panels have.
func (p *Product) vectors() int {
	last := &p.panels[len(p.panels)-1]
	return last.at + last.nv
}

// batchBytes is the size of one product's B when packed.
func (p *Product) batchBytes() int { return p.vectors() * p.regs.vector * p.k }

// align is the alignment of scratch memory, and of what it is cut into.
const align = 64

func aligned(n int) int { return (n + align - 1) &^ (align - 1) }

// scratch describes the areas in scratch memory.
type scratch struct {
	shared int // packed B
	block  int // a thread's block of A, packed or with zeros around it
	sums   int // a thread's sums where C has another type
	own    int // a thread's packed B
	starts int // a thread's beginnings of sums
}

func (p *Product) scratch() scratch {
	var s scratch
	switch p.routeB {
	case packed:
		most := 0
		for at := 0; at < len(p.panels); at += p.nc {
			most = max(most, p.groupBytes(at, min(at+p.nc, len(p.panels)), p.k))
		}
		if p.overlap != nil {
			most = p.overlap.vectors(p.lanes) * p.regs.vector * p.overlap.depth
		}
		s.shared = aligned(most)
	case packedBy:
		most := 0
		for at := 0; at < len(p.panels); at += p.ownPanels {
			most = max(most, p.groupBytes(at, min(at+p.ownPanels, len(p.panels)), p.ownDepth))
		}
		s.own = aligned(most) * p.slots()
	}
	if p.routeA == packed {
		s.block = aligned(max(p.mc*p.rowA, p.kc*p.depthA))
	}
	if p.few.rows > 0 {
		s.block = aligned(p.m * p.few.to)
	}
	if p.around != nil {
		s.block = aligned(p.around.bytes)
	}
	if p.frame != nil {
		s.block = aligned(p.frameBytes(p.frame))
	}
	if p.flips() {
		s.starts = p.regs.most * p.regs.vector
	}
	if !p.direct {
		s.sums = aligned(p.mc * p.sumsWidth() * p.kind.size())
	}
	return s
}

// sumsWidth is how far apart rows of a thread's sums are: the columns of a group of panels, or a little more.
func (p *Product) sumsWidth() int {
	most := 0
	for at := 0; at < len(p.panels); at += p.group {
		last := &p.panels[min(at+p.group, len(p.panels))-1]
		most = max(most, last.col+last.cols-p.panels[at].col)
	}
	if p.routeB == swept && !p.sweepBlock().held {
		return p.spread(most)
	}
	if p.kind.tiles() { // rows of tiles are lines, and would fall on few sets of a cache
		if most = parts(most, p.lanes) * p.lanes; most*p.kind.size()%(8*skew) == 0 {
			most += skew / p.kind.size()
		}
	}
	return most
}

// groupBytes is the size of panels [from, to) when packed, so much of their depth.
func (p *Product) groupBytes(from, to, depth int) int {
	last := &p.panels[to-1]
	return (last.at + last.nv - p.panels[from].at) * p.regs.vector * depth
}

// ScratchBytes returns how much scratch memory a run needs. It must start at a multiple of 64 bytes.
func (p *Product) ScratchBytes() int {
	s := &p.run.areas
	return s.shared + max(p.config.Threads, 1)*(s.block+s.sums+s.own+s.starts)
}
