package loop

import "testing"

// complexRows makes y = f(x) of rows of 17 complex numbers; f gives the real part and the imaginary one.
func complexRows(f func(b *Builder, at func(buffer int, part int64) Access) (re, im Value)) *Nest {
	b := NewBuilder("complex")
	x := b.Buffer(Buffer{Name: "x", Bytes: 8 * 17 * 9})
	y := b.Buffer(Buffer{Name: "y", Bytes: 8 * 17 * 9, Write: true})
	b.Each(Spec{Extent: 9, Parallel: true}, func(i int) {
		b.Each(Spec{Extent: 17, Lanes: true}, func(j int) {
			at := func(buffer int, part int64) Access {
				return Access{Buffer: buffer, Offset: part, Terms: []Term{{i, 34}, {j, 2}}, Mem: MemF32}
			}
			re, im := f(b, at)
			b.Store(at(y, 0), re, 0)
			b.Store(at(y, 1), im, 0)
		})
	})
	_ = x
	n := b.Nest()
	DCE(n)
	return n
}

func TestAlternate(t *testing.T) {
	n := complexRows(func(b *Builder, at func(int, int64) Access) (re, im Value) {
		two := b.Float(F32, 2)
		return b.Op(Mul, F32, b.Load(at(0, 0), 0), two), b.Op(Mul, F32, b.Load(at(0, 1), 0), two)
	})
	Alternate(n)
	if err := n.Verify(); err != nil {
		t.Error(err)
	}
	want := `nest complex {
  buffer x 1224 bytes
  buffer y 1224 bytes write
  v1 = const f32 2
  parallel for i0 < 9 {
    lanes i1 < 34 {
      v2 = load f32 x[i0*34 + i1]
      v3 = mul f32 v1 v2
      store f32 y[i0*34 + i1] v3
    }
  }
}
`
	if got := n.String(); got != want {
		t.Errorf("got:\n%s\nexpected:\n%s", got, want)
	}
}

// What differs between the parts, or has something of the other part, stays as it is.
func TestAlternateLeaves(t *testing.T) {
	for name, f := range map[string]func(b *Builder, at func(int, int64) Access) (re, im Value){
		"conjugate": func(b *Builder, at func(int, int64) Access) (re, im Value) {
			return b.Load(at(0, 0), 0), b.Op(Neg, F32, b.Load(at(0, 1), 0))
		},
		"exchanged": func(b *Builder, at func(int, int64) Access) (re, im Value) {
			return b.Load(at(0, 1), 0), b.Load(at(0, 0), 0)
		},
		"other constants": func(b *Builder, at func(int, int64) Access) (re, im Value) {
			return b.Op(Mul, F32, b.Load(at(0, 0), 0), b.Float(F32, 2)),
				b.Op(Mul, F32, b.Load(at(0, 1), 0), b.Float(F32, 3))
		},
		"by the real part": func(b *Builder, at func(int, int64) Access) (re, im Value) {
			r := b.Load(at(0, 0), 0)
			return b.Op(Mul, F32, r, r), b.Op(Mul, F32, b.Load(at(0, 1), 0), r)
		},
		"one of each": func(b *Builder, at func(int, int64) Access) (re, im Value) {
			r := b.Load(at(0, 0), 0)
			return r, r
		},
	} {
		n := complexRows(f)
		before := n.String()
		Alternate(n)
		if got := n.String(); got != before {
			t.Errorf("%s: got:\n%s", name, got)
		}
	}
}
