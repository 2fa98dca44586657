package emit

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// lookedUp is a loop that looks up n bytes in a table of some bytes.
func lookedUp(seed uint64, n, size int64) byteCase {
	m := byteMems[seed%2]
	b := loop.NewBuilder(fmt.Sprintf("looked up %d", seed))
	b.Buffer(loop.Buffer{Name: "x", Bytes: n})
	b.Buffer(loop.Buffer{Name: "table", Bytes: size})
	b.Buffer(loop.Buffer{Name: "y", Bytes: n, Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(i int) {
		at := []loop.Term{{Var: i, Stride: 1}}
		x := b.Load(loop.Access{Buffer: 0, Terms: at, Mem: loop.MemU8}, 0)
		if size < 256 {
			x = b.Op(loop.Min, loop.I32, x, b.Int(loop.I32, size-1))
		}
		v := b.Load(loop.Access{Buffer: 1, Index: x, Mem: m}, 0)
		b.Store(loop.Access{Buffer: 2, Terms: at, Mem: m}, b.Op(loop.Xor, loop.I32, v, x), 0)
	})
	return byteCase{b.Nest(), []loop.Mem{loop.MemU8, m, m}}
}

// tableSizes are sizes of tables, of one and more parts and vectors.
var tableSizes = []int64{256, 255, 200, 193, 192, 130, 129, 128, 127, 100, 65, 64, 63, 33, 32, 31, 17, 16, 15, 3, 1}

func testLookups(t *testing.T, target Target, run runner) {
	for k, size := range tableSizes {
		for seed := range uint64(3) {
			n := []int64{513, 700, 1100}[(int(seed)+k)%3]
			t.Run(fmt.Sprintf("%d/%d", size, n), func(t *testing.T) {
				runByteCase(t, lookedUp(seed, n, size), seed, target, n, run)
			})
		}
	}
}

// TestLookups looks up bytes in tables, next to pages that cannot be accessed.
func TestLookups(t *testing.T) {
	for name, target := range tiers() {
		t.Run(name, func(t *testing.T) { testLookups(t, target, native) })
	}
}

// TestLookupsEmulated is TestLookups in the emulator.
func TestLookupsEmulated(t *testing.T) {
	for _, tier := range emulatedTiers[:2] {
		t.Run(tier.name, func(t *testing.T) { testLookups(t, tier.target, emulate) })
	}
}

// TestLookupsTaken: tables of bytes are looked up by shuffles, of two vectors where there is one that does, except in a
// short loop.
func TestLookupsTaken(t *testing.T) {
	vbmi := emulatedTiers[1].target
	vbmi.VBMI = true
	plain := emulatedTiers[1].target
	plain.VBMI = false
	for _, c := range []struct {
		name   string
		target Target
		n      int64
		want   asm.Op
	}{
		{"avx2", emulatedTiers[0].target, 1000, asm.VPSUBSB},
		{"avx512", plain, 1000, asm.VPSUBSB},
		{"avx512 vbmi", vbmi, 1000, asm.VPERMI2B},
		{"avx2 short", emulatedTiers[0].target, 100, 0},
	} {
		got := asm.Op(0)
		for in := range decoded(assemble(t, lookedUp(0, c.n, 256).nest, c.target)) {
			if in.Op == asm.VPSUBSB || in.Op == asm.VPERMI2B {
				got = in.Op
			}
		}
		if got != c.want {
			t.Errorf("%s: looked up by %v, want %v", c.name, got, c.want)
		}
	}
}
