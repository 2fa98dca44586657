package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// turnedNest is y[k, i, j] = x[k, j, i] + 100*i + j + bias[i], in blocks k, computed in kind k if that is not 0.
func turnedNest(m loop.Mem, rows, columns int64, wide bool) (*loop.Nest, []loop.Mem) {
	b := loop.NewBuilder(fmt.Sprintf("turned %v %d %d", m, rows, columns))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 3 * rows * columns * m.Bytes()})
	bias := b.Buffer(loop.Buffer{Name: "bias", Bytes: columns * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 3 * rows * columns * 8, Write: true})
	to := m
	b.Each(loop.Spec{Extent: 3, Parallel: true}, func(k int) {
		b.Each(loop.Spec{Extent: columns, Parallel: true}, func(i int) {
			add := b.Load(loop.Access{Buffer: bias, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: m}, 0)
			b.Each(loop.Spec{Extent: rows, Lanes: true, Parallel: true}, func(j int) {
				at := []loop.Term{{Var: k, Stride: rows * columns}, {Var: i, Stride: 1}, {Var: j, Stride: columns}}
				v := b.Load(loop.Access{Buffer: x, Terms: at, Mem: m}, 0)
				v = b.Op(loop.Add, m.Kind(), v, add)
				if m.Kind() == loop.I32 {
					hundred := b.Op(loop.Mul, loop.I32, b.Index(loop.I32, i), b.Int(loop.I32, 100))
					v = b.Op(loop.Add, loop.I32, v, b.Op(loop.Add, loop.I32, hundred, b.Index(loop.I32, j)))
				}
				if wide {
					v, to = b.Op(loop.Widen, loop.F64, v), loop.MemF64
				}
				at = []loop.Term{{Var: k, Stride: rows * columns}, {Var: i, Stride: rows}, {Var: j, Stride: 1}}
				b.Store(loop.Access{Buffer: y, Terms: at, Mem: to}, v, 0)
			})
		})
	})
	return b.Nest(), []loop.Mem{m, m, to}
}

// TestAcross turns squares of all kinds, with all remainders, next to pages that cannot be accessed, and compares with
// package tile.
func TestAcross(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for name, target := range tiers() {
		for _, m := range []loop.Mem{loop.MemF32, loop.MemI32, loop.MemF64, loop.MemI64, loop.MemU8, loop.MemS16, loop.MemF16,
			loop.MemBF16} {
			for n := range 60 {
				rows, columns := int64(2+r.IntN(45)), int64(2+r.IntN(45))
				if n < 6 {
					rows, columns = []int64{8, 16, 64, 48, 24, 4}[n], []int64{16, 8, 64, 33, 4, 24}[n]
				}
				checkTurned(t, name, target, m, rows, columns, m == loop.MemF32 && n%3 == 0)
			}
		}
	}
}

func checkTurned(t *testing.T, name string, target Target, m loop.Mem, rows, columns int64, wide bool) {
	n, mems := turnedNest(m, rows, columns, wide)
	var got, want [][]byte
	r := rand.New(rand.NewPCG(uint64(rows), uint64(columns)))
	for k, b := range n.Buffers {
		x := aligned(int(b.Bytes))
		if k < 2 {
			looptest.Fill(r, mems[k], x)
		}
		place := guard.After
		if rows%2 == 0 {
			place = guard.Before
		}
		g := place(t, len(x))
		copy(g, x)
		got, want = append(got, g), append(want, x)
	}
	portable(t, n, want, 0, 3)
	native(t, n, target, got, 0, 3)
	if d := looptest.Diff(mems[2], got[2], want[2]); d >= 0 {
		t.Fatalf("%s: %d x %d: [%d]: expected %s, got %s\n%v", name, rows, columns, d, element(mems[2], want[2], d),
			element(mems[2], got[2], d), n)
	}
}
