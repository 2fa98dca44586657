package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
)

// Where places are in lanes, the sums of a stripe of a column of places go side by side: each row of the input is read
// for all that it takes part in. What is beyond the ends of rows is zero by a mask, and rows of taps that are beyond
// the first row or the last one are left out, as in in_rows.go.

// mostDecoded is the most products of the code for the rows of a plane, with that for each vector of a row: a core
// keeps so many instructions decoded. With narrow vectors there may be more: the code with the input near reads that
// more often, for want of registers.
const mostDecoded, mostDecodedNarrow = 640, 1400

// Rows of at most mostShort vectors are worth it from planeTaps products for each element of the result on: longer ones
// have few vectors with masks.
const mostShort, planeTaps = 4, 9

// shortRows reports whether st is of such rows, of places in lanes.
func (st *staging) shortRows(wide bool) bool {
	return st.block == 0 && st.taps() >= planeTaps && st.vectors(wide) <= mostShort
}

// vectors is how many of them a row of places in lanes has.
func (st *staging) vectors(wide bool) int {
	lanes := memoryLine / st.t.ByteSize()
	if !wide {
		lanes /= 2
	}
	return (st.dims[len(st.dims)-1].places + lanes - 1) / lanes
}

// decoded reports whether the code for rows stays decoded while planes go by.
func (rows *inRows) decoded(wide bool) bool {
	most := mostDecodedNarrow
	if wide {
		most = mostDecoded
	}
	products := rows.row().window.Size * rows.dims[rows.stripe+1].window.Size
	return int(min(rows.stripes(), 3)*rows.size)*products*min(rows.vectors(wide), 3) <= most
}

// columnStays reports whether the rows that a stripe reads do not push each other out of the nearest cache.
func (rows *inRows) columnStays() bool {
	x, d := rows.conv.Operand(0).Shape(), rows.row()
	step := int64(x.Dims[x.Rank()-1] * x.Type.ByteSize())
	places := nearestWays * nearestWay / max(gcd(step, nearestWay), memoryLine)
	return 2*((rows.size-1)*d.moves()+int64(d.window.Size)) <= places
}

// tapsOfPlane adds the taps of rows and columns that are inside, row by row of the input.
func (g *gen) tapsOfPlane(rows *inRows, idx, tap []Expr, s stripe, phis []loop.Value) []loop.Value {
	d, across, sums := rows.row(), &rows.dims[rows.stripe+1], slices.Clone(phis)
	reach := (s.size-1)*d.moves() + int64(d.window.Size-1)*d.dilation()
	for column := range int64(across.window.Size) {
		tap[rows.stripe+1] = constant(column)
		e := idx[across.place].plus(column*across.dilation() - int64(across.window.PaddingLow))
		on := g.within(e, across.base)
		if on != 0 && g.never(on) {
			continue
		}
		kernel := make([]elem.Value, d.window.Size)
		for row := range reach + 1 {
			for t := range int64(d.window.Size) {
				n := (row - t*d.dilation()) / d.moves()
				if row < t*d.dilation() || n >= s.size || n*d.moves() != row-t*d.dilation() {
					continue
				}
				if first, count := d.tapsAt(s.at + n); t < first || t >= first+count {
					continue
				}
				tap[rows.stripe], idx[d.place] = constant(t), s.first.plus(n)
				if kernel[t].Re == 0 {
					kernel[t] = g.kernelAt(rows.staging, idx, tap)
				}
				x := g.inputAt(rows.staging, idx, tap, on)
				sums[n] = g.b.Op(loop.FMA, g.b.Kind(sums[n]), x.Re, kernel[t].Re, sums[n])
			}
		}
	}
	return sums
}
