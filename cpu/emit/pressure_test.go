package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// crowded loads count arrays of n elements, all of which are used after all are loaded, in integers and masks.
func crowded(count int, n int64, carry bool) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprint("crowded", count))
	bufs := make([]int, count)
	for k := range bufs {
		bufs[k] = b.Buffer(loop.Buffer{Name: fmt.Sprint("x", k), Bytes: 4 * n})
	}
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * n, Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
		var x, on []loop.Value
		for k := range bufs {
			a := unit(bufs[k], v)
			a.Mem = loop.MemI32
			x = append(x, b.Load(a, 0))
			on = append(on, b.Cmp(loop.ULT, x[k], b.Int(loop.I32, int64(1000*k+1))))
		}
		sum := b.Int(loop.I32, 7)
		step := func(sum loop.Value) loop.Value {
			for k := range x {
				m := b.Op(loop.Mul, loop.I32, x[k], x[(k*7+3)%count])
				m = b.Op(loop.Select, loop.I32, on[(k*5+1)%count], m, b.Int(loop.I32, int64(k)))
				sum = b.Op(loop.Xor, loop.I32, b.Op(loop.Add, loop.I32, sum, m), x[count-1-k])
			}
			return sum
		}
		if carry {
			out := b.For(loop.Spec{Extent: 3}, []loop.Reduction{{Init: sum}}, func(i int, phi []loop.Value) []loop.Value {
				return []loop.Value{step(phi[0])}
			})
			sum = out[0]
		} else {
			sum = step(sum)
		}
		a := unit(y, v)
		a.Mem = loop.MemI32
		b.Store(a, sum, 0)
	})
	return b.Nest()
}

// TestPressure: more values, masks and buffers are in use than there are registers.
func TestPressure(t *testing.T) {
	const n = 75
	for name, target := range tiers() {
		for _, count := range []int{4, 12, 20, 33, 60} {
			for _, carry := range []bool{false, true} {
				nest := crowded(count, n, carry)
				r := rand.New(rand.NewPCG(9, uint64(count)))
				var bufs [][]byte
				for range count {
					x := aligned(4 * n)
					looptest.Fill(r, loop.MemI32, x)
					bufs = append(bufs, x)
				}
				got, want := aligned(4*n), aligned(4*n)
				portable(t, nest, append(bufs[:count:count], want), 0, n)
				native(t, nest, target, append(bufs[:count:count], got), 0, n)
				if k := looptest.Diff(loop.MemI32, got, want); k >= 0 {
					t.Errorf("%s: %d arrays, carry %t: [%d]: expected %s, got %s", name, count, carry, k,
						element(loop.MemI32, want, k), element(loop.MemI32, got, k))
				}
			}
		}
	}
}
