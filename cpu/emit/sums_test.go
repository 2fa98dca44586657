package emit

import (
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// tapsNest sums, for each of so many taps, the products of x and of y, which is so far behind, row by row, of several
// rows at a time: more than there are registers for is wanted more than once.
func tapsNest(taps, rows, n int64) *loop.Nest {
	b := loop.NewBuilder("taps")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * n * (rows + taps)})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * n * rows})
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: 4 * taps, Write: true})
	b.Each(loop.Spec{Extent: 1, Parallel: true}, func(int) {
		init := make([]loop.Reduction, taps)
		for k := range init {
			init[k] = loop.Reduction{Init: b.Float(loop.F32, 0), Reduce: loop.Add}
		}
		sums := b.For(loop.Spec{Extent: n, Lanes: true}, init, func(i int, phi []loop.Value) []loop.Value {
			sums := slices.Clone(phi)
			for r := range rows {
				at := loop.Access{Buffer: y, Mem: loop.MemF32, Offset: r * n, Terms: []loop.Term{{Var: i, Stride: 1}}}
				by := b.Load(at, 0)
				for k := range sums {
					at.Buffer, at.Offset = x, (r+int64(k))*n
					sums[k] = b.Op(loop.FMA, loop.F32, b.Load(at, 0), by, sums[k])
				}
			}
			return sums
		})
		for k, s := range sums {
			b.Store(loop.Access{Buffer: z, Mem: loop.MemF32, Offset: int64(k)}, s, 0)
		}
	})
	return b.Nest()
}

// TestSumsStay: sums stay in registers, and what was read is read again where there are too few of these.
func TestSumsStay(t *testing.T) {
	const taps, n = 9, 64
	nest := tapsNest(taps, 4, n)
	x, y := aligned(4*n*(4+taps)), aligned(4*n*4)
	for k := range x {
		x[k] = 0x3f * byte(k%4/3) // 0.5
	}
	copy(y, x)
	want := aligned(4 * taps)
	portable(t, nest, [][]byte{x, y, want}, 0, 1)
	for name, target := range tiers() {
		got := aligned(4 * taps)
		native(t, nest, target, [][]byte{x, y, got}, 0, 1)
		if i := looptest.Diff(loop.MemF32, got, want); i >= 0 {
			t.Errorf("%s: sum %d differs", name, i)
		}
		if stores := storesInLoop(assemble(t, nest, target)); stores > 0 {
			t.Errorf("%s: expected sums in registers, got %d stores of vectors", name, stores)
		}
	}
}

// storesInLoop counts the stores of vectors in the first loop of code that has no other one in it.
func storesInLoop(code []byte) int {
	var stores []int
	for at := 0; at < len(code); {
		in, size, err := asm.Decode(code[at:])
		if err != nil {
			break // constants
		}
		if in.Place == asm.InStore && in.Size >= asm.VL256 && in.Op == asm.VMOVUPS {
			stores = append(stores, at)
		}
		if to := at + size + int(in.Imm); in.Op == asm.JCC && to < at {
			for len(stores) > 0 && stores[0] < to {
				stores = stores[1:]
			}
			return len(stores)
		}
		at += size
	}
	return -1
}
