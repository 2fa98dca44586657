package gemm

import (
	"slices"
	"unsafe"
)

// The columns of the gradient of weights are the taps of a window times features, and the depth is places: the same
// elements come again with each tap, some depths further on. For tiles such a B is packed once, as a matrix that has
// the features as columns and all places as its depth; a panel of a tap begins so much further on, and what is evenly
// spaced is a run of it.

// overlap is such a B, in groups of depths.
type overlap struct {
	cols  int // of a piece of the columns, and of what is packed
	base  Axis
	depth int // of what is packed, whose elements base has
	// further is how many groups on the depth of each piece begins, first is where runs of so many groups begin.
	further, first []int
	run            int
	runs           [3][]int // first in bytes, for panels of as many vectors
}

// mostRun is the most groups of a run; longer ones are cut.
const mostRun = 512

// overlapOf returns how b is packed so, in groups of wide depths; nil if that is not possible, or no gain.
func overlapOf(b *Operand, wide int) *overlap {
	free, depth := b.Free.Merged(), b.Depth.Merged()
	last, inner := len(free)-1, len(depth)-1
	if last < 1 || inner < 0 || free[last].Stride != 1 || depth[inner].Stride < free[last].Size {
		return nil
	}
	o := &overlap{cols: free[last].Size, base: slices.Clone(depth), further: []int{0}}
	in := make([]int, last) // the dimension of the depth along which one of the pieces goes
	for f, d := range free[:last] {
		for in[f] = 0; in[f] <= inner && d.Stride%depth[in[f]].Stride != 0; in[f]++ {
		}
		if in[f] > inner {
			return nil
		}
		step := d.Stride / depth[in[f]].Stride
		if in[f] == inner && step%wide != 0 {
			return nil
		}
		o.base[in[f]].Size += (d.Size - 1) * step
	}
	groups := make([]int, inner+1) // from one element to the next, groups of the innermost
	groups[inner] = 1
	for d := inner; d >= 0; d-- {
		size := o.base[d].Size
		if d == inner {
			size /= wide
		}
		if d > 0 {
			groups[d-1] = groups[d] * size
			if o.base[d-1].Stride < o.base[d].Size*o.base[d].Stride {
				return nil
			}
		} else {
			o.depth = groups[d] * size
		}
	}
	if depth[inner].Size%(wide*tileDepth) != 0 || o.base[inner].Size%wide != 0 ||
		2*o.base.Size() > b.Depth.Size()*b.Free.Size()/o.cols {
		return nil
	}
	for f, d := range free[:last] {
		step := d.Stride / depth[in[f]].Stride * groups[in[f]]
		if in[f] == inner {
			step /= wide
		}
		o.further = steppedBy(o.further, d.Size, step)
	}
	o.cutRuns(depth, groups, wide)
	return o
}

// Overlaps reports whether b, of bf16, is packed so if tiles multiply it with an A whose rows are neighbours.
func Overlaps(b *Operand) bool { return overlapOf(b, kindWords.wide()) != nil }

// steppedBy returns n places for each of list, so far apart.
func steppedBy(list []int, n, step int) []int {
	out := make([]int, 0, n*len(list))
	for _, at := range list {
		for i := range n {
			out = append(out, at+i*step)
		}
	}
	return out
}

// cutRuns finds the runs of the depth.
func (o *overlap) cutRuns(depth Axis, groups []int, wide int) {
	inner := len(depth) - 1
	o.run = depth[inner].Size / wide
	count := 1
	for o.run/count > mostRun || o.run%(count*tileDepth) != 0 {
		count++
	}
	o.run /= count
	o.first = []int{0}
	for d, dim := range depth[:inner] {
		o.first = steppedBy(o.first, dim.Size, groups[d])
	}
	o.first = steppedBy(o.first, count, o.run)
}

// chooseOverlap cuts the columns of such a B into panels, none of which is in two pieces.
func (p *Product) chooseOverlap() {
	o := p.overlap
	most := p.regs.most
	p.panels = nil
	for piece := range o.further {
		for _, pn := range panels(o.cols, p.lanes, most) {
			pn.col += piece * o.cols
			p.panels = append(p.panels, pn)
		}
	}
	for nv := 1; nv < len(o.runs); nv++ {
		for _, at := range o.first {
			o.runs[nv] = append(o.runs[nv], at*nv*p.regs.vector)
		}
	}
	p.routeB, p.runDepthB = packed, o.base.run().Size/p.kind.wide()
}

// overlapGroup is how many panels the rows of a block are multiplied with before the next ones: their sums stay in the
// second-level cache for all of the depth.
func (p *Product) overlapGroup() int {
	sums := p.mc * p.panels[0].nv * p.regs.vector
	return parts(p.nc, parts(p.nc, max(1, p.config.l2()/2/sums)))
}

// vectors is the vectors of a row of what is packed.
func (o *overlap) vectors(lanes int) int { return parts(o.cols, lanes) }

// packs is in how many parts a panel is packed.
func (o *overlap) packs() int { return max(1, o.depth/(8*packDepth)) }

// packOverlap packs part i.
func (w *task) packOverlap(i int) {
	p, o := w.p, w.p.overlap
	n := o.packs()
	pn, part := &p.panels[i/n], i%n
	k0, k1 := o.depth*part/n, o.depth*(part+1)/n
	p.packPanel(w.overlapped(pn, k0), w.b, w.from, pn, k0, k1)
}

// overlapped returns where depth k of panel pn is, counted from where its piece begins.
func (w *task) overlapped(pn *panel, k int) unsafe.Pointer {
	p, o := w.p, w.p.overlap
	at := pn.at*o.depth + (o.further[pn.col/o.cols]+k)*pn.nv
	return unsafe.Add(w.packed, at*p.regs.vector)
}

// runsOfB tells kernels where the runs of panel pn are, from depth k on.
func (w *task) runsOfB(pn *panel, k int) {
	o := w.p.overlap
	w.args.runs, w.args.at = w.args.depth/o.run, unsafe.Pointer(&o.runs[pn.nv][k/o.run])
	w.args.end = uintptr(w.args.at) + uintptr(8*w.args.runs)
}
