package loop

import "testing"

// TestJam: four rows of a matrix product read each element of the right side once.
func TestJam(t *testing.T) {
	b := NewBuilder("product")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * 4 * 8})
	y := b.Buffer(Buffer{Name: "y", Bytes: 4 * 8 * 16})
	z := b.Buffer(Buffer{Name: "z", Bytes: 4 * 4 * 16, Write: true})
	b.Each(Spec{Extent: 4, Parallel: true}, func(m int) {
		b.Each(Spec{Extent: 16, Parallel: true, Lanes: true}, func(n int) {
			sum := b.For(Spec{Extent: 8}, []Reduction{{Init: b.Float(F32, 0)}}, func(k int, phi []Value) []Value {
				return []Value{b.Op(FMA, F32, b.Load(Access{Buffer: x, Terms: []Term{{m, 8}, {k, 1}}, Mem: MemF32}, 0),
					b.Load(Access{Buffer: y, Terms: []Term{{n, 1}, {k, 16}}, Mem: MemF32}, 0), phi[0])}
			})
			b.Store(Access{Buffer: z, Terms: []Term{{m, 16}, {n, 1}}, Mem: MemF32}, sum[0], 0)
		})
	})
	n := Jam(b.Nest(), false)
	if err := n.Verify(); err != nil {
		t.Fatal(err)
	}
	want := `nest product {
  buffer x 128 bytes
  buffer y 512 bytes
  buffer z 256 bytes write
  v1 = const f32 0
  parallel for i0 < 1 {
    parallel lanes i1 < 16 {
      for i2 < 8 {
        carry v15 = v1 phi v2 next v8
        carry v16 = v1 phi v3 next v10
        carry v17 = v1 phi v4 next v12
        carry v18 = v1 phi v5 next v14
        v6 = load f32 y[i1 + i2*16]
        v7 = load f32 x[i2]
        v8 = fma f32 v6 v7 v2
        v9 = load f32 x[8 + i2]
        v10 = fma f32 v6 v9 v3
        v11 = load f32 x[16 + i2]
        v12 = fma f32 v6 v11 v4
        v13 = load f32 x[24 + i2]
        v14 = fma f32 v6 v13 v5
      }
      store f32 z[i1] v15
      store f32 z[16 + i1] v16
      store f32 z[32 + i1] v17
      store f32 z[48 + i1] v18
    }
  }
}
`
	if got := n.String(); got != want {
		t.Errorf("got:\n%s\nexpected:\n%s", got, want)
	}
}

// TestJamWindow: five places of a window of four taps read their eight elements once, and each tap.
func TestJamWindow(t *testing.T) {
	b := NewBuilder("window")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * 13 * 16})
	k := b.Buffer(Buffer{Name: "k", Bytes: 4 * 4 * 16})
	z := b.Buffer(Buffer{Name: "z", Bytes: 4 * 10 * 16, Write: true})
	b.Each(Spec{Extent: 10, Parallel: true}, func(m int) {
		b.Each(Spec{Extent: 16, Parallel: true, Lanes: true}, func(n int) {
			sum := b.Float(F32, 0)
			for tap := range int64(4) {
				sum = b.Op(FMA, F32, b.Load(Access{Buffer: x, Offset: 16 * tap, Terms: []Term{{m, 16}, {n, 1}}, Mem: MemF32}, 0),
					b.Load(Access{Buffer: k, Offset: 16 * tap, Terms: []Term{{n, 1}}, Mem: MemF32}, 0), sum)
			}
			b.Store(Access{Buffer: z, Terms: []Term{{m, 16}, {n, 1}}, Mem: MemF32}, sum, 0)
		})
	})
	n := Jam(b.Nest(), false)
	if err := n.Verify(); err != nil {
		t.Fatal(err)
	}
	count := map[Op]int{}
	n.Root.Walk(func(node Node, _ []*Loop) {
		if node.Loop == nil {
			count[n.Inst(node.Value).Op]++
		}
	})
	if count[Load] != 8+4 || count[FMA] != 5*4 || count[Store] != 5 {
		t.Errorf("expected 12 loads, 20 products and 5 stores, got %v in\n%v", count, n)
	}
}

// TestJamTwice: all rows and columns of a small block of sums go side by side, without the loops over them.
func TestJamTwice(t *testing.T) {
	b := NewBuilder("gradient")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * 5 * 5 * 16})
	y := b.Buffer(Buffer{Name: "y", Bytes: 4 * 3 * 16})
	z := b.Buffer(Buffer{Name: "z", Bytes: 4 * 9 * 16, Write: true})
	b.Each(Spec{Extent: 3, Parallel: true}, func(i int) {
		b.Each(Spec{Extent: 3, Parallel: true}, func(j int) {
			b.Each(Spec{Extent: 16, Parallel: true, Lanes: true}, func(n int) {
				sum := b.For(Spec{Extent: 3}, []Reduction{{Init: b.Float(F32, 0)}}, func(k int, phi []Value) []Value {
					at := []Term{{i, 80}, {j, 16}, {n, 1}, {k, 16}}
					return []Value{b.Op(FMA, F32, b.Load(Access{Buffer: x, Terms: at, Mem: MemF32}, 0),
						b.Load(Access{Buffer: y, Terms: []Term{{n, 1}, {k, 16}}, Mem: MemF32}, 0), phi[0])}
				})
				b.Store(Access{Buffer: z, Terms: []Term{{i, 48}, {j, 16}, {n, 1}}, Mem: MemF32}, sum[0], 0)
			})
		})
	})
	n := Jam(b.Nest(), false)
	if err := n.Verify(); err != nil {
		t.Fatal(err)
	}
	loops, carries := 0, 0
	n.Root.Walk(func(node Node, _ []*Loop) {
		if node.Loop != nil {
			loops, carries = loops+1, carries+len(node.Loop.Carries)
		}
	})
	if loops != 3 || carries != 9 {
		t.Errorf("expected the loops of one row, of lanes and of the sums, which carries 9, got %d and %d in\n%v", loops,
			carries, n)
	}
}
