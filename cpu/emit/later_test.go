package emit

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// gathered is a nest whose rows of y are those of x that i names, rows of so many elements, and what is special.
type gathered struct {
	rows, width, table        int64
	written, carried, added   bool // of the indices: the nest writes them, or they add up; rows are added to y
	masked, fixed, apart, two bool // indices out of range have no row; all have one; elements are apart; of indices
	twice                     bool // rows of a second table, which the same indices name, are added
}

func (c gathered) nest() *loop.Nest {
	b := loop.NewBuilder("gather")
	i := b.Buffer(loop.Buffer{Name: "i", Bytes: 4 * c.rows, Write: c.written})
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * c.width * c.table})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * c.rows * c.width, Write: true})
	z := b.Buffer(loop.Buffer{Name: "z", Bytes: 4 * c.width * c.table})
	b.For(loop.Spec{Extent: c.rows, Parallel: !c.carried}, []loop.Reduction{{Init: b.Int(loop.I32, 0)}}[:of(c.carried)],
		func(r int, phis []loop.Value) (next []loop.Value) {
			at := loop.Access{Buffer: i, Terms: []loop.Term{{Var: r, Stride: 1}}, Mem: loop.MemI32}
			n := b.Load(at, 0)
			if c.two {
				n = b.Op(loop.Min, loop.I32, n, b.Int(loop.I32, c.rows-1))
				n = b.Load(loop.Access{Buffer: i, Index: n, Mem: loop.MemI32}, 0)
			}
			if c.written {
				b.Store(at, n, 0)
			}
			if c.carried {
				n = b.Op(loop.And, loop.I32, b.Op(loop.Add, loop.I32, n, phis[0]), b.Int(loop.I32, c.table-1))
				next = append(next, n)
			}
			var mask loop.Value
			if c.masked {
				mask = b.Cmp(loop.ULE, n, b.Int(loop.I32, c.table-1))
			} else {
				n = b.Op(loop.Min, loop.I32, n, b.Int(loop.I32, c.table-1))
			}
			place := b.Op(loop.Mul, loop.I32, n, b.Int(loop.I32, c.width))
			if c.fixed {
				place = b.Int(loop.I32, c.width)
			}
			b.Each(loop.Spec{Extent: c.width >> of(c.apart), Lanes: true}, func(k int) {
				to := loop.Access{Buffer: y, Terms: []loop.Term{{Var: r, Stride: c.width}, {Var: k, Stride: 1}}, Mem: loop.MemF32}
				each := []loop.Term{{Var: k, Stride: 1 << of(c.apart)}}
				from := loop.Access{Buffer: x, Index: place, Terms: each, Mem: loop.MemF32}
				v := b.Load(from, mask)
				if c.twice {
					from.Buffer = z
					v = b.Op(loop.Add, loop.F32, v, b.Load(from, mask))
				}
				if c.added {
					v = b.Op(loop.Add, loop.F32, v, b.Load(to, 0))
				}
				b.Store(to, v, mask)
			})
			return next
		})
	return b.Nest()
}

func of(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestLaterRows: rows at places that are computed are asked for some iterations ahead if they are long, and neither so
// few that they are near nor known before.
func TestLaterRows(t *testing.T) {
	for _, test := range []struct {
		what string
		nest gathered
		want bool
	}{
		{"long", gathered{rows: 20, width: 768, table: 512}, true},
		{"short, and masked", gathered{rows: 33, width: 64, table: 4096, masked: true}, true},
		{"added", gathered{rows: 20, width: 100, table: 4096, added: true}, true},
		{"indices of indices", gathered{rows: 20, width: 256, table: 1024, two: true}, true},
		{"one behind the last", gathered{rows: 3, width: 256, table: 1024}, true},
		{"few rows", gathered{rows: 2, width: 256, table: 1024}, false},
		{"too short", gathered{rows: 20, width: 63, table: 8192}, false},
		{"too long", gathered{rows: 3, width: 16400, table: 16}, false},
		{"near", gathered{rows: 20, width: 768, table: 128}, false},
		{"elements apart", gathered{rows: 20, width: 768, table: 512, apart: true}, false},
		{"one row", gathered{rows: 20, width: 768, table: 512, fixed: true}, false},
		{"indices are written", gathered{rows: 20, width: 768, table: 512, written: true}, false},
		{"indices add up", gathered{rows: 20, width: 768, table: 512, carried: true}, false},
	} {
		for _, e := range emulatedTiers {
			n := test.nest.nest()
			if got := count(assemble(t, n, e.target), asm.PREFETCHT0) > 0; got != test.want {
				t.Errorf("%s: %s: asked for: %v, want %v\n%v", e.name, test.what, got, test.want, n)
			}
		}
		if test.want {
			runGathered(t, test.what, test.nest)
		}
	}
}

// TestLaterRowsOfBoth: rows of two tables are both asked for.
func TestLaterRowsOfBoth(t *testing.T) {
	one := gathered{rows: 20, width: 256, table: 1024}
	two := one
	two.twice = true
	for _, e := range emulatedTiers {
		single := count(assemble(t, one.nest(), e.target), asm.PREFETCHT0)
		if both := count(assemble(t, two.nest(), e.target), asm.PREFETCHT0); single == 0 || both != 2*single {
			t.Errorf("%s: %d lines of one table are asked for, %d of two", e.name, single, both)
		}
	}
	runGathered(t, "two tables", two)
}

// runGathered compares what it does with the Go executor, in parts of its rows, where memory ends with the indices.
func runGathered(t *testing.T, what string, c gathered) {
	r := rand.New(rand.NewPCG(4, 4))
	index, table := make([]byte, 0, 4*c.rows), make([]float32, c.width*c.table)
	for range c.rows {
		index = binary.LittleEndian.AppendUint32(index, uint32(r.Int64N(c.table+c.table/8)))
	}
	for k := range table {
		table[k] = float32(k % 65521)
	}
	n := c.nest()
	bufs := func() [][]byte {
		return [][]byte{bytes.Clone(index), bytesOf(table), aligned(int(4 * c.rows * c.width)), bytesOf(table)}
	}
	want := bufs()
	portable(t, n, want, 0, c.rows)
	check := func(name string, run func(bufs [][]byte, lo, hi int64)) {
		got := bufs()
		for _, part := range [][2]int64{{0, 1}, {1, 1}, {1, c.rows / 2}, {c.rows / 2, c.rows}} {
			run(got, part[0], part[1])
		}
		if !bytes.Equal(got[2], want[2]) {
			t.Errorf("%s: %s: results differ", name, what)
		}
	}
	for _, e := range emulatedTiers {
		check(e.name+" emulated", func(bufs [][]byte, lo, hi int64) { emulate(t, n, e.target, bufs, lo, hi) })
	}
	for name, target := range tiers() {
		check(name, func(bufs [][]byte, lo, hi int64) { native(t, n, target, bufs, lo, hi) })
	}
}
