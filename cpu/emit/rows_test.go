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
	checkRowsOf(t, name, target, writtenNest(m, rows, elements), m, m, rows)
}

// checkRowsOf runs n, which makes rows rows of to from what x has of from.
func checkRowsOf(t *testing.T, name string, target Target, n *loop.Nest, from, m loop.Mem, rows int64) {
	place := guard.After
	if rows%2 == 0 {
		place = guard.Before
	}
	size := int(n.Buffers[1].Bytes)
	x, want := place(t, int(n.Buffers[0].Bytes)), aligned(size)
	got := place(t, size)
	looptest.Fill(rand.New(rand.NewPCG(uint64(rows), uint64(size))), from, x)
	clear(got)
	portable(t, n, [][]byte{x, want}, 0, rows)
	native(t, n, target, [][]byte{x, got}, 0, rows)
	if d := looptest.Diff(m, got, want); d >= 0 {
		t.Fatalf("%s: [%d]: expected %s, got %s\n%v", name, d, element(m, want, d), element(m, got, d), n)
	}
}

// bytesOfPlanes makes bytes of the rows of planes of integers, of so many elements each.
func bytesOfPlanes(from, to loop.Mem, rows, elements int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("planes %v %v %d %d", from, to, rows, elements))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * elements * from.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * elements, Write: true})
	b.Each(loop.Spec{Extent: rows, Lanes: true, Parallel: true}, func(i int) {
		var row []loop.Value
		for e := range elements {
			terms := []loop.Term{{Var: i, Stride: 1}}
			v := b.Load(loop.Access{Buffer: x, Offset: e * rows, Terms: terms, Mem: from}, 0)
			if v = b.Op(loop.Xor, from.Kind(), v, b.Int(from.Kind(), 0x5A5A+e)); from.Kind() == loop.I64 {
				v = b.Op(loop.Trunc, loop.I32, v)
			}
			row = append(row, v)
		}
		for e, v := range row {
			terms := []loop.Term{{Var: i, Stride: elements}}
			b.Store(loop.Access{Buffer: y, Offset: int64(e), Terms: terms, Mem: to}, v, 0)
		}
	})
	return b.Nest()
}

// TestRowsOfPlanes: rows of bytes that are made of wider elements, whose other bytes are anything.
func TestRowsOfPlanes(t *testing.T) {
	for name, target := range tiers() {
		for _, from := range []loop.Mem{loop.MemI32, loop.MemI64} {
			for elements := int64(2); elements <= 5; elements++ {
				for _, rows := range []int64{5, 16, 31, 37, 64, 103} {
					for _, to := range []loop.Mem{loop.MemU8, loop.MemS8} {
						checkRowsOf(t, name, target, bytesOfPlanes(from, to, rows, elements), from, to, rows)
					}
				}
			}
		}
	}
}
