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

// slidingNest sums the elements of rows of x at places step*i+d for each d of a window, where these are elements, and
// the same of the row before, where there is one; y has the sums, of extent places of a row. wide: they pass f64.
func slidingNest(rows, extent, step int64, window []int64, wide bool) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("sliding %d %d %v", extent, step, window))
	width := (extent-1)*step + 1
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * width * 4})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * extent * 4, Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		above := b.Cmp(loop.GE, b.Index(loop.I32, i), b.Int(loop.I32, 1))
		b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(j int) {
			at := b.Op(loop.Mul, loop.I32, b.Index(loop.I32, j), b.Int(loop.I32, step))
			sum := b.Float(loop.F32, 1)
			for _, d := range window {
				e := b.Op(loop.Add, loop.I32, at, b.Int(loop.I32, d))
				below := b.Cmp(loop.LT, e, b.Int(loop.I32, width))
				in := b.Op(loop.And, loop.Mask, b.Cmp(loop.GE, e, b.Int(loop.I32, 0)), below)
				for row, on := range []loop.Value{in, b.Op(loop.And, loop.Mask, above, in)} {
					v := b.Load(loop.Access{Buffer: x, Mem: loop.MemF32, Offset: d - int64(row)*width,
						Terms: []loop.Term{{Var: i, Stride: width}, {Var: j, Stride: step}}}, on)
					sum = b.Op(loop.Select, loop.F32, on, b.Op(loop.Add, loop.F32, sum, v), sum)
				}
			}
			if wide {
				sum = b.Op(loop.Narrow, loop.F32, b.Op(loop.Widen, loop.F64, sum))
			}
			b.Store(loop.Access{Buffer: y, Mem: loop.MemF32, Terms: []loop.Term{{Var: i, Stride: extent},
				{Var: j, Stride: 1}}}, sum, b.Cmp(loop.GT, b.Index(loop.I32, j), b.Int(loop.I32, 2)))
		})
	})
	return b.Nest()
}

var slidingWindows = [][]int64{{-1, 0, 1}, {-3, -2, -1, 0}, {0, 9, 17}, {-20}, {1000, 0}}

// TestClear: windows that slide over rows of all lengths and reach beyond these, which are next to pages that cannot be
// accessed.
func TestClear(t *testing.T) {
	const rows = 3
	for name, target := range tiers() {
		for _, window := range slidingWindows {
			for extent := int64(1); extent <= 70; extent++ {
				for _, step := range []int64{1, 2, 3} {
					checkClear(t, name, target, rows, slidingNest(rows, extent, step, window, extent%5 == 0))
				}
			}
		}
	}
}

func checkClear(t *testing.T, name string, target Target, rows int64, n *loop.Nest) {
	for _, place := range []func(testing.TB, int) []byte{guard.After, guard.Before} {
		x, got := place(t, int(n.Buffers[0].Bytes)), place(t, int(n.Buffers[1].Bytes))
		want := aligned(len(got))
		looptest.Fill(rand.New(rand.NewPCG(1, 5)), loop.MemF32, x)
		clear(got)
		portable(t, n, [][]byte{x, want}, 0, rows)
		native(t, n, target, [][]byte{x, got}, 0, rows)
		if d := looptest.Diff(loop.MemF32, got, want); d >= 0 {
			t.Fatalf("%s: [%d]: expected %s, got %s\n%v", name, d, element(loop.MemF32, want, d),
				element(loop.MemF32, got, d), n)
		}
	}
}

// TestClearEmulated is TestClear in the emulator.
func TestClearEmulated(t *testing.T) {
	for _, tier := range emulatedTiers {
		for _, window := range slidingWindows {
			for _, extent := range []int64{15, 16, 24, 33, 48, 70} {
				n := slidingNest(2, extent, 1, window, false)
				x, got, want := make([]byte, 8*extent), make([]byte, 8*extent), aligned(int(8*extent))
				looptest.Fill(rand.New(rand.NewPCG(1, 5)), loop.MemF32, x)
				portable(t, n, [][]byte{x, want}, 0, 2)
				emulate(t, n, tier.target, [][]byte{x, got}, 0, 2)
				if d := looptest.Diff(loop.MemF32, got, want); d >= 0 {
					t.Fatalf("%s: [%d]: expected %s, got %s\n%v", tier.name, d, element(loop.MemF32, want, d),
						element(loop.MemF32, got, d), n)
				}
			}
		}
	}
}

// circleNest has differences of neighbours in a line of n elements that is a circle: y[i] = x[i] - x[i+d], with
// what is in front of the first one at the end, and the other way round.
func circleNest(n, d int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("neighbours %d %d", n, d))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: n * 4})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: n * 4, Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(i int) {
		load := func(offset int64, on loop.Value) loop.Value {
			return b.Load(loop.Access{Buffer: x, Mem: loop.MemF32, Offset: offset,
				Terms: []loop.Term{{Var: i, Stride: 1}}}, on)
		}
		near := d
		if d < 0 {
			near = n + d
		}
		before := b.Cmp(loop.LT, b.Index(loop.I32, i), b.Int(loop.I32, n-near))
		behind := b.Cmp(loop.GE, b.Op(loop.Add, loop.I32, b.Index(loop.I32, i), b.Int(loop.I32, near-n)), b.Int(loop.I32, 0))
		far := load(near-n, behind)
		other := b.Op(loop.Select, loop.F32, behind, far, load(near, before))
		b.Store(loop.Access{Buffer: y, Mem: loop.MemF32, Terms: []loop.Term{{Var: i, Stride: 1}}},
			b.Op(loop.Sub, loop.F32, load(0, 0), other), 0)
	})
	return b.Nest()
}

// TestClearInRange: where a lane loop is the outermost one, parts of it that are done apart are without masks, too.
func TestClearInRange(t *testing.T) {
	for _, n := range []int64{7, 16, 40, 64, 65, 129, 200, 321, 1000} {
		for _, d := range []int64{1, -1, 5, -17, 70} {
			if d >= n || -d >= n {
				continue
			}
			nest := circleNest(n, d)
			for name, target := range tiers() {
				for _, place := range []func(testing.TB, int) []byte{guard.After, guard.Before} {
					x, got, want := place(t, int(4*n)), place(t, int(4*n)), aligned(int(4*n))
					looptest.Fill(rand.New(rand.NewPCG(1, 5)), loop.MemF32, x)
					portable(t, nest, [][]byte{x, want}, 0, n)
					for _, part := range []int64{64, 128, 192, 1024} {
						clear(got)
						for at := int64(0); at < n; at += part {
							native(t, nest, target, [][]byte{x, got}, at, min(at+part, n))
						}
						if k := looptest.Diff(loop.MemF32, got, want); k >= 0 {
							t.Fatalf("%s: %d of %d, parts of %d: [%d]: expected %s, got %s", name, d, n, part, k,
								element(loop.MemF32, want, k), element(loop.MemF32, got, k))
						}
					}
				}
			}
		}
	}
	for _, tier := range emulatedTiers[:2] {
		if !foldsLoads(t, circleNest(1000, 1), tier.target) {
			t.Errorf("%s: no part without masks", tier.name)
		}
	}
}

// foldsLoads reports whether a difference reads memory without a mask.
func foldsLoads(t *testing.T, n *loop.Nest, target Target) bool {
	t.Helper()
	for in := range decoded(assemble(t, n, target)) {
		if text := in.String(); in.Op == asm.VSUBPS && strings.Contains(text, "word ptr [r") && !strings.Contains(text, "{") {
			return true
		}
	}
	return false
}
