package emit

import (
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// TestNearFours: vectors whose lanes are within four elements read four on AVX2, by no mask, and none behind the last
// element that a lane reads.
func TestNearFours(t *testing.T) {
	for _, c := range []struct {
		extent, by int64
		fours      bool
	}{
		{96, 2, true}, {96, 3, true}, {104, 3, true}, {96, 4, true}, {400, 5, true}, {504, 7, true}, {100, 3, true},
		{8, 3, false}, {16, 8, false}, // two elements and less than four in all
	} {
		size := (c.extent-1)/c.by + 1
		nest := indexNest(c.extent, size, rounded(c.by, 1))
		n := nearOn(nest, Target{}, &laneState{loop: nest.Outermost(), lanes: 8})
		if n == nil || n.isFour() != c.fours {
			t.Errorf("%d by %d: expected to read fours: %t, got %+v", c.extent, c.by, c.fours, n)
			continue
		}
		masked := nearOn(nest, Target{}, &laneState{loop: nest.Outermost(), lanes: 8, clear: &clearPart{}})
		if masked.isFour() && c.by != 2 {
			t.Errorf("%d by %d: lanes that have masks read %+v", c.extent, c.by, masked)
		}
		want := aligned(int(c.extent) * 4)
		for _, in := range [][]byte{guard.After(t, int(size)*4), guard.Before(t, int(size)*4)} {
			quotients(loop.F32, 3, in)
			portable(t, nest, [][]byte{in, want}, 0, c.extent)
			for name, target := range tiers() {
				got := aligned(int(c.extent) * 4)
				native(t, nest, target, [][]byte{in, got}, 0, c.extent)
				if i := looptest.Diff(looptest.MemOf(loop.F32), got, want); i >= 0 {
					t.Errorf("%s: %d by %d: element %d differs", name, c.extent, c.by, i)
				}
				code := assemble(t, nest, target)
				if fours := count(code, asm.VBROADCASTF32X4) > 0; !target.AVX512 && fours != c.fours {
					t.Errorf("%s: %d by %d: expected to read fours: %t, got %t", name, c.extent, c.by, c.fours, fours)
				}
			}
		}
	}
}
