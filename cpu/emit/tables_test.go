package emit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// lookupNest is y[i, j] = table[size-1 - x[i, j] mod size] of elements m.
func lookupNest(m loop.Mem, size, columns int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("lookup %v %d %d", m, size, columns))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 3 * columns})
	table := b.Buffer(loop.Buffer{Name: "table", Bytes: size * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 3 * columns * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: 3, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: columns, Lanes: true, Parallel: true}, func(j int) {
			at := []loop.Term{{Var: i, Stride: columns}, {Var: j, Stride: 1}}
			v := b.Load(loop.Access{Buffer: x, Terms: at, Mem: loop.MemU8}, 0)
			v = b.Op(loop.URem, loop.I32, v, b.Int(loop.I32, size))
			v = b.Op(loop.Sub, loop.I32, b.Int(loop.I32, 0), v)
			v = b.Load(loop.Access{Buffer: table, Offset: size - 1, Index: v, Mem: m}, 0)
			b.Store(loop.Access{Buffer: y, Terms: at, Mem: m}, v, 0)
		})
	})
	return b.Nest()
}

// TestShortTables looks up elements in tables of many sizes in the emulator, which checks every access.
func TestShortTables(t *testing.T) {
	for _, m := range []loop.Mem{loop.MemU8, loop.MemS8, loop.MemPred, loop.MemBF16, loop.MemF16, loop.MemU16,
		loop.MemS16, loop.MemF32, loop.MemI32, loop.MemF64, loop.MemI64} {
		vector := 64 / m.Bytes()
		for _, size := range []int64{1, 2, vector/2 - 1, vector / 2, vector/2 + 1, vector - 1, vector, vector + 1,
			3 * vector / 2, 2*vector - 1, 2 * vector, 2*vector + 1, 3*vector - 1, 3 * vector, 3*vector + 1,
			4*vector - 1, 4 * vector, 4*vector + 1} {
			size = min(size, 257)
			nest := lookupNest(m, size, 77)
			for _, tier := range emulatedTiers {
				r := rand.New(rand.NewPCG(uint64(size), 8))
				got, want := make([][]byte, 3), make([][]byte, 3)
				for k, b := range nest.Buffers {
					want[k] = aligned(int(b.Bytes))
					looptest.Fill(r, []loop.Mem{loop.MemU8, m, m}[k], want[k])
					got[k] = slices.Clone(want[k])
				}
				portable(t, nest, want, 0, 3)
				emulate(t, nest, tier.target, got, 0, 3)
				if d := looptest.Diff(m, got[2], want[2]); d >= 0 {
					t.Fatalf("%s: %s: element %d", tier.name, nest.Name, d)
				}
			}
		}
	}
}

// TestShortTablesWide: elements of short tables are neither read one by one nor gathered where there are shuffles.
func TestShortTablesWide(t *testing.T) {
	vbmi, avx512, avx2 := Target{AVX512: true, VBMI: true}, Target{AVX512: true}, Target{}
	for _, c := range []struct {
		m      loop.Mem
		size   int64
		target Target
		slow   asm.Op
		wide   bool
	}{
		{loop.MemU8, 50, vbmi, asm.VPINSRB, true}, {loop.MemU8, 256, vbmi, asm.VPINSRB, true},
		{loop.MemU8, 300, vbmi, asm.VPINSRB, false}, {loop.MemU8, 50, avx512, asm.VPINSRB, false},
		{loop.MemF32, 64, avx512, asm.VPGATHERDD, true}, {loop.MemF32, 65, avx512, asm.VPGATHERDD, false},
		{loop.MemF32, 16, avx2, asm.VPGATHERDD, true}, {loop.MemF32, 17, avx2, asm.VPGATHERDD, false},
		{loop.MemF64, 32, avx512, asm.VPGATHERDQ, true}, {loop.MemF64, 33, avx512, asm.VPGATHERDQ, false},
	} {
		found := false
		for code := assemble(t, lookupNest(c.m, c.size, 64), c.target); len(code) > 0; {
			in, n, err := asm.Decode(code)
			if err != nil {
				break // constants
			}
			code, found = code[n:], found || in.Op == c.slow
		}
		if found == c.wide {
			t.Errorf("%d of %v, %+v: %v: expected %v, got %v", c.size, c.m, c.target, c.slow, !c.wide, found)
		}
	}
}
