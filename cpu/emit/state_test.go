package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// stateNest doubles an array of n elements, and adds those of another, three times.
func stateNest(m loop.Mem, n int64) *loop.Nest {
	b := loop.NewBuilder("state")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: n * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: n * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: 3}, func(int) {
		b.Each(loop.Spec{Extent: n, Lanes: true}, func(j int) {
			at := func(buffer int) loop.Access {
				return loop.Access{Buffer: buffer, Terms: []loop.Term{{Var: j, Stride: 1}}, Mem: m}
			}
			v := b.Load(at(y), 0)
			v = b.Op(loop.Add, m.Kind(), b.Op(loop.Add, m.Kind(), v, v), b.Load(at(x), 0))
			b.Store(at(y), v, 0)
		})
	})
	return b.Nest()
}

// TestStates: what a loop reads and writes in each iteration, of all lengths.
func TestStates(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, m := range []loop.Mem{loop.MemF32, loop.MemF64, loop.MemI32, loop.MemBF16, loop.MemU8} {
		for n := int64(1); n <= 37; n++ {
			nest := stateNest(m, n)
			for _, tier := range emulatedTiers {
				t.Run(fmt.Sprintf("%v/%d/%s", m, n, tier.name), func(t *testing.T) {
					in := make([]byte, n*m.Bytes())
					looptest.Fill(r, m, in)
					got, want := make([]byte, len(in)), make([]byte, len(in))
					portable(t, nest, [][]byte{in, want}, 0, 1)
					emulate(t, nest, tier.target, [][]byte{in, got}, 0, 1)
					if d := looptest.Diff(m, got, want); d >= 0 {
						t.Errorf("[%d] differs", d)
					}
				})
			}
		}
	}
}

// TestStateMasks: a state of most lengths takes no masks.
func TestStateMasks(t *testing.T) {
	for _, n := range []int64{3, 5, 6, 9, 10, 12, 13, 14, 20, 24, 28} {
		nest := stateNest(loop.MemF32, n)
		nest.Buffers[0].Write = true // the other array counts as one
		if contains(t, nest, emulatedTiers[1].target, asm.KMOVWKR) {
			t.Errorf("%d elements: there is a mask", n)
		}
	}
}
