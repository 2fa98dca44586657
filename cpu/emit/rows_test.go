package emit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/exec/guard"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/loop/looptest"
)

// writtenNest turns around the elements of each of rows rows, of some elements each, which are all written out.
func writtenNest(m loop.Mem, rows, elements int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("rows %v %d %d", m, rows, elements))
	bytes := rows * elements * m.Bytes()
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: bytes})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: bytes, Write: true})
	b.Each(loop.Spec{Extent: rows, Lanes: true, Parallel: true}, func(i int) {
		at := func(buffer int, element int64) loop.Access {
			terms := []loop.Term{{Var: i, Stride: elements}}
			return loop.Access{Buffer: buffer, Offset: element, Terms: terms, Mem: m}
		}
		var row []loop.Value
		for e := range elements {
			row = append(row, b.Load(at(x, elements-1-e), 0))
		}
		for e, v := range row {
			b.Store(at(y, int64(e)), v, 0)
		}
	})
	return b.Nest()
}

// TestRows: rows of all lengths that are joined in registers, and of one more, next to pages that cannot be accessed.
func TestRows(t *testing.T) {
	for name, target := range tiers() {
		for _, m := range []loop.Mem{loop.MemF32, loop.MemI32, loop.MemF64, loop.MemI64, loop.MemU8, loop.MemBF16} {
			for elements := int64(1); elements <= mostStep+1; elements++ {
				for _, rows := range []int64{3, 16, 37, 64, 101} {
					checkRows(t, name, target, m, rows, elements)
				}
			}
		}
	}
}

func checkRows(t *testing.T, name string, target Target, m loop.Mem, rows, elements int64) {
	n := writtenNest(m, rows, elements)
	place := guard.After
	if rows%2 == 0 {
		place = guard.Before
	}
	size := int(n.Buffers[0].Bytes)
	x, want := place(t, size), aligned(size)
	got := place(t, size)
	looptest.Fill(rand.New(rand.NewPCG(uint64(rows), uint64(elements))), m, x)
	clear(got)
	portable(t, n, [][]byte{x, want}, 0, rows)
	native(t, n, target, [][]byte{x, got}, 0, rows)
	if d := looptest.Diff(m, got, want); d >= 0 {
		t.Fatalf("%s: [%d]: expected %s, got %s\n%v", name, d, element(m, want, d), element(m, got, d), n)
	}
}
