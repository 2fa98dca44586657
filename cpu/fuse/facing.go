package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/shape"
)

// Where each row of one array meets each row of another, as for the distances of all pairs of points, lanes along the
// rows read the second array once for every few rows of the first, from further away than the nearest cache, and fold
// their lanes for each pair. So lanes are rows of the second, as in a product of matrices: a block of them is brought
// into memory of the worker's own and turned on the way, where the same element of all is side by side, and stays
// there while many rows of the first go by.

const (
	// leastFaced is how many elements rows have at least.
	leastFaced = shortDim + 1
	// leastFacing is how many rows of the first array there are at least.
	leastFacing = 8
	// A block has at least and at most so many rows of the second array. It is to have so many bytes, half of the
	// nearest cache, and has no more than farBlock.
	leastBlock, mostBlock, nearBlock, farBlock = 16, 64, 16 << 10, 32 << 10
	// fullLanes is a number of lanes, of which a block leaves few empty.
	fullLanes = 16
	// mostAcross is how many rows of the first array a block meets before another worker may do so.
	mostAcross = 128
)

// facing is how lanes of a Spec are rows that each meet all others.
type facing struct {
	column int   // the dimension in lanes: the last that is kept
	across int   // the last dimension that no row of the second array depends on
	width  int64 // rows in a block
	rows   int64 // of across that a block meets
	named  Ref   // of the memory
	reads  []faced
	bytes  int64
	buffer int
	first  Expr // the first row of the block, while code is being made
}

// faced is an array whose rows are in lanes.
type faced struct {
	ref  Ref
	dims []int // the dimension of the space that is the index of each of its own
	at   int64 // in the memory, in bytes
}

// facingOf returns how rows of s face each other, nil if they do not.
func facingOf(s Spec) *facing {
	last := len(s.Dims) - 1
	if last < 2 || slices.Index(s.Inner, true) != last || s.Dims[last] < leastFaced {
		return nil
	}
	f := &facing{named: Ref{s.Roots[0].Inst, scratchLeaf}}
	f.column = lastDim(s, func(d int) bool { return d != last && s.Dims[d] > 1 })
	if f.column < 0 {
		return nil
	}
	w := faceWalk{laneWalk: newLaneWalk(s), f: f}
	w.apart, w.read = true, w.reads
	if slices.ContainsFunc(s.Roots, func(r Root) bool { return !w.root(r) }) || len(f.reads) == 0 || !w.meets() ||
		!f.cut(int64(s.Dims[f.column]), int64(s.Dims[last])) {
		return nil
	}
	f.rows = partOf(int64(s.Dims[f.across]))
	return f
}

// cut chooses the rows of a block, of n in all with so many elements: a divisor that leaves few lanes empty.
func (f *facing) cut(n, elements int64) bool {
	row := int64(0) // bytes of all arrays
	for _, r := range f.reads {
		row += elements * turnedSize(r.ref)
	}
	for w := max(leastBlock, min(mostBlock, nearBlock/row)); w >= leastBlock; w-- {
		if n%w == 0 && (f.width == 0 || emptyLanes(w)*f.width < emptyLanes(f.width)*w) {
			f.width = w
		}
	}
	for k := range f.reads {
		r := &f.reads[k]
		r.at = (f.bytes + memoryLine - 1) / memoryLine * memoryLine
		f.bytes = r.at + f.width*elements*turnedSize(r.ref)
	}
	return f.width > 0 && f.bytes <= farBlock && 2*emptyLanes(f.width) <= f.width
}

func emptyLanes(w int64) int64 { return (fullLanes - w%fullLanes) % fullLanes }

// partOf is how many of n rows a block meets at a time: a divisor, of which several sums side by side are a part.
func partOf(n int64) int64 {
	for _, sums := range []int64{8, 10, 12, 6, 7, 1} {
		for w := min(n, mostAcross) / sums * sums; w >= leastBlock; w -= sums {
			if n%w == 0 {
				return w
			}
		}
	}
	return n
}

// faceWalk finds the arrays whose rows are in lanes.
type faceWalk struct {
	*laneWalk
	f *facing
	// beside are the dimensions that something which does not depend on the lanes does depend on.
	beside []int
}

// root reports whether r can be computed with rows in lanes.
func (w *faceWalk) root(r Root) bool {
	return w.s.isPlain(r) && !w.s.isFull(r) && w.fits(r.Inst, keptOf(w.s, w.idx))
}

// reads looks at a read of element idx of r: the same one for all lanes, neighbours, or of rows that are faced.
func (w *faceWalk) reads(r Ref, idx []Expr) bool {
	if w.s.Strides != nil && w.s.Strides(r.Inst) != nil {
		return false
	}
	e := w.g.linear(r.Shape(), idx)
	stride, ok := w.strideInLanes(e, w.variable(w.f.column))
	switch {
	case !ok:
		return false
	case stride == 0:
		for d := range w.idx {
			if w.inner && w.g.uses(e, func(v int) bool { return v == w.variable(d) }) {
				w.beside = append(w.beside, d)
			}
		}
		return true
	case stride == 1:
		return true
	}
	return w.inner && w.face(r, idx)
}

// face adds r, of which element idx is read.
func (w *faceWalk) face(r Ref, idx []Expr) bool {
	if turnedType(r.Shape().Type) == shape.Invalid {
		return false
	}
	a := faced{ref: r}
	for _, e := range idx {
		d := -1
		if len(e.Terms) > 0 {
			d = slices.IndexFunc(w.idx, func(x Expr) bool { return e.same(x) })
			if d < 0 {
				return false
			}
		} else if e.Const != 0 {
			return false
		}
		a.dims = append(a.dims, d)
	}
	if slices.ContainsFunc(w.f.reads, func(o faced) bool { return o.ref == r }) { // at another place
		return false
	}
	w.f.reads = append(w.f.reads, a)
	return slices.Contains(a.dims, len(w.idx)-1)
}

// same reports whether e and x have the same terms.
func (e Expr) same(x Expr) bool { return e.Const == x.Const && slices.Equal(e.Terms, x.Terms) }

// meets finds the dimension whose rows meet the same block again and again.
func (w *faceWalk) meets() bool {
	w.f.across = lastDim(w.s, func(d int) bool {
		return d != w.f.column && !w.s.Inner[d] && w.s.Dims[d] >= leastFacing && slices.Contains(w.beside, d) &&
			!slices.ContainsFunc(w.f.reads, func(r faced) bool { return slices.Contains(r.dims, d) })
	})
	return w.f.across >= 0
}

// face makes the loops of s: over what is in front, over parts of the first array and blocks of the second, and in them
// what turns a block and computes.
func (g *gen) face(s Spec, f *facing) {
	f.buffer = g.temporary(f.named, loop.Buffer{Name: "faced", Bytes: f.bytes, Write: true, Scratch: true})
	g.flat, g.cuts = -1, make([]cut, len(s.Dims))
	idx := make([]Expr, len(s.Dims))
	g.inFront(s, []int{f.column, f.across}, idx, 0, func() {
		g.count(int64(s.Dims[f.across])/f.rows, false, func(part Expr) {
			blocks := int64(s.Dims[f.column]) / f.width
			g.each(loop.Spec{Extent: blocks, Parallel: true}, func(v int) {
				f.first = g.times(variable(v), f.width)
				g.bringFaced(s, f, idx)
				g.count(f.rows, false, func(row Expr) {
					g.count(f.width, true, func(lane Expr) {
						idx[f.across] = g.add(g.times(part, f.rows), row)
						idx[f.column] = g.add(f.first, lane)
						g.faced = f
						g.element(s, f.column, idx)
						g.faced = nil
					})
				})
			})
		})
	})
}

// bringFaced turns a block of each array.
func (g *gen) bringFaced(s Spec, f *facing, idx []Expr) {
	last := len(s.Dims) - 1
	for _, r := range f.reads {
		g.count(int64(s.Dims[last]), false, func(k Expr) {
			g.count(f.width, true, func(lane Expr) {
				idx[f.column], idx[last] = g.add(f.first, lane), k
				at := make([]Expr, len(r.dims))
				for n, d := range r.dims {
					if d >= 0 {
						at[n] = idx[d]
					}
				}
				v := elem.Load(g.b, r.ref.Shape().Type, g.address(g.buffer(r.ref, false), at), 0)
				g.storeTurned(v, g.facedAddress(f, &r, at))
			})
		})
	}
}

// facedAddress is where element idx of r is in the block.
func (g *gen) facedAddress(f *facing, r *faced, idx []Expr) elem.Address {
	at := Expr{Const: r.at / turnedSize(r.ref)}
	for n, d := range r.dims {
		switch {
		case d == f.column:
			at = g.add(at, g.add(idx[n], g.times(f.first, -1)))
		case d >= 0 && d > f.column: // the elements of rows
			at = g.add(at, g.times(idx[n], f.width))
		}
	}
	return g.addressOf(f.buffer, at)
}

// facedAt returns the array in the block that r is at idx, nil if it is none: the same array may be read at the rows
// of the first, too.
func (g *gen) facedAt(r Ref, idx []Expr) *faced {
	if g.faced == nil {
		return nil
	}
	for k := range g.faced.reads {
		a := &g.faced.reads[k]
		if a.ref != r {
			continue
		}
		row := idx[slices.Index(a.dims, g.faced.column)]
		if slices.ContainsFunc(row.Terms, func(t loop.Term) bool { return t.Var == g.laneVar }) {
			return a
		}
	}
	return nil
}
