package emit

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/loop"
)

// rowsInPlace makes a nest that reads several rows of x in each iteration, and writes as many where they were, of what
// it reads or computes, in any order.
func rowsInPlace(seed uint64) *loop.Nest {
	r, b := rand.New(rand.NewPCG(seed, 9)), loop.NewBuilder(fmt.Sprint("rows in place ", seed))
	some := func(list ...int64) int64 { return list[r.IntN(len(list))] }
	mems := []loop.Mem{loop.MemF32, loop.MemI32, loop.MemU8, loop.MemBF16, loop.MemF64, loop.MemU16, loop.MemI64}
	m, rows, columns := mems[r.IntN(len(mems))], some(1, 2, 3, 4, 8), some(1, 8, 9)
	lanes, pitch, step := some(1, 2, 3, 4, 5, 8, 16, 17, 33, 65), int64(0), int64(1)
	if pitch = lanes * columns; r.IntN(3) == 0 {
		pitch, step = 1, rows
	}
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 3 * columns * lanes * rows * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: 3, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: columns, Parallel: true}, func(j int) {
			b.Each(loop.Spec{Extent: lanes, Lanes: true, Parallel: true}, func(k int) {
				var values []loop.Value
				at := func(row int) loop.Access {
					return loop.Access{Buffer: x, Offset: int64(row) * pitch, Mem: m, Terms: []loop.Term{
						{Var: i, Stride: rows * columns * lanes}, {Var: j, Stride: lanes * step}, {Var: k, Stride: step}}}
				}
				for _, row := range r.Perm(int(rows)) {
					values = append(values, b.Load(at(row), 0))
				}
				one := func() loop.Value { return values[r.IntN(len(values))] }
				for range some(0, 0, 3, 20, 60) {
					values = append(values, b.Op(loop.Add+loop.Op(r.IntN(2)), m.Kind(), one(), one()))
				}
				for _, row := range r.Perm(int(rows)) {
					b.Store(at(row), one(), 0)
				}
			})
		})
	})
	return b.Nest()
}

// TestRowsInPlace: of rows that are written over others, none is read after that.
func TestRowsInPlace(t *testing.T) {
	for seed := range uint64(300) {
		n := rowsInPlace(seed)
		in := aligned(int(n.Buffers[0].Bytes))
		for k, r := 0, rand.New(rand.NewPCG(seed, 4)); k < len(in); k++ {
			in[k] = byte(r.Uint32()) & 0x3f
		}
		want := append(aligned(0), in...)
		portable(t, n, [][]byte{want}, 0, 3)
		for _, tier := range emulatedTiers {
			got := append(aligned(0), in...)
			emulate(t, n, tier.target, [][]byte{got}, 0, 3)
			if !bytes.Equal(got, want) {
				t.Fatalf("seed %d, %s: expected %x, got %x\n%v", seed, tier.name, want, got, n)
			}
		}
	}
}
