package emit

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// triplesNest is y = 3x, or y = x if that is only moved.
func triplesNest(m loop.Mem, extent int64, moved bool) *loop.Nest {
	b := loop.NewBuilder("triples")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: extent * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: extent * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(i int) {
		at := []loop.Term{{Var: i, Stride: 1}}
		v := b.Load(loop.Access{Buffer: x, Terms: at, Mem: m}, 0)
		if !moved {
			v = b.Op(loop.Mul, m.Kind(), v, b.Float(m.Kind(), 3))
		}
		b.Store(loop.Access{Buffer: y, Terms: at, Mem: m}, v, 0)
	})
	return b.Nest()
}

// TestWholeSteps: a loop whose iterations are a multiple of what is done at a time, as parts of its range are, has no
// code for less; others have. All parts give what the portable executor gives.
func TestWholeSteps(t *testing.T) {
	for _, c := range []struct {
		mem    loop.Mem
		extent int64
		moved  bool

		all int // multiplications in the code for AVX-512
	}{
		{loop.MemF32, 1 << 12, false, 2},
		{loop.MemF32, 1<<12 + 32, false, 2},
		{loop.MemF32, 1<<12 + 16, false, 3}, // one vector
		{loop.MemF32, 1<<12 + 15, false, 3}, // and a part of one, or that alone: all under a mask
		{loop.MemF32, 1<<11 + 1, false, 3},
		{loop.MemF32, 1<<11 - 1, false, 4}, // too short for that
		{loop.MemF64, 1 << 12, false, 2},
		{loop.MemF64, 1<<12 + 8, false, 3},
		{loop.MemF64, 1<<12 + 1, false, 3},
		{loop.MemF32, 1 << 12, true, 0},
		{loop.MemU8, 1 << 12, true, 0},
		{loop.MemU8, 1<<12 + 32, true, 0},
		{loop.MemU8, 1<<12 + 1, true, 0},
	} {
		n := triplesNest(c.mem, c.extent, c.moved)
		code := assemble(t, n, Target{AVX512: true})
		if got := count(code, asm.VMULPS) + count(code, asm.VMULPD); got != c.all {
			t.Errorf("%v %d: expected %d multiplications, got %d", c.mem, c.extent, c.all, got)
		}
		size := c.extent * c.mem.Bytes()
		r := rand.New(rand.NewPCG(1, uint64(c.extent)))
		in, want := aligned(int(size)), aligned(int(size))
		looptest.Fill(r, c.mem, in)
		portable(t, n, [][]byte{in, want}, 0, c.extent)
		for name, target := range tiers() {
			got := aligned(int(size))
			for lo := int64(0); lo < c.extent; {
				hi := min(lo+loop.RangeUnit*r.Int64N(20), c.extent)
				native(t, n, target, [][]byte{in, got}, lo, hi)
				lo = hi
			}
			if d := looptest.Diff(c.mem, got, want); d >= 0 {
				t.Errorf("%s: %v %d: element %d differs", name, c.mem, c.extent, d)
			}
		}
	}
}
