package emit

import (
	"fmt"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// pickedNest is z[i, j] = x[i, at(j)] + x[i, at(j) + apart]: pixels of colors elements, of which every second is taken,
// n of them, and their neighbours.
func pickedNest(m loop.Mem, rows, colors, n int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("picked %v %d %d", m, colors, n))
	row := 2 * colors * n
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * row * m.Bytes()})
	to := looptest.MemOf(m.Kind())
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: rows * n * colors * to.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: n * colors, Lanes: true, Parallel: true}, func(j int) {
			c := b.Const(loop.I32, uint64(colors))
			skipped := b.Op(loop.Mul, loop.I32, b.Op(loop.UDiv, loop.I32, b.Index(loop.I32, j), c), c)
			from := []loop.Term{{Var: i, Stride: row}, {Var: j, Stride: 1}}
			v := b.Load(loop.Access{Buffer: x, Terms: from, Index: skipped, Mem: m}, 0)
			w := b.Load(loop.Access{Buffer: x, Offset: colors, Terms: from, Index: skipped, Mem: m}, 0)
			at := []loop.Term{{Var: i, Stride: n * colors}, {Var: j, Stride: 1}}
			b.Store(loop.Access{Buffer: z, Terms: at, Mem: to}, b.Op(loop.Add, m.Kind(), v, w), 0)
		})
	})
	return b.Nest()
}

// TestRecorded computes with narrow elements that are apart in a way that is the same in every row, next to pages that
// cannot be accessed, and in the emulator.
func TestRecorded(t *testing.T) {
	for _, m := range []loop.Mem{loop.MemU8, loop.MemS8, loop.MemU16, loop.MemS16, loop.MemF16, loop.MemBF16} {
		for _, colors := range []int64{1, 3, 4, 7} {
			for _, n := range []int64{1, 2, 5, 6, 11, 16, 43, 64, 112, 400} {
				nest := pickedNest(m, 3, colors, n)
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

// TestRecordedWide: no element is read alone where there are shuffles of as many bytes.
func TestRecordedWide(t *testing.T) {
	for _, c := range []struct {
		mem    loop.Mem
		n      int64
		target Target
	}{
		{loop.MemU8, 100, Target{AVX512: true, VBMI: true}}, {loop.MemBF16, 100, Target{AVX512: true, VBMI: true}},
		{loop.MemU8, 104, Target{}},
	} {
		m := c.mem
		for code := assemble(t, pickedNest(m, 3, 3, c.n), c.target); len(code) > 0; {
			in, size, err := asm.Decode(code)
			if err != nil {
				break // constants
			}
			if code = code[size:]; in.Op == asm.VPINSRB || in.Op == asm.VPINSRW {
				t.Errorf("%v: %s", m, in.String())
			}
		}
	}
}

// pickedSumsNest is z[i, j] = the sum of x[i, k, l, at(j)] over k and l, which are loops inside of the lanes: of pixels
// of colors elements every second is taken, n of them.
func pickedSumsNest(m loop.Mem, colors, n int64) *loop.Nest {
	const rows, inner = 2, 3
	b := loop.NewBuilder(fmt.Sprintf("picked sums %v %d %d", m, colors, n))
	row := 2 * colors * n
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * inner * inner * row * m.Bytes()})
	to := looptest.MemOf(m.Kind())
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: rows * n * colors * to.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: n * colors, Lanes: true, Parallel: true}, func(j int) {
			c := b.Const(loop.I32, uint64(colors))
			skipped := b.Op(loop.Mul, loop.I32, b.Op(loop.UDiv, loop.I32, b.Index(loop.I32, j), c), c)
			from := []loop.Term{{Var: i, Stride: inner * inner * row}, {Var: j, Stride: 1}}
			sum := []loop.Reduction{{Init: b.Const(m.Kind(), 0)}}
			sums := b.For(loop.Spec{Extent: inner}, sum, func(k int, phis []loop.Value) []loop.Value {
				sum := []loop.Reduction{{Init: phis[0]}}
				return b.For(loop.Spec{Extent: inner}, sum, func(l int, phis []loop.Value) []loop.Value {
					terms := append(slices.Clone(from), loop.Term{Var: k, Stride: inner * row}, loop.Term{Var: l, Stride: row})
					v := b.Load(loop.Access{Buffer: x, Terms: terms, Index: skipped, Mem: m}, 0)
					return []loop.Value{b.Op(loop.Add, m.Kind(), phis[0], v)}
				})
			})
			at := []loop.Term{{Var: i, Stride: n * colors}, {Var: j, Stride: 1}}
			b.Store(loop.Access{Buffer: z, Terms: at, Mem: to}, sums[0], 0)
		})
	})
	return b.Nest()
}

// TestRecordedInLoops reads such elements in loops inside of the lane loop: their addresses leave out the loop in the
// middle.
func TestRecordedInLoops(t *testing.T) {
	for _, m := range []loop.Mem{loop.MemU8, loop.MemS16, loop.MemI32, loop.MemF32, loop.MemI64} {
		for _, colors := range []int64{1, 2, 3} {
			for _, n := range []int64{2, 5, 16, 40} {
				nest := pickedSumsNest(m, colors, n)
				for name, target := range tiers() {
					checkMoved(t, name, target, m, nest, 2)
				}
				if n < 16 {
					checkMovedEmulated(t, m, nest, 2)
				}
			}
		}
	}
}
