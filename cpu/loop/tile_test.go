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
			k := I32
			if m == MemI64 {
				k = I64
			}
			sum := b.Op(Add, k, b.Index(k, i), b.Index(k, j))
			if m == MemF32 {
				sum = b.Op(SToF, F32, sum)
			}
			v = b.Op(Add, m.Kind(), v, sum)
			b.Store(Access{Buffer: y, Terms: []Term{{i, rows}, {j, 1}}, Mem: m}, v, 0)
		})
	})
	return b.Nest()
}

func TestTile(t *testing.T) {
	n := transposed(2048, 2048, MemI32)
	Tile(n, Target{Code: true})
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

// TestTileFar: of arrays that are in no cache fewer rows are read in turns, as many as fill two lines of the result,
// but more than of others if code asks for their lines, where that leaves enough blocks. Of near arrays whose rows are
// pages or halves of them apart, such code reads as many as fill one, if those of the result are not so far apart, and
// with narrow vectors as many as fill one of these.
func TestTileFar(t *testing.T) {
	code, asks, narrow := Target{Code: true}, Target{Code: true, Wide: true, Asks: true}, Target{Code: true, Asks: true}
	for _, c := range []struct {
		mem           Mem
		rows, columns int64
		target        Target
		want          int64
	}{
		{MemI32, 4096, 4096, code, 32}, {MemI64, 2048, 2048, code, 16}, {MemBF16, 8192, 8192, code, 64},
		{MemI64, 1024, 1024, code, 64}, {MemI32, 4096, 4096, asks, 256}, {MemI64, 2048, 2048, asks, 128},
		{MemI32, 1024, 8192, asks, 64}, {MemI32, 4096, 4104, asks, 128}, {MemI32, 8192, 2048, narrow, 32},
		{MemI64, 2048, 2048, narrow, 16}, {MemI32, 64, 1024, code, 64}, {MemI32, 64, 1024, asks, 16},
		{MemI32, 64, 1024, narrow, 8}, {MemI32, 1024, 1024, narrow, 8}, {MemI64, 128, 512, narrow, 4},
		{MemBF16, 64, 1024, narrow, 16}, {MemI32, 100, 1024, narrow, 10},
		{MemI32, 64, 1040, asks, 64}, {MemI32, 128, 1024, asks, 16},
		{MemI32, 256, 1024, asks, 64}, {MemI32, 128, 512, asks, 16}, {MemI32, 128, 768, asks, 64},
		{MemI64, 96, 512, asks, 8}, {MemI32, 64, 16384, asks, 16}, {MemI32, 128, 16384, asks, 64},
	} {
		n := transposed(c.rows, c.columns, c.mem)
		Tile(n, c.target)
		var lanes *Loop
		n.Root.Walk(func(node Node, _ []*Loop) {
			if node.Loop != nil && node.Loop.Lanes {
				lanes = node.Loop
			}
		})
		if lanes.Extent != c.want {
			t.Errorf("%v, %d rows of %d, %+v: expected blocks of %d, got %d", c.mem, c.rows, c.columns, c.target, c.want,
				lanes.Extent)
		}
	}
}

// TestTileInLines: with narrow vectors and rows that share sets of the first cache, the loops go along the lines that
// are read, of as many rows of the result as that cache holds, and, where these are far apart, in one line.
func TestTileInLines(t *testing.T) {
	for _, c := range []struct {
		mem           Mem
		rows, columns int64
		want          []int64
	}{
		{MemF32, 64, 1024, []int64{16, 8, 64, 8}}, {MemF32, 256, 1024, []int64{64, 32, 16, 8}},
		{MemI64, 128, 512, []int64{32, 32, 16, 4}}, {MemI64, 64, 512, []int64{16, 16, 32, 4}},
	} {
		n := transposed(c.rows, c.columns, c.mem)
		Tile(n, Target{Code: true, Asks: true})
		var got []int64
		n.Root.Walk(func(node Node, _ []*Loop) {
			if node.Loop != nil {
				got = append(got, node.Loop.Extent)
			}
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("%v, %d rows of %d: expected loops of %d, got %d", c.mem, c.rows, c.columns, c.want, got)
		}
	}
}

// TestTileThreads: the outermost loop is one that can be divided.
func TestTileThreads(t *testing.T) {
	n := transposed(4096, 48, MemI32)
	Tile(n, Target{Code: true})
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
	Tile(n, Target{Code: true})
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
		if Tile(n, Target{Code: true}); n.String() != before {
			t.Errorf("%d x %d: got:\n%s", c.rows, c.columns, n)
		}
	}
}

// TestTileOverlap: blocks of prime extents overlap by little, all iterations are in one, and what threads divide does
// not overlap, unless machine code stores the same bits in whatever order.
func TestTileOverlap(t *testing.T) {
	for _, c := range []struct {
		rows, columns int64
		mem           Mem
		code          bool
	}{{4096, 4099, MemI32, true}, {4099, 4096, MemI32, true}, {1499, 1999, MemI32, true}, {8009, 127, MemI32, true},
		{200003, 31, MemI32, true}, {257, 263, MemI32, true},
		{4096, 4099, MemI32, false}, {4099, 4096, MemI32, false}, {1499, 1999, MemI32, false},
		{200003, 31, MemI32, false}, {4096, 4099, MemF32, true}, {4099, 4096, MemF32, true}, {8009, 127, MemF32, true},
		{1499, 1999, MemF32, true}, {257, 263, MemF32, true}, {200003, 31, MemF32, true}} {
		n := transposed(c.rows, c.columns, c.mem)
		before := n.String()
		Tile(n, Target{Code: c.code})
		if err := n.Verify(); err != nil {
			t.Fatal(err)
		}
		s := &stored{nest: n, at: make([]int64, n.Vars), by: make([]int64, c.rows*c.columns)}
		s.block(n.Root)
		if slices.Contains(s.by, 0) {
			t.Errorf("%d x %d %v: not all elements are stored by\n%s", c.rows, c.columns, c.mem, n)
		}
		if work := float64(s.times) / float64(len(s.by)); n.String() == before || work > 1.5 {
			t.Errorf("%d x %d %v: each element is written %.2f times:\n%s", c.rows, c.columns, c.mem, work, n)
		}
		if may := c.code && c.mem == MemI32; s.shared && !may {
			t.Errorf("%d x %d %v: the outermost loop stores elements twice:\n%s", c.rows, c.columns, c.mem, n)
		}
	}
}

// TestTileNarrow: blocks of narrow elements that are only moved are as long as vectors, and overlap for that.
func TestTileNarrow(t *testing.T) {
	for _, c := range []struct {
		rows, columns int64
		mem           Mem
		code          bool
		groups        int64 // what the lengths of blocks are multiples of
	}{
		{1000, 1000, MemS8, true, 64}, {999, 1008, MemU8, true, 64}, {1000, 999, MemU16, true, 32},
		{1001, 1001, MemU16, true, 32}, {1000, 1000, MemS8, false, 50}, {1000, 1000, MemI32, true, 40},
	} {
		b := NewBuilder("moved")
		x := b.Buffer(Buffer{Name: "x", Bytes: c.mem.Bytes() * c.rows * c.columns})
		y := b.Buffer(Buffer{Name: "y", Bytes: c.mem.Bytes() * c.rows * c.columns, Write: true})
		b.Each(Spec{Extent: c.columns, Parallel: true}, func(i int) {
			b.Each(Spec{Extent: c.rows, Lanes: true, Parallel: true}, func(j int) {
				v := b.Load(Access{Buffer: x, Terms: []Term{{i, 1}, {j, c.columns}}, Mem: c.mem}, 0)
				b.Store(Access{Buffer: y, Terms: []Term{{i, c.rows}, {j, 1}}, Mem: c.mem}, v, 0)
			})
		})
		n := b.Nest()
		Tile(n, Target{Code: c.code})
		if err := n.Verify(); err != nil {
			t.Fatal(err)
		}
		inner := 0
		n.Root.EachLoop(func(l *Loop) {
			if l.Lanes || l.Body[0].Loop != nil && l.Body[0].Loop.Lanes {
				if inner++; l.Extent%c.groups != 0 {
					t.Errorf("%d x %d %v: a block of %d:\n%s", c.rows, c.columns, c.mem, l.Extent, n)
				}
			}
		})
		s := &stored{nest: n, at: make([]int64, n.Vars), by: make([]int64, c.rows*c.columns)}
		s.block(n.Root)
		if slices.Contains(s.by, 0) || inner != 2 {
			t.Errorf("%d x %d %v: not all elements are stored by\n%s", c.rows, c.columns, c.mem, n)
		}
	}
}

// stored counts what a nest stores.
type stored struct {
	nest   *Nest
	at     []int64 // by loop, its iteration
	by     []int64 // by element, the iteration of the outermost loop that stored it, from 1 on
	times  int64   // without what goes to memory of the worker's own
	shared bool    // two iterations of the outermost loop stored an element
}

func (s *stored) block(b Block) {
	for _, n := range b {
		switch l := n.Loop; {
		case l == nil && s.nest.Inst(n.Value).Op == Store:
			s.store(&s.nest.Accesses[s.nest.Inst(n.Value).Access])
		case l != nil && (l.When == nil || s.at[l.When.Var] >= l.When.Lo && s.at[l.When.Var] < l.When.Hi):
			for s.at[l.Var] = 0; s.at[l.Var] < l.Extent; s.at[l.Var]++ {
				s.block(l.Body)
			}
		}
	}
}

func (s *stored) store(a *Access) {
	if s.nest.Buffers[a.Buffer].Scratch {
		return
	}
	e := a.Offset
	for _, t := range a.Terms {
		e += s.at[t.Var] * t.Stride
	}
	outer := s.at[s.nest.Root[len(s.nest.Root)-1].Loop.Var] + 1
	s.shared = s.shared || s.by[e] != 0 && s.by[e] != outer
	s.by[e] = outer
	s.times++
}
