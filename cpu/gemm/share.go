package gemm

// About what a thread does in a nanosecond, for the choice of how many threads take part.
const (
	vectorRate = 5   // multiply-adds of vectors, a lane
	halvesRate = 3   // if vectors of 64 bytes take two slots
	tileRate   = 640 // those of tiles
	cacheRate  = 75  // bytes from the second-level cache
)

// perProduct is the least nanoseconds that each product of a batch takes more.
const perProduct = 10

// leastShare is the least time, in nanoseconds, that is worth a thread: handing a part out and waiting for it takes
// about 700, if nothing comes between.
const leastShare = 2300

// About what another thread's caches give in a nanosecond, and the most that is taken to come from there: more has been
// written by several threads, or has left the caches.
const (
	otherRate = 8
	mostOther = 1 << 17
)

// threads is how many threads the product is worth.
func (p *Product) threads() int {
	return max(1, min(p.config.Threads, p.nanoseconds()/(leastShare+min(p.fresh()/2, mostOther)/otherRate)))
}

// fresh is how many bytes have just been written, or are soon read by what comes after in the same way.
func (p *Product) fresh() int {
	bytes := 0
	for _, o := range []*Operand{&p.spec.A, &p.spec.B} {
		if o.Fresh {
			bytes += o.Free.Size() * o.Depth.Size() * o.Type.ByteSize()
		}
	}
	if bytes > 0 {
		bytes += p.m * p.n * p.spec.C.ByteSize()
	}
	return p.batch * bytes
}

// ownByBatch reports whether threads have products of the batch of which each packs B.
func (p *Product) ownByBatch() bool {
	return p.batch >= 2*p.config.Threads && p.k*p.n*p.kind.size() <= p.mostOwn()
}

// mostOwn is the most bytes of a product's B that one thread packs. To tiles a part that is packed between calls is
// waiting: that is for products too small for several threads.
func (p *Product) mostOwn() int {
	if p.kind.tiles() {
		return 128 << 10
	}
	return 1 << 20
}

// grainOf is how many of items a thread takes at a time that would else take so many.
func (p *Product) grainOf(items, grain int) int {
	if p.alone {
		return items
	}
	return grain
}

// nanoseconds is about how long one thread takes for the product, whose operands are in its caches.
func (p *Product) nanoseconds() int {
	rate := vectorRate * p.lanes
	switch {
	case p.kind.tiles():
		rate = tileRate
	case p.config.Halves && p.regs.wide():
		rate = halvesRate * p.lanes
	}
	k := p.spec.K()
	if p.kind.diagonals() {
		k *= p.kind.wide()
	}
	bytes := k * (p.m*p.spec.A.Type.ByteSize() + p.n*p.spec.B.Type.ByteSize())
	return max(p.batch*p.m*p.n*k/(rate*p.kind.wide()), p.batch*bytes/cacheRate) + (p.batch-1)*perProduct
}

// adds is the multiply-adds of lanes that a result takes: of lanes that are depths, all of them count.
func (p *Product) adds() int {
	if p.kind.splits() {
		return p.k * p.kind.wide()
	}
	return p.k
}

// Time is about how many nanoseconds one thread takes for the product.
func (p *Product) Time() int { return p.nanoseconds() }

// Alone reports whether one thread does the product.
func (p *Product) Alone() bool { return p.alone }

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// unevenly reports whether threads would be idle for more than an eighth of the time if items were so many panels.
func (p *Product) unevenly(group, threads int) bool {
	n := len(p.panels)
	return 8*parts(p.batch*parts(n, group), threads)*threads*group > 9*n*p.batch
}
