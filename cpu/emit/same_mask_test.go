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

// windowsNest sums windows of rows of x that begin pad rows before theirs; rows that do not exist are left out. Whether
// one exists is the same for all its elements.
func windowsNest(rows, taps, pad, width int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("windows %d %d %d %d", rows, taps, pad, width))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * width * 4})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * width * 4, Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: width, Lanes: true, Parallel: true}, func(j int) {
			from := []loop.Reduction{{Init: b.Float(loop.F32, 1)}}
			sums := b.For(loop.Spec{Extent: taps}, from, func(k int, in []loop.Value) []loop.Value {
				at := b.Op(loop.Add, loop.I32, b.Op(loop.Add, loop.I32, b.Index(loop.I32, i), b.Index(loop.I32, k)),
					b.Int(loop.I32, -pad))
				on := b.Op(loop.And, loop.Mask, b.Cmp(loop.GE, at, b.Int(loop.I32, 0)),
					b.Cmp(loop.LT, at, b.Int(loop.I32, rows)))
				v := b.Load(loop.Access{Buffer: x, Mem: loop.MemF32, Offset: -pad * width, Terms: []loop.Term{
					{Var: i, Stride: width}, {Var: k, Stride: width}, {Var: j, Stride: 1}}}, on)
				return []loop.Value{b.Op(loop.Select, loop.F32, on, b.Op(loop.Add, loop.F32, in[0], v), in[0])}
			})
			b.Store(loop.Access{Buffer: y, Mem: loop.MemF32, Terms: []loop.Term{{Var: i, Stride: width},
				{Var: j, Stride: 1}}}, sums[0], 0)
		})
	})
	return b.Nest()
}

// TestSameMask: what a mask that is the same in all lanes leaves out is jumped over. A masked load of elements on a
// page that is not there gives zeros, but takes a thousand cycles on some processors, and what is left out before and
// behind an array may be on one.
func TestSameMask(t *testing.T) {
	const rows, taps, pad = 9, 7, 3
	for name, target := range tiers() {
		for _, width := range []int64{1, 7, 16, 24, 64, 75, 160} {
			n := windowsNest(rows, taps, pad, width)
			for _, place := range []func(testing.TB, int) []byte{guard.After, guard.Before} {
				x, got, want := place(t, int(4*rows*width)), place(t, int(4*rows*width)), aligned(int(4*rows*width))
				looptest.Fill(rand.New(rand.NewPCG(1, 5)), loop.MemF32, x)
				portable(t, n, [][]byte{x, want}, 0, rows)
				native(t, n, target, [][]byte{x, got}, 0, rows)
				if d := looptest.Diff(loop.MemF32, got, want); d >= 0 {
					t.Fatalf("%s: [%d]: expected %s, got %s\n%v", name, d, element(loop.MemF32, want, d),
						element(loop.MemF32, got, d), n)
				}
			}
		}
		code := assemble(t, windowsNest(rows, taps, pad, 64), target)
		if n := count(code, asm.VPMASKMOVD) + count(code, asm.VMASKMOVPS); n > 0 {
			t.Errorf("%s: %d masked moves of whole vectors, expected none", name, n)
		}
		if n := count(code, asm.VPCMPD) + count(code, asm.VPCMPGTD); n > 2 {
			t.Errorf("%s: %d comparisons, expected the two of one vector", name, n)
		}
	}
}
