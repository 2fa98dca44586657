package gemm

// What comes after a product may go through C row by row. If C is large it has left the cache by then, and of a product
// of little depth reading it again takes as long as a part of the multiplications. So the rows are made a few at a
// time, with all of their columns, and what comes after is called for each few. That is for a B that stays in the
// second-level cache, as each few rows read all of it.

// followBytes is what rows of C that are complete may take of the second-level cache.
func (p *Product) followBytes() int { return p.config.l2() / 8 }

// Follows reports whether runs of the product take [Args].After: it was asked for by Spec.Together, and pays. Ranges of
// rows then begin and end at multiples of that.
func (p *Product) Follows() bool { return p.follows }

// MayFollow reports whether C is as large as that of a product that Follows, so that it is worth to plan it with
// [Spec].Together.
func (p *Product) MayFollow() bool { return p.batch*p.m*p.n*p.spec.C.ByteSize() >= p.config.l2()/2 }

// chooseFollowed cuts the rows for what comes after them, or leaves them whole if a product of a batch is small enough.
// It reports whether that is all there is to cut.
func (p *Product) chooseFollowed(direct bool) bool {
	step, row := p.spec.Together, p.n*p.spec.C.ByteSize()
	if step <= 0 || p.m%step != 0 || p.swapped || p.spec.placed() || !p.MayFollow() {
		return false
	}
	if p.m*row <= 2*p.followBytes() && p.wholeItems() {
		p.follows = true
		return false
	}
	if !p.canFollow(direct) {
		return false
	}
	mr := p.stepRows(p.panels[0].nv)
	unit := mr / gcd(mr, step) * step
	most, threads := p.followBytes()/row, max(1, p.config.Threads)
	if most < unit || p.m <= unit {
		return false
	}
	count := parts(p.m, most)
	if p.batch < ownItems*threads { // as many for each thread
		count = parts(max(count, ownItems*threads), threads) * threads
	}
	p.follows, p.group, p.mc = true, p.nc, min(parts(parts(p.m, count), unit)*unit, p.m)
	return true
}

// wholeItems reports whether items are whole products of a batch.
func (p *Product) wholeItems() bool {
	return p.batch >= 2*max(1, p.config.Threads) && (p.routeB == packedBy ||
		(p.routeB == inPlace || p.routeB == constant) && p.m <= p.blockRows() && p.m <= p.runRows)
}

// canFollow reports whether a few rows can be made at a time, reading all of B for each few.
func (p *Product) canFollow(direct bool) bool {
	return direct && p.direct && (p.routeB == inPlace || p.routeB == constant) && p.kc >= p.k && p.runRows >= p.m &&
		p.m >= fewRows && p.k*p.n*p.kind.size() <= p.config.l2()/4
}
