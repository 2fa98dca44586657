package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// TestWholeRowsInLines: rows of whole vectors that begin anywhere in a line and go past the caches are done to their
// ends, behind the vectors that begin with lines.
func TestWholeRowsInLines(t *testing.T) {
	const rows = 5
	for _, c := range [][2]int64{{4096, 1}, {8192, 3}, {8192, 16}, {4096, 9}} {
		for _, size := range []loop.Mem{loop.MemF32, loop.MemF64} {
			columns, behind, bytes := c[0], c[1], size.Bytes()
			b := loop.NewBuilder(fmt.Sprint(columns, " of ", columns+behind))
			x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * columns * bytes})
			y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * (columns + behind) * bytes, Write: true, Stream: true})
			b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
				b.Each(loop.Spec{Extent: columns, Lanes: true, Parallel: true}, func(j int) {
					from := []loop.Term{{Var: i, Stride: columns}, {Var: j, Stride: 1}}
					to := []loop.Term{{Var: i, Stride: columns + behind}, {Var: j, Stride: 1}}
					v := b.Load(loop.Access{Buffer: x, Mem: size, Terms: from}, 0)
					b.Store(loop.Access{Buffer: y, Mem: size, Offset: behind, Terms: to}, v, 0)
				})
			})
			n := b.Nest()
			for name, target := range tiers() {
				x, got := aligned(int(n.Buffers[0].Bytes)), aligned(int(n.Buffers[1].Bytes))
				want := aligned(len(got))
				looptest.Fill(rand.New(rand.NewPCG(2, 5)), size, x)
				portable(t, n, [][]byte{x, want}, 0, rows)
				native(t, n, target, [][]byte{x, got}, 0, rows)
				if d := looptest.Diff(size, got, want); d >= 0 {
					t.Errorf("%s: %s, %v: element %d differs", name, n.Name, size, d)
				}
			}
		}
	}
}
