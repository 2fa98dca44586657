package emit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// TestHighProducts: upper halves of products of 64-bit integers, of two numbers and of one with a constant.
func TestHighProducts(t *testing.T) {
	const n = 1003
	x, y := aligned(8*n), aligned(8*n)
	r := rand.New(rand.NewPCG(5, 9))
	looptest.Fill(r, loop.MemI64, x)
	looptest.Fill(r, loop.MemI64, y)
	for name, target := range tiers() {
		for _, o := range []loop.Op{loop.MulHiS, loop.MulHiU} {
			for _, by := range []int64{0, 1, -1, 7, -3, 1 << 32, 1<<32 - 1, math.MaxInt64, math.MinInt64, 1000003} {
				nest := highNest(o, n, by)
				want, got := aligned(8*n), aligned(8*n)
				portable(t, nest, [][]byte{x, y, want}, 0, n)
				native(t, nest, target, [][]byte{x, y, got}, 0, n)
				if d := looptest.Diff(loop.MemI64, got, want); d >= 0 {
					t.Fatalf("%s, %v by %d: [%d]: expected %s, got %s", name, o, by, d, element(loop.MemI64, want, d),
						element(loop.MemI64, got, d))
				}
			}
		}
	}
}

// highNest is z = o(x, y), or o(x, by) if by is not 0.
func highNest(o loop.Op, n, by int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("high %v %d", o, by))
	var at [3]loop.Access
	for k := range at {
		buffer := b.Buffer(loop.Buffer{Name: string(rune('x' + k)), Bytes: 8 * n, Write: k == 2})
		at[k] = loop.Access{Buffer: buffer, Mem: loop.MemI64}
	}
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
		for k := range at {
			at[k].Terms = []loop.Term{{Var: v, Stride: 1}}
		}
		factor := b.Load(at[1], 0)
		if by != 0 {
			factor = b.Int(loop.I64, by)
		}
		b.Store(at[2], b.Op(o, loop.I64, b.Load(at[0], 0), factor), 0)
	})
	return b.Nest()
}
