package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// combinedColumns combines the rows of an array by o, each column for itself, in a loop of constant range.
func combinedColumns(m loop.Mem, o loop.Op, rows, columns int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("columns %v %v %d %d", m, o, rows, columns))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 2 * rows * columns * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 2 * columns * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: 2, Parallel: true}, func(n int) {
		b.Each(loop.Spec{Extent: columns, Lanes: true, Parallel: true}, func(c int) {
			at := loop.Access{Buffer: x, Mem: m}
			k := m.Kind()
			first := []loop.Reduction{{Init: b.Const(k, loop.Identity(o, k))}}
			sum := b.For(loop.Spec{Extent: rows}, first, func(r int, phis []loop.Value) []loop.Value {
				at.Terms = []loop.Term{{Var: n, Stride: rows * columns}, {Var: r, Stride: columns}, {Var: c, Stride: 1}}
				return []loop.Value{b.Op(o, k, phis[0], b.Load(at, 0))}
			})
			if m == loop.MemBF16 {
				sum[0] = b.Op(loop.RoundBF16, k, sum[0])
			}
			to := loop.Access{Buffer: y, Mem: m, Terms: []loop.Term{{Var: n, Stride: columns}, {Var: c, Stride: 1}}}
			b.Store(to, sum[0], 0)
		})
	})
	return b.Nest()
}

// TestRestBeside: sums and maxima of columns that fill vectors and not, next to pages that cannot be accessed.
func TestRestBeside(t *testing.T) {
	for name, target := range tiers() {
		for _, m := range []loop.Mem{loop.MemF32, loop.MemF64, loop.MemBF16, loop.MemS16, loop.MemU8, loop.MemI64} {
			for _, o := range []loop.Op{loop.Add, loop.Max} {
				if o == loop.Add && m.Kind().IsInt() && m.Bytes() < 4 {
					o = loop.Min // sums are not those of the type
				}
				for _, columns := range []int64{1, 3, 15, 17, 33, 47, 64, 65, 79, 100, 130, 145} {
					checkColumns(t, name, target, combinedColumns(m, o, 5, columns), m, columns)
				}
			}
		}
	}
}

func checkColumns(t *testing.T, name string, target Target, n *loop.Nest, m loop.Mem, columns int64) {
	place := guard.After
	if columns%2 == 0 {
		place = guard.Before
	}
	size := int(n.Buffers[1].Bytes)
	x, want, got := place(t, int(n.Buffers[0].Bytes)), aligned(size), place(t, size)
	looptest.Fill(rand.New(rand.NewPCG(uint64(columns), 3)), m, x)
	clear(got)
	portable(t, n, [][]byte{x, want}, 0, 2)
	native(t, n, target, [][]byte{x, got}, 0, 2)
	if d := looptest.Diff(m, got, want); d >= 0 {
		t.Fatalf("%s: [%d]: expected %s, got %s\n%v", name, d, element(m, want, d), element(m, got, d), n)
	}
}

// TestRestIsBeside: what is left of the lanes of sums has no loop of its own.
func TestRestIsBeside(t *testing.T) {
	whole := jumps(t, combinedColumns(loop.MemF32, loop.Add, 40, 64))
	rest := jumps(t, combinedColumns(loop.MemF32, loop.Add, 40, 65))
	if whole != rest {
		t.Errorf("expected as many jumps for 65 columns as for 64, %d, got %d", whole, rest)
	}
}

// jumps counts the jumps under a condition of the code of n on AVX-512.
func jumps(t *testing.T, n *loop.Nest) (count int) {
	t.Helper()
	for code := assemble(t, n, Target{AVX512: true}); len(code) > 0; {
		in, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		if in.Op == asm.JCC {
			count++
		}
		code = code[size:]
	}
	return count
}
