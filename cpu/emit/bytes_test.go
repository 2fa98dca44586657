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

// lookupNest is y[i, j] = table[x[i, j] mod size] of elements m.
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
			v = b.Load(loop.Access{Buffer: table, Index: v, Mem: m}, 0)
			b.Store(loop.Access{Buffer: y, Terms: at, Mem: m}, v, 0)
		})
	})
	return b.Nest()
}

// TestByteTables looks up bytes in tables of many sizes in the emulator, which checks every access.
func TestByteTables(t *testing.T) {
	for _, m := range []loop.Mem{loop.MemU8, loop.MemS8, loop.MemPred, loop.MemBF16} {
		for _, size := range []int64{1, 2, 16, 63, 64, 65, 100, 127, 128, 129, 191, 192, 193, 255, 256, 257} {
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

// TestByteTablesWide: bytes of short tables are not read one by one where there are shuffles of bytes.
func TestByteTablesWide(t *testing.T) {
	for size, wide := range map[int64]bool{50: true, 256: true, 300: false} {
		found := false
		for code := assemble(t, lookupNest(loop.MemU8, size, 64), Target{AVX512: true, VBMI: true}); len(code) > 0; {
			in, n, err := asm.Decode(code)
			if err != nil {
				break // constants
			}
			code, found = code[n:], found || in.Op == asm.VPINSRB
		}
		if found == wide {
			t.Errorf("%d bytes: read one by one: expected %v, got %v", size, !wide, found)
		}
	}
}
