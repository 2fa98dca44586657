package vmath

import (
	"math"
	"math/rand"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// TestSineWithCosine: where sine and cosine of a number are asked for, it is reduced once, and the results are the bits
// that each has alone.
func TestSineWithCosine(t *testing.T) {
	for _, m := range []loop.Mem{loop.MemF32, loop.MemF64} {
		for _, order := range []struct {
			name          string
			first, second func(*loop.Builder, loop.Kind, loop.Value) loop.Value
		}{{"cosine after sine", Sin, Cos}, {"sine after cosine", Cos, Sin}} {
			t.Run(m.String()+" "+order.name, func(t *testing.T) {
				alone := func(b *loop.Builder, k loop.Kind, x []loop.Value) loop.Value { return order.second(b, k, x[0]) }
				both := func(b *loop.Builder, k loop.Kind, x []loop.Value) loop.Value {
					first, second := order.first(b, k, x[0]), order.second(b, k, x[0])
					never := b.Cmp(loop.LT, b.Op(loop.Abs, k, x[0]), b.Float(k, -1))
					return b.Op(loop.Select, k, never, first, second)
				}
				for name, to := range allTargets {
					one, two := nestOf(m, 1, alone, to), nestOf(m, 1, both, to)
					if n := reductions(two); n != reductions(one) {
						t.Errorf("%s: %d reductions, want one:\n%s", name, n, two)
					}
					if m == loop.MemF32 {
						sameResults[float32](t, name, formFor(t, one, name), formFor(t, two, name))
					} else {
						sameResults[float64](t, name, formFor(t, one, name), formFor(t, two, name))
					}
				}
			})
		}
	}
}

// reductions counts the quotients of pi/2 in n.
func reductions(n *loop.Nest) (count int) {
	n.Root.Each(func(node loop.Node) {
		if node.Loop == nil && n.Inst(node.Value).Op == loop.FMA {
			for _, a := range n.Inst(node.Value).Args {
				c := n.Inst(a)
				bits := math.Float64bits(2 / math.Pi)
				if c.Kind == loop.F32 {
					bits = uint64(math.Float32bits(2 / math.Pi))
				}
				if c.Op == loop.Const && c.Imm == bits {
					count++
				}
			}
		}
	})
	return count
}

// sameResults compares two kernels on numbers of all sizes.
func sameResults[T float32 | float64](t *testing.T, name string, one, two kernel) {
	r := rand.New(rand.NewSource(1))
	x, y, z := make([]T, block), make([]T, block), make([]T, block)
	for _, reach := range []float64{1, 10, 1e5, 1e30} {
		for k := range x {
			x[k] = T(r.NormFloat64() * reach)
		}
		copy(x, []T{0, T(math.Copysign(0, -1)), T(math.Inf(1)), T(math.NaN()), T(math.Pi / 4), T(3 * math.Pi / 4)})
		run(one, y, x)
		run(two, z, x)
		for k := range x {
			if y[k] != z[k] && (y[k] == y[k] || z[k] == z[k]) || math.Signbit(float64(y[k])) != math.Signbit(float64(z[k])) {
				t.Fatalf("%s: of %v: %v alone, %v beside the other", name, x[k], y[k], z[k])
			}
		}
	}
}
