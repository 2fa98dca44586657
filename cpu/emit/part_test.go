package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// partsNest copies rows of some elements, which lie a step apart in x and side by side in y; or the other way round.
func partsNest(m loop.Mem, rows, extent, step int64, into bool) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("%d of %d, %d apart, %v", rows, extent, step, m))
	far := step
	if far < 0 {
		far = -far
	}
	length := far*(extent-1) + 1
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * length * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * length * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(j int) {
			apart := loop.Access{Mem: m, Offset: max(0, -step*(extent-1)), Terms: []loop.Term{{Var: i, Stride: length},
				{Var: j, Stride: step}}}
			dense := loop.Access{Mem: m, Terms: []loop.Term{{Var: i, Stride: length}, {Var: j, Stride: 1}}}
			from, to := apart, dense
			if into {
				from, to = dense, apart
			}
			from.Buffer, to.Buffer = x, y
			b.Store(to, b.Load(from, 0), 0)
		})
	})
	return b.Nest()
}

// TestParts: rows of all lengths up to a few vectors, of elements that lie in steps, next to pages that cannot be
// accessed.
func TestParts(t *testing.T) {
	for name, target := range tiers() {
		for _, m := range allMems {
			t.Run(fmt.Sprintf("%s/%v", name, m), func(t *testing.T) { checkPartsOf(t, name, target, m) })
		}
	}
}

// checkPartsOf is a test by itself: memory next to such pages is given back when one ends.
func checkPartsOf(t *testing.T, name string, target Target, m loop.Mem) {
	for _, step := range []int64{1, 2, 3, 4, 5, 8, 9, -1} {
		for extent := int64(1); extent <= 19; extent++ {
			checkParts(t, name, target, m, partsNest(m, 3, extent, step, false))
			checkParts(t, name, target, m, partsNest(m, 3, extent, step, true))
		}
	}
}

func checkParts(t *testing.T, name string, target Target, m loop.Mem, n *loop.Nest) {
	for _, place := range []func(testing.TB, int) []byte{guard.After, guard.Before} {
		size := int(n.Buffers[0].Bytes)
		x, got, want := place(t, size), place(t, size), aligned(size)
		looptest.Fill(rand.New(rand.NewPCG(uint64(size), 5)), m, x)
		looptest.Fill(rand.New(rand.NewPCG(uint64(size), 6)), m, got)
		copy(want, got)
		portable(t, n, [][]byte{x, want}, 0, 3)
		native(t, n, target, [][]byte{x, got}, 0, 3)
		if d := looptest.Diff(m, got, want); d >= 0 {
			t.Fatalf("%s: [%d]: expected %s, got %s\n%v", name, d, element(m, want, d), element(m, got, d), n)
		}
	}
}

// TestPartsEmulated is TestParts in the emulator.
func TestPartsEmulated(t *testing.T) {
	for _, tier := range emulatedTiers {
		for _, m := range allMems {
			for _, step := range []int64{1, 2, 3} {
				for extent := int64(1); extent <= 11; extent++ {
					n := partsNest(m, 2, extent, step, false)
					size := int(n.Buffers[0].Bytes)
					x, got, want := make([]byte, size), make([]byte, size), aligned(size)
					looptest.Fill(rand.New(rand.NewPCG(uint64(size), 5)), m, x)
					portable(t, n, [][]byte{x, want}, 0, 2)
					emulate(t, n, tier.target, [][]byte{x, got}, 0, 2)
					if d := looptest.Diff(m, got, want); d >= 0 {
						t.Fatalf("%s: [%d]: expected %s, got %s\n%v", tier.name, d, element(m, want, d),
							element(m, got, d), n)
					}
				}
			}
		}
	}
}

// TestExactParts: rows that fill a register are read without masks, others not.
func TestExactParts(t *testing.T) {
	for extent, want := range map[int64]int{2: 0, 3: 1, 4: 0, 5: 1} {
		masked := 0
		for code := assemble(t, partsNest(loop.MemF32, 2, extent, 1, false), Target{}); len(code) > 0; {
			in, size, err := asm.Decode(code)
			if err != nil {
				break // constants
			}
			if code = code[size:]; in.Op == asm.VPMASKMOVD {
				masked++
			}
		}
		if masked != want {
			t.Errorf("%d elements: expected %d masked moves, got %d", extent, want, masked)
		}
	}
}
