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

// TestRowsBeside: sums of short rows that are neighbours are made side by side, if enough is left for threads: longer
// ones where vectors are narrow.
func TestRowsBeside(t *testing.T) {
	for _, c := range []struct {
		images, groups, channels, apart int64
		wide, narrow                    int
	}{
		{4, 8, 8, 8, 8, 8}, {1, 8, 8, 8, 2, 2}, {2, 8, 8, 8, 4, 4}, {1, 32, 4, 4, 8, 8}, {3, 15, 3, 3, 5, 5},
		{9, 11, 8, 8, 0, 0}, {4, 8, 9, 9, 0, 4}, {4, 8, 8, 9, 0, 0}, {1, 4, 8, 8, 0, 0}, {4, 8, 16, 16, 0, 4},
		{4, 8, 32, 32, 0, 2}, {4, 8, 33, 33, 0, 0},
	} {
		n := besideNest(c.images, 49, c.groups, c.channels, c.apart)
		for wide, want := range map[bool]int{true: c.wide, false: c.narrow} {
			l, factor := rowsBeside(n, wide)
			if factor != want || (l == nil) != (want == 0) {
				t.Errorf("%+v: wide %t: got %d", c, wide, factor)
			}
			if err := Jam(n, wide).Verify(); err != nil {
				t.Errorf("%+v: wide %t: %v", c, wide, err)
			}
		}
	}
}

// centredNest is y[i, p, q, g, c] = x[i, p, q, g, c] less the sum over p, q and c, groups so far apart in y.
func centredNest(groups, channels, apart int64) *Nest {
	const images, rows, columns = 4, 5, 7
	b := NewBuilder("centred")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * images * rows * columns * groups * channels})
	y := b.Buffer(Buffer{Name: "y", Bytes: 4 * images * rows * columns * groups * apart, Write: true})
	b.Each(Spec{Extent: images, Parallel: true}, func(i int) {
		b.Each(Spec{Extent: groups, Parallel: true}, func(g int) {
			at := func(buffer, p, q, c int, apart int64) Access {
				return Access{Buffer: buffer, Mem: MemF32, Terms: []Term{{i, rows * columns * groups * apart}, {g, apart},
					{p, columns * groups * apart}, {q, groups * apart}, {c, 1}}}
			}
			first := func(v Value, o Op) []Reduction { return []Reduction{{Init: v, Reduce: o}} }
			s := b.For(Spec{Extent: rows}, first(b.Float(F32, 0), 0), func(p int, phis []Value) []Value {
				return b.For(Spec{Extent: columns}, first(phis[0], 0), func(q int, phis []Value) []Value {
					return b.For(Spec{Extent: channels, Lanes: true}, first(phis[0], Add), func(c int, phis []Value) []Value {
						return []Value{b.Op(Add, F32, phis[0], b.Load(at(x, p, q, c, channels), 0))}
					})
				})
			})
			b.Each(Spec{Extent: rows}, func(p int) {
				b.Each(Spec{Extent: columns}, func(q int) {
					b.Each(Spec{Extent: channels, Lanes: true}, func(c int) {
						b.Store(at(y, p, q, c, apart), b.Op(Sub, F32, b.Load(at(x, p, q, c, channels), 0), s[0]), 0)
					})
				})
			})
		})
	})
	return b.Nest()
}

// TestWrittenRowsBeside: rows that are written once their sums are known go side by side on narrow vectors.
func TestWrittenRowsBeside(t *testing.T) {
	for _, c := range []struct {
		channels, apart int64
		factor          int
	}{{8, 8, 8}, {16, 16, 4}, {32, 32, 2}, {33, 33, 0}, {16, 17, 0}} {
		n := centredNest(8, c.channels, c.apart)
		for wide, want := range map[bool]int{true: 0, false: c.factor} {
			if _, factor := rowsBeside(n, wide); factor != want {
				t.Errorf("%+v: wide %t: got %d", c, wide, factor)
			}
		}
		if err := Jam(n, false).Verify(); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
