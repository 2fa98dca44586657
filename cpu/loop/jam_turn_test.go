package loop

import "testing"

// TestJamPairs: rows of a product of complex numbers are computed one after the other, so that the parts of one number
// of the left side are wanted at a time, and both parts of a result are written together.
func TestJamPairs(t *testing.T) {
	b := NewBuilder("product")
	x := b.Buffer(Buffer{Name: "x", Bytes: 8 * 2 * 8})
	y := b.Buffer(Buffer{Name: "y", Bytes: 8 * 8 * 16})
	z := b.Buffer(Buffer{Name: "z", Bytes: 8 * 2 * 16, Write: true})
	part := func(buf, part int, terms ...Term) Access {
		return Access{Buffer: buf, Offset: int64(part), Terms: terms, Mem: MemF32}
	}
	b.Each(Spec{Extent: 2, Parallel: true}, func(m int) {
		b.Each(Spec{Extent: 16, Parallel: true, Lanes: true}, func(n int) {
			zero := Reduction{Init: b.Float(F32, 0)}
			sum := b.For(Spec{Extent: 8}, []Reduction{zero, zero}, func(k int, phi []Value) []Value {
				var re, im [2]Value
				for i := range 2 {
					re[i] = b.Load(part(x, i, Term{m, 16}, Term{k, 2}), 0)
					im[i] = b.Load(part(y, i, Term{n, 2}, Term{k, 32}), 0)
				}
				return []Value{b.Op(FNMA, F32, re[1], im[1], b.Op(FMA, F32, re[0], im[0], phi[0])),
					b.Op(FMA, F32, re[1], im[0], b.Op(FMA, F32, re[0], im[1], phi[1]))}
			})
			for i := range 2 {
				b.Store(part(z, i, Term{m, 32}, Term{n, 2}), sum[i], 0)
			}
		})
	})
	n := Jam(b.Nest(), false)
	if err := n.Verify(); err != nil {
		t.Fatal(err)
	}
	want := `nest product {
  buffer x 128 bytes
  buffer y 1024 bytes
  buffer z 256 bytes write
  v1 = const f32 0
  parallel for i0 < 1 {
    parallel lanes i1 < 16 {
      for i2 < 8 {
        carry v20 = v1 phi v2 next v11
        carry v21 = v1 phi v3 next v17
        carry v22 = v1 phi v4 next v13
        carry v23 = v1 phi v5 next v19
        v6 = load f32 y[i1*2 + i2*32]
        v7 = load f32 y[1 + i1*2 + i2*32]
        v8 = load f32 x[i2*2]
        v9 = load f32 x[1 + i2*2]
        v10 = fma f32 v6 v8 v2
        v11 = fnma f32 v7 v9 v10
        v12 = fma f32 v7 v8 v4
        v13 = fma f32 v6 v9 v12
        v14 = load f32 x[16 + i2*2]
        v15 = load f32 x[17 + i2*2]
        v16 = fma f32 v6 v14 v3
        v17 = fnma f32 v7 v15 v16
        v18 = fma f32 v7 v14 v5
        v19 = fma f32 v6 v15 v18
      }
      store f32 z[i1*2] v20
      store f32 z[1 + i1*2] v22
      store f32 z[32 + i1*2] v21
      store f32 z[33 + i1*2] v23
    }
  }
}
`
	if got := n.String(); got != want {
		t.Errorf("got:\n%s\nexpected:\n%s", got, want)
	}
}
