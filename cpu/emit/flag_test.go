package emit

import (
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// TestStoreFlag: a mask that is the same everywhere is a byte without a shuffle.
func TestStoreFlag(t *testing.T) {
	b := loop.NewBuilder("flag")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 8})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 2, Write: true})
	load := func(n int64) loop.Value { return b.Load(loop.Access{Buffer: x, Mem: loop.MemF32, Offset: n}, 0) }
	less := b.Cmp(loop.LT, load(0), load(1))
	b.Store(loop.Access{Buffer: y, Mem: loop.MemPred}, less, 0)
	b.Store(loop.Access{Buffer: y, Mem: loop.MemPred, Offset: 1}, b.Op(loop.Not, loop.Mask, less), 0)
	n := b.Nest()
	for _, in := range []string{"\x00\x00\x80\x3f\x00\x00\x00\x40", "\x00\x00\x00\x40\x00\x00\x80\x3f"} {
		want := make([]byte, 2)
		portable(t, n, [][]byte{[]byte(in), want}, 0, 1)
		for _, tier := range emulatedTiers {
			got := make([]byte, 2)
			emulate(t, n, tier.target, [][]byte{[]byte(in), got}, 0, 1)
			if string(got) != string(want) {
				t.Errorf("%s: expected %v, got %v", tier.name, want, got)
			}
		}
	}
	for _, tier := range emulatedTiers {
		for in := range decoded(assemble(t, n, tier.target)) {
			if in.Op == asm.VPSHUFB {
				t.Errorf("%s: %s", tier.name, in.String())
			}
		}
	}
}
