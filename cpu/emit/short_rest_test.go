package emit

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// copiedRows are rows of n bytes that are copied to where they are farther apart.
func copiedRows(rows, n int64) byteCase {
	b := loop.NewBuilder("copied rows")
	b.Buffer(loop.Buffer{Name: "x", Bytes: rows * n})
	b.Buffer(loop.Buffer{Name: "y", Bytes: rows * (n + 3), Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(row int) {
		b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(i int) {
			at := func(k int, apart int64) loop.Access {
				terms := []loop.Term{{Var: row, Stride: apart}, {Var: i, Stride: 1}}
				return loop.Access{Buffer: k, Terms: terms, Mem: loop.MemU8}
			}
			b.Store(at(1, n+3), b.Load(at(0, n), 0), 0)
		})
	})
	return byteCase{b.Nest(), []loop.Mem{loop.MemU8, loop.MemU8}}
}

// TestCopiedRows copies rows next to pages that cannot be accessed.
func TestCopiedRows(t *testing.T) {
	for name, target := range tiers() {
		for _, n := range byteSizes {
			t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) {
				runByteCase(t, copiedRows(5, n), uint64(n), target, 5, native)
			})
		}
	}
}

// TestCopiedRowsMasked: on AVX-512 what does not fill a vector of bytes is copied under one mask.
func TestCopiedRowsMasked(t *testing.T) {
	for _, c := range []struct {
		n      int64
		masked int
	}{{37, 2}, {100, 2}, {64, 0}, {128, 0}} {
		got := 0
		for in := range decoded(assemble(t, copiedRows(5, c.n).nest, emulatedTiers[1].target)) {
			if in.Op == asm.VMOVDQU8 && in.Size == asm.VL512 && in.Place != 0 {
				got++
			}
		}
		if got != c.masked {
			t.Errorf("%d bytes: %d masked loads and stores, want %d", c.n, got, c.masked)
		}
	}
}
