package emit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// pixelsNest is y[i, j] = x[at(i), at(j)] for pixels of so many elements, where rows and columns of x are those of y,
// or change places, and run backwards from the last one if back is set.
func pixelsNest(m loop.Mem, rows, columns, elements int64, turned, back bool) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("pixels %v %dx%dx%d %v %v", m, rows, columns, elements, turned, back))
	bytes := rows * columns * elements * m.Bytes()
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: bytes})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: bytes, Write: true})
	row, column, offset := columns*elements, elements, int64(0)
	if turned {
		row, column = elements, rows*elements
	}
	if back {
		offset, column = column*(columns-1), -column
	}
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: columns, Parallel: true}, func(j int) {
			b.Each(loop.Spec{Extent: elements, Lanes: true, Parallel: true}, func(k int) {
				from := []loop.Term{{Var: i, Stride: row}, {Var: j, Stride: column}, {Var: k, Stride: 1}}
				to := []loop.Term{{Var: i, Stride: columns * elements}, {Var: j, Stride: elements}, {Var: k, Stride: 1}}
				v := b.Load(loop.Access{Buffer: x, Offset: offset, Terms: from, Mem: m}, 0)
				b.Store(loop.Access{Buffer: y, Terms: to, Mem: m}, v, 0)
			})
		})
	})
	return b.Nest()
}

// TestPieces moves pixels, next to pages that cannot be accessed, and in the emulator, all rows and some of them: those
// in front and behind stay as they are.
func TestPieces(t *testing.T) {
	for _, m := range []loop.Mem{loop.MemU8, loop.MemPred, loop.MemBF16, loop.MemF32} {
		for _, elements := range []int64{2, 3, 4, 5, 6, 7, 9, 12, 16, 17} {
			for _, columns := range []int64{7, 8, 9, 10, 11, 13, 21} {
				for form := range 4 {
					nest := pixelsNest(m, 3, columns, elements, form&1 != 0, form&2 != 0)
					for name, target := range tiers() {
						checkMoved(t, name, target, m, nest, 3)
					}
					if columns != 13 {
						continue
					}
					for _, tier := range emulatedTiers {
						checkMiddle(t, tier.name, tier.target, m, nest)
					}
				}
			}
		}
	}
}

// checkMiddle runs the second of three rows of n in the emulator.
func checkMiddle(t *testing.T, name string, target Target, m loop.Mem, n *loop.Nest) {
	t.Helper()
	got, want := make([][]byte, 2), make([][]byte, 2)
	for k, b := range n.Buffers {
		want[k] = aligned(int(b.Bytes))
		looptest.Fill(rand.New(rand.NewPCG(uint64(k), 4)), m, want[k])
		got[k] = slices.Clone(want[k])
	}
	portable(t, n, want, 1, 2)
	emulate(t, n, target, got, 1, 2)
	if d := looptest.Diff(m, got[1], want[1]); d >= 0 {
		t.Fatalf("%s: [%d]: expected %s, got %s\n%v", name, d, element(m, want[1], d), element(m, got[1], d), n)
	}
}

// TestPiecesChangePlaces: two pixels of one array that change places are both read before one is written.
func TestPiecesChangePlaces(t *testing.T) {
	for _, elements := range []int64{2, 3, 4} {
		const rows, pixels, m = 2, 9, loop.MemF32
		b := loop.NewBuilder("change places")
		x := b.Buffer(loop.Buffer{Name: "x", Bytes: 2 * rows * pixels * elements * m.Bytes(), Write: true})
		b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
			b.Each(loop.Spec{Extent: pixels, Parallel: true}, func(j int) {
				b.Each(loop.Spec{Extent: elements, Lanes: true, Parallel: true}, func(k int) {
					at := func(half int64) loop.Access {
						return loop.Access{Buffer: x, Offset: half * rows * pixels * elements, Mem: m, Terms: []loop.Term{
							{Var: i, Stride: pixels * elements}, {Var: j, Stride: elements}, {Var: k, Stride: 1}}}
					}
					first, second := b.Load(at(0), 0), b.Load(at(1), 0)
					b.Store(at(0), second, 0)
					b.Store(at(1), first, 0)
				})
			})
		})
		n := b.Nest()
		in := aligned(int(n.Buffers[0].Bytes))
		looptest.Fill(rand.New(rand.NewPCG(1, 4)), m, in)
		want := slices.Clone(in)
		portable(t, n, [][]byte{want}, 0, rows)
		for _, tier := range emulatedTiers {
			got := slices.Clone(in)
			emulate(t, n, tier.target, [][]byte{got}, 0, rows)
			if d := looptest.Diff(m, got, want); d >= 0 {
				t.Errorf("%s: [%d]: expected %s, got %s\n%v", tier.name, d, element(m, want, d), element(m, got, d), n)
			}
		}
	}
}
