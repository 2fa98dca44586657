package emit

import (
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// TestChoiceCarried: what a loop carries is one of two products of itself; the one is not in the way of the other.
func TestChoiceCarried(t *testing.T) {
	b := loop.NewBuilder("choice")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4, Write: true})
	at := loop.Access{Buffer: x, Mem: loop.MemF32}
	one := b.Float(loop.F32, 1)
	out := b.While([]loop.Value{b.Int(loop.I32, 0), b.Load(at, 0)}, func(phis []loop.Value) loop.Value {
		return b.Cmp(loop.LT, phis[0], b.Int(loop.I32, 40))
	}, func(phis []loop.Value) []loop.Value {
		v := phis[1]
		grown := b.Op(loop.Add, loop.F32, b.Op(loop.Mul, loop.F32, v, b.Float(loop.F32, 1.7)), b.Float(loop.F32, .25))
		half := b.Op(loop.Mul, loop.F32, v, b.Float(loop.F32, .5))
		next := b.Op(loop.Select, loop.F32, b.Cmp(loop.GT, v, one), half, grown)
		return []loop.Value{b.Op(loop.Add, loop.I32, phis[0], b.Int(loop.I32, 1)), next}
	})
	b.Store(at, out[1], 0)
	n := b.Nest()
	for name, target := range tiers() {
		got, want := aligned(4), aligned(4)
		copy(got, []byte{0, 0, 0x10, 0x40}) // 2.25
		copy(want, got)
		portable(t, n, [][]byte{want}, 0, 1)
		native(t, n, target, [][]byte{got}, 0, 1)
		if looptest.Diff(loop.MemF32, got, want) >= 0 {
			t.Errorf("%s: expected %s, got %s\n%v", name, element(loop.MemF32, want, 0), element(loop.MemF32, got, 0), n)
		}
	}
}
