package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// loadLanes reads the lanes in on, or all if that is 0. masked: there may be none.
func (g *gen) loadLanes(a *loop.Access, on reg, masked bool) reg {
	at, step, r := g.address(a), g.laneStride(a), reg(0)
	switch {
	case a.Index != 0 && !g.uniform(a.Index):
		r = g.loadIndexed(a, at, step, on, masked)
	case step == 0:
		return g.loadEqual(a, at, on, masked)
	case step == 1:
		return g.loadNext(a, at, on, masked)
	default:
		r = g.loadApartBy(a, at, step, on, masked)
	}
	if r != 0 {
		return r
	}
	pieces := func() reg { return g.loadPieces(a.Mem, on, masked, g.lanePlaces(a, g.flat(at), step)) }
	if a.Mem.Bytes() >= 4 {
		if !masked && g.isMovedSingly(a) {
			return 0
		}
		pieces = func() reg {
			if r := g.loadSingly(a, at, step, on, masked); r != 0 {
				return r
			}
			index, k := g.laneIndex(a, step)
			return g.t.gather(a.Mem, g.flat(at), index, k, on)
		}
		if masked && a.Index == 0 && (step == -1 || step == 2 || g.canStep(a.Mem.Kind(), step)) {
			return g.allOrPieces(a.Mem.Kind(), on, func() reg { return g.loadApartBy(a, at, step, 0, false) }, pieces)
		}
	}
	return pieces()
}

// loadEqual reads an element that is the same in all lanes.
func (g *gen) loadEqual(a *loop.Access, at mem, on reg, masked bool) reg {
	if !masked {
		return g.loadSame(a.Mem, at)
	}
	none := func(to asm.Label) { g.t.jumpIfNone(on, to) }
	return g.guarded(a.Mem.Kind(), none, func() reg { return g.t.zeroOff(a.Mem.Kind(), on, g.loadSame(a.Mem, at)) })
}

// loadNext reads elements that stand one behind the other.
func (g *gen) loadNext(a *loop.Access, at mem, on reg, masked bool) reg {
	if low, high := g.exactParts(a, on); high > 0 && !masked {
		return g.loadParts(at, low, high)
	}
	switch {
	case g.lanes.half != nil:
		if !g.lanes.half.odd {
			g.askAhead(a, at)
		}
		return g.loadHalf(at)
	case !masked && g.exactPart(a.Mem, on) > 0:
		return g.loadExact(at, g.exactPart(a.Mem, on))
	case on == 0 || a.Mem.Bytes() >= 4 || g.t.masksNarrow():
		g.askAhead(a, at)
		if masked && g.leaves(a) {
			return g.guarded(a.Mem.Kind(), func(to asm.Label) { g.t.jumpIfNone(on, to) },
				func() reg { return g.t.loadUnit(a.Mem, at, on) })
		}
		return g.t.loadUnit(a.Mem, at, on)
	case !masked && g.partOf(on) > 0:
		return g.loadPart(a.Mem, at, g.partOf(on))
	}
	pieces := func() reg {
		return g.loadPieces(a.Mem, on, masked, func(lane int) mem { return at.add(int64(lane) * a.Mem.Bytes()) })
	}
	if !masked {
		return pieces()
	}
	return g.allOrPieces(a.Mem.Kind(), on, func() reg { return g.t.loadUnit(a.Mem, at, 0) }, pieces)
}

// leaves reports whether all lanes of a masked load of neighbours may be outside of the buffer of a. Where there is no
// memory, or none that was used before, a processor takes 300 ns to find that no lane wanted any: it is jumped over.
func (g *gen) leaves(a *loop.Access) bool {
	lo, hi := g.allSpans().Elements(a)
	n := int64(g.laneCount())
	return lo <= -n || hi >= g.nest.Buffers[a.Buffer].Bytes/a.Mem.Bytes()+n-1
}

// loadApartBy reads elements that are step apart by whole vectors, or returns 0.
func (g *gen) loadApartBy(a *loop.Access, at mem, step int64, on reg, masked bool) reg {
	if step == -1 && !masked {
		if r := g.loadBack(a.Mem, at, on); r != 0 {
			return r
		}
	}
	if step > 1 && !masked && a.Mem.Bytes() < wordBytes {
		if r := g.loadWords(a, step, on); r != 0 {
			return r
		}
		if on == 0 {
			if r := g.loadApart(a.Mem, at, step); r != 0 {
				return r
			}
		} else if n := g.knownOf(on); n > 0 {
			if r := g.loadSpread(a.Mem, at, int(step), n); r != 0 {
				return r
			}
		}
	}
	if on == 0 && step == thirds {
		if r := g.loadThirds(a, at); r != 0 {
			return r
		}
	}
	if on == 0 && step > 2 {
		if r := g.loadSquares(a, at, step); r != 0 {
			return r
		}
	}
	n := g.laneCount()
	if on != 0 {
		n = g.knownOf(on)
	}
	switch {
	case n <= 0 || a.Mem.Bytes() < 4:
		return 0
	case step == 2:
		if r := g.loadSecond(a, at, n); r != 0 {
			return r
		}
		return g.loadShuffled(a.Mem, at, n)
	case g.canStep(a.Mem.Kind(), step):
		return g.loadSteps(a.Mem, at, int(step), n)
	}
	return 0
}

// loadIndexed reads elements whose index differs between lanes by whole vectors, or returns 0.
func (g *gen) loadIndexed(a *loop.Access, at mem, step int64, on reg, masked bool) reg {
	if !masked {
		if r := g.loadFew(a); r != 0 {
			return r
		}
	}
	if on == 0 && step == 0 {
		if r := g.loadNear(a, at); r != 0 {
			return r
		}
	}
	if masked {
		return 0
	}
	if r := g.loadRecorded(a); r != 0 {
		return r
	}
	if on == 0 {
		if r := g.loadRuns(a); r != 0 {
			return r
		}
	}
	return g.loadTable(a)
}
