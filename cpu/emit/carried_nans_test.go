package emit

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// roundedRows is y[i, j] = bf16(x[i, j] op what row i is reduced to), by way of memory of the worker's own if near.
func roundedRows(mem loop.Mem, reduce loop.Op, near, chosen bool) *loop.Nest {
	const rows, n = 4, 80
	b := loop.NewBuilder("rounded rows")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: mem.Bytes() * rows * n})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 2 * rows * n, Write: true})
	kept := b.Buffer(loop.Buffer{Name: "kept", Bytes: 4 * n, Write: true, Scratch: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		at := func(buffer int, m loop.Mem, j int) loop.Access {
			return loop.Access{Buffer: buffer, Mem: m, Terms: []loop.Term{{Var: i, Stride: n}, {Var: j, Stride: 1}}}
		}
		own := func(j int) loop.Access {
			return loop.Access{Buffer: kept, Mem: loop.MemF32, Terms: []loop.Term{{Var: j, Stride: 1}}}
		}
		carry := []loop.Reduction{{Init: b.Float(loop.F32, 0), Reduce: reduce}}
		s := b.For(loop.Spec{Extent: n, Lanes: true}, carry, func(j int, phi []loop.Value) []loop.Value {
			return []loop.Value{b.Op(reduce, loop.F32, phi[0], b.Load(at(x, mem, j), 0))}
		})[0]
		if chosen {
			s = b.Op(loop.Select, loop.F32, b.Cmp(loop.Unordered, s, s), b.Const(loop.F32, quiet32), s)
		}
		value := func(j int) loop.Value { return b.Op(loop.Sub, loop.F32, b.Load(at(x, mem, j), 0), s) }
		if near {
			b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(j int) { b.Store(own(j), value(j), 0) })
		}
		b.Each(loop.Spec{Extent: n, Lanes: true, Parallel: true}, func(j int) {
			v := loop.Value(0)
			if near {
				v = b.Load(own(j), 0)
			} else {
				v = value(j)
			}
			b.Store(at(y, loop.MemBF16, j), b.Op(loop.RoundBF16, loop.F32, v), 0)
		})
	})
	return b.Nest()
}

// TestNaNsOfRows: what rows of bf16 are summed to has no NaNs that rounding changes, nor has what is kept of them.
func TestNaNsOfRows(t *testing.T) {
	for _, c := range []struct {
		name         string
		mem          loop.Mem
		reduce       loop.Op
		near, chosen bool
		look         bool
	}{
		{"sum", loop.MemBF16, loop.Add, false, false, false},
		{"sum_kept", loop.MemBF16, loop.Add, true, false, false},
		{"sum_of_f32", loop.MemF32, loop.Add, false, false, true},
		{"sum_of_f32_kept", loop.MemF32, loop.Add, true, false, true},
		{"largest", loop.MemBF16, loop.Max, false, false, true},
		{"least", loop.MemBF16, loop.Min, true, false, true},
		{"least_or_quiet", loop.MemBF16, loop.Min, false, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			nest := roundedRows(c.mem, c.reduce, c.near, c.chosen)
			for _, tier := range emulatedTiers[:1] {
				looks := 0
				for in := range decoded(assemble(t, nest, tier.target)) {
					if in.Op == asm.VCMPPS && in.Imm == asm.CmpUNORD_Q {
						looks++
					}
				}
				if c.chosen || c.reduce == loop.Max {
					looks -= min(looks, 1) // that of the nest, or of the maximum
				}
				if (looks > 0) != c.look && c.reduce != loop.Max {
					t.Errorf("%s: looks for NaNs: %t, want %t", tier.name, looks > 0, c.look)
				}
			}
			for name, target := range tiers() {
				checkRoundedRows(t, name, target, nest, c.mem)
			}
		})
	}
}

// checkRoundedRows compares nest, of rows with one NaN, an infinity or neither, with package tile.
func checkRoundedRows(t *testing.T, name string, target Target, nest *loop.Nest, m loop.Mem) {
	t.Helper()
	r := rand.New(rand.NewPCG(8, 9))
	var got, want [][]byte
	for _, b := range nest.Buffers {
		got, want = append(got, aligned(int(b.Bytes))), append(want, aligned(int(b.Bytes)))
	}
	row := len(want[0]) / 4
	for k := 0; k < len(want[0]); k += int(m.Bytes()) {
		bits := uint32(r.IntN(8))<<20 | 0x3F800000
		if k/row < 2 && k%row == 8 {
			bits = []uint32{0xFF850000, 0x7F800000}[k/row]
		}
		if m == loop.MemBF16 {
			binary.LittleEndian.PutUint16(want[0][k:], uint16(bits>>16))
		} else {
			binary.LittleEndian.PutUint32(want[0][k:], bits|uint32(r.IntN(2))<<15)
		}
	}
	copy(got[0], want[0])
	portable(t, nest, want, 0, 4)
	native(t, nest, target, got, 0, 4)
	if d := looptest.Diff(loop.MemBF16, got[1], want[1]); d >= 0 {
		t.Errorf("%s: [%d]: expected %s, got %s", name, d, element(loop.MemBF16, want[1], d),
			element(loop.MemBF16, got[1], d))
	}
}
