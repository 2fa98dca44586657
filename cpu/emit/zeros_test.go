package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// TestZeroedLanes: an instruction writes the zeros of a blend of its result and zeros itself on AVX-512, in all forms
// of products with sums, and does not where its result is used elsewhere, too.
func TestZeroedLanes(t *testing.T) {
	const extent = 101
	bodies := []struct {
		name   string
		blends bool
		make   func(b *loop.Builder, x, y loop.Value) loop.Value
	}{
		{"sum", false, func(b *loop.Builder, x, y loop.Value) loop.Value { return b.Op(loop.Add, loop.F32, x, y) }},
		{"x*x+y", false, func(b *loop.Builder, x, y loop.Value) loop.Value { return b.Op(loop.FMA, loop.F32, x, x, y) }},
		{"y-x*1.5", false, func(b *loop.Builder, x, y loop.Value) loop.Value {
			return b.Op(loop.FNMA, loop.F32, x, b.Float(loop.F32, 1.5), y)
		}},
		{"x*y-1.5", false, func(b *loop.Builder, x, y loop.Value) loop.Value {
			return b.Op(loop.FMS, loop.F32, x, y, b.Float(loop.F32, 1.5))
		}},
		{"used twice", true, nil},
	}
	r := rand.New(rand.NewPCG(11, 12))
	for _, body := range bodies {
		n := zeroedNest(extent, body.make)
		for _, tier := range emulatedTiers {
			t.Run(fmt.Sprintf("%s/%s", body.name, tier.name), func(t *testing.T) {
				x, y := make([]byte, 4*extent), make([]byte, 4*extent)
				looptest.Fill(r, loop.MemF32, x)
				looptest.Fill(r, loop.MemF32, y)
				out, want := make([]byte, 4*extent), make([]byte, 4*extent)
				portable(t, n, [][]byte{x, y, want}, 0, extent)
				emulate(t, n, tier.target, [][]byte{x, y, out}, 0, extent)
				if d := looptest.Diff(loop.MemF32, out, want); d >= 0 {
					t.Errorf("[%d] differs", d)
				}
				blends := count(assemble(t, n, tier.target), asm.VBLENDMPS) > 0
				if tier.target.AVX512 && blends != body.blends {
					t.Errorf("blends: %v, expected %v", blends, body.blends)
				}
			})
		}
	}
}

// zeroedNest is z = x < y ? f(x, y) : 0, or without f z = x*y + (x < y ? x*y : 0).
func zeroedNest(extent int64, f func(b *loop.Builder, x, y loop.Value) loop.Value) *loop.Nest {
	b := loop.NewBuilder("zeroed")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * extent})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * extent})
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: 4 * extent, Write: true})
	b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(i int) {
		at := func(buffer int) loop.Access {
			return loop.Access{Buffer: buffer, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: loop.MemF32}
		}
		p, q := b.Load(at(x), 0), b.Load(at(y), 0)
		less, zero := b.Cmp(loop.LT, p, q), b.Float(loop.F32, 0)
		if f != nil {
			b.Store(at(z), b.Op(loop.Select, loop.F32, less, f(b, p, q), zero), 0)
			return
		}
		v := b.Op(loop.Mul, loop.F32, p, q)
		b.Store(at(z), b.Op(loop.Add, loop.F32, v, b.Op(loop.Select, loop.F32, less, v, zero)), 0)
	})
	return b.Nest()
}
