package loop

import (
	"slices"
	"testing"
)

// TestThrough: where rows that are written or read share sets of the first cache, blocks are turned in memory of the
// worker's own, by lines that are read whole, and all elements are written once, or again where blocks overlap.
func TestThrough(t *testing.T) {
	for _, c := range []struct {
		mem           Mem
		rows, columns int64
		want          []int64 // the extents of the loops; nil: blocks go through no memory
	}{
		{MemI32, 1024, 1024, []int64{16, 8, 16, 64, 8, 64, 128}},
		{MemF32, 2048, 1024, []int64{16, 16, 16, 64, 8, 64, 128}},
		{MemU8, 4096, 4096, []int64{8, 8, 16, 512, 32, 512, 512}},
		{MemF32, 1024, 40, []int64{8, 16, 40, 8, 40, 128}},
		{MemI32, 1024, 37, []int64{8, 16, 37, 8, 37, 128}},
		{MemI64, 512, 1031, []int64{8, 49, 16, 23, 4, 23, 64}},
		{MemF32, 512, 1031, nil},                                    // what is computed in floats may not be stored twice
		{MemF32, 64, 1024, nil},                                     // rows that are read share sets, but are near
		{MemI32, 1000, 1000, nil},                                   // no rows share sets
		{MemI32, 100, 1024, []int64{16, 12, 64, 8, 64, 4, 64, 100}}, // what is left of the vectors
		{MemI64, 4096, 1024, nil},                                   // lines are written whole
	} {
		n := transposed(c.rows, c.columns, c.mem)
		through := Tile(n, Target{Code: true, Asks: true, Through: true})
		if err := n.Verify(); err != nil {
			t.Fatal(err)
		}
		var got []int64
		n.Root.EachLoop(func(l *Loop) { got = append(got, l.Extent) })
		if through != (c.want != nil) || through && !slices.Equal(got, c.want) {
			t.Errorf("%v, %d rows of %d: expected loops of %d, got %d:\n%s", c.mem, c.rows, c.columns, c.want, got, n)
		}
		if last := n.Buffers[len(n.Buffers)-1]; last.Scratch != through {
			t.Errorf("%v, %d rows of %d: the last buffer is %+v, through %v", c.mem, c.rows, c.columns, last, through)
		}
		s := &stored{nest: n, at: make([]int64, n.Vars), by: make([]int64, c.rows*c.columns)}
		s.block(n.Root)
		if slices.Contains(s.by, 0) || s.times > int64(len(s.by))*11/10 {
			t.Errorf("%v, %d rows of %d: %d elements are stored %d times, or some are not", c.mem, c.rows, c.columns,
				len(s.by), s.times)
		}
	}
}
