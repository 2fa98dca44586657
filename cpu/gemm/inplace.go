package gemm

import "math"

// How many rows of A make it pay to pack B, rather than to read it in place.
const (
	// reuseRows is the number of rows of A from which packing pays where B in place falls out of the cache.
	reuseRows = 32
	// streamRows is the same where a panel stays in the cache for a block of A, but not for the next.
	streamRows = 384
	// wideRows is the same where a panel is a line and more, and all of B stays in the cache.
	wideRows = 160
	// streamFar is the same for rows of B that are further apart than farRows, two pages: the hardware does not ask for
	// the next one. streamFarWide is that for vectors of 64 bytes.
	farRows       = 8 << 10
	streamFar     = 128
	streamFarWide = 64
	// streamNear is the same for panels of 32 bytes to a vector, which would stay in the nearest cache, where their rows
	// are in more pages than it finds at once, of nearPages bytes together. Of f64 it gains nothing.
	streamNear = 192
	nearPages  = 96 * 4 << 10
	// unevenRows is the same for panels of 32 bytes to a vector, of a B that does not stay in the second-level cache and
	// whose rows are so far apart that vectors lie in two lines.
	unevenRows = 24
	// crowdedFrom is how far apart rows of B are at least, if taking half of the sets they fall on is too much for vectors
	// of 64 bytes.
	crowdedFrom = 2 << 10
)

// rowsToPack returns from how many rows of A on packing B pays, whose rows are so many bytes apart. In place, a panel
// is read again and again from the second-level cache. It stays there unless its rows fall on the same few sets of
// cache lines, which costs less where the hardware asks for the next row by itself; to take just half of these costs
// little.
func (p *Product) rowsToPack(apart int) int {
	size, ways := p.config.l2(), 16
	if size < 1<<20 {
		ways = 8
	}
	sets := size / (line * ways)
	rows := min(p.k, p.mostDepth())
	most, stream := sets*ways/2, streamRows
	if apart > farRows {
		if most, stream = sets*ways*3/8-1, streamFar; p.regs.wide() {
			stream = streamFarWide
		}
	}
	crowd := 0
	if apart%line == 0 {
		crowd = rows * gcd(apart/line, sets)
	}
	switch {
	case crowd > most:
		return reuseRows
	case crowd == most && !p.regs.wide():
		return streamFar
	case crowd == most && apart >= crowdedFrom:
		return streamRows
	case !p.regs.wide() && apart%p.regs.vector > 0 && p.k*apart > size/2:
		return unevenRows
	case p.k*apart > size:
		return stream
	case !p.regs.wide() && p.kind.size() == 4 && p.k*apart > nearPages:
		return streamNear
	}
	return math.MaxInt
}

// rowsToPackWide is rowsToPack for vectors of 64 bytes where the last cache is far away: even from the second-level
// cache, B comes in time only if it is read in the order of memory.
func (p *Product) rowsToPackWide(apart int) int {
	size, b := p.config.l2(), p.k*apart
	switch {
	case !p.regs.wide() || !p.config.FarL3 || len(p.panels) == 1:
	case b > size/4 || b > size/8 && apart%line > 0:
		return wideRows
	case b == size/4 && len(p.panels) >= leastReaders:
		return streamRows
	}
	return math.MaxInt
}
