package emit

import "github.com/goxla/xla/cpu/loop"

// What is read of scratch memory for the last vector of a lane loop, of which some lanes are on, may be a whole vector:
// nothing is done with the others. Without a mask a load is one operation less, and part of another one.

// wholeInScratch reports whether a, in a lane loop that carries nothing, is of scratch memory and has whole vectors
// there.
func (g *gen) wholeInScratch(a *loop.Access) bool {
	if g.rest() == nil || !g.nest.Buffers[a.Buffer].Scratch || a.Index != 0 || a.Mem.Bytes() < 4 ||
		g.laneStride(a) != 1 || len(g.lanes.loop.Carries) > 0 {
		return false
	}
	last := a.Offset
	for _, t := range a.Terms {
		last += t.Stride * (g.endOf(t.Var) - 1)
		if t.Stride < 0 || g.endOf(t.Var) == 0 {
			return false
		}
	}
	return (last+1)*a.Mem.Bytes() <= g.nest.Buffers[a.Buffer].Bytes
}

// endOf is behind the last number of the open loop of variable v, in whole vectors for the lane loop; 0 if that is not
// known.
func (g *gen) endOf(v int) int64 {
	for _, o := range g.loops {
		switch {
		case o.loop.Var != v || o.loop.Cond != 0:
		case o.loop == g.lanes.loop:
			lanes := int64(g.laneCount())
			return (o.loop.Extent + lanes - 1) / lanes * lanes
		default:
			return o.loop.Extent
		}
	}
	return 0
}
