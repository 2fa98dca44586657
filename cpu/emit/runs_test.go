package emit

import (
	"fmt"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// planesNest is z[i, j, c] = x[i, c, j] + x[i, c, j]: n pixels made of planes of some colors, a row at a time.
func planesNest(m loop.Mem, rows, colors, n int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("planes %v %d %d", m, colors, n))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * n * colors * m.Bytes()})
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: rows * n * colors * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: n * colors, Lanes: true, Parallel: true}, func(j int) {
			pixel := b.Op(loop.UDiv, loop.I32, b.Index(loop.I32, j), b.Int(loop.I32, colors))
			back := b.Op(loop.Mul, loop.I32, pixel, b.Int(loop.I32, 1-colors*n))
			from := []loop.Term{{Var: i, Stride: colors * n}, {Var: j, Stride: n}}
			v := b.Load(loop.Access{Buffer: x, Terms: from, Index: back, Mem: m}, 0)
			at := []loop.Term{{Var: i, Stride: n * colors}, {Var: j, Stride: 1}}
			b.Store(loop.Access{Buffer: z, Terms: at, Mem: m}, b.Op(loop.Add, m.Kind(), v, v), 0)
		})
	})
	return b.Nest()
}

// TestPlanes computes with pixels made of planes, next to pages that cannot be accessed, and in the emulator.
func TestPlanes(t *testing.T) {
	for _, m := range []loop.Mem{loop.MemF32, loop.MemI32, loop.MemU8} {
		for _, colors := range []int64{2, 3, 4, 5} {
			for _, n := range []int64{1, 2, 5, 6, 11, 16, 17, 43, 64, 112, 400} {
				nest := planesNest(m, 3, colors, n)
				for name, target := range tiers() {
					checkMoved(t, name, target, m, nest, 3)
				}
				if n <= 50 {
					checkMovedEmulated(t, m, nest, 3)
				}
			}
		}
	}
}

// TestPlanesWide: whole vectors gather nothing where there are masks that put neighbours in their places.
func TestPlanesWide(t *testing.T) {
	for colors, want := range map[int64]bool{2: false, 3: false, 4: false, 5: true} {
		if got := hasGather(assemble(t, planesNest(loop.MemF32, 3, colors, 64), Target{AVX512: true})); got != want {
			t.Errorf("%d planes: gathers: %t, want %t", colors, got, want)
		}
	}
}

// TestRunsIn cuts places of lanes.
func TestRunsIn(t *testing.T) {
	starts, masks := runsIn([]int64{5, 100, 6, 101, 7, 300})
	if !slices.Equal(starts, []int64{5, 100, 300}) || !slices.Equal(masks, []uint64{0b10101, 0b1010, 0b100000}) {
		t.Errorf("got %v, %b", starts, masks)
	}
}
