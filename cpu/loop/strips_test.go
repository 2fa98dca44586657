package loop

import (
	"slices"
	"testing"
)

// columnSums sums the products of columns of x and rows of y.
func columnSums(rows, columns int64, number bool) *Nest {
	b := NewBuilder("sums")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * rows * columns})
	y := b.Buffer(Buffer{Name: "y", Bytes: 4 * rows * columns})
	z := b.Buffer(Buffer{Name: "z", Bytes: 4 * columns, Write: true})
	zero := b.Const(F32, 0)
	b.Each(Spec{Extent: columns, Parallel: true}, func(i int) {
		sums := []Reduction{{Init: zero, Reduce: Add}}
		sum := b.For(Spec{Extent: rows, Lanes: true}, sums, func(j int, phis []Value) []Value {
			v := b.Load(Access{Buffer: x, Terms: []Term{{i, 1}, {j, columns}}, Mem: MemF32}, 0)
			w := b.Load(Access{Buffer: y, Terms: []Term{{i, rows}, {j, 1}}, Mem: MemF32}, 0)
			if number {
				w = b.Op(SToF, F32, b.Index(I32, i))
			}
			return []Value{b.Op(Add, F32, phis[0], b.Op(Mul, F32, v, w))}
		})
		b.Store(Access{Buffer: z, Terms: []Term{{i, 1}}, Mem: MemF32}, sum[0], 0)
	})
	return b.Nest()
}

// TestStrips: the columns that a line has are turned at once, if a loop over them may be cut and they fit the second
// cache.
func TestStrips(t *testing.T) {
	for _, c := range []struct {
		rows, columns int64
		number, wide  bool
		want          []int64 // the extents of the loops
	}{
		{1024, 1024, false, false, []int64{64, 128, 16, 8, 16, 1024}},
		{1024, 1024, false, true, []int64{64, 64, 16, 16, 16, 1024}},
		{1027, 1000, false, false, []int64{100, 128, 10, 8, 10, 3, 10, 1027}},
		{100, 100, false, false, []int64{10, 12, 10, 8, 10, 4, 10, 100}},
		{1024, 1021, false, false, []int64{1021, 1024}}, // nothing divides the columns
		{60, 1024, false, false, []int64{1024, 60}},     // of a few elements each
		{64, 100, false, false, []int64{100, 64}},       // in the first cache
		{8192, 1024, false, false, []int64{1024, 8192}}, // too long
		{1024, 1024, true, false, []int64{1024, 1024}},  // the number of the column is asked for
	} {
		n := columnSums(c.rows, c.columns, c.number)
		strips := Strips(n, c.wide)
		if err := n.Verify(); err != nil {
			t.Fatal(err)
		}
		var got []int64
		n.Root.EachLoop(func(l *Loop) { got = append(got, l.Extent) })
		if !slices.Equal(got, c.want) || strips != n.Buffers[len(n.Buffers)-1].Scratch {
			t.Errorf("%d rows of %d: expected loops of %d, got %d:\n%s", c.rows, c.columns, c.want, got, n)
		}
	}
}
