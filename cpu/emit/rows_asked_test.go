package emit

import (
	"fmt"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// transposedNest is y[i, j] = x[j, i] in the blocks that code for wide vectors has, which asks for lines.
func transposedNest(m loop.Mem, rows, columns int64) *loop.Nest {
	b := loop.NewBuilder(fmt.Sprintf("transposed %v %d %d", m, rows, columns))
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: rows * columns * m.Bytes()})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: rows * columns * m.Bytes(), Write: true})
	b.Each(loop.Spec{Extent: columns, Parallel: true}, func(i int) {
		b.Each(loop.Spec{Extent: rows, Lanes: true, Parallel: true}, func(j int) {
			v := b.Load(loop.Access{Buffer: x, Terms: []loop.Term{{Var: i, Stride: 1}, {Var: j, Stride: columns}}, Mem: m}, 0)
			b.Store(loop.Access{Buffer: y, Terms: []loop.Term{{Var: i, Stride: rows}, {Var: j, Stride: 1}}, Mem: m}, v, 0)
		})
	})
	n := b.Nest()
	loop.Tile(n, loop.Target{Code: true, Wide: true, Asks: true})
	return n
}

// TestRowsAsked: rows that are read in turns are asked for where they are far and go on, and on such machines only.
func TestRowsAsked(t *testing.T) {
	for _, c := range []struct {
		mem           loop.Mem
		rows, columns int64
		asked         bool
	}{
		{loop.MemF32, 512, 1024, true}, {loop.MemF64, 520, 400, true}, {loop.MemF32, 1000, 600, true},
		{loop.MemF32, 515, 1021, true},    // blocks overlap
		{loop.MemF32, 64, 1024, false},    // near
		{loop.MemF32, 8192, 64, false},    // short rows
		{loop.MemBF16, 1024, 1024, false}, // moved as they are
	} {
		for _, tier := range emulatedTiers {
			n, target := transposedNest(c.mem, c.rows, c.columns), tier.target
			if count(assemble(t, n, target), asm.PREFETCHT1) > 0 {
				t.Errorf("%s: %s: lines are asked for", tier.name, n.Name)
			}
			target.AsksRows = true
			if got := count(assemble(t, n, target), asm.PREFETCHT1) > 0; got != (c.asked && target.AVX512) {
				t.Errorf("%s: %s: lines are asked for: got %v", tier.name, n.Name, got)
			}
		}
		for name, target := range tiers() {
			target.AsksRows = true
			n := transposedNest(c.mem, c.rows, c.columns)
			checkMoved(t, name, target, c.mem, n, n.Root[0].Loop.Extent)
		}
	}
}

// TestSquaresInPairs: columns of 2 bytes are turned 16 at a time where there are so many, so that lines are read in
// halves.
func TestSquaresInPairs(t *testing.T) {
	for _, c := range []struct {
		mem           loop.Mem
		rows, columns int64
		want          int
	}{
		{loop.MemBF16, 32, 16, 16}, {loop.MemS16, 64, 48, 16}, {loop.MemF16, 96, 24, 0}, {loop.MemU8, 64, 64, 0},
	} {
		n := squaresNest(c.mem, c.rows, c.columns)
		if got := count(assemble(t, n, Target{AVX512: true}), asm.VINSERTI64X4); got != c.want {
			t.Errorf("%s: expected %d pairs of halves of lines, got %d", n.Name, c.want, got)
		}
		checkMovedEmulated(t, c.mem, n, 2)
	}
}
