package emit

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// outerNest is z[i, j, k, l] = x[i, j, l]: each of the j rows of n elements again and again, times times.
func outerNest(m loop.Mem, rows, times, n int64) *loop.Nest {
	const outer = 3
	b := loop.NewBuilder(fmt.Sprintf("outer %v %d %d", m, times, n))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: outer * rows * n * m.Bytes()})
	to := looptest.MemOf(m.Kind())
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: outer * rows * times * n * to.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: outer, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: rows * times * n, Lanes: true, Parallel: true}, func(j int) {
			at := func(d int64) loop.Value { return b.Op(loop.UDiv, loop.I32, b.Index(loop.I32, j), b.Int(loop.I32, d)) }
			less := b.Op(loop.Sub, loop.I32, at(times*n), at(n))
			from := loop.Access{Buffer: x, Index: b.Op(loop.Mul, loop.I32, less, b.Int(loop.I32, n)), Mem: m,
				Terms: []loop.Term{{Var: i, Stride: rows * n}, {Var: j, Stride: 1}}}
			v := b.Load(from, 0)
			b.Store(loop.Access{Buffer: z, Terms: []loop.Term{{Var: i, Stride: rows * times * n}, {Var: j, Stride: 1}},
				Mem: to}, b.Op(loop.Add, m.Kind(), v, v), 0)
		})
	})
	return b.Nest()
}

// TestRecordedWords reads such rows, next to pages that cannot be accessed, and in the emulator; no element is read
// alone where a vector has two rows, unlike those of rows that are longer than one.
func TestRecordedWords(t *testing.T) {
	for _, m := range []loop.Mem{loop.MemF32, loop.MemI32, loop.MemF64, loop.MemI64} {
		for _, n := range []int64{1, 2, 3, 4, 5, 8, 11, 20} {
			for _, rows := range []int64{1, 2, 7, 50} {
				nest := outerNest(m, rows, 6, n)
				for name, target := range tiers() {
					checkMoved(t, name, target, m, nest, 3)
					lanes := 32 / m.Bytes()
					if target.AVX512 {
						lanes *= 2
					}
					gathers := hasGather(assemble(t, nest, target))
					if rows == 7 && (gathers && n <= lanes/2 || !gathers && n == 20 && m.Bytes() == 4) {
						t.Errorf("%s: %v: %d rows of %d: gathers: %t", name, m, rows, n, gathers)
					}
				}
				if n*rows <= 40 {
					checkMovedEmulated(t, m, nest, 3)
				}
			}
		}
	}
}
