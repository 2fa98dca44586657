package loop

import (
	"slices"
	"testing"
)

// transposed adds the number of the row and of the column to the transpose of an array.
func transposed(rows, columns int64, m Mem) *Nest {
	b := NewBuilder("transposed")
	x := b.Buffer(Buffer{Name: "x", Bytes: m.Bytes() * rows * columns})
	y := b.Buffer(Buffer{Name: "y", Bytes: m.Bytes() * rows * columns, Write: true})
	b.Each(Spec{Extent: columns, Parallel: true}, func(i int) {
		b.Each(Spec{Extent: rows, Lanes: true, Parallel: true}, func(j int) {
			v := b.Load(Access{Buffer: x, Terms: []Term{{i, 1}, {j, columns}}, Mem: m}, 0)
			sum := b.Op(Add, I32, b.Index(I32, i), b.Index(I32, j))
			v = b.Op(Add, I32, v, sum)
			b.Store(Access{Buffer: y, Terms: []Term{{i, rows}, {j, 1}}, Mem: m}, v, 0)
		})
	})
	return b.Nest()
}

func TestTile(t *testing.T) {
	n := transposed(2048, 2048, MemI32)
	Tile(n)
	want := `nest transposed {
  buffer x 16777216 bytes
  buffer y 16777216 bytes write
  parallel for i3 < 32 {
    parallel for i2 < 32 {
      parallel for i0 < 64 {
        v7 = const i32 64
        v8 = index i32 i2
        v9 = mul i32 v7 v8
        v10 = index i32 i0
        v2 = add i32 v9 v10
        parallel lanes i1 < 64 {
          v1 = load i32 x[i0 + i1*2048 + i2*64 + i3*131072]
          v11 = const i32 64
          v12 = index i32 i3
          v13 = mul i32 v11 v12
          v14 = index i32 i1
          v3 = add i32 v13 v14
          v4 = add i32 v2 v3
          v5 = add i32 v1 v4
          store i32 y[i0*2048 + i1 + i2*131072 + i3*64] v5
        }
      }
    }
  }
}
`
	if got := n.String(); got != want {
		t.Errorf("got:\n%s\nexpected:\n%s", got, want)
	}
	if err := n.Verify(); err != nil {
		t.Error(err)
	}
}

// TestTileFar: of arrays that are in no cache fewer rows are read in turns, as many as fill two lines of the result.
func TestTileFar(t *testing.T) {
	for _, c := range []struct {
		mem  Mem
		rows int64
		want int64
	}{{MemI32, 4096, 32}, {MemI64, 2048, 16}, {MemBF16, 8192, 64}, {MemI64, 1024, 64}} {
		n := transposed(c.rows, c.rows, c.mem)
		Tile(n)
		var lanes *Loop
		n.Root.Walk(func(node Node, _ []*Loop) {
			if node.Loop != nil && node.Loop.Lanes {
				lanes = node.Loop
			}
		})
		if lanes.Extent != c.want {
			t.Errorf("%v, %d rows: expected blocks of %d, got %d", c.mem, c.rows, c.want, lanes.Extent)
		}
	}
}

// TestTileThreads: the outermost loop is one that can be divided.
func TestTileThreads(t *testing.T) {
	n := transposed(4096, 48, MemI32)
	Tile(n)
	if l := n.Root[0].Loop; l.Extent != 64 {
		t.Errorf("outermost loop: expected 64 iterations, got %d:\n%s", l.Extent, n)
	}
	if err := n.Verify(); err != nil {
		t.Error(err)
	}
}

// TestTileWhole: loops that are one block each only change places with what is between them.
func TestTileWhole(t *testing.T) {
	b := NewBuilder("reversed")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * 64 * 40 * 16})
	y := b.Buffer(Buffer{Name: "y", Bytes: 4 * 64 * 40 * 16, Write: true})
	b.Each(Spec{Extent: 64, Parallel: true}, func(i int) {
		b.Each(Spec{Extent: 40, Parallel: true}, func(j int) {
			b.Each(Spec{Extent: 16, Lanes: true, Parallel: true}, func(k int) {
				v := b.Load(Access{Buffer: x, Terms: []Term{{i, 1}, {j, 64}, {k, 64 * 40}}, Mem: MemF32}, 0)
				b.Store(Access{Buffer: y, Terms: []Term{{i, 40 * 16}, {j, 16}, {k, 1}}, Mem: MemF32}, v, 0)
			})
		})
	})
	n := b.Nest()
	Tile(n)
	want := `nest reversed {
  buffer x 163840 bytes
  buffer y 163840 bytes write
  parallel for i1 < 40 {
    parallel for i0 < 64 {
      parallel lanes i2 < 16 {
        v1 = load f32 x[i0 + i1*64 + i2*2560]
        store f32 y[i0*640 + i1*16 + i2] v1
      }
    }
  }
}
`
	if got := n.String(); got != want {
		t.Errorf("got:\n%s\nexpected:\n%s", got, want)
	}
	if err := n.Verify(); err != nil {
		t.Error(err)
	}
}

// TestTileNothing: loops that are short stay as they are, and those that nothing divides if they may not be repeated.
func TestTileNothing(t *testing.T) {
	for _, c := range []struct {
		rows, columns int64
		read          bool // what is written
	}{{7, 4096, false}, {4096, 4099, true}, {4099, 4096, true}} {
		n := transposed(c.rows, c.columns, MemI32)
		if c.read {
			n.Accesses[0].Buffer = 1
		}
		before := n.String()
		if Tile(n); n.String() != before {
			t.Errorf("%d x %d: got:\n%s", c.rows, c.columns, n)
		}
	}
}

// TestTileOverlap: blocks of prime extents overlap by little, and all iterations are in one.
func TestTileOverlap(t *testing.T) {
	for _, c := range []struct {
		rows, columns int64
		mem           Mem
	}{{4096, 4099, MemI32}, {4099, 4096, MemI32}, {1499, 1999, MemI32}, {8009, 127, MemI32}, {200003, 31, MemI32},
		{257, 263, MemI32}} {
		n := transposed(c.rows, c.columns, c.mem)
		Tile(n)
		if err := n.Verify(); err != nil {
			t.Fatal(err)
		}
		inst := slices.IndexFunc(n.Insts, func(i Inst) bool { return i.Op == Store })
		extent := map[int]int64{}
		n.Root.Walk(func(node Node, _ []*Loop) {
			if node.Loop != nil {
				extent[node.Loop.Var] = node.Loop.Extent
			}
		})
		terms := n.Accesses[n.Insts[inst].Access].Terms
		work := checkCovers(t, terms, extent, c.rows*c.columns)
		if len(extent) < 3 || work > 1.5 {
			t.Errorf("%d x %d %v: each element is written %.2f times:\n%s", c.rows, c.columns, c.mem, work, n)
		}
	}
}

// checkCovers checks that the addresses of terms are those below size, and returns how often each is written on the
// average.
func checkCovers(t *testing.T, terms []Term, extent map[int]int64, size int64) float64 {
	t.Helper()
	written := make([]bool, size)
	times := int64(0)
	var visit func(k int, at int64)
	visit = func(k int, at int64) {
		if k == len(terms) {
			written[at] = true
			times++
			return
		}
		for i := range extent[terms[k].Var] {
			visit(k+1, at+i*terms[k].Stride)
		}
	}
	visit(0, 0)
	if slices.Contains(written, false) {
		t.Errorf("%v: not all of %d are written", terms, size)
	}
	return float64(times) / float64(size)
}
