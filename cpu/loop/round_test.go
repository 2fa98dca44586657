package loop

import "testing"

// logistic does n iterations of x = k*x*(1-x) for 1024 elements of x, where times says what to loop by.
func logistic(times func(b *Builder, n Value, x []Value, body func(v int, x []Value) []Value) []Value) *Nest {
	b := NewBuilder("logistic")
	count := b.Buffer(Buffer{Name: "n", Bytes: 4})
	x := b.Buffer(Buffer{Name: "x", Bytes: 4096, Write: true})
	n := b.Load(Access{Buffer: count, Mem: MemI32}, 0)
	b.Each(Spec{Extent: 1024, Lanes: true, Parallel: true}, func(i int) {
		at := Access{Buffer: x, Terms: []Term{{i, 1}}, Mem: MemF32}
		outs := times(b, n, []Value{b.Load(at, 0)}, func(_ int, x []Value) []Value {
			y := b.Op(Mul, F32, x[0], b.Float(F32, 3.5))
			return []Value{b.Op(Mul, F32, y, b.Op(Sub, F32, b.Float(F32, 1), x[0]))}
		})
		b.Store(at, outs[0], 0)
	})
	return b.Nest()
}

func counted(b *Builder, n Value, x []Value, body func(int, []Value) []Value) []Value {
	return b.Times(n, 50, x, body)
}

// TestTimes: such a loop may stand in lanes.
func TestTimes(t *testing.T) {
	n := logistic(counted)
	want := `nest logistic {
  buffer n 4 bytes
  buffer x 4096 bytes write
  v1 = load i32 n[0]
  v6 = const f32 3.5
  v8 = const f32 1
  parallel lanes i0 < 1024 {
    v2 = load f32 x[i0]
    while i1 about 50 {
      carry v11 = v2 phi v3 next v10
      v4 = index i32 i1
      v5 = cmp mask lt v4 v1
      do v5
      v7 = mul f32 v3 v6
      v9 = sub f32 v8 v3
      v10 = mul f32 v7 v9
    }
    store f32 x[i0] v11
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

// TestVerifyTimes: any other loop of unknown length may not.
func TestVerifyTimes(t *testing.T) {
	for name, times := range map[string]func(*Builder, Value, []Value, func(int, []Value) []Value) []Value{
		"a condition on the elements": func(b *Builder, n Value, x []Value, body func(int, []Value) []Value) []Value {
			return b.While(x, func(x []Value) Value { return b.Cmp(LT, x[0], b.Float(F32, 1)) },
				func(x []Value) []Value { return body(0, x) })
		},
		"a number of each element's own": func(b *Builder, n Value, x []Value, body func(int, []Value) []Value) []Value {
			return b.Times(b.Op(FToS, I32, x[0]), 50, x, body)
		},
		"a carried number": func(b *Builder, n Value, x []Value, body func(int, []Value) []Value) []Value {
			return b.While(append(x, n), func(x []Value) Value { return b.Cmp(LT, x[1], n) },
				func(x []Value) []Value { return append(body(0, x[:1]), x[1]) })[:1]
		},
	} {
		if logistic(times).Verify() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestRounds: what there is to know of a round, and how many vectors go side by side.
func TestRounds(t *testing.T) {
	n := logistic(counted)
	r, ok := n.RoundsIn(n.Root[len(n.Root)-1].Loop)
	if !ok || r.Work != 3 || r.Chain != 8 || r.Live != 2 || r.Masks != 0 || !r.Held {
		t.Errorf("got %+v", r)
	}
	if wide, narrow := r.Copies(true), r.Copies(false); wide != mostInRound || narrow != 7 {
		t.Errorf("%d and %d vectors side by side", wide, narrow)
	}
	if _, ok := axpy(8).RoundsIn(axpy(8).Root[1].Loop); ok {
		t.Error("a round in a loop without one")
	}
}
