package emit

import (
	"bytes"
	"testing"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// rowsAlong is a nest that goes along rows of x and writes those of y, which has apart elements from one row to the
// next.
type rowsAlong struct {
	rows, width, apart int64
	stream, sums       bool // y may be written past the caches; there are only sums of rows
}

func (c rowsAlong) nest() *loop.Nest {
	b := loop.NewBuilder("along")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * c.rows * c.width})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * c.rows * c.apart, Write: true, Stream: c.stream})
	b.Each(loop.Spec{Extent: c.rows, Parallel: true}, func(r int) {
		load := func(k int) loop.Value {
			return b.Load(loop.Access{Buffer: x, Terms: []loop.Term{{Var: r, Stride: c.width}, {Var: k, Stride: 1}},
				Mem: loop.MemF32}, 0)
		}
		to := loop.Access{Buffer: y, Terms: []loop.Term{{Var: r, Stride: c.apart}}, Mem: loop.MemF32}
		if c.sums {
			zero := []loop.Reduction{{Init: b.Float(loop.F32, 0), Reduce: loop.Add}}
			sums := b.For(loop.Spec{Extent: c.width, Lanes: true}, zero,
				func(k int, phis []loop.Value) []loop.Value {
					return []loop.Value{b.Op(loop.Add, loop.F32, phis[0], load(k))}
				})
			b.Store(to, sums[0], 0)
			return
		}
		b.Each(loop.Spec{Extent: c.width, Lanes: true}, func(k int) {
			v := load(k)
			to.Terms = append(to.Terms[:1:1], loop.Term{Var: k, Stride: 1})
			b.Store(to, b.Op(loop.Add, loop.F32, v, v), 0)
		})
	})
	return b.Nest()
}

// headsAlong is a nest that moves rows of x to pieces of y by turns, as a transpose does that puts heads in front.
type headsAlong struct{ rows, heads, width int64 }

func (c headsAlong) nest() *loop.Nest {
	b := loop.NewBuilder("heads")
	x := b.Buffer(loop.Buffer{Name: "x", Bytes: 4 * c.rows * c.heads * c.width})
	y := b.Buffer(loop.Buffer{Name: "y", Bytes: 4 * c.rows * c.heads * c.width, Write: true, Stream: true})
	b.Each(loop.Spec{Extent: c.rows, Parallel: true}, func(r int) {
		b.Each(loop.Spec{Extent: c.heads, Parallel: true}, func(h int) {
			b.Each(loop.Spec{Extent: c.width, Lanes: true}, func(k int) {
				at := func(buffer int, row, head int64) loop.Access {
					return loop.Access{Buffer: buffer, Mem: loop.MemF32,
						Terms: []loop.Term{{Var: r, Stride: row}, {Var: h, Stride: head}, {Var: k, Stride: 1}}}
				}
				b.Store(at(y, c.width, c.rows*c.width), b.Load(at(x, c.heads*c.width, c.width), 0), 0)
			})
		})
	})
	return b.Nest()
}

// TestAlong: where a line of the last cache is long in coming, lines further on are asked for of what is written one
// after the other, and of what is read beside it; they do not go past the caches then.
func TestAlong(t *testing.T) {
	for _, test := range []struct {
		what    string
		nest    interface{ nest() *loop.Nest }
		asks    bool
		streams bool
	}{
		{"long rows", rowsAlong{rows: 3, width: 100000, apart: 100000}, true, false},
		{"long rows past the caches", rowsAlong{rows: 3, width: 100000, apart: 100000, stream: true}, true, false},
		{"long rows apart", rowsAlong{rows: 30, width: 10000, apart: 10048, stream: true}, true, false},
		{"short rows", rowsAlong{rows: 4096, width: 64, apart: 64, stream: true}, true, false},
		{"short rows apart", rowsAlong{rows: 4096, width: 64, apart: 128, stream: true}, true, false},
		{"few short rows apart", rowsAlong{rows: 7, width: 960, apart: 38400, stream: true}, false, true},
		{"short rows far apart", rowsAlong{rows: 4096, width: 64, apart: 320, stream: true}, false, true},
		{"rows of a line", rowsAlong{rows: 16384, width: 16, apart: 32, stream: true}, false, true},
		{"rows of few pieces", headsAlong{rows: 512, heads: 12, width: 64}, true, false},
		{"rows of many pieces", headsAlong{rows: 512, heads: 17, width: 64}, false, true},
		{"few rows of few pieces", headsAlong{rows: 7, heads: 12, width: 960}, false, true},
		{"lines of few pieces", headsAlong{rows: 4096, heads: 12, width: 16}, false, true},
		{"near", rowsAlong{rows: 4, width: 10000, apart: 10000}, false, false},
		{"sums", rowsAlong{rows: 300, width: 10000, apart: 1, sums: true}, false, false},
	} {
		for _, e := range emulatedTiers {
			n := test.nest.nest()
			if code := assemble(t, n, e.target); count(code, asm.PREFETCHT0) > 0 {
				t.Errorf("%s: %s: asked for where the caches are near", e.name, test.what)
			}
			far := e.target
			far.FarCache = true
			code := assemble(t, n, far)
			if asks, streams := count(code, asm.PREFETCHT0) > 0, count(code, asm.VMOVNTPS) > 0; asks != test.asks ||
				streams != test.streams {
				t.Errorf("%s: %s: asks %v, past the caches %v", e.name, test.what, asks, streams)
			}
		}
	}
}

// TestAlongRuns compares what such code does with the Go executor, in parts of its rows.
func TestAlongRuns(t *testing.T) {
	for _, c := range []struct {
		nest     interface{ nest() *loop.Nest }
		rows     int64
		elements int64 // of x and of y
	}{
		{rowsAlong{rows: 5, width: 100003, apart: 100003}, 5, 5 * 100003},
		{rowsAlong{rows: 4099, width: 64, apart: 64, stream: true}, 4099, 4099 * 64},
		{headsAlong{rows: 515, heads: 12, width: 64}, 515, 515 * 12 * 64},
	} {
		x := make([]float32, c.elements)
		for k := range x {
			x[k] = float32(k % 65521)
		}
		n := c.nest.nest()
		bufs := func() [][]byte { return [][]byte{bytesOf(x), aligned(int(4 * c.elements))} }
		want := bufs()
		portable(t, n, want, 0, c.rows)
		for name, target := range tiers() {
			target.FarCache = true
			got := bufs()
			for _, part := range [][2]int64{{0, 1}, {1, c.rows / 2}, {c.rows / 2, c.rows}} {
				native(t, n, target, got, part[0], part[1])
			}
			if !bytes.Equal(got[1], want[1]) {
				t.Errorf("%s: %+v: results differ", name, c.nest)
			}
		}
	}
}
