package loop

import "testing"

// besideNest is z[i, g] = the sum of x[i, p, g, c] over all places and channels, groups so far apart.
func besideNest(images, places, groups, channels, apart int64) *Nest {
	b := NewBuilder("beside")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * images * places * groups * apart})
	z := b.Buffer(Buffer{Name: "z", Bytes: 4 * images * groups, Write: true})
	b.Each(Spec{Extent: images, Parallel: true}, func(i int) {
		b.Each(Spec{Extent: groups, Parallel: true}, func(g int) {
			zero := func(v Value) []Reduction { return []Reduction{{Init: v}} }
			s := b.For(Spec{Extent: places}, zero(b.Float(F32, 0)), func(p int, phis []Value) []Value {
				sum := []Reduction{{Init: phis[0], Reduce: Add}}
				return b.For(Spec{Extent: channels, Lanes: true}, sum, func(c int, phis []Value) []Value {
					at := Access{Buffer: x, Mem: MemF32, Terms: []Term{{i, places * groups * apart}, {g, apart},
						{p, groups * apart}, {c, 1}}}
					return []Value{b.Op(Add, F32, phis[0], b.Load(at, 0))}
				})
			})
			b.Store(Access{Buffer: z, Terms: []Term{{i, groups}, {g, 1}}, Mem: MemF32}, s[0], 0)
		})
	})
	return b.Nest()
}

// TestRowsBeside: sums of short rows that are neighbours are made side by side, if enough is left for threads.
func TestRowsBeside(t *testing.T) {
	for _, c := range []struct {
		images, groups, channels, apart int64
		factor                          int
	}{
		{4, 8, 8, 8, 8}, {1, 8, 8, 8, 2}, {2, 8, 8, 8, 4}, {1, 32, 4, 4, 8}, {3, 15, 3, 3, 5}, {9, 11, 8, 8, 0},
		{4, 8, 9, 9, 0}, {4, 8, 8, 9, 0}, {1, 4, 8, 8, 0},
	} {
		n := besideNest(c.images, 49, c.groups, c.channels, c.apart)
		l, factor := rowsBeside(n)
		if factor != c.factor || (l == nil) != (c.factor == 0) {
			t.Errorf("%+v: got %d", c, factor)
		}
		if err := Jam(n, true).Verify(); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
