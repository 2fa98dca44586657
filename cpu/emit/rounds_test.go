package emit

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// TestRoundedStore: what is stored as f16 is rounded once, by the store, unless something else has it, too.
func TestRoundedStore(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, again := range []bool{false, true} {
		n := roundedNest(again)
		for _, tier := range emulatedTiers[:2] {
			if widens := contains(t, n, tier.target, asm.VCVTPH2PS); widens != again {
				t.Errorf("%s: used again %v: rounded apart from the store %v", tier.name, again, widens)
			}
			size := n.Buffers[1].Bytes
			in, out, want := make([]byte, n.Buffers[0].Bytes), make([]byte, size), make([]byte, size)
			looptest.Fill(r, loop.MemF32, in)
			portable(t, n, [][]byte{in, want}, 0, 1)
			emulate(t, n, tier.target, [][]byte{in, out}, 0, 1)
			if d := looptest.Diff(loop.MemF16, out, want); d >= 0 {
				t.Errorf("%s: used again %v: [%d] differs", tier.name, again, d)
			}
		}
	}
}

// roundedNest stores twice a number, rounded, or if again the double of that.
func roundedNest(again bool) *loop.Nest {
	const count = 70
	b := loop.NewBuilder("rounds")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * count})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * count, Write: true})
	b.Each(loop.Spec{Extent: count, Lanes: true}, func(i int) {
		at := []loop.Term{{Var: i, Stride: 1}}
		v := b.Load(loop.Access{Buffer: x, Terms: at, Mem: loop.MemF32}, 0)
		v = b.Op(loop.RoundF16, loop.F32, b.Op(loop.Add, loop.F32, v, v))
		b.Store(loop.Access{Buffer: y, Terms: at, Mem: loop.MemF16}, v, 0)
		if again {
			v = b.Op(loop.RoundF16, loop.F32, b.Op(loop.Add, loop.F32, v, v))
			b.Store(loop.Access{Buffer: y, Offset: count, Terms: at, Mem: loop.MemF16}, v, 0)
		}
	})
	return b.Nest()
}

// contains reports whether the code of n has an instruction op.
func contains(t *testing.T, n *loop.Nest, target Target, op asm.Op) bool {
	t.Helper()
	for code := assemble(t, n, target); len(code) > 0; {
		in, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		if in.Op == op {
			return true
		}
		code = code[size:]
	}
	return false
}
