package loop

import "testing"

// axpy is y = 2x + y over n elements.
func axpy(n int64) *Nest {
	b := NewBuilder("axpy")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * n})
	y := b.Buffer(Buffer{Name: "y", Bytes: 4 * n, Write: true})
	b.Each(Spec{Extent: n, Lanes: true, Parallel: true}, func(v int) {
		at := func(buf int) Access { return Access{Buffer: buf, Terms: []Term{{v, 1}}, Mem: MemF32} }
		scaled := b.Op(Mul, F32, b.Float(F32, 2), b.Load(at(x), 0))
		b.Store(at(y), b.Op(Add, F32, scaled, b.Load(at(y), 0)), 0)
	})
	return b.Nest()
}

func TestBuildAndPrint(t *testing.T) {
	n := axpy(1024)
	want := `nest axpy {
  buffer x 4096 bytes
  buffer y 4096 bytes write
  v1 = const f32 2
  parallel lanes i0 < 1024 {
    v2 = load f32 x[i0]
    v3 = mul f32 v1 v2
    v4 = load f32 y[i0]
    v5 = add f32 v3 v4
    store f32 y[i0] v5
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

// TestReduction: what does not change in the inner loop stands in front of it.
func TestReduction(t *testing.T) {
	b := NewBuilder("columns")
	x := b.Buffer(Buffer{Name: "x", Bytes: 4 * 8 * 16})
	bias := b.Buffer(Buffer{Name: "bias", Bytes: 4 * 16})
	y := b.Buffer(Buffer{Name: "y", Bytes: 4 * 16, Write: true})
	b.Each(Spec{Extent: 16, Lanes: true}, func(j int) {
		sum := b.For(Spec{Extent: 8}, []Reduction{{Init: b.Float(F32, 0)}}, func(i int, phi []Value) []Value {
			v := b.Load(Access{Buffer: x, Terms: []Term{{j, 1}, {i, 16}}, Mem: MemF32}, 0)
			scale := b.Load(Access{Buffer: bias, Terms: []Term{{j, 1}}, Mem: MemF32}, 0)
			return []Value{b.Op(FMA, F32, v, scale, phi[0])}
		})
		b.Store(Access{Buffer: y, Terms: []Term{{j, 1}}, Mem: MemF32}, sum[0], 0)
	})
	n := b.Nest()
	want := `nest columns {
  buffer x 512 bytes
  buffer bias 64 bytes
  buffer y 64 bytes write
  v1 = const f32 0
  lanes i0 < 16 {
    v4 = load f32 bias[i0]
    for i1 < 8 {
      carry v6 = v1 phi v2 next v5
      v3 = load f32 x[i0 + i1*16]
      v5 = fma f32 v3 v4 v2
    }
    store f32 y[i0] v6
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

func TestVerifyFindsAccessOutside(t *testing.T) {
	n := axpy(1024)
	n.Buffers[0].Bytes = 4092
	if err := n.Verify(); err == nil {
		t.Error("a load one element past the end passes")
	}
}

// TestVerifyScan: a scan is the next value of its carry, once, and nothing else uses the phi.
func TestVerifyScan(t *testing.T) {
	make := func(next func(b *Builder, phi, x Value) Value) *Nest {
		b := NewBuilder("scan")
		x := b.Buffer(Buffer{Name: "x", Bytes: 64})
		y := b.Buffer(Buffer{Name: "y", Bytes: 64, Write: true})
		how := []Reduction{{Init: b.Int(I32, 0), Reduce: Add, Scan: true}}
		b.For(Spec{Extent: 16, Lanes: true}, how, func(i int, phi []Value) []Value {
			at := Access{Buffer: x, Terms: []Term{{i, 1}}, Mem: MemI32}
			v := next(b, phi[0], b.Load(at, 0))
			at.Buffer = y
			b.Store(at, v, 0)
			return []Value{v}
		})
		return b.Nest()
	}
	scan := func(b *Builder, phi, x Value) Value { return b.Op(Scan, I32, phi, x) }
	if err := make(scan).Verify(); err != nil {
		t.Error(err)
	}
	for name, next := range map[string]func(b *Builder, phi, x Value) Value{
		"no scan":        func(b *Builder, phi, x Value) Value { return b.Op(Add, I32, phi, x) },
		"not the next":   func(b *Builder, phi, x Value) Value { return b.Op(Neg, I32, scan(b, phi, x)) },
		"two":            func(b *Builder, phi, x Value) Value { scan(b, phi, b.Op(Neg, I32, x)); return scan(b, phi, x) },
		"phi beside":     func(b *Builder, phi, x Value) Value { return scan(b, phi, b.Op(Add, I32, phi, x)) },
		"not of a carry": func(b *Builder, phi, x Value) Value { return scan(b, x, phi) },
	} {
		if make(next).Verify() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
