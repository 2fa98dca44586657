package loop

import (
	"strings"
	"testing"
)

// TestShortRows: the columns of short rows are side by side in the loop over rows, those of long ones are not.
func TestShortRows(t *testing.T) {
	for _, c := range []struct {
		rows, columns int64
		mem           Mem
		together      bool
	}{
		{200003, 7, MemF32, true},
		{200000, 8, MemF32, true},
		{200000, 16, MemF64, true},
		{200003, 7, MemU8, true},
		{200000, 7, MemU8, false}, // in blocks
		{200003, 2, MemF32, false},
		{200003, 17, MemF32, false},
		{7, 7, MemF32, false},
	} {
		b := NewBuilder("rows")
		bytes := c.mem.Bytes() * c.rows * c.columns
		x := b.Buffer(Buffer{Name: "x", Bytes: bytes})
		y := b.Buffer(Buffer{Name: "y", Bytes: bytes, Write: true})
		b.Each(Spec{Extent: c.columns, Parallel: true}, func(i int) {
			b.Each(Spec{Extent: c.rows, Parallel: true, Lanes: true}, func(j int) {
				v := b.Load(Access{Buffer: x, Terms: []Term{{i, 1}, {j, c.columns}}, Mem: c.mem}, 0)
				b.Store(Access{Buffer: y, Terms: []Term{{i, c.rows}, {j, 1}}, Mem: c.mem}, v, 0)
			})
		})
		n := Jam(b.Nest(), false)
		if err := n.Verify(); err != nil {
			t.Fatal(err)
		}
		loads := strings.Count(n.String(), "load")
		if (loads == int(c.columns)) != c.together {
			t.Errorf("%d rows of %d: expected columns side by side: %v, got\n%v", c.rows, c.columns, c.together, n)
		}
	}
}
