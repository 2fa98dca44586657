package emit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// paddedRows is y, rows of x with so many ones in front and behind, of the other sign, which goes past the caches.
func paddedRows(rows, columns, front, behind int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("padded %d %d %d", front, columns, behind))
	extent := front + columns + behind
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * columns * 4})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * extent * 4, Write: true, Stream: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(j int) {
			at := b.Op(loop.Add, loop.I32, b.Index(loop.I32, j), b.Int(loop.I32, -front))
			in := b.Op(loop.And, loop.Mask, b.Cmp(loop.GE, at, b.Int(loop.I32, 0)), b.Cmp(loop.LT, at, b.Int(loop.I32, columns)))
			v := b.Load(loop.Access{Buffer: x, Mem: loop.MemF32, Offset: -front,
				Terms: []loop.Term{{Var: i, Stride: columns}, {Var: j, Stride: 1}}}, in)
			v = b.Op(loop.Neg, loop.F32, b.Op(loop.Select, loop.F32, in, v, b.Float(loop.F32, 1)))
			b.Store(loop.Access{Buffer: y, Mem: loop.MemF32, Terms: []loop.Term{{Var: i, Stride: extent},
				{Var: j, Stride: 1}}}, v, 0)
		})
	})
	return b.Nest()
}

// TestClearInLines: long rows that begin anywhere in a line, and whose ends are padded, are without masks in between,
// next to pages that cannot be accessed.
func TestClearInLines(t *testing.T) {
	const rows = 5
	for _, c := range [][3]int64{{0, 4099, 0}, {1, 4099, 0}, {0, 4099, 3}, {4, 4096, 4}, {15, 4101, 17}, {16, 4100, 1},
		{33, 4110, 0}, {70, 4201, 95}, {3, 5000, 1000}, {1, 4098, 1}, {8, 4111, 0}} {
		n := paddedRows(rows, c[1], c[0], c[2])
		for _, tier := range emulatedTiers[:2] {
			if masks := c[0]+c[2] > 0; masks && !readsFolded(t, n, tier.target) {
				t.Errorf("%s: %v: no part without masks", tier.name, c)
			}
		}
		for name, target := range tiers() {
			for _, place := range []func(testing.TB, int) []byte{guard.After, guard.Before} {
				x, memory := place(t, int(n.Buffers[0].Bytes)), aligned(int(n.Buffers[1].Bytes))
				want := aligned(len(memory))
				looptest.Fill(rand.New(rand.NewPCG(2, 5)), loop.MemF32, x)
				portable(t, n, [][]byte{x, want}, 0, rows)
				for k := range int64(rows) {
					native(t, n, target, [][]byte{x, memory}, k, k+1)
				}
				if d := looptest.Diff(loop.MemF32, memory, want); d >= 0 {
					t.Fatalf("%s: %v: [%d]: expected %s, got %s", name, c, d, element(loop.MemF32, want, d),
						element(loop.MemF32, memory, d))
				}
			}
		}
	}
}

// readsFolded reports whether an instruction of the code of n changes the sign of what it reads, all of a vector.
func readsFolded(t *testing.T, n *loop.Nest, target Target) bool {
	t.Helper()
	for in := range decoded(assemble(t, n, target)) {
		if text := in.String(); in.Op == asm.VXORPS && strings.Contains(text, "word ptr [r") && !strings.Contains(text, "{") {
			return true
		}
	}
	return false
}
