package loop

import "testing"

// turned makes y[i, j] = f(x[j, i]) of complex numbers, 9 rows of 17.
func turned(m Mem, f func(b *Builder, i int, at func(part int64) Access) (re, im Value)) *Nest {
	b := NewBuilder("turned")
	x := b.Buffer(Buffer{Name: "x", Bytes: 2 * m.Bytes() * 17 * 9})
	y := b.Buffer(Buffer{Name: "y", Bytes: 2 * m.Bytes() * 17 * 9, Write: true})
	b.Each(Spec{Extent: 9, Parallel: true}, func(i int) {
		b.Each(Spec{Extent: 17, Lanes: true}, func(j int) {
			re, im := f(b, j, func(part int64) Access {
				return Access{Buffer: x, Offset: part, Terms: []Term{{i, 2}, {j, 18}}, Mem: m}
			})
			for part, v := range []Value{re, im} {
				b.Store(Access{Buffer: y, Offset: int64(part), Terms: []Term{{i, 34}, {j, 2}}, Mem: m}, v, 0)
			}
		})
	})
	n := b.Nest()
	DCE(n)
	return n
}

func TestJoin(t *testing.T) {
	for _, test := range []struct {
		name string
		f    func(b *Builder, j int, at func(part int64) Access) (re, im Value)
		want string
	}{
		{"moved", func(b *Builder, _ int, at func(part int64) Access) (re, im Value) {
			return b.Load(at(0), 0), b.Load(at(1), 0)
		}, `nest turned {
  buffer x 1224 bytes
  buffer y 1224 bytes write
  parallel for i0 < 9 {
    lanes i1 < 17 {
      v1 = load i64 x[i0 + i1*9]
      store i64 y[i0*17 + i1] v1
    }
  }
}
`},
		{"padded", func(b *Builder, j int, at func(part int64) Access) (re, im Value) {
			on := b.Cmp(LT, b.Index(I32, j), b.Int(I32, 15))
			pad := b.Float(F32, 1)
			re, im = b.Load(at(0), on), b.Load(at(1), on)
			return b.Op(Select, F32, on, re, pad), b.Op(Select, F32, on, im, pad)
		}, `nest turned {
  buffer x 1224 bytes
  buffer y 1224 bytes write
  v11 = const i64 4575657222473777152
  v2 = const i32 15
  parallel for i0 < 9 {
    lanes i1 < 17 {
      v1 = index i32 i1
      v3 = cmp mask lt v1 v2
      v5 = load i64 x[i0 + i1*9] if v3
      v7 = select i64 v3 v5 v11
      store i64 y[i0*17 + i1] v7
    }
  }
}
`},
		{"at places that are computed", func(b *Builder, j int, at func(part int64) Access) (re, im Value) {
			half := b.Op(Shr, I32, b.Index(I32, j), b.Int(I32, 1))
			twice := b.Op(Mul, I32, b.Op(Mul, I32, half, b.Int(I32, 6)), b.Int(I32, 2))
			load := func(part int64) Value {
				x := at(part)
				x.Terms, x.Index = x.Terms[:1], twice
				return b.Load(x, 0)
			}
			return load(0), load(1)
		}, `nest turned {
  buffer x 1224 bytes
  buffer y 1224 bytes write
  v2 = const i32 1
  v4 = const i32 6
  parallel for i0 < 9 {
    lanes i1 < 17 {
      v1 = index i32 i1
      v3 = shr i32 v1 v2
      v5 = mul i32 v3 v4
      v8 = load i64 x[i0 + v5]
      store i64 y[i0*17 + i1] v8
    }
  }
}
`},
		{"a constant", func(b *Builder, _ int, _ func(part int64) Access) (re, im Value) {
			re = b.Float(F32, 1)
			return re, re
		}, `nest turned {
  buffer x 1224 bytes
  buffer y 1224 bytes write
  v4 = const i64 4575657222473777152
  parallel for i0 < 9 {
    lanes i1 < 17 {
      store i64 y[i0*17 + i1] v4
    }
  }
}
`},
	} {
		n := turned(MemF32, test.f)
		Join(n)
		DCE(n)
		if err := n.Verify(); err != nil {
			t.Error(err)
		}
		if got := n.String(); got != test.want {
			t.Errorf("%s: got:\n%s\nexpected:\n%s", test.name, got, test.want)
		}
	}
}

// What is computed, exchanged, chosen beside different constants, or no word, stays as it is.
func TestJoinLeaves(t *testing.T) {
	moved := func(b *Builder, _ int, at func(part int64) Access) (re, im Value) {
		return b.Load(at(0), 0), b.Load(at(1), 0)
	}
	for name, n := range map[string]*Nest{
		"f64": turned(MemF64, moved),
		"conjugate": turned(MemF32, func(b *Builder, _ int, at func(part int64) Access) (re, im Value) {
			return b.Load(at(0), 0), b.Op(Neg, F32, b.Load(at(1), 0))
		}),
		"exchanged": turned(MemF32, func(b *Builder, _ int, at func(part int64) Access) (re, im Value) {
			return b.Load(at(1), 0), b.Load(at(0), 0)
		}),
		"one": turned(MemF32, func(b *Builder, _ int, at func(part int64) Access) (re, im Value) {
			re = b.Load(at(0), 0)
			return re, re
		}),
		"one choice": turned(MemF32, func(b *Builder, j int, _ func(part int64) Access) (re, im Value) {
			on := b.Cmp(LT, b.Index(I32, j), b.Int(I32, 15))
			re = b.Op(Select, F32, on, b.Float(F32, 1), b.Float(F32, 2))
			return re, re
		}),
		"one computed": turned(MemF32, func(b *Builder, j int, _ func(part int64) Access) (re, im Value) {
			re = b.Op(SToF, F32, b.Index(I32, j))
			return re, re
		}),
		"one beside": turned(MemF32, func(b *Builder, j int, at func(part int64) Access) (re, im Value) {
			on := b.Cmp(LT, b.Index(I32, j), b.Int(I32, 15))
			other := b.Load(Access{Buffer: 0, Terms: []Term{{j, 1}}, Mem: MemF32}, 0)
			return b.Op(Select, F32, on, other, b.Load(at(0), 0)), b.Op(Select, F32, on, other, b.Load(at(1), 0))
		}),
		"across words": turned(MemF32, func(b *Builder, _ int, at func(part int64) Access) (re, im Value) {
			return b.Load(at(1), 0), b.Load(at(2), 0)
		}),
		"constants": turned(MemF32, func(b *Builder, j int, at func(part int64) Access) (re, im Value) {
			on := b.Cmp(LT, b.Index(I32, j), b.Int(I32, 15))
			re, im = b.Load(at(0), on), b.Load(at(1), on)
			return b.Op(Select, F32, on, re, b.Float(F32, 1)), b.Op(Select, F32, on, im, b.Float(F32, 2))
		}),
	} {
		before := n.String()
		Join(n)
		if got := n.String(); got != before {
			t.Errorf("%s: got:\n%s\nexpected:\n%s", name, got, before)
		}
	}
}
