package emit

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// secondsNest writes, for each row, elements o, o+2, .. of the row of x, for each of the given offsets o.
func secondsNest(m loop.Mem, rows, extent int64, offsets ...int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("seconds %v %d %v", m, extent, offsets))
	length := 2*extent - 1
	for _, o := range offsets {
		length = max(length, 2*extent-1+o)
	}
	n := int64(len(offsets))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * length * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: n * rows * extent * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: extent, Lanes: true, Parallel: true}, func(j int) {
			for k, o := range offsets {
				from := []loop.Term{{Var: i, Stride: length}, {Var: j, Stride: 2}}
				to := []loop.Term{{Var: i, Stride: extent}, {Var: j, Stride: 1}}
				v := b.Load(loop.Access{Buffer: x, Offset: o, Terms: from, Mem: m}, 0)
				b.Store(loop.Access{Buffer: y, Offset: int64(k) * rows * extent, Terms: to, Mem: m}, v, 0)
			}
		})
	})
	return b.Nest()
}

// TestSeconds reads elements with even numbers and odd ones, next to pages that nothing may read, and in the emulator.
func TestSeconds(t *testing.T) {
	for _, m := range []loop.Mem{loop.MemF32, loop.MemF64, loop.MemI32} {
		for _, extent := range []int64{1, 3, 4, 8, 9, 16, 28, 31, 90} {
			for _, offsets := range [][]int64{{0, 1}, {1, 0}, {0, 1, 2}, {3, 2, 1, 0}, {0, 2, 3}, {1, 1, 2}} {
				nest := secondsNest(m, 2, extent, offsets...)
				for name, target := range tiers() {
					checkMoved(t, name, target, m, nest, 2)
				}
				checkMovedEmulated(t, m, nest, 2)
			}
		}
	}
}

// TestSecondsOnce: what elements with even numbers and odd ones have in common is read once.
func TestSecondsOnce(t *testing.T) {
	for _, tier := range emulatedTiers {
		one := loads(assemble(t, secondsNest(loop.MemF32, 2, 64, 0, 2), tier.target))
		two := loads(assemble(t, secondsNest(loop.MemF32, 2, 64, 0, 1), tier.target))
		if two >= one {
			t.Errorf("%s: expected fewer loads than %d, got %d", tier.name, one, two)
		}
	}
}

// loads counts the instructions that read vectors from memory.
func loads(code []byte) (n int) {
	for len(code) > 0 {
		in, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		if in.MemAt() > 0 && in.Size >= asm.VL128 {
			n++
		}
		code = code[size:]
	}
	return n
}
