package emit

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// restNest is first plus the sum of x[i]*x[i] + x[i] over n lanes; scaled: of x[i]*s[0] + x[i].
func restNest(n int64, first float64, scaled bool) *loop.Nest {
	b := loop.NewBuilder("rest")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * n})
	s := b.Buffer(loop.Buffer{Name: "s", Bytes: 4})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4, Write: true})
	b.Each(loop.Spec{Extent: 1, Parallel: true}, func(int) {
		by := b.Load(loop.Access{Buffer: s, Mem: loop.MemF32}, 0)
		init := []loop.Reduction{{Init: b.Float(loop.F32, first), Reduce: loop.Add}}
		out := b.For(loop.Spec{Extent: n, Lanes: true}, init, func(i int, phi []loop.Value) []loop.Value {
			e := b.Load(loop.Access{Buffer: x, Mem: loop.MemF32, Terms: []loop.Term{{Var: i, Stride: 1}}}, 0)
			factor := e
			if scaled {
				factor = by
			}
			return []loop.Value{b.Op(loop.Add, loop.F32, e, b.Op(loop.FMA, loop.F32, e, factor, phi[0]))}
		})
		b.Store(loop.Access{Buffer: y, Mem: loop.MemF32}, out[0], 0)
	})
	return b.Nest()
}

// TestAddNothing: where lanes behind the end of an array add zeros no mask says so; but where they would add what is no
// number, or lose the sign of a zero.
func TestAddNothing(t *testing.T) {
	minus, inf := math.Copysign(0, -1), math.Inf(1)
	for _, test := range []struct {
		first, x, s float64
		scaled      bool
		masks       bool
	}{{0, 3, 1, false, false}, {2, 3, 1, false, true}, {minus, minus, 2, true, true}, {0, 3, inf, true, true}} {
		for _, n := range []int64{5, 19, 28, 77} {
			nest := restNest(n, test.first, test.scaled)
			in := aligned(4 * int(n))
			for k := range int(n) {
				binary.LittleEndian.PutUint32(in[4*k:], math.Float32bits(float32(test.x)))
			}
			by, want := aligned(4), aligned(4)
			binary.LittleEndian.PutUint32(by, math.Float32bits(float32(test.s)))
			portable(t, nest, [][]byte{in, by, want}, 0, 1)
			for name, target := range tiers() {
				got := aligned(4)
				native(t, nest, target, [][]byte{in, by, got}, 0, 1)
				if i := looptest.Diff(loop.MemF32, got, want); i >= 0 {
					t.Errorf("%s: %+v, %d: expected %v, got %v", name, test, n, want, got)
				}
				code := assemble(t, nest, target)
				masks := count(code, asm.VBLENDVPS)+count(code, asm.VBLENDMPS)+maskedSums(code) > 0
				if masks != test.masks {
					t.Errorf("%s: %+v, %d: expected masks: %t", name, test, n, test.masks)
				}
			}
		}
	}
}

// maskedSums counts sums under a mask.
func maskedSums(code []byte) (n int) {
	for len(code) > 0 {
		in, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		if in.Op == asm.VADDPS && in.Opt&7 != 0 {
			n++
		}
		code = code[size:]
	}
	return n
}
