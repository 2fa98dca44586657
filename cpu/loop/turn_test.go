package loop

import "testing"

// TestInTurn: an iteration of the outermost loop has its part of a buffer for itself, or not.
func TestInTurn(t *testing.T) {
	at := func(offset int64, terms ...Term) Access { return Access{Offset: offset, Terms: terms, Mem: MemF32} }
	for name, c := range map[string]struct {
		a    Access
		want bool
	}{
		"rows":          {at(0, Term{0, 8}, Term{1, 1}), true},
		"rows, twice":   {at(4, Term{0, 8}), true},
		"backwards":     {at(7, Term{0, 8}, Term{1, -1}), true},
		"the next row":  {at(1, Term{0, 8}, Term{1, 1}), false},
		"in front":      {at(-1, Term{0, 8}, Term{1, 1}), false},
		"columns":       {at(0, Term{0, 1}, Term{1, 8}), false},
		"all of them":   {at(0, Term{1, 1}), false},
		"other strides": {at(0, Term{0, 4}, Term{1, 1}), false},
	} {
		b := NewBuilder("turn")
		x := b.Buffer(Buffer{Name: "x", Bytes: 4 * 8 * 8})
		y := b.Buffer(Buffer{Name: "y", Bytes: 4 * 8 * 8, Write: true})
		b.Each(Spec{Extent: 8, Parallel: true}, func(i int) {
			b.Each(Spec{Extent: 8, Parallel: true}, func(j int) {
				c.a.Buffer = x
				v := b.Load(c.a, 0)
				b.Store(Access{Buffer: y, Terms: []Term{{i, 8}, {j, 1}}, Mem: MemF32}, v, 0)
			})
		})
		n := b.Nest()
		l := n.Outermost()
		if got := n.InTurn(x, l, 32); got != c.want {
			t.Errorf("%s: expected %v, got %v of\n%v", name, c.want, got, n)
		}
		if !n.InTurn(y, l, 32) || n.InTurn(y, l, 64) {
			t.Errorf("%s: expected the rows of the result in turn\n%v", name, n)
		}
	}
}
