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

// tableRowsNest is y[i] = t[x[i]], rows of n elements; x has numbers of 0 to 7, or -4 to 3, of type of.
func tableRowsNest(of, m loop.Mem, rows, n int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("rows %v %v %d", of, m, n))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * of.Bytes()})
	t := b.Buffer(loop.Buffer{Name: "t", Bytes: 8 * n * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * n * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		first, row := int64(0), b.Load(loop.Access{Buffer: x, Terms: []loop.Term{{Var: i, Stride: 1}}, Mem: of}, 0)
		if of == loop.MemS8 || of == loop.MemS16 {
			first = 4 * n
		}
		at := b.Op(loop.Mul, loop.I32, row, b.Int(loop.I32, n))
		b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(j int) {
			from := loop.Access{Buffer: t, Offset: first, Terms: []loop.Term{{Var: j, Stride: 1}}, Index: at, Mem: m}
			to := []loop.Term{{Var: i, Stride: n}, {Var: j, Stride: 1}}
			b.Store(loop.Access{Buffer: y, Terms: to, Mem: m}, b.Load(from, 0), 0)
		})
	})
	return b.Nest()
}

// TestSmallRows takes rows of a few narrow elements from a table, next to pages that cannot be accessed, by numbers of
// every narrow type: that takes no vectors up to 16 bytes.
func TestSmallRows(t *testing.T) {
	const rows = 37
	for name, target := range tiers() {
		for _, of := range []loop.Mem{loop.MemS8, loop.MemU8, loop.MemS16, loop.MemU16, loop.MemI32} {
			for _, m := range narrow {
				for n := int64(1); n <= 20; n++ {
					t.Run(fmt.Sprintf("%s/%v/%v/%d", name, of, m, n), func(t *testing.T) {
						nest := tableRowsNest(of, m, rows, n)
						checkSmall(t, nest, target, of, m)
						if n*m.Bytes() <= 16 && m != loop.MemPred && usesVectors(assemble(t, nest, target)) {
							t.Error("vectors move a few bytes")
						}
					})
				}
			}
		}
	}
}

func checkSmall(t *testing.T, nest *loop.Nest, target Target, of, m loop.Mem) {
	t.Helper()
	for _, place := range []func(testing.TB, int) []byte{guard.Before, guard.After} {
		r := rand.New(rand.NewPCG(uint64(nest.Buffers[1].Bytes), 9))
		var got, want [][]byte
		for k, b := range nest.Buffers {
			x := aligned(int(b.Bytes))
			if k == 0 {
				numbers(r, of, x)
			} else {
				looptest.Fill(r, m, x)
			}
			g := place(t, len(x))
			copy(g, x)
			got, want = append(got, g), append(want, x)
		}
		portable(t, nest, want, 0, 37)
		native(t, nest, target, got, 0, 37)
		if d := looptest.Diff(m, got[2], want[2]); d >= 0 {
			t.Fatalf("[%d]: expected %s, got %s\n%v", d, element(m, want[2], d), element(m, got[2], d), nest)
		}
	}
}

// numbers fills x with numbers of 8 rows.
func numbers(r *rand.Rand, of loop.Mem, x []byte) {
	size := int(of.Bytes())
	for k := 0; k < len(x); k += size {
		n := uint64(r.IntN(8))
		if of == loop.MemS8 || of == loop.MemS16 {
			n -= 4
		}
		for j := range size {
			x[k+j] = byte(n >> (8 * j))
		}
	}
}

// usesVectors reports whether code has an instruction of vectors but VZEROUPPER.
func usesVectors(code []byte) bool {
	for len(code) > 0 {
		in, size, err := asm.Decode(code)
		if err != nil {
			return false
		}
		code = code[size:]
		if !in.Op.General() && in.Op != asm.VZEROUPPER && in.Op != asm.RET {
			return true
		}
	}
	return false
}
