package emit

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

const truthRows = 24

// truthNest says of each of truthRows rows of n truth values whether any, or all, are true, of side rows at a time; and
// of those of a second array that differ from the first where others is set.
func truthNest(o loop.Op, n, side int64, others bool) *loop.Nest {
	b := loop.NewBuilder("truth")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: truthRows * n})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: truthRows * n})
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: truthRows, Write: true})
	b.Each(loop.Spec{Extent: truthRows / side, Parallel: true}, func(row int) {
		init := make([]loop.Reduction, side)
		for k := range init {
			init[k] = loop.Reduction{Init: b.Bool(o == loop.And), Reduce: o}
		}
		out := b.For(loop.Spec{Extent: n, Lanes: true}, init, func(i int, phi []loop.Value) (next []loop.Value) {
			for k, p := range phi {
				at := loop.Access{Buffer: x, Mem: loop.MemPred, Offset: int64(k) * n,
					Terms: []loop.Term{{Var: row, Stride: side * n}, {Var: i, Stride: 1}}}
				v := b.Load(at, 0)
				if at.Buffer = y; others {
					v = b.Op(loop.Xor, loop.Mask, v, b.Load(at, 0))
				}
				next = append(next, b.Op(o, loop.Mask, p, v))
			}
			return next
		})
		for k, v := range out {
			b.Store(loop.Access{Buffer: z, Mem: loop.MemPred, Offset: int64(k),
				Terms: []loop.Term{{Var: row, Stride: side}}}, v, 0)
		}
	})
	return b.Nest()
}

// TestTruthRows compares what rows of truth values, of any length, come to with package tile.
func TestTruthRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int64{1, 3, 7, 8, 10, 15, 16, 17, 31, 33, 64, 70, 130} {
		for _, o := range []loop.Op{loop.Or, loop.And} {
			in := [2][]byte{aligned(int(truthRows * n)), aligned(int(truthRows * n))}
			for i := range in[0] {
				row := int64(i) / n
				odd := row%3 == 0 && rng.Int64N(n) == 0 || row%3 == 1 && int64(i)%n == n-1
				in[0][i], in[1][i] = byte(rng.IntN(2)), byte(rng.IntN(2))
				if in[0][i] = 0; o == loop.And {
					in[0][i] = 1
				}
				if odd {
					in[0][i] ^= 1
				}
			}
			for k := range 4 {
				side := []int64{1, 4}[k%2]
				nest := truthNest(o, n, side, k > 1)
				want := aligned(truthRows)
				portable(t, nest, [][]byte{in[0], in[1], want}, 0, truthRows/side)
				for name, target := range tiers() {
					got := aligned(truthRows)
					native(t, nest, target, [][]byte{in[0], in[1], got}, 0, truthRows/side)
					if !bytes.Equal(got, want) {
						t.Errorf("%s: %v of %d, nest %d: expected %v, got %v", name, o, n, k, want, got)
					}
				}
			}
		}
	}
}

// TestTruthRowsShort: on AVX-512 short rows are combined without masks for what is off, and stored as words.
func TestTruthRowsShort(t *testing.T) {
	for in := range decoded(assemble(t, truthNest(loop.Or, 10, 4, false), emulatedTiers[1].target)) {
		switch in.Op {
		case asm.KANDW, asm.KANDNW, asm.VPEXTRB:
			t.Errorf("%v is there", in.Op)
		}
	}
}
