package emit

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// neighboursNest is y[i] = sum of c*x[i*step + c] over columns.
func neighboursNest(extent, step int64, m loop.Mem, columns ...int64) *loop.Nest {
	b := loop.NewBuilder("columns")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: m.Bytes() * (step*(extent-1) + columns[len(columns)-1] + 1)})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: m.Bytes() * extent, Write: true})
	b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(i int) {
		k := m.Kind()
		sum := b.Const(k, 0)
		for _, c := range columns {
			v := b.Load(loop.Access{Buffer: x, Offset: c, Terms: []loop.Term{{Var: i, Stride: step}}, Mem: m}, 0)
			for range c % 3 {
				v = b.Op(loop.Add, k, v, v)
			}
			sum = b.Op(loop.Add, k, sum, v)
		}
		b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: m}, sum, 0)
	})
	return b.Nest()
}

// TestSquares reads neighbours of rows, some of them in squares, up to the end of the array.
func TestSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for _, extent := range []int64{1, 4, 7, 8, 16, 31, 64, 75} {
		for _, c := range []struct {
			step    int64
			columns []int64
			whole   bool // all are in squares
		}{
			{9, []int64{0, 1, 2, 3, 4, 5, 6, 7}, true}, {16, []int64{4, 5, 6, 7, 12, 13, 14, 15}, true},
			{12, []int64{1, 2, 3, 4, 5, 6, 7}, false}, {4, []int64{0, 1, 2, 3}, true}, {11, []int64{0, 2, 4, 6, 8}, false},
			{40, []int64{3, 4, 5, 6, 8, 9, 10, 11, 12}, false}, {3, []int64{0, 1, 2}, false},
		} {
			for _, m := range []loop.Mem{loop.MemF32, loop.MemF64, loop.MemI32, loop.MemI64} {
				n := neighboursNest(extent, c.step, m, c.columns...)
				for _, tier := range emulatedTiers {
					in := make([]byte, n.Buffers[0].Bytes)
					out, want := make([]byte, n.Buffers[1].Bytes), make([]byte, n.Buffers[1].Bytes)
					looptest.Fill(r, m, in)
					portable(t, n, [][]byte{in, want}, 0, extent)
					emulate(t, n, tier.target, [][]byte{in, out}, 0, extent)
					if d := looptest.Diff(m, out, want); d >= 0 {
						t.Errorf("%d, %+v, %v, %s: [%d] differs", extent, c, m, tier.name, d)
					}
					if extent == 64 && c.whole && hasGather(assemble(t, n, tier.target)) {
						t.Errorf("%+v, %v, %s: expected no gathers", c, m, tier.name)
					}
				}
			}
		}
	}
}
