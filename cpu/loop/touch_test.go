package loop

import (
	"slices"
	"testing"
)

// TestTouches: how much a nest touches of a buffer, and how that moves with its outermost loop.
func TestTouches(t *testing.T) {
	const rows, columns = 8, 16
	at := func(offset int64, terms ...Term) Access { return Access{Offset: offset, Terms: terms, Mem: MemF32} }
	for name, c := range map[string]struct {
		a           Access
		bytes, span int64
	}{
		"rows":      {at(0, Term{0, columns}, Term{1, 1}), 512, 512},
		"a column":  {at(3, Term{0, columns}), 32, 512},
		"backwards": {at(127, Term{0, -columns}, Term{1, -1}), 512, 512},
		"a row":     {at(16, Term{1, 1}), 64, 0},
		"columns":   {at(0, Term{0, 1}, Term{1, 8}), 512, 32},
		"one":       {at(0), 4, 0},
	} {
		b := NewBuilder("touch")
		x := b.Buffer(Buffer{Name: "x", Bytes: 4 * rows * columns})
		y := b.Buffer(Buffer{Name: "y", Bytes: 4 * rows * columns, Write: true})
		b.Buffer(Buffer{Name: "scratch", Bytes: 64, Scratch: true})
		b.Each(Spec{Extent: rows, Parallel: true}, func(i int) {
			b.Each(Spec{Extent: columns, Parallel: true}, func(j int) {
				c.a.Buffer = x
				v := b.Load(c.a, 0)
				b.Store(Access{Buffer: y, Terms: []Term{{i, columns}, {j, 1}}, Mem: MemF32}, v, 0)
			})
		})
		n := b.Nest()
		want := []Touch{{0, c.bytes, c.span, false}, {1, 512, 512, true}}
		if got := n.Touches(n.Outermost()); !slices.Equal(got, want) {
			t.Errorf("%s: expected %v, got %v of\n%v", name, want, got, n)
		}
		for k := range n.Accesses {
			n.Accesses[k].Index = 1
		}
		for _, got := range n.Touches(n.Outermost()) {
			if got.Bytes != 512 || got.Span >= 0 {
				t.Errorf("%s, at an index: expected anywhere in 512 bytes, got %v", name, got)
			}
		}
	}
}
