package emit

import (
	"slices"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// What is turned is read in many rows by turns. Where the hardware does not see how each of them goes on, who reads a
// line asks for one further on in its row, to the second cache: in the first those of all rows may share a set.

// askedAhead is how far on a line is that is asked for.
const askedAhead = 256

// asksRows reports whether code asks for lines of a, which is turned: it reads them whole, of an array that is in no
// second cache, and the loops around the lanes go on in the rows, so that the lines are read soon.
func (g *gen) asksRows(a *loop.Access) bool {
	if !g.c.target.AsksRows || !g.c.target.AVX512 || g.nest.Buffers[a.Buffer].Bytes < leastAhead {
		return false
	}
	run := a.Mem.Bytes()
	for _, o := range slices.Backward(g.loops[:len(g.loops)-1]) {
		step := stride(a, o.loop.Var)
		if step <= 0 || step > run { // blocks may overlap
			break
		}
		run += (o.loop.Extent - 1) * step
	}
	return run >= 2*askedAhead
}

// askRow asks for the line further on in the row that at is in, if asks is set.
func (g *gen) askRow(at mem, asks bool) {
	if asks {
		g.c.hint(asm.PREFETCHT1, at.add(askedAhead))
	}
}
