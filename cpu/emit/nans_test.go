package emit

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// TestRoundedWithoutNaNs: sums of products of what was bf16 are rounded without looking for NaNs, whatever bits their
// operands have; others look.
func TestRoundedWithoutNaNs(t *testing.T) {
	const n = 1 << 16
	for _, test := range []struct {
		name string
		last loop.Mem
		op   func(b *loop.Builder, x, y, z loop.Value) loop.Value
		look bool
	}{
		{"products", loop.MemBF16, func(b *loop.Builder, x, y, z loop.Value) loop.Value {
			return b.Op(loop.FMA, loop.F32, x, y, b.Op(loop.Neg, loop.F32, z))
		}, false},
		{"quotients", loop.MemBF16, func(b *loop.Builder, x, y, z loop.Value) loop.Value {
			return b.Op(loop.Sub, loop.F32, b.Op(loop.Div, loop.F32, x, y), z)
		}, false},
		{"of_f32", loop.MemF32, func(b *loop.Builder, x, y, z loop.Value) loop.Value {
			return b.Op(loop.FMA, loop.F32, x, y, z)
		}, true},
		{"clamped", loop.MemBF16, func(b *loop.Builder, x, y, z loop.Value) loop.Value {
			return b.Op(loop.Mul, loop.F32, x, b.Op(loop.MaxX, loop.F32, y, b.Op(loop.MinX, loop.F32, y, z)))
		}, false},
		{"signed", loop.MemBF16, func(b *loop.Builder, x, y, z loop.Value) loop.Value {
			sign := b.Op(loop.And, loop.F32, z, b.Float(loop.F32, math.Copysign(0, -1)))
			return b.Op(loop.Or, loop.F32, b.Op(loop.Abs, loop.F32, b.Op(loop.Mul, loop.F32, x, y)), sign)
		}, false},
		{"powers", loop.MemBF16, func(b *loop.Builder, x, y, z loop.Value) loop.Value {
			bits := b.Op(loop.Shl, loop.I32, b.Op(loop.Bitcast, loop.I32, y), b.Int(loop.I32, 23))
			return b.Op(loop.Mul, loop.F32, x, b.Op(loop.Bitcast, loop.F32, bits))
		}, false},
		{"bits", loop.MemBF16, func(b *loop.Builder, x, y, z loop.Value) loop.Value {
			bits := b.Op(loop.Shl, loop.I32, b.Op(loop.Bitcast, loop.I32, y), b.Int(loop.I32, 15))
			return b.Op(loop.Or, loop.F32, x, b.Op(loop.Bitcast, loop.F32, bits))
		}, true},
		{"negated", loop.MemBF16, func(b *loop.Builder, x, y, z loop.Value) loop.Value {
			return b.Op(loop.Neg, loop.F32, z)
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := loop.NewBuilder("round")
			x := b.Buffer(loop.Buffer{Name: "x", Bytes: 2 * n})
			y := b.Buffer(loop.Buffer{Name: "y", Bytes: 2 * n})
			z := b.Buffer(loop.Buffer{Name: "z", Bytes: test.last.Bytes() * n})
			out := b.Buffer(loop.Buffer{Name: "out", Bytes: 2 * n, Write: true})
			b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
				of := func(buffer int, m loop.Mem) loop.Access {
					at := unit(buffer, v)
					at.Mem = m
					return at
				}
				v1 := test.op(b, b.Load(of(x, loop.MemBF16), 0), b.Load(of(y, loop.MemBF16), 0), b.Load(of(z, test.last), 0))
				b.Store(of(out, loop.MemBF16), b.Op(loop.RoundBF16, loop.F32, v1), 0)
			})
			nest := b.Nest()
			buffers := [][]byte{aligned(2 * n), aligned(2 * n), aligned(int(test.last.Bytes()) * n), aligned(2 * n)}
			for i := range n { // all numbers of bf16 in one, which meet others in the others
				binary.LittleEndian.PutUint16(buffers[0][2*i:], uint16(i))
				binary.LittleEndian.PutUint16(buffers[1][2*i:], uint16(i*40503))
				binary.LittleEndian.PutUint16(buffers[2][int(test.last.Bytes())*(i+1)-2:], uint16(i*27961))
			}
			want := aligned(2 * n)
			portable(t, nest, [][]byte{buffers[0], buffers[1], buffers[2], want}, 0, n)
			for name, target := range tiers() {
				native(t, nest, target, buffers, 0, n)
				if i := looptest.Diff(loop.MemBF16, buffers[3], want); i >= 0 {
					t.Errorf("%s: element %d differs", name, i)
				}
				if got := comparesFloats(assemble(t, nest, target)); got != test.look {
					t.Errorf("%s: expected a comparison: %v, got %v", name, test.look, got)
				}
			}
		})
	}
}

// TestRoundedWithoutNaNsNear: nor are those looked for in products of what was brought near, if that was bf16.
func TestRoundedWithoutNaNsNear(t *testing.T) {
	const n = 256
	for _, m := range []loop.Mem{loop.MemBF16, loop.MemF32} {
		b := loop.NewBuilder("near")
		x := b.Buffer(loop.Buffer{Name: "x", Bytes: m.Bytes() * n})
		near := b.Buffer(loop.Buffer{Name: "near", Bytes: 4 * n, Write: true, Scratch: true})
		y := b.Buffer(loop.Buffer{Name: "y", Bytes: 2 * n, Write: true})
		b.Each(loop.Spec{Extent: 1, Parallel: true}, func(int) {
			b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
				at := unit(x, v)
				at.Mem = m
				b.Store(unit(near, v), b.Load(at, 0), 0)
			})
			b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
				at, z := unit(y, v), b.Load(unit(near, v), 0)
				at.Mem = loop.MemBF16
				b.Store(at, b.Op(loop.RoundBF16, loop.F32, b.Op(loop.Mul, loop.F32, z, z)), 0)
			})
		})
		nest := b.Nest()
		for name, target := range tiers() {
			if got := comparesFloats(assemble(t, nest, target)); got != (m == loop.MemF32) {
				t.Errorf("%s: of %v: expected a comparison: %v, got %v", name, m, !got, got)
			}
		}
	}
}

// comparesFloats reports whether code compares floats.
func comparesFloats(code []byte) bool {
	for len(code) > 0 {
		in, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		if in.Op == asm.VCMPPS || in.Op == asm.VCMPPSK {
			return true
		}
		code = code[size:]
	}
	return false
}

// TestNaNOfMaximum: a NaN of two numbers without a sign and a payload has none, as orders and casts of all bits see it.
func TestNaNOfMaximum(t *testing.T) {
	const n = 33
	quiet := map[loop.Mem]uint16{loop.MemF32: 0x7fc0, loop.MemF64: 0x7ff8}
	nan := math.Float64frombits(0x7ff8 << 48)
	for name, target := range tiers() {
		for _, c := range [][2]float64{{nan, 0}, {0, nan}, {nan, 7}, {math.Inf(1), nan}, {nan, nan}} {
			for _, m := range []loop.Mem{loop.MemF32, loop.MemF64} {
				out := aligned(int(n * m.Bytes()))
				native(t, maximumNest(m, n), target, [][]byte{filled(m, n, c[0]), filled(m, n, c[1]), out}, 0, n)
				for k := range n {
					high := out[(k+1)*int(m.Bytes())-2:] // with the sign and the exponent
					if bits := binary.LittleEndian.Uint16(high); bits != quiet[m] {
						t.Errorf("%s, %v: maximum(%v, %v) [%d]: expected %#x..., got %#x...", name, m, c[0], c[1], k,
							quiet[m], bits)
					}
				}
			}
		}
	}
}

// maximumNest is z = max(x, y).
func maximumNest(m loop.Mem, n int64) *loop.Nest {
	b := loop.NewBuilder("maximum")
	var at [3]loop.Access
	buffers := [3]int{}
	for k := range buffers {
		buffers[k] = b.Buffer(loop.Buffer{Name: string(rune('x' + k)), Bytes: n * m.Bytes(), Write: k == 2})
	}
	b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
		for k := range at {
			at[k] = unit(buffers[k], v)
			at[k].Mem = m
		}
		b.Store(at[2], b.Op(loop.Max, m.Kind(), b.Load(at[0], 0), b.Load(at[1], 0)), 0)
	})
	return b.Nest()
}

// filled is n times x.
func filled(m loop.Mem, n int, x float64) []byte {
	var bits []byte
	if m == loop.MemF64 {
		bits = binary.LittleEndian.AppendUint64(nil, math.Float64bits(x))
	} else {
		bits = binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(x)))
	}
	return bytes.Repeat(bits, n)
}
