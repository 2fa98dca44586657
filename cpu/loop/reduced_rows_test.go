package loop

import (
	"fmt"
	"testing"
)

// rowsNest is z[i] = the maximum of x[i], rows of so many elements, less those of y where that is not 0 arrays, and, if
// writes, w[i, j] = x[i, j] - z[i].
func rowsNest(rows, row int64, others int, writes bool) *Nest {
	b := NewBuilder("rows")
	from := []int{b.Buffer(Buffer{Name: "x", Bytes: 4 * rows * row})}
	for k := range others {
		from = append(from, b.Buffer(Buffer{Name: fmt.Sprintf("y%d", k), Bytes: 4 * rows * row}))
	}
	z := b.Buffer(Buffer{Name: "z", Bytes: 4 * rows, Write: true})
	b.Each(Spec{Extent: rows, Parallel: true}, func(i int) {
		at := func(k, j int) Access { return Access{Buffer: k, Terms: []Term{{i, row}, {j, 1}}, Mem: MemF32} }
		value := func(j int) Value {
			v := b.Load(at(from[0], j), 0)
			for _, y := range from[1:] {
				v = b.Op(Sub, F32, v, b.Load(at(y, j), 0))
			}
			return v
		}
		init := []Reduction{{Init: b.Float(F32, 0), Reduce: Max}}
		most := b.For(Spec{Extent: row, Lanes: true}, init, func(j int, phi []Value) []Value {
			return []Value{b.Op(Max, F32, phi[0], value(j))}
		})
		b.Store(Access{Buffer: z, Terms: []Term{{i, 1}}, Mem: MemF32}, most[0], 0)
		if writes {
			w := b.Buffer(Buffer{Name: "w", Bytes: 4 * rows * row, Write: true})
			b.Each(Spec{Extent: row, Lanes: true, Parallel: true}, func(j int) {
				b.Store(at(w, j), b.Op(Sub, F32, value(j), most[0]), 0)
			})
		}
	})
	return b.Nest()
}

// TestReducedRows: several short rows are reduced side by side, fewer of them where they are written too.
func TestReducedRows(t *testing.T) {
	for _, c := range []struct {
		rows, row int64
		others    int
		writes    bool
		factor    int
	}{
		{64, 33, 0, false, 8}, {12, 33, 0, false, 4}, {64, 33, 1, false, 8}, {64, mostTurnedRow, 0, true, 8},
		{64, mostTurnedRow + 1, 1, false, 4}, {64, mostTurnedRow + 1, 0, true, 4}, {12, 33, 0, true, 4},
		{64, 33, 1, true, 0}, // rows of three arrays
		{64, mostReducedRow, 0, true, 4}, {64, mostReducedRow + 1, 0, true, 2}, {64, mostReducedOnce, 0, false, 8},
		{64, mostPairedRow, 0, true, 2}, {63, mostPairedRow, 0, true, 3}, {64, mostPairedRow + 1, 0, true, 0},
		{65, mostPairedRow, 0, true, 0}, {7840, 400, 0, true, 4}, {7864, 400, 0, true, 0},
		{mostCached/256 + 8, mostTurnedRow, 0, false, 8},
		{64, mostReducedOnce + 1, 0, false, 0}, {64, leastReducedRow - 1, 0, false, 0}, {11, 33, 0, false, 0},
	} {
		l, factor := reducedRows(rowsNest(c.rows, c.row, c.others, c.writes), false)
		if factor != c.factor || l == nil != (c.factor == 0) {
			t.Errorf("%+v: got %d", c, factor)
		}
	}
}

// TestReducedRowsWide: eight short rows that are written go side by side on narrow vectors only.
func TestReducedRowsWide(t *testing.T) {
	for wide, want := range map[bool]int{false: 8, true: 4} {
		if _, factor := reducedRows(rowsNest(64, 33, 0, true), wide); factor != want {
			t.Errorf("wide %v: expected %d rows, got %d", wide, want, factor)
		}
	}
}

// TestReducedTruths: fewer rows of truth values go side by side where masks have registers of their own.
func TestReducedTruths(t *testing.T) {
	b := NewBuilder("truths")
	x := b.Buffer(Buffer{Name: "x", Bytes: 64 * 33})
	z := b.Buffer(Buffer{Name: "z", Bytes: 64, Write: true})
	b.Each(Spec{Extent: 64, Parallel: true}, func(row int) {
		init := []Reduction{{Init: b.Bool(false), Reduce: Or}}
		out := b.For(Spec{Extent: 33, Lanes: true}, init, func(i int, phi []Value) []Value {
			at := Access{Buffer: x, Mem: MemPred, Terms: []Term{{Var: row, Stride: 33}, {Var: i, Stride: 1}}}
			return []Value{b.Op(Or, Mask, phi[0], b.Load(at, 0))}
		})
		b.Store(Access{Buffer: z, Mem: MemPred, Terms: []Term{{Var: row, Stride: 1}}}, out[0], 0)
	})
	n := b.Nest()
	for wide, want := range map[bool]int{false: 8, true: mostMasks} {
		if _, factor := reducedRows(n, wide); factor != want {
			t.Errorf("wide %v: expected %d rows, got %d", wide, want, factor)
		}
	}
}

// TestPairedRowsKeepOrder: long rows are not paired where fewer of their vectors would be summed at a time.
func TestPairedRowsKeepOrder(t *testing.T) {
	for _, c := range []struct {
		size, f int
		want    bool
	}{{6, 2, true}, {7, 2, false}, {12, 2, false}, {13, 2, true}, {20, 2, true}, {21, 2, false}, {13, 3, true},
		{14, 3, false}, {5, 3, false}} {
		in := &Loop{Lanes: true, Extent: 800, Carries: make([]Carry, 1), Body: make(Block, c.size)}
		if got := keepsOrder(&Loop{Body: Block{{Loop: in}}}, c.f); got != c.want {
			t.Errorf("%d instructions, %d rows: got %v", c.size, c.f, got)
		}
	}
}

// TestJamReducedRows: what four rows are reduced to is carried by one loop.
func TestJamReducedRows(t *testing.T) {
	n := Jam(rowsNest(12, 33, 0, false), false)
	if err := n.Verify(); err != nil {
		t.Fatal(err)
	}
	want := `nest rows {
  buffer x 1584 bytes
  buffer z 48 bytes write
  v1 = const f32 0
  parallel for i0 < 3 {
    lanes i1 < 33 {
      carry v14 = v1 phi v2 next v7 max
      carry v15 = v1 phi v3 next v9 max
      carry v16 = v1 phi v4 next v11 max
      carry v17 = v1 phi v5 next v13 max
      v6 = load f32 x[i0*132 + i1]
      v7 = max f32 v2 v6
      v8 = load f32 x[33 + i0*132 + i1]
      v9 = max f32 v3 v8
      v10 = load f32 x[66 + i0*132 + i1]
      v11 = max f32 v4 v10
      v12 = load f32 x[99 + i0*132 + i1]
      v13 = max f32 v5 v12
    }
    store f32 z[i0*4] v14
    store f32 z[1 + i0*4] v15
    store f32 z[2 + i0*4] v16
    store f32 z[3 + i0*4] v17
  }
}
`
	if got := n.String(); got != want {
		t.Errorf("got:\n%s\nexpected:\n%s", got, want)
	}
}
