package emit

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// counting counts the bits of n numbers of 1 or 2 bytes, in all of which m has any number.
func counting(o loop.Op, m loop.Mem, n int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprint(o, m))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: n * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: n * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(i int) {
		at := func(k int) loop.Access {
			return loop.Access{Buffer: k, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: m}
		}
		width := 8 * m.Bytes()
		v := b.Op(loop.And, loop.I32, b.Load(at(x), 0), b.Int(loop.I32, 1<<width-1))
		c := b.Op(o, loop.I32, v)
		if o == loop.Clz {
			c = b.Op(loop.Sub, loop.I32, c, b.Int(loop.I32, 32-width))
		}
		b.Store(at(y), c, 0)
	})
	return b.Nest()
}

// TestCountBits counts the bits of every number of 8 and of 16 bits, in lanes as wide as they are.
func TestCountBits(t *testing.T) {
	for name, target := range tiers() {
		for _, m := range shortMems[:4] {
			n := 1 << (8 * m.Bytes())
			x := aligned(n * int(m.Bytes()))
			for k := range n {
				x[k*int(m.Bytes())] = byte(k)
				if m.Bytes() == 2 {
					x[2*k+1] = byte(k >> 8)
				}
			}
			for _, o := range []loop.Op{loop.Popcnt, loop.Clz} {
				y, nest := aligned(len(x)), counting(o, m, int64(n))
				native(t, nest, target, [][]byte{x, y}, 0, int64(n))
				for k := range n {
					want := bits.OnesCount(uint(k))
					if o == loop.Clz {
						want = int(8*m.Bytes()) - bits.Len(uint(k))
					}
					if got := y[k*int(m.Bytes())]; int(got) != want {
						t.Fatalf("%s: %v of %v %#x: expected %d, got %d", name, o, m, k, want, got)
					}
				}
				if counted(t, nest, target) == 0 {
					t.Errorf("%s: %v of %v: bits are not counted by nibbles", name, o, m)
				}
			}
		}
	}
}

// counted is how often code of nest for target looks bytes up in whole vectors.
func counted(t *testing.T, nest *loop.Nest, target Target) (times int) {
	whole := asm.VL256
	if target.AVX512 {
		whole = asm.VL512
	}
	for in := range decoded(assemble(t, nest, target)) {
		if in.Op == asm.VPSHUFB && in.Size == whole {
			times++
		}
	}
	return times
}
