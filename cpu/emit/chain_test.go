package emit

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// chainsNest adds, in each of some iterations, taps products to each of sums values: y[k] = sum of x[t, k+j] * w[t, j].
func chainsNest(sums, taps int64) *loop.Nest {
	const columns, times = 48, 5
	b := loop.NewBuilder("chains")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: (times + sums + taps) * columns * 4})
	w := b.Buffer(loop.Buffer{Name: "w", Bytes: (times + taps) * columns * 4})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: sums * columns * 4, Write: true})
	b.Each(loop.Spec{Extent: 1, Parallel: true}, func(int) {
		b.Each(loop.Spec{Extent: columns, Lanes: true, Parallel: true}, func(j int) {
			at := func(buffer int, row int64, terms ...loop.Term) loop.Access {
				return loop.Access{Buffer: buffer, Mem: loop.MemF32, Offset: row * columns,
					Terms: append(terms, loop.Term{Var: j, Stride: 1})}
			}
			carries := make([]loop.Reduction, sums)
			for k := range carries {
				carries[k].Init = b.Float(loop.F32, 0)
			}
			outs := b.For(loop.Spec{Extent: times}, carries, func(t int, phis []loop.Value) []loop.Value {
				acc := slices.Clone(phis)
				var row []loop.Value
				for k := range sums + taps - 1 {
					row = append(row, b.Load(at(x, k, loop.Term{Var: t, Stride: columns}), 0))
				}
				for tap := range taps {
					by := b.Load(at(w, tap, loop.Term{Var: t, Stride: columns}), 0)
					for k := range acc {
						acc[k] = b.Op(loop.FMA, loop.F32, row[int64(k)+tap], by, acc[k])
					}
				}
				return acc
			})
			for k, v := range outs {
				b.Store(at(y, int64(k)), v, 0)
			}
		})
	})
	return b.Nest()
}

// TestChains: sums that loops carry have a register each, and what is loaded for several of them is read again where
// there is none for it: nothing is written to spill space.
func TestChains(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct{ sums, taps int64 }{{1, 1}, {3, 1}, {7, 3}, {7, 7}, {12, 5}, {14, 14}} {
		n := chainsNest(c.sums, c.taps)
		data := make([][]byte, len(n.Buffers))
		for k, b := range n.Buffers {
			data[k] = make([]byte, b.Bytes)
			looptest.Fill(r, loop.MemF32, data[k])
		}
		want := make([]byte, len(data[2]))
		portable(t, n, [][]byte{data[0], data[1], want}, 0, 1)
		for _, tier := range emulatedTiers[:2] {
			if spilled := firstSpill(assemble(t, n, tier.target)); spilled != "" {
				t.Errorf("%s: %d sums of %d: %s", tier.name, c.sums, c.taps, spilled)
			}
			clear(data[2])
			emulate(t, n, tier.target, data, 0, 1)
			if d := looptest.Diff(loop.MemF32, data[2], want); d >= 0 {
				t.Errorf("%s: %d sums of %d: [%d] differs", tier.name, c.sums, c.taps, d)
			}
		}
	}
}

// firstSpill returns the first instruction of code that has a vector in spill space, or "".
func firstSpill(code []byte) string {
	for len(code) > 0 {
		in, size, err := asm.Decode(code)
		if err != nil {
			break // constants
		}
		if text := in.String(); strings.HasPrefix(text, "v") && strings.Contains(text, "[rsi") {
			return text
		}
		code = code[size:]
	}
	return ""
}

// TestSumsUnderMasks: at the end of a row a product is added to the lanes that there are, without a choice.
func TestSumsUnderMasks(t *testing.T) {
	const rows, columns = 6, 28
	b := loop.NewBuilder("rows")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * columns * 4})
	w := b.Buffer(loop.Buffer{Name: "w", Bytes: rows * columns * 4})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * 4, Write: true})
	b.Each(loop.Spec{Extent: rows, Parallel: true}, func(i int) {
		sum := b.For(loop.Spec{Extent: columns, Lanes: true},
			[]loop.Reduction{{Init: b.Float(loop.F32, 1), Reduce: loop.Add}}, func(j int, phis []loop.Value) []loop.Value {
				at := []loop.Term{{Var: i, Stride: columns}, {Var: j, Stride: 1}}
				u := b.Load(loop.Access{Buffer: x, Mem: loop.MemF32, Terms: at}, 0)
				v := b.Load(loop.Access{Buffer: w, Mem: loop.MemF32, Terms: at}, 0)
				return []loop.Value{b.Op(loop.FMA, loop.F32, u, v, phis[0])}
			})
		b.Store(loop.Access{Buffer: y, Mem: loop.MemF32, Terms: []loop.Term{{Var: i, Stride: 1}}}, sum[0], 0)
	})
	n, r := b.Nest(), rand.New(rand.NewPCG(9, 10))
	in := [2][]byte{make([]byte, rows*columns*4), make([]byte, rows*columns*4)}
	for _, data := range in { // integers: their sums are the same in any order
		for k := range rows * columns {
			*(*float32)(unsafe.Pointer(&data[4*k])) = float32(r.IntN(100) - 50)
		}
	}
	want := make([]byte, rows*4)
	portable(t, n, [][]byte{in[0], in[1], want}, 0, rows)
	for _, tier := range emulatedTiers {
		got := make([]byte, rows*4)
		emulate(t, n, tier.target, [][]byte{in[0], in[1], got}, 0, rows)
		if d := looptest.Diff(loop.MemF32, got, want); d >= 0 {
			t.Errorf("%s: [%d] differs", tier.name, d)
		}
		if tier.target.AVX512 && count(assemble(t, n, tier.target), asm.VBLENDMPS) > 0 {
			t.Errorf("%s: expected products that are added under a mask, got choices", tier.name)
		}
	}
}
