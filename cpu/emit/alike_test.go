package emit

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// spikesNest is y[j] = sum over k of (x[k] > 0.25 ? x[k] : 0) * w[k, j]: what is made of x is the same in all lanes.
func spikesNest(depth, extent int64) *loop.Nest {
	b := loop.NewBuilder("spikes")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * depth})
	w := b.Buffer(loop.Buffer{Name: "w", Bytes: 4 * depth * extent})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * extent, Write: true})
	b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(j int) {
		zero := b.Float(loop.F32, 0)
		none := []loop.Reduction{{Init: zero}}
		sum := b.For(loop.Spec{Extent: depth}, none, func(k int, phi []loop.Value) []loop.Value {
			v := b.Load(loop.Access{Buffer: x, Terms: []loop.Term{{Var: k, Stride: 1}}, Mem: loop.MemF32}, 0)
			v = b.Op(loop.Select, loop.F32, b.Cmp(loop.GT, v, b.Float(loop.F32, 0.25)), v, zero)
			at := []loop.Term{{Var: j, Stride: 1}, {Var: k, Stride: extent}}
			weight := b.Load(loop.Access{Buffer: w, Terms: at, Mem: loop.MemF32}, 0)
			return []loop.Value{b.Op(loop.FMA, loop.F32, v, weight, phi[0])}
		})
		b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: j, Stride: 1}}, Mem: loop.MemF32}, sum[0], 0)
	})
	return b.Nest()
}

// TestAlike: what is made of elements that are the same in all lanes is made once for the vectors side by side, of
// which there are several here, and the results are right.
func TestAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, tier := range emulatedTiers {
		for _, extent := range []int64{5, 64, 203} {
			const depth = 9
			n := spikesNest(depth, extent)
			x, w := make([]byte, 4*depth), make([]byte, 4*depth*extent)
			out, want := make([]byte, 4*extent), make([]byte, 4*extent)
			looptest.Fill(r, loop.MemF32, x)
			looptest.Fill(r, loop.MemF32, w)
			portable(t, n, [][]byte{x, w, want}, 0, extent)
			emulate(t, n, tier.target, [][]byte{x, w, out}, 0, extent)
			if d := looptest.Diff(loop.MemF32, out, want); d >= 0 {
				t.Errorf("%s: %d lanes: [%d] differs", tier.name, extent, d)
			}
		}
		if compares, products := comparesIn(t, spikesNest(9, 1024), tier.target); products < 4*compares {
			t.Errorf("%s: expected at most one comparison for 4 products, got %d and %d", tier.name, compares, products)
		}
	}
}

// comparesIn counts the comparisons of floats, and the multiply-adds, of the code of n.
func comparesIn(t *testing.T, n *loop.Nest, target Target) (compares, products int) {
	t.Helper()
	for in := range decoded(assemble(t, n, target)) {
		switch in.Op {
		case asm.VCMPPS:
			compares++
		case asm.VFMADD132PS, asm.VFMADD213PS, asm.VFMADD231PS:
			products++
		}
	}
	return compares, products
}
