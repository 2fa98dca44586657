package emit

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// besideNest computes so many products of each element of a row, and as many of it turns times again.
func besideNest(products int, turns int64) *loop.Nest {
	const rows, columns = 4, 192
	b := loop.NewBuilder("beside")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * rows * columns})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * rows * columns, Write: true})
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: 4 * rows * columns * turns, Write: true})
	lanes := func(first float64, from, to loop.Access) {
		b.Each(loop.Spec{Extent: columns, Lanes: true, Parallel: true}, func(j int) {
			along := func(a loop.Access) loop.Access {
				a.Terms, a.Mem = append(a.Terms, loop.Term{Var: j, Stride: 1}), loop.MemF32
				return a
			}
			v := b.Load(along(from), 0)
			for k := range products {
				v = b.Op(loop.Mul, loop.F32, v, b.Float(loop.F32, first+float64(k)/8))
			}
			b.Store(along(to), v, 0)
		})
	}
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		at := func(buf int, stride int64) loop.Access {
			return loop.Access{Buffer: buf, Terms: []loop.Term{{Var: i, Stride: stride}}}
		}
		lanes(0.5, at(x, columns), at(y, columns))
		b.Each(loop.Spec{Extent: turns, Parallel: true}, func(t int) {
			to := at(z, columns*turns)
			to.Terms = append(to.Terms, loop.Term{Var: t, Stride: columns})
			lanes(0.75, at(x, columns), to)
		})
	})
	return b.Nest()
}

// TestSmallBeside: of a loop that does little beside another there is code for one vector, unless it is short.
func TestSmallBeside(t *testing.T) {
	for _, c := range []struct {
		products int
		turns    int64
		vectors  int // of both loops
	}{{14, 20, 5}, {14, 16, 5}, {14, 14, 8}, {14, 1, 8}, {6, 20, 4}} {
		n := besideNest(c.products, c.turns)
		code := assemble(t, n, Target{AVX512: true})
		if got := count(code, asm.VMULPS); got != c.vectors*c.products {
			t.Errorf("%d products, %d turns: expected %d vectors, got %d products", c.products, c.turns, c.vectors, got)
		}
		var in, want [][]byte
		r := rand.New(rand.NewPCG(3, 7))
		for _, b := range n.Buffers {
			m := aligned(int(b.Bytes))
			looptest.Fill(r, loop.MemF32, m)
			in, want = append(in, m), append(want, bytes.Clone(m))
		}
		portable(t, n, want, 0, n.Outermost().Extent)
		for name, target := range tiers() {
			var got [][]byte
			for _, m := range in {
				got = append(got, bytes.Clone(m))
			}
			native(t, n, target, got, 0, n.Outermost().Extent)
			for k := range got {
				if d := looptest.Diff(loop.MemF32, got[k], want[k]); d >= 0 {
					t.Errorf("%s: %d turns: buffer %d: element %d differs", name, c.turns, k, d)
				}
			}
		}
	}
}
