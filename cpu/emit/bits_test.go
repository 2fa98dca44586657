package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// bitsNest is y = f(x0, x1, x2) on n integers of kind k.
func bitsNest(name string, k loop.Kind, n int64, f func(b *loop.Builder, x [3]loop.Value) loop.Value) *loop.Nest {
	b := loop.NewBuilder(name)
	m := looptest.MemOf(k)
	var in [3]int
	for at := range in {
		in[at] = b.Buffer(loop.Buffer{Name: fmt.Sprint("x", at), Bytes: n * m.Bytes()})
	}
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: n * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
		access := func(buf int) loop.Access {
			return loop.Access{Buffer: buf, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: m}
		}
		var x [3]loop.Value
		for at := range x {
			x[at] = b.Load(access(in[at]), 0)
		}
		b.Store(access(y), f(b, x), 0)
	})
	return b.Nest()
}

// checkBits runs a nest of bitsNest on every tier, and compares with package tile.
func checkBits(t *testing.T, k loop.Kind, nest *loop.Nest, extent int64) {
	t.Helper()
	m := looptest.MemOf(k)
	for name, target := range tiers() {
		var got [][]byte
		r := rand.New(rand.NewPCG(3, uint64(extent)))
		for range 4 {
			b := aligned(int(extent * m.Bytes()))
			looptest.Fill(r, m, b)
			got = append(got, b)
		}
		want := append(got[:3:3], aligned(len(got[3])))
		portable(t, nest, want, 0, extent)
		native(t, nest, target, got, 0, extent)
		if d := looptest.Diff(m, got[3], want[3]); d >= 0 {
			t.Errorf("%s: [%d]: expected %s, got %s\n%v", name, d, element(m, want[3], d), element(m, got[3], d), nest)
		}
	}
}

// TestTwoBitwise has every operation on bits as an operand of every other, in either place, of a constant too.
func TestTwoBitwise(t *testing.T) {
	logic := []loop.Op{loop.And, loop.Or, loop.Xor, loop.AndNot}
	for _, k := range [2]loop.Kind{loop.I32, loop.I64} {
		for _, outer := range logic {
			for _, inner := range logic {
				for form := range 6 {
					nest := bitsNest(fmt.Sprint(outer, inner, form), k, 77, func(b *loop.Builder, x [3]loop.Value) loop.Value {
						if form >= 4 {
							x[form-4] = b.Int(k, 0x1234567)
						}
						first := b.Op(inner, k, x[0], x[1])
						if form%2 == 0 {
							return b.Op(outer, k, first, x[2])
						}
						return b.Op(outer, k, x[2], first)
					})
					checkBits(t, k, nest, 77)
				}
			}
		}
	}
}

// TestRotations turns integers by every number of bits.
func TestRotations(t *testing.T) {
	for _, k := range [2]loop.Kind{loop.I32, loop.I64} {
		for n := 1; n < k.Bits(); n++ {
			nest := bitsNest(fmt.Sprint("rotate", n), k, 21, func(b *loop.Builder, x [3]loop.Value) loop.Value {
				left, right := b.Int(k, int64(n)), b.Int(k, int64(k.Bits()-n))
				return b.Op(loop.Or, k, b.Op(loop.Shr, k, x[0], right), b.Op(loop.Shl, k, x[0], left))
			})
			checkBits(t, k, nest, 21)
		}
	}
}

// TestLongBodies has chains of many steps, of which few or many values are live, at extents around several vectors.
func TestLongBodies(t *testing.T) {
	for _, extent := range []int64{1, 31, 32, 33, 63, 64, 100, 129} {
		for _, live := range []int{1, 3, 9} {
			nest := bitsNest("long", loop.I32, extent, func(b *loop.Builder, x [3]loop.Value) loop.Value {
				chains := make([]loop.Value, live)
				for c := range chains {
					chains[c] = b.Op(loop.Add, loop.I32, x[c%3], b.Int(loop.I32, int64(c)))
				}
				for n := range 90 {
					c := n % live
					chains[c] = b.Op(loop.Xor, loop.I32, b.Op(loop.Add, loop.I32, chains[c], x[n%3]), b.Int(loop.I32, int64(n)))
				}
				sum := chains[0]
				for _, c := range chains[1:] {
					sum = b.Op(loop.Sub, loop.I32, sum, c)
				}
				return sum
			})
			checkBits(t, loop.I32, nest, extent)
		}
	}
}
