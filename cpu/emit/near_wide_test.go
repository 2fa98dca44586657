package emit

import (
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// TestNearWide: elements of 64 bits that are few, or near each other, are permuted where an instruction does that.
func TestNearWide(t *testing.T) {
	const size = 4096
	m := looptest.MemOf(loop.F64)
	for _, extent := range []int64{64, 333, 1000, 2043} {
		for n := int64(2); n <= 16; n++ {
			for name, index := range map[string]func(*loop.Builder, loop.Value) loop.Value{
				"few": rests(n, size-n), "near": rounded(n, 1)} {
				b := loop.NewBuilder("index")
				x := b.Buffer(loop.Buffer{Name: "x", Bytes: size * 8})
				y := b.Buffer(loop.Buffer{Name: "y", Bytes: extent * 8, Write: true})
				b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(v int) {
					at := loop.Access{Buffer: x, Index: index(b, b.Index(loop.I32, v)), Mem: m}
					to := loop.Access{Buffer: y, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: m}
					b.Store(to, b.Load(at, 0), 0)
				})
				nest := b.Nest()
				in, want := aligned(size*8), aligned(int(extent)*8)
				quotients(loop.F64, 3, in)
				portable(t, nest, [][]byte{in, want}, 0, extent)
				for tier, target := range tiers() {
					got := aligned(int(extent) * 8)
					native(t, nest, target, [][]byte{in, got}, 0, extent)
					if i := looptest.Diff(m, got, want); i >= 0 {
						t.Errorf("%s %s %d of %d: element %d differs", tier, name, n, extent, i)
					}
					if few := name == "few" && n <= 8 && target.AVX512; few && hasGather(assemble(t, nest, target)) {
						t.Errorf("%s %s %d of %d: there are gathers", tier, name, n, extent)
					}
				}
			}
		}
	}
}
