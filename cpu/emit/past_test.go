package emit

import (
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// TestWholeInScratch: the last vector of a lane loop is read whole of scratch memory that has all of it, and where
// nothing is carried; else under a mask.
func TestWholeInScratch(t *testing.T) {
	const rows, extent = 3, 27
	for _, test := range []struct {
		name    string
		bytes   int64 // of scratch memory
		scratch bool
		sum     bool
		masked  int
	}{
		{"whole", 4 * (rows*extent + 1 + 32), true, false, 1},
		{"to the end", 4 * (2*extent + 1 + 32), true, false, 1},
		{"less than a vector", 4*(2*extent+1+32) - 4, true, false, 2},
		{"no scratch memory", 4 * (rows*extent + 1 + 32), false, false, 3},
		{"a sum of lanes", 4 * (rows*extent + 1 + 32), true, true, 3},
	} {
		n := nearRows(rows, extent, loop.Buffer{Name: "near", Bytes: test.bytes, Write: true, Scratch: test.scratch},
			test.sum)
		x, want := make([]byte, 4*rows*extent), make([]byte, 4*rows*extent)
		looptest.Fill(rand.New(rand.NewPCG(21, 22)), loop.MemF32, x)
		portable(t, n, [][]byte{x, make([]byte, test.bytes), want}, 0, 1)
		for _, tier := range emulatedTiers {
			got := make([]byte, 4*rows*extent)
			emulate(t, n, tier.target, [][]byte{x, make([]byte, test.bytes), got}, 0, 1)
			if d := looptest.Diff(loop.MemF32, got, want); d >= 0 && !test.sum {
				t.Errorf("%s: %s: [%d] differs", test.name, tier.name, d)
			}
			if loads := maskedLoads(assemble(t, n, tier.target)); tier.target.AVX512 && loads != test.masked {
				t.Errorf("%s: %s: %d loads have masks, expected %d", test.name, tier.name, loads, test.masked)
			}
		}
	}
}

// nearRows copies rows to near and multiplies neighbours there, or adds their products.
func nearRows(rows, extent int64, buffer loop.Buffer, sum bool) *loop.Nest {
	b := loop.NewBuilder("near")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * rows * extent})
	near := b.Buffer(buffer)
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * rows * extent, Write: true})
	at := func(buffer, row, lane int, offset int64) loop.Access {
		return loop.Access{Buffer: buffer, Mem: loop.MemF32, Offset: offset,
			Terms: []loop.Term{{Var: row, Stride: extent}, {Var: lane, Stride: 1}}}
	}
	lanes := loop.Spec{Extent: extent, Lanes: true, Parallel: true}
	b.Each(loop.Spec{Extent: 1, Parallel: true}, func(int) {
		for _, part := range []string{"fill", "multiply"} {
			b.Each(loop.Spec{Extent: rows, Parallel: true}, func(row int) {
				product := func(lane int) loop.Value {
					return b.Op(loop.Mul, loop.F32, b.Load(at(near, row, lane, 0), 0), b.Load(at(near, row, lane, 1), 0))
				}
				switch {
				case part == "fill":
					b.Each(lanes, func(lane int) { b.Store(at(near, row, lane, 0), b.Load(at(x, row, lane, 0), 0), 0) })
				case sum:
					zero := loop.Reduction{Init: b.Float(loop.F32, 0), Reduce: loop.Add}
					all := b.For(loop.Spec{Extent: extent, Lanes: true}, []loop.Reduction{zero},
						func(lane int, phis []loop.Value) []loop.Value {
							return []loop.Value{b.Op(loop.Add, loop.F32, phis[0], product(lane))}
						})
					b.Store(loop.Access{Buffer: y, Mem: loop.MemF32, Terms: []loop.Term{{Var: row, Stride: 1}}}, all[0], 0)
				default:
					b.Each(lanes, func(lane int) { b.Store(at(y, row, lane, 0), product(lane), 0) })
				}
			})
		}
	})
	return b.Nest()
}

// maskedLoads counts loads that have a mask.
func maskedLoads(code []byte) int {
	n := 0
	for len(code) > 0 {
		in, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		if in.MemAt() > 0 && in.Opt != 0 {
			n++
		}
		code = code[size:]
	}
	return n
}
