package loop

import (
	"slices"
	"testing"
)

// slidingTaps is a nest of sums of five taps at rows by columns places, whose window slides over the columns, or over
// both, with as many rows of taps. Of the factors of the taps, shared are made in front of the loop over lanes. The
// input is scratch memory or not.
func slidingTaps(rows, columns int64, high, shared int, scratch bool) *Nest {
	const long = 5
	row := 16 * (columns + long - 1)
	b := NewBuilder("taps")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * (rows + long) * row, Write: scratch, Scratch: scratch})
	k := b.Buffer(Buffer{Name: "k", Bytes: 4 * long * long * 16})
	z := b.Buffer(Buffer{Name: "z", Bytes: 4 * rows * columns * 16, Write: true})
	b.Each(Spec{Extent: rows, Parallel: true}, func(i int) {
		b.Each(Spec{Extent: columns, Parallel: true}, func(j int) {
			factors := make([]Value, high*long)
			for t := range shared {
				factors[t] = b.Load(Access{Buffer: k, Offset: int64(16 * t), Mem: MemF32}, 0)
			}
			b.Each(Spec{Extent: 16, Parallel: true, Lanes: true}, func(n int) {
				sum := b.Float(F32, 0)
				for t, y := range factors {
					if t >= shared {
						y = b.Load(Access{Buffer: k, Offset: int64(16 * t), Terms: []Term{{n, 1}}, Mem: MemF32}, 0)
					}
					offset := int64(t/long)*row + int64(16*(t%long))
					at := Access{Buffer: x, Offset: offset, Terms: []Term{{i, row}, {j, 16}, {n, 1}}, Mem: MemF32}
					sum = b.Op(FMA, F32, b.Load(at, 0), y, sum)
				}
				b.Store(Access{Buffer: z, Terms: []Term{{i, 16 * columns}, {j, 16}, {n, 1}}, Mem: MemF32}, sum, 0)
			})
		})
	})
	return b.Nest()
}

// TestManyOverlapped: of what was brought near more than 8 places go side by side, where 8 do not divide them and there
// are registers.
func TestManyOverlapped(t *testing.T) {
	for _, test := range []struct {
		name    string
		columns int64
		shared  int
		scratch bool
		wide    bool
		want    int // side by side
	}{
		{"fourteen", 28, 0, true, true, 14},
		{"shared", 28, 4, true, true, 14},
		{"nine", 18, 0, true, true, 9},
		{"eight", 24, 0, true, true, 8},
		{"few registers", 28, 0, true, false, 7},
		{"many shared", 28, 5, true, true, 7},
		{"far", 28, 0, false, true, 7},
		{"prime", 17, 0, true, true, 4}, // of the rows
	} {
		n := Jam(slidingTaps(4, test.columns, 1, test.shared, test.scratch), test.wide)
		if err := n.Verify(); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		stores := 0
		n.Root.Walk(func(node Node, _ []*Loop) {
			if node.Loop == nil && n.Inst(node.Value).Op == Store {
				stores++
			}
		})
		if stores != test.want {
			t.Errorf("%s: got %d places side by side, expected %d in\n%v", test.name, stores, test.want, n)
		}
	}
}

// TestOverlappedInside: of loops over places that are as good the innermost has several side by side.
func TestOverlappedInside(t *testing.T) {
	n := Jam(slidingTaps(16, 16, 5, 0, true), false)
	var extents []int64
	n.Root.EachLoop(func(l *Loop) { extents = append(extents, l.Extent) })
	if want := []int64{16, 2, 16}; !slices.Equal(extents, want) {
		t.Errorf("expected loops of %v, got %v", want, extents)
	}
}
