package loop

import (
	"strings"
	"testing"
)

// movedInLanes makes a while loop in which elements of x are stored one by one, and lane loops with so many iterations
// read x, add what they read up if adds is set, and store to y.
func movedInLanes(extent int64, single, adds bool) *Nest {
	b := NewBuilder("moved")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * extent, Write: true})
	y := b.Buffer(Buffer{Name: "y", Bytes: 4 * extent, Write: true})
	last := b.While([]Value{b.Int(I32, 0)}, func(v []Value) Value { return b.Cmp(LT, v[0], b.Int(I32, 5)) },
		func(v []Value) []Value {
			if single {
				b.Store(Access{Buffer: x, Mem: MemF32}, b.Op(SToF, F32, v[0]), 0)
			}
			b.For(Spec{Extent: extent, Lanes: true}, []Reduction{{Init: b.Float(F32, 0), Reduce: Add}},
				func(i int, phis []Value) []Value {
					r := b.Load(Access{Buffer: x, Terms: []Term{{i, 1}}, Mem: MemF32}, 0)
					if adds {
						r = b.Op(Mul, F32, r, r)
					}
					b.Store(Access{Buffer: y, Terms: []Term{{i, 1}}, Mem: MemF32}, r, 0)
					return []Value{phis[0]}
				})
			return []Value{b.Op(Add, I32, v[0], b.Int(I32, 1))}
		})
	b.Store(Access{Buffer: y, Mem: MemI32}, last[0], 0)
	return b.Nest()
}

func TestWriteOut(t *testing.T) {
	for _, c := range []struct {
		name         string
		extent       int64
		single, adds bool
		lanes        bool // stay
	}{
		{"read behind single stores", 7, true, true, false},
		{"nothing is stored one by one", 7, false, true, true},
		{"many", 9, true, true, true},
		{"moves", 8, true, false, false},
		{"many moves", 9, true, false, true},
	} {
		n := movedInLanes(c.extent, c.single, c.adds)
		DCE(n)
		n = WriteOut(n)
		if err := n.Verify(); err != nil {
			t.Fatalf("%s: %v:\n%s", c.name, err, n)
		}
		if got := strings.Contains(n.String(), "lanes"); got != c.lanes {
			t.Errorf("%s: lanes are left: %v\n%s", c.name, got, n)
		}
	}
}

// TestWriteOutText: what was lanes is numbers, which are then in registers; nothing is computed twice, nor in front of
// a loop that may not run.
func TestWriteOutText(t *testing.T) {
	b := NewBuilder("state")
	x := b.Buffer(Buffer{Name: "x", Bytes: 8, Write: true})
	b.While([]Value{b.Int(I32, 0)}, func(v []Value) Value { return b.Cmp(LT, v[0], b.Int(I32, 5)) },
		func(v []Value) []Value {
			at := func(o int64) Value { return b.Load(Access{Buffer: x, Offset: o, Mem: MemI32}, 0) }
			once := b.Op(Sub, I32, b.Int(I32, 1), at(1))
			b.While([]Value{once}, func(w []Value) Value { return b.Cmp(NE, w[0], b.Int(I32, 0)) },
				func([]Value) []Value {
					b.Store(Access{Buffer: x, Mem: MemI32}, b.Op(Mul, I32, at(0), at(0)), 0)
					return []Value{b.Int(I32, 0)}
				})
			b.Each(Spec{Extent: 2, Lanes: true}, func(i int) {
				a := Access{Buffer: x, Terms: []Term{{i, 1}}, Mem: MemI32}
				b.Store(a, b.Op(Sub, I32, b.Int(I32, 1), b.Load(a, 0)), 0)
			})
			return []Value{b.Op(Add, I32, v[0], b.Int(I32, 1))}
		})
	n := WriteOut(b.Nest())
	Promote(n, func(int) bool { return false })
	n = WriteOut(n)
	DCE(n)
	if err := n.Verify(); err != nil {
		t.Fatal(err)
	}
	const want = `nest state {
  buffer x 8 bytes write
  v1 = const i32 0
  v2 = const i32 5
  v3 = const i32 1
  v4 = load i32 x[1]
  v5 = load i32 x[0]
  while i0 {
    carry v19 = v1 phi v6 next v18
    carry v20 = v4 phi v7 next v10
    carry v21 = v5 phi v8 next v17
    v9 = cmp mask lt v6 v2
    do v9
    v10 = sub i32 v3 v7
    while i1 {
      carry v15 = v10 phi v11 next v1
      carry v16 = v8 phi v12 next v14
      v13 = cmp mask ne v11 v1
      do v13
      v14 = mul i32 v12 v12
    }
    v17 = sub i32 v3 v16
    v18 = add i32 v3 v6
  }
  store i32 x[1] v20
  store i32 x[0] v21
}
`
	if got := n.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
