package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Where a body reads several neighbours of a row, and the rows of the lanes are far apart, as matrices of 3 x 3 are, a
// part of each row that fills 128 bits is read once, and such squares are turned.

// group returns the first of the so many neighbours, all read by the family, that are read together with offset.
func (f family) group(offset int64, most int64) (first int64, ok bool) {
	k, _ := slices.BinarySearch(f, offset)
	start := k
	for start > 0 && f[start-1] == f[start]-1 {
		start--
	}
	first = offset - (offset-f[start])%most
	end := start + int(first-f[start]+most-1)
	return first, end < len(f) && f[end] == first+most-1
}

// squareOf returns the first of the neighbours that a is read together with, if there are enough of these, nothing is
// written to the array, and there are no jumps between them.
func (g *gen) squareOf(a *loop.Access) (first int64, ok bool) {
	per := partBytes / a.Mem.Bytes()
	f := g.familyOf(a)
	if len(f) < int(per) || !g.readTogether(a) || int64(g.laneCount()) < per ||
		a.Mem.Bytes()*8 != int64(a.Mem.Kind().Bits()) {
		return 0, false
	}
	return f.group(a.Offset, per)
}

// loadSquares reads a, whose lanes are step elements apart, together with its neighbours; 0 if there is no square.
func (g *gen) loadSquares(a *loop.Access, at mem, step int64) reg {
	first, ok := g.squareOf(a)
	if !ok {
		return 0
	}
	return g.amid(a, first, func() []reg {
		k, per := a.Mem.Kind(), partBytes/a.Mem.Bytes()
		at := at.add((first - a.Offset) * a.Mem.Bytes())
		rows := make([]reg, per)
		for r := range rows {
			rows[r] = g.parts(g.size(k), func(part int) mem {
				return at.add((int64(part)*per + int64(r)) * step * a.Mem.Bytes())
			})
		}
		return g.turnWords(k, rows)
	})
}

// turnWords turns a square of words in each part of the vectors.
func (g *gen) turnWords(k loop.Kind, rows []reg) []reg {
	size := g.size(k)
	if k.Bits() == 64 {
		return g.zip(rows, 1, asm.VPUNPCKLQDQ, asm.VPUNPCKHQDQ, size)
	}
	rows = g.zip(rows, 2, asm.VPUNPCKLDQ, asm.VPUNPCKHDQ, size)
	return g.zip(rows, 2, asm.VPUNPCKLDQ, asm.VPUNPCKHDQ, size)
}
