package emit

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// floatEdges are where comparisons of floats go wrong.
var floatEdges = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, math.Inf(1), math.Inf(-1), math.NaN()}

// floatConditionsNest stores, for each pair of in, what choices between integers by comparisons of the two give, and
// how often loops run that go on by them.
func floatConditionsNest(k loop.Kind) *loop.Nest {
	b := loop.NewBuilder("conditions")
	m := loop.MemF32
	if k == loop.F64 {
		m = loop.MemF64
	}
	n, to := int64(len(floatEdges)*len(floatEdges)), int64(0)
	in := b.Buffer(loop.Buffer{Name: "in", Bytes: 2 * n * m.Bytes()})
	const each = 24
	out := b.Buffer(loop.Buffer{Name: "out", Bytes: n * each * 4, Write: true})
	b.While([]loop.Value{b.Int(loop.I64, 0)}, func(v []loop.Value) loop.Value {
		return b.Cmp(loop.LT, v[0], b.Int(loop.I64, n))
	}, func(v []loop.Value) []loop.Value {
		x := b.Load(loop.Access{Buffer: in, Index: v[0], Mem: m}, 0)
		y := b.Load(loop.Access{Buffer: in, Index: v[0], Offset: n, Mem: m}, 0)
		at := b.Op(loop.Mul, loop.I64, v[0], b.Int(loop.I64, each))
		store := func(r loop.Value) {
			b.Store(loop.Access{Buffer: out, Index: at, Offset: to, Mem: loop.MemI32}, r, 0)
			to++
		}
		for _, p := range []loop.Pred{loop.EQ, loop.NE, loop.LT, loop.LE, loop.GT, loop.GE} {
			c := b.Cmp(p, x, y)
			store(b.Op(loop.Select, loop.I32, c, b.Int(loop.I32, 1), b.Int(loop.I32, 2)))
			both := b.Op(loop.And, loop.Mask, b.Cmp(p, y, x), b.Cmp(loop.LT, v[0], b.Int(loop.I64, n/2)))
			store(b.Op(loop.Select, loop.I32, both, b.Int(loop.I32, 3), b.Int(loop.I32, 4)))
			store(b.Op(loop.Select, loop.I32, b.Op(loop.And, loop.Mask, b.Cmp(loop.GE, x, y), b.Cmp(p, x, x)),
				b.Int(loop.I32, 5), b.Int(loop.I32, 6)))
			count := b.While([]loop.Value{b.Int(loop.I32, 0), x}, func(s []loop.Value) loop.Value {
				return b.Op(loop.And, loop.Mask, b.Cmp(p, s[1], y), b.Cmp(loop.LT, s[0], b.Int(loop.I32, 3)))
			}, func(s []loop.Value) []loop.Value {
				return []loop.Value{b.Op(loop.Add, loop.I32, s[0], b.Int(loop.I32, 1)), b.Op(loop.Add, k, s[1], y)}
			})
			store(count[0])
		}
		return []loop.Value{b.Op(loop.Add, loop.I64, v[0], b.Int(loop.I64, 1))}
	})
	return b.Nest()
}

// TestFloatConditions compares jumps and choices by comparisons of floats with package tile.
func TestFloatConditions(t *testing.T) {
	for _, k := range []loop.Kind{loop.F32, loop.F64} {
		nest := floatConditionsNest(k)
		if err := nest.Verify(); err != nil {
			t.Fatal(err)
		}
		in, size := aligned(int(nest.Buffers[0].Bytes)), k.Bits()/8
		put := func(at int, v float64) {
			if k == loop.F64 {
				binary.LittleEndian.PutUint64(in[8*at:], math.Float64bits(v))
				return
			}
			binary.LittleEndian.PutUint32(in[4*at:], math.Float32bits(float32(v)))
		}
		for i, x := range floatEdges {
			for j, y := range floatEdges {
				put(i*len(floatEdges)+j, x)
				put(len(in)/size/2+i*len(floatEdges)+j, y)
			}
		}
		want := aligned(int(nest.Buffers[1].Bytes))
		portable(t, nest, [][]byte{in, want}, 0, 1)
		for name, target := range tiers() {
			got := aligned(len(want))
			native(t, nest, target, [][]byte{in, got}, 0, 1)
			sameBytes(t, name, loop.I32, want, got)
		}
		for _, tier := range emulatedTiers {
			got := aligned(len(want))
			emulate(t, nest, tier.target, [][]byte{in, got}, 0, 1)
			sameBytes(t, "emulated "+tier.name, loop.I32, want, got)
		}
	}
}
