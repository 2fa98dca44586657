package gemm

// Where one row or a few of A are multiplied with a B that comes from memory, reading B is what takes time. A core
// whose first cache waits for fewer lines than memory can bring asks for those of the next step, into the second cache.

const (
	// farAlong is how many bytes of B are asked for ahead at least.
	farAlong = 2 << 10
	// mostFar is the most bytes of a step of which the next one is asked for.
	mostFar = 128 << 10
)

// asksB reports whether B comes from memory and is asked for.
func (p *Product) asksB() bool {
	from := p.config.AskFrom
	return from > 0 && (p.spec.B.Far || p.n*p.k*p.spec.B.Type.ByteSize() >= from)
}

// askB is how many bytes behind what is read of B that is which is asked for meanwhile, or 0: nothing is. A step reads
// read bytes, and begins apart bytes behind the one before.
func (p *Product) askB(apart, read int) int {
	switch {
	case !p.asksB():
		return 0
	case read > mostFar || !fits(apart*parts(farAlong, read)):
		return farAlong
	}
	return apart * parts(farAlong, read)
}
