package loop

import "testing"

// rows adds one to an array of rows that are stride apart.
func rows(stride int64) *Nest {
	b := NewBuilder("rows")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * 8 * stride, Write: true})
	b.Each(Spec{Extent: 8, Parallel: true}, func(i int) {
		b.Each(Spec{Extent: 16, Lanes: true, Parallel: true}, func(j int) {
			at := Access{Buffer: x, Terms: []Term{{i, stride}, {j, 1}}, Mem: MemF32}
			b.Store(at, b.Op(Add, F32, b.Load(at, 0), b.Float(F32, 1)), 0)
		})
	})
	return b.Nest()
}

func TestCollapse(t *testing.T) {
	n := rows(16)
	Collapse(n)
	want := `nest rows {
  buffer x 512 bytes write
  v2 = const f32 1
  parallel lanes i1 < 128 {
    v1 = load f32 x[i1]
    v3 = add f32 v1 v2
    store f32 x[i1] v3
  }
}
`
	if got := n.String(); got != want {
		t.Errorf("got:\n%s\nexpected:\n%s", got, want)
	}
	if err := n.Verify(); err != nil {
		t.Error(err)
	}
	n = rows(17)
	before := n.String()
	Collapse(n)
	if got := n.String(); got != before {
		t.Errorf("rows with gaps: got:\n%s", got)
	}
}

func TestDCE(t *testing.T) {
	b := NewBuilder("dead")
	x := b.Buffer(Buffer{Name: "x", Bytes: 64})
	y := b.Buffer(Buffer{Name: "y", Bytes: 4, Write: true})
	zero := b.Float(F32, 0)
	both := []Reduction{{Init: zero, Reduce: Add}, {Init: zero, Reduce: Mul}}
	sums := b.For(Spec{Extent: 16, Lanes: true}, both, func(i int, phi []Value) []Value {
		v := b.Load(Access{Buffer: x, Terms: []Term{{i, 1}}, Mem: MemF32}, 0)
		w := b.Op(Sqrt, F32, v)
		return []Value{b.Op(Add, F32, phi[0], v), b.Op(Mul, F32, phi[1], w)}
	})
	b.Store(Access{Buffer: y, Mem: MemF32}, sums[0], 0)
	n := b.Nest()
	DCE(n)
	want := `nest dead {
  buffer x 64 bytes
  buffer y 4 bytes write
  v1 = const f32 0
  lanes i0 < 16 {
    carry v8 = v1 phi v2 next v6 add
    v4 = load f32 x[i0]
    v6 = add f32 v2 v4
  }
  store f32 y[0] v8
}
`
	if got := n.String(); got != want {
		t.Errorf("got:\n%s\nexpected:\n%s", got, want)
	}
}
