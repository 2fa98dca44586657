package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// mostStep is the largest step for which whole vectors are read.
const mostStep = 8

// canStep reports whether loadSteps has a form for elements of kind k.
func (g *gen) canStep(k loop.Kind, step int64) bool {
	return step > 2 && step <= mostStep && (g.c.target.AVX512 || g.size(k) == asm.VL256)
}

// loadSteps reads every step-th element, of the first some lanes, by whole vectors, the last of which ends with the
// last element of all lanes.
func (g *gen) loadSteps(m loop.Mem, at mem, step, some int) reg {
	k, n := m.Kind(), g.laneCount()
	starts := make([]int, step)
	for v := range starts {
		starts[v] = min(v*n, step*(n-1)+1-n)
	}
	// from is the vector that has the element of a lane, and where.
	from := func(lane int) (v, at int) {
		v = min(step*lane/n, step-1)
		return v, step*lane - starts[v]
	}
	read := func(v int) reg {
		return g.loadUpTo(m, at.add(int64(starts[v])*m.Bytes()), step*(some-1)+1-starts[v])
	}
	if g.c.target.AVX512 {
		return g.joinTables(k, step, n, from, read)
	}
	return g.joinBlends(k, step, n, from, read)
}

// joinTables takes each lane from its vector, two vectors at a time.
func (g *gen) joinTables(k loop.Kind, step, n int, from func(lane int) (v, at int), read func(v int) reg) reg {
	x := read(0)
	for v := 1; v < step; v++ {
		y := read(v)
		if y == 0 && v > 1 { // no lane that counts is of it, or of those behind it
			break
		} else if y == 0 {
			y = x
		}
		pick := g.picks(k, func(lane int) int {
			switch w, at := from(lane & (n - 1)); {
			case w == v:
				return n + at
			case v == 1:
				return at & (n - 1)
			}
			return lane & (n - 1)
		})
		i := ins{in: inst(by64(k, asm.VPERMT2D, asm.VPERMT2Q), g.size(k), 3), tie: x, late: true}
		i.r[1], i.r[2] = pick, y
		x = g.c.define(i)
	}
	return x
}

// joinBlends puts the elements of each vector in their lanes, and blends.
func (g *gen) joinBlends(k loop.Kind, step, n int, from func(lane int) (v, at int), read func(v int) reg) reg {
	var x reg
	words := 8 / n // of 32 bits
	for v := range step {
		mask := 0
		for lane := range n {
			if w, _ := from(lane); w == v {
				mask |= (1<<words - 1) << (lane * words)
			}
		}
		pick := g.c.lanes32(func(word int) uint32 {
			w, at := from(word / words & (n - 1))
			if w != v {
				return 0
			}
			return uint32(at*words + word%words)
		})
		y := read(v)
		if y == 0 { // only lanes that are off want it
			continue
		}
		y = g.c.v(asm.VPERMD, asm.VL256, pick, y)
		if v == 0 {
			x = y
			continue
		}
		x = g.c.vi(asm.VPBLENDD, asm.VL256, uint8(mask), x, y)
	}
	return x
}
