package emit

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// TestDivideUnsigned: integers without a sign that are less than another byte wrapped around, and are large.
func TestDivideUnsigned(t *testing.T) {
	const n = 256
	for name, target := range dividing() {
		for _, d := range []float64{7.718289852142334, 0.679298460483551, 85} {
			for _, less := range []int64{300, 600, 1000} {
				b := loop.NewBuilder("divide")
				x := b.Buffer(loop.Buffer{Name: "x", Bytes: n})
				y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * n, Write: true})
				b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
					v1 := b.Load(loop.Access{Buffer: x, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: loop.MemU8}, 0)
					v1 = b.Op(loop.Sub, loop.I32, v1, b.Int(loop.I32, less))
					b.Store(unit(y, v), b.Op(loop.Div, loop.F32, b.Op(loop.UToF, loop.F32, v1), b.Float(loop.F32, d)), 0)
				})
				nest, in, got := b.Nest(), aligned(n), aligned(4*n)
				for k := range in {
					in[k] = byte(k)
				}
				want := aligned(4 * n)
				for k := range n {
					q := float32(uint32(int64(k)-less)) / float32(d)
					binary.LittleEndian.PutUint32(want[4*k:], math.Float32bits(q))
				}
				native(t, nest, target, [][]byte{in, got}, 0, n)
				if k := looptest.Diff(loop.MemF32, got, want); k >= 0 {
					t.Errorf("%s: (%d - %d) / %g: expected %s, got %s", name, k, less, d, element(loop.MemF32, want, k),
						element(loop.MemF32, got, k))
				}
			}
		}
	}
}
