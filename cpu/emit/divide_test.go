package emit

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// TestDivideByConstant: divided by a constant, quotients have the bits of divisions.
func TestDivideByConstant(t *testing.T) {
	const n = 4096
	for name, target := range tiers() {
		for _, k := range []loop.Kind{loop.F32, loop.F64} {
			m := looptest.MemOf(k)
			for _, d := range []float64{3, 255, 0.9, 7, 10, 0.1, 6272, 1.5, 1.9999999, 0.2, 1e-5, 1e5, 49, 1 << 20, 2, 0.3} {
				b := loop.NewBuilder("divide")
				x := b.Buffer(loop.Buffer{Name: "x", Bytes: n * m.Bytes()})
				y := b.Buffer(loop.Buffer{Name: "y", Bytes: n * m.Bytes(), Write: true})
				b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
					at := loop.Access{Buffer: x, Terms: []loop.Term{{Var: v, Stride: 1}}, Mem: m}
					q := b.Op(loop.Div, k, b.Load(at, 0), b.Float(k, d))
					at.Buffer = y
					b.Store(at, q, 0)
				})
				nest := b.Nest()
				in, got, want := aligned(n*int(m.Bytes())), aligned(n*int(m.Bytes())), aligned(n*int(m.Bytes()))
				quotients(k, d, in)
				portable(t, nest, [][]byte{in, want}, 0, n)
				native(t, nest, target, [][]byte{in, got}, 0, n)
				if i := looptest.Diff(m, got, want); i >= 0 {
					t.Errorf("%s: %v %s / %g: expected %s, got %s", name, k, element(m, in, i), d, element(m, want, i),
						element(m, got, i))
				}
			}
		}
	}
}

// quotients fills b with dividends of d: numbers of all bits, those next to multiples of d and of halfway points,
// zeros, infinities and NaN.
func quotients(k loop.Kind, d float64, b []byte) {
	rng := rand.New(rand.NewPCG(2, 3))
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, -math.MaxFloat32}
	for j := 0; j < len(b)/(k.Bits()/8); j++ {
		x := (1 + rng.Float64()) * math.Exp2(float64(rng.IntN(80)-40))
		switch {
		case j < len(special):
			x = special[j]
		case j%3 == 1:
			x = math.Round(x) * d
		case j%3 == 2:
			x = (float64(float32(x)) + math.Exp2(float64(math.Ilogb(x)-24))) * d
		}
		if k == loop.F32 {
			binary.LittleEndian.PutUint32(b[4*j:], math.Float32bits(float32(x)))
			continue
		}
		binary.LittleEndian.PutUint64(b[8*j:], math.Float64bits(x))
	}
}
