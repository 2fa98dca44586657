package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
)

// The input of a depthwise convolution whose features are in lanes need not be brought near: the sums of a stripe of a
// row of places go side by side, so it is known which of their taps are beyond the ends of the row, and these are left
// out. So are rows of taps: the first and the last rows of places have code of their own. Then neither zeros are
// multiplied nor is anything copied.

const (
	// wideStripe is the most places of a stripe, and narrowStripe where there are 16 registers: their sums leave some for
	// what they add.
	wideStripe, narrowStripe = 14, 8
	// leastStripe is the least of them that makes up for what is read again for the next stripe.
	leastStripe = 6
	// mostRowCode is the most products that are written out in all the code for stripes.
	mostRowCode = 1400
	// smallBytes is the most of input and result that are not far away: what is further is better read in the order of
	// memory. So are windows that move far, so that elements take part in few products, and rows that crowd.
	smallBytes = 1 << 20
	// nearestWay is the bytes of the nearest cache that have places of their own, nearestWays how many elements of each
	// such place it has.
	nearestWay, nearestWays = 4 << 10, 8
)

// inRows is how the sums of a staging are made so.
type inRows struct {
	*staging
	// stripe is the dimension whose places are in stripes: the last one that is not in lanes.
	stripe int
	size   int64 // places of a stripe, but for the last one
	// spans is, by dimension before that, the places whose taps are all inside.
	spans []span
	// first is, while code is being made, the first of the taps that are inside in each of these, and taps how many.
	first, taps []int64
}

// inRowsOf returns how the sums of st are made so, nil if they are not.
func inRowsOf(s Spec, st *staging, lanes int) *inRows {
	for _, o := range st.conv.Operands() {
		if !s.InMemory(o) || o.Type() != st.t {
			return nil
		}
	}
	x, y, stripe := st.conv.Operand(0).Shape(), st.conv.Shape(), st.inmost()
	l := st.labels()
	if !s.Code || st.outer == 1 || len(st.dims) < 2 || x.Dims[l.InputFeature] != y.Dims[l.OutputFeature] ||
		!st.worth(lanes) && !st.shortRows(s.Wide) &&
			!(st.taps() >= stageTaps && st.isSmall()) {
		return nil
	}
	if last := &st.dims[len(st.dims)-1]; st.block == 0 && (last.place != lanes || last.moves() > 1) {
		return nil
	}
	whole := *st
	whole.dims, whole.tiled, whole.tiles = slices.Clone(st.dims), -1, 1
	rows := &inRows{staging: &whole, stripe: stripe, first: make([]int64, stripe), taps: make([]int64, stripe)}
	codes := int64(1)
	for k := range whole.dims {
		d := &whole.dims[k]
		if d.places = y.Dims[d.place]; d.holes() > 1 {
			return nil
		}
		if s := d.inside(); k < stripe {
			rows.spans = append(rows.spans, s)
			codes *= int64(d.places) - max(s.hi-s.lo, 1) + 1
		} else {
			codes *= int64(d.window.Size)
		}
	}
	if !rows.cut(s.Wide, codes) || !rows.insideBetween() || !rows.stays() || st.block == 0 && !rows.decoded(s.Wide) {
		return nil
	}
	return rows
}

// row is the dimension whose places are in stripes.
func (rows *inRows) row() *stagedDim { return &rows.dims[rows.stripe] }

// cut sets the size of stripes, of so many products for each of their places, and reports whether that is not too much
// code.
func (rows *inRows) cut(wide bool, products int64) bool {
	most, places := int64(narrowStripe), int64(rows.row().places)
	if wide {
		most = wideStripe
	}
	for ; most >= leastStripe; most-- {
		count := (places + most - 1) / most
		rows.size = (places + count - 1) / count
		if products*min(rows.stripes(), 3)*rows.size <= mostRowCode {
			return true
		}
		if rows.block > 0 {
			return false
		}
	}
	return false
}

// stripes is how many there are in a row.
func (rows *inRows) stripes() int64 { return (int64(rows.row().places) + rows.size - 1) / rows.size }

// insideBetween reports whether all taps of the stripes between the first and the last one are inside.
func (rows *inRows) insideBetween() bool {
	d := rows.row()
	s := d.inside()
	return d.window.Size <= maxTaps && (rows.stripes() == 1 || s.lo <= rows.size && s.hi >= (rows.stripes()-1)*rows.size)
}

// isSmall reports whether input and result are not far away.
func (st *staging) isSmall() bool {
	x, y := st.conv.Operand(0).Shape(), st.conv.Shape()
	return (x.Size()+y.Size())*x.Type.ByteSize() <= smallBytes
}

// Elements that the places of one row read may be mostCrowded quarters of what the nearest cache has places for,
// mostCrowdedFar where input and result are not small, or mostCrowdedFew where at most fewInside quarters of the
// products are inside.
const mostCrowded, mostCrowdedFar, mostCrowdedFew, fewInside = 5, 4, 16, 3

// stays reports whether what the places of a row read is still near when those of the next read it again: features
// whose number has many factors of two are in few places of a cache.
func (rows *inRows) stays() bool {
	if rows.block == 0 {
		return rows.columnStays()
	}
	x := rows.conv.Operand(0).Shape()
	step := int64(x.Dims[rows.labels().InputFeature] * x.Type.ByteSize())
	places := nearestWays * nearestWay / max(gcd(step, nearestWay), memoryLine)
	lines, products, inside := int64(rows.row().base), int64(1), int64(1)
	for k := range rows.dims {
		d := &rows.dims[k]
		if k < len(rows.dims)-1 {
			lines *= int64(d.window.Size)
		}
		sum := int64(0)
		for p := range int64(d.places) {
			_, count := d.tapsAt(p)
			sum += count
		}
		products, inside = products*int64(d.places*d.window.Size), inside*sum
	}
	most := int64(mostCrowdedFar)
	if rows.isSmall() {
		most = mostCrowded
	}
	return 4*lines <= most*places || 4*lines <= mostCrowdedFew*places && 4*inside <= fewInside*products
}

func (d *stagedDim) dilation() int64 { return int64(max(d.window.WindowDilation, 1)) }

// tapsAt returns which taps of place p are inside: those from first on, count of them.
func (d *stagedDim) tapsAt(p int64) (first, count int64) {
	at := p*d.moves() - int64(d.window.PaddingLow)
	first = max(0, floorDiv(-at+d.dilation()-1, d.dilation()))
	end := min(int64(d.window.Size), floorDiv(int64(d.base)-1-at, d.dilation())+1)
	return first, max(end-first, 0)
}

// inside returns the places whose taps are all inside.
func (d *stagedDim) inside() (s span) {
	for p := range int64(d.places) {
		if _, count := d.tapsAt(p); count < int64(d.window.Size) {
			continue
		}
		if s.hi == 0 {
			s.lo = p
		}
		s.hi = p + 1
	}
	return s
}

// byRows makes the loops of s: over what is neither a place nor in lanes, over blocks of features, and over rows.
func (g *gen) byRows(s Spec, rows *inRows, lanes int, idx []Expr, body func()) {
	g.stage = rows.staging
	g.outside(s, rows.staging, lanes, idx, 0, func() {
		g.features(rows.staging, lanes, idx, func() { g.rowsFrom(rows, lanes, idx, 0, body) })
	})
}

// rowsFrom goes over the places of dimensions from k on.
func (g *gen) rowsFrom(rows *inRows, lanes int, idx []Expr, k int, body func()) {
	if k == rows.stripe {
		g.stripesOf(rows, lanes, idx, body)
		return
	}
	d := &rows.dims[k]
	at := func(e Expr, p int64) {
		idx[d.place] = e
		rows.first[k], rows.taps[k] = d.tapsAt(p)
		g.rowsFrom(rows, lanes, idx, k+1, body)
	}
	s := rows.spans[k]
	for p := int64(0); p < int64(d.places); p++ {
		if p == s.lo && p < s.hi {
			g.count(s.hi-s.lo, false, func(e Expr) { at(e.plus(s.lo), s.lo) })
			p = s.hi - 1
			continue
		}
		at(constant(p), p)
	}
}

// stripesOf makes the sums of a row, a stripe after the other.
func (g *gen) stripesOf(rows *inRows, lanes int, idx []Expr, body func()) {
	count, size := rows.stripes(), rows.size
	g.stripe(rows, lanes, idx, stripe{size: size}, body)
	if count > 2 {
		g.count(count-2, false, func(e Expr) {
			g.stripe(rows, lanes, idx, stripe{first: g.times(e.plus(1), size), at: size, size: size}, body)
		})
	}
	if count > 1 {
		at := (count - 1) * size
		g.stripe(rows, lanes, idx, stripe{constant(at), at, int64(rows.row().places) - at}, body)
	}
}

// stripe is so many places of a row from first on, which have the same taps inside as those from number at on.
type stripe struct {
	first    Expr
	at, size int64
}

// stripe makes the sums of s and calls body for each of them.
func (g *gen) stripe(rows *inRows, lanes int, idx []Expr, s stripe, body func()) {
	features, count := idx[lanes], int64(rows.features)
	if rows.block == 0 {
		features, count = Expr{}, int64(rows.dims[rows.stripe+1].places)
	}
	g.count(count, true, func(e Expr) {
		idx[lanes] = g.add(features, e)
		sums := make([]loop.Value, s.size)
		for n := range sums {
			sums[n] = g.zero(rows.t).Re
		}
		for n, sum := range g.tapsFrom(rows, idx, make([]Expr, len(rows.dims)), 0, s, sums) {
			idx[rows.row().place] = s.first.plus(int64(n))
			rows.sum = elem.Convert(g.b, elem.Normalize(g.b, elem.Value{Type: rows.t, Re: sum}), rows.conv.Type())
			body()
		}
	})
	idx[lanes] = features
}

// tapsFrom adds the taps of dimensions from k on, those of the dimensions before being tap.
func (g *gen) tapsFrom(rows *inRows, idx, tap []Expr, k int, s stripe, sums []loop.Value) []loop.Value {
	switch {
	case k == rows.stripe && rows.block == 0:
		return g.tapsOfPlane(rows, idx, tap, s, sums)
	case k == rows.stripe:
		return g.tapsOfRow(rows, idx, tap, s, sums)
	case rows.taps[k] == 0:
		return sums
	case rows.taps[k] == 1:
		tap[k] = constant(rows.first[k])
		return g.tapsFrom(rows, idx, tap, k+1, s, sums)
	}
	carries := make([]loop.Reduction, len(sums))
	for n, sum := range sums {
		carries[n].Init = sum
	}
	return g.carry(loop.Spec{Extent: rows.taps[k]}, carries, func(v int, phis []loop.Value) []loop.Value {
		tap[k] = variable(v).plus(rows.first[k])
		return g.tapsFrom(rows, idx, tap, k+1, s, phis)
	})
}

// tapsOfRow adds those taps of a row that are inside.
func (g *gen) tapsOfRow(rows *inRows, idx, tap []Expr, s stripe, phis []loop.Value) []loop.Value {
	d, sums := rows.row(), slices.Clone(phis)
	for t := range int64(d.window.Size) {
		tap[len(tap)-1] = constant(t)
		y := g.kernelAt(rows.staging, idx, tap)
		for n := range sums {
			first, count := d.tapsAt(s.at + int64(n))
			if t < first || t >= first+count {
				continue
			}
			idx[d.place] = s.first.plus(int64(n))
			sums[n] = g.b.Op(loop.FMA, g.b.Kind(sums[n]), g.inputAt(rows.staging, idx, tap, 0).Re, y.Re, sums[n])
		}
	}
	return sums
}

// inputAt is the element of the input under taps of the dimensions of st, at the place of idx, where on is.
func (g *gen) inputAt(st *staging, idx, tap []Expr, on loop.Value) elem.Value {
	x, l := st.conv.Operand(0), st.labels()
	at := make([]Expr, x.Rank())
	at[l.InputBatch], at[l.InputFeature] = idx[l.OutputBatch], idx[l.OutputFeature]
	for k, e := range tap {
		d := &st.dims[k]
		e = g.add(g.times(idx[d.place], d.moves()), g.times(e, d.dilation()))
		at[d.source] = e.plus(int64(-d.window.PaddingLow))
	}
	return g.one(x, at, on)
}

// kernelAt is the element of the kernel for the feature at idx and taps of the dimensions of st.
func (g *gen) kernelAt(st *staging, idx, tap []Expr) elem.Value {
	k, l := st.conv.Operand(1), st.labels()
	at := make([]Expr, k.Rank())
	at[l.KernelOutputFeature] = idx[l.OutputFeature]
	for n, e := range tap {
		if d := &st.dims[n]; d.window.Reversal {
			e = g.times(e, -1).plus(int64(d.window.Size - 1))
		}
		at[l.KernelSpatial[st.by[n]]] = e
	}
	return g.one(k, at, 0)
}
