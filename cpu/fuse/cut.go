package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// A window that slides over its base reaches beyond it at the first and the last places only, and where the base has
// holes, which taps hit an element is the same for every so many places. So the loops over places are cut: places with
// the same taps are apart, and the inner ones, where all of these are inside, have code without masks.

// leastCut is the work from which on that is worth the code: products of a result.
const leastCut = 1 << 15

// cut is how the places of a dimension are cut: place q*every + r is in phases[r].
type cut struct{ phases []cutPhase }

// cutPhase has count places, and in [lo, hi) of them all taps are inside. If both ends are known to be outside, as of
// a pad, they have code of their own. So have those in which ends holds parts of the places with the same taps inside.
type cutPhase struct {
	count, lo, hi int64
	outside       bool
	ends          [][2]int64
}

// slides returns a convolution or reduce-window that is computed for i at its own place, nil if there is none. It does
// not look at what it has seen again.
func slides(s Spec, i *hlo.Instruction, seen *set) *hlo.Instruction {
	if s.InMemory(i) && !isRoot(s, i) || !seen.add(i) {
		return nil
	}
	switch {
	case i.Code() == op.Convolution || i.Code() == op.ReduceWindow && i.IsArray():
		return i
	case isElementwise(i):
		for _, o := range i.Operands() {
			if o.Shape().SameDims(i.Shape()) {
				if c := slides(s, o, seen); c != nil {
					return c
				}
			}
		}
	}
	return nil
}

// cutsOf returns how the dimensions of s are cut; the zero cut is not.
func cutsOf(s Spec) []cut {
	cuts, seen := make([]cut, len(s.Dims)), &set{}
	for _, r := range s.Roots {
		if r.Spread || r.Shape().Rank() != len(s.Dims) || r.Inst.IsTuple() {
			continue
		}
		i := slides(s, r.Inst, seen)
		if i == nil || len(i.Dims()) != len(s.Dims) {
			continue
		}
		dims, window := windowOf(i)
		taps := i.Size()
		for _, w := range window {
			taps *= w.Size
		}
		if taps < leastCut {
			continue
		}
		for k, w := range window {
			cuts[dims[k].place] = cutOf(w, int64(dims[k].base), int64(s.Dims[dims[k].place]))
		}
		return cuts
	}
	return cuts
}

// slid is a dimension that a window slides over: which one of the result, and the size of the base.
type slid struct{ place, base int }

// windowOf returns the dimensions of the window of i.
func windowOf(i *hlo.Instruction) (dims []slid, window []op.WindowDim) {
	base := i.Operand(0).Dims()
	if a, ok := i.Attrs().(*op.ConvolutionAttrs); ok {
		for d, place := range a.DimLabels.OutputSpatial {
			dims = append(dims, slid{place, base[a.DimLabels.InputSpatial[d]]})
		}
		return dims, a.Window.Dims
	}
	for d, n := range base {
		dims = append(dims, slid{d, n})
	}
	return dims, i.Attrs().(*op.WindowAttrs).Window.Dims
}

// Of a dimension that is cut there are at most mostPhases phases, and places for several iterations side by side.
const (
	mostPhases  = 4
	leastPlaces = 8
)

// cutOf cuts the places of window w over n elements.
func cutOf(w op.WindowDim, n, places int64) cut {
	stride, holes := int64(max(w.Stride, 1)), int64(max(w.BaseDilation, 1))
	dilation := int64(max(w.WindowDilation, 1))
	every := holes / gcd(holes, stride)
	if every > mostPhases || places < leastPlaces*every {
		return cut{}
	}
	var c cut
	plain := every == 1
	for r := range every {
		p := cutPhase{count: (places - r + every - 1) / every}
		p.hi = p.count
		bounds := []int64{0, p.count}
		for t := range int64(w.Size) {
			at, step := r*stride+t*dilation-int64(w.PaddingLow), every*stride
			if at%holes != 0 {
				continue
			}
			first, behind := floorDiv(-at+step-1, step), floorDiv((n-1)*holes-at, step)+1
			p.lo, p.hi = max(p.lo, first), min(p.hi, behind)
			bounds = append(bounds, min(max(first, 0), p.count), min(max(behind, 0), p.count))
		}
		p.ends = endsOf(bounds, p.lo, p.hi)
		plain = plain && p.lo == 0 && p.hi == p.count
		c.phases = append(c.phases, p)
	}
	first := c.phases[0]
	if plain && wholeBlocks(places) == places || every == 1 && 2*(first.hi-first.lo) < places {
		return cut{}
	}
	return c
}

// mostEnds is the most parts of places with fewer taps that have code of their own.
const mostEnds = 2

// endsOf returns the parts between bounds that are not in [lo, hi), none if there are too many.
func endsOf(bounds []int64, lo, hi int64) (ends [][2]int64) {
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	for k, to := range bounds[1:] {
		if from := bounds[k]; from < lo || to > hi {
			ends = append(ends, [2]int64{from, to})
		}
	}
	if len(ends) > mostEnds {
		return nil
	}
	return ends
}

// wholeBlocks returns how many of n places, the first ones, are blocks of as many as may be computed side by side.
func wholeBlocks(n int64) int64 {
	for _, f := range [...]int64{8, 7, 6, 5} {
		if n%f == 0 {
			return n
		}
	}
	return n / 8 * 8
}

// cutLoop opens the loops over dimension d, which is cut, and calls body in each of them. The outermost loop, and what
// has other cut ones in it, stays one loop: in it there are the phases, and for some of its iterations masks.
func (g *gen) cutLoop(d int, inside bool, set func(Expr), body func()) {
	c := &g.cuts[d]
	every := int64(len(c.phases))
	if inside {
		for r, p := range c.phases {
			g.segments(p, func(e Expr) { set(g.times(e, every).plus(int64(r))) }, body)
		}
		return
	}
	g.each(loop.Spec{Extent: c.phases[0].count, Parallel: true}, func(v int) {
		for r, p := range c.phases {
			if p.count == 0 {
				continue
			}
			g.between(v, 0, p.count, func() {
				set(g.times(variable(v), every).plus(int64(r)))
				g.clear(v, p, body)
			})
		}
	})
}

// clear calls body for the iterations of loop v in which all taps are inside, and for the others.
func (g *gen) clear(v int, p cutPhase, body func()) {
	if p.lo >= p.hi {
		g.roughly(body)
		return
	}
	g.between(v, p.lo, p.hi, body)
	if p.outside {
		for _, end := range [][2]int64{{0, p.lo}, {p.hi, p.count}} {
			if end[0] < end[1] {
				g.between(v, end[0], end[1], func() { g.roughly(body) })
			}
		}
		return
	}
	if len(p.ends) > 0 && !g.ending {
		g.ending = true
		defer func() { g.ending = false }()
		for _, end := range p.ends {
			g.between(v, end[0], end[1], body)
		}
		return
	}
	if p.lo > 0 || p.hi < p.count {
		g.each(loop.Spec{Extent: 1, Parallel: true, When: &loop.Range{Var: v, Lo: p.lo, Hi: p.hi, Outside: true}},
			func(int) { g.roughly(body) })
	}
}

// roughly calls body for places that are few: loops in it are not cut.
func (g *gen) roughly(body func()) {
	rough := g.rough
	defer func() { g.rough = rough }()
	g.rough = true
	body()
}

// between calls body for iterations [lo, hi) of loop v.
func (g *gen) between(v int, lo, hi int64, body func()) {
	was := g.spans[v]
	if lo == was.lo && hi == was.hi {
		body()
		return
	}
	g.each(loop.Spec{Extent: 1, Parallel: true, When: &loop.Range{Var: v, Lo: lo, Hi: hi}}, func(int) {
		g.spans[v] = span{lo, hi}
		body()
		g.spans[v] = was
	})
}

// fewPlaces is the most places at an end that have code of their own each.
const fewPlaces = 3

// segments makes loops over the first places, those where all taps are inside, and the last ones.
func (g *gen) segments(p cutPhase, set func(Expr), body func()) {
	part := func(from, to int64) {
		if from >= to {
			return
		}
		g.each(loop.Spec{Extent: to - from, Parallel: true}, func(v int) {
			set(variable(v).plus(from))
			body()
		})
	}
	end := func(from, to int64) {
		if to-from > fewPlaces {
			g.roughly(func() { part(from, to) })
			return
		}
		for at := from; at < to; at++ {
			set(constant(at))
			body()
		}
	}
	if p.lo >= p.hi || g.rough {
		part(0, p.count)
		return
	}
	end(0, p.lo)
	whole := p.lo + wholeBlocks(p.hi-p.lo)
	part(p.lo, whole)
	part(whole, p.hi)
	end(p.hi, p.count)
}
