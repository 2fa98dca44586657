package emit

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// neighboursTurned reads rows of so many neighbours, each by its own load, and writes them from the last to the first.
func neighboursTurned(m loop.Mem, neighbours, extent int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("turned %v %d %d", m, neighbours, extent))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: neighbours * extent * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: neighbours * extent * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(i int) {
		at := func(buffer int, k int64) loop.Access {
			return loop.Access{Buffer: buffer, Offset: k, Terms: []loop.Term{{Var: i, Stride: neighbours}}, Mem: m}
		}
		values := make([]loop.Value, neighbours)
		for k := range neighbours {
			values[k] = b.Load(at(x, k), 0)
		}
		for k := range neighbours {
			b.Store(at(y, k), values[neighbours-1-k], 0)
		}
	})
	return b.Nest()
}

// TestByTurns reads and writes neighbours of rows, next to pages that cannot be accessed, and in the emulator.
func TestByTurns(t *testing.T) {
	for _, m := range []loop.Mem{loop.MemF32, loop.MemF64, loop.MemI32, loop.MemI64} {
		for neighbours := int64(2); neighbours <= 9; neighbours++ {
			for _, extent := range []int64{1, 3, 4, 8, 9, 16, 31, 66} {
				n := neighboursTurned(m, neighbours, extent)
				for name, target := range tiers() {
					checkMoved(t, name, target, m, n, extent)
				}
				checkMovedEmulated(t, m, n, extent)
			}
		}
	}
}

// TestByTurnsAcross: of instructions that move elements from one half of a vector to the other, of which AVX2 does one
// a cycle, there are no more than one for each vector that is read in threes, written in threes, or written in squares.
func TestByTurnsAcross(t *testing.T) {
	for _, c := range []struct {
		m          loop.Mem
		neighbours int64
		each       int // of a vector of each neighbour
	}{{loop.MemF32, 3, 2}, {loop.MemF64, 3, 2}, {loop.MemF32, 8, 1}, {loop.MemF64, 4, 1}} {
		across, loaded, stored := 0, 0, 0
		for in := range decoded(assemble(t, neighboursTurned(c.m, c.neighbours, 64), Target{})) {
			switch {
			case in.Op == asm.VPERMD || in.Op == asm.VPERMQI || in.Op == asm.VPERM2I128:
				across++
			case in.MemAt() == 0 && in.Size == asm.VL256:
				stored++
			case in.MemAt() > 0 && in.Size == asm.VL256:
				loaded++
			}
		}
		if stored == 0 || across > c.each*stored {
			t.Errorf("%v, %d neighbours: %d permutations for %d vectors", c.m, c.neighbours, across, stored)
		}
		if c.neighbours == 3 && loaded > 2*stored { // with constants
			t.Errorf("%v, %d neighbours: %d vectors read for %d written", c.m, c.neighbours, loaded, stored)
		}
	}
}
