package loop

import (
	"strings"
	"testing"
)

// repeatedRows is a nest that adds a row of so many elements to many in parts of 480; change may change it.
func repeatedRows(columns, parts int64, m Mem, change func(b *Builder, a *Access, i, j int)) *Nest {
	const each = 480
	b := NewBuilder("rows")
	x := b.Buffer(Buffer{Name: "x", Bytes: m.Bytes() * each * parts})
	row := b.Buffer(Buffer{Name: "row", Bytes: m.Bytes() * columns})
	y := b.Buffer(Buffer{Name: "y", Bytes: m.Bytes() * each * parts, Write: true})
	b.Each(Spec{Extent: parts, Parallel: true}, func(i int) {
		b.Each(Spec{Extent: each, Parallel: true, Lanes: true}, func(j int) {
			at := b.Op(URem, I32, b.Index(I32, j), b.Int(I32, columns))
			a := Access{Buffer: row, Index: at, Mem: m}
			if change != nil {
				change(b, &a, i, j)
			}
			v := b.Load(Access{Buffer: x, Terms: []Term{{i, each}, {j, 1}}, Mem: m}, 0)
			sum := b.Op(Add, m.Kind(), v, b.Load(a, 0))
			b.Store(Access{Buffer: y, Terms: []Term{{i, each}, {j, 1}}, Mem: m}, sum, 0)
		})
	})
	return b.Nest()
}

// TestLayOut: a row that is added to many is laid out in front of them.
func TestLayOut(t *testing.T) {
	n := repeatedRows(3, 8, MemU8, nil)
	if !LayOut(n, true) {
		t.Fatalf("expected a row that is laid out, got\n%v", n)
	}
	if err := n.Verify(); err != nil {
		t.Fatal(err)
	}
	want := `nest rows {
  buffer x 3840 bytes
  buffer row 3 bytes
  buffer y 3840 bytes write
  buffer laid 480 bytes write scratch
  v2 = const i32 3
  v3 = const i32 171
  v5 = const i32 9
  lanes i2 < 480 {
    v13 = index i32 i2
    v14 = mul i32 v13 v3
    v15 = shr i32 v14 v5
    v16 = mul i32 v2 v15
    v17 = sub i32 v13 v16
    v18 = load u8 row[v17]
    store u8 laid[i2] v18
  }
  parallel for i0 < 8 {
    parallel lanes i1 < 480 {
      v9 = load u8 x[i0*480 + i1]
      v10 = load u8 laid[i1]
      v11 = add i32 v9 v10
      store u8 y[i0*480 + i1] v11
    }
  }
}
`
	if got := n.String(); got != want {
		t.Errorf("got:\n%s\nexpected:\n%s", got, want)
	}
}

// TestNotLaidOut: what is read a few times, differs, is written, or is in one vector is read where it is.
func TestNotLaidOut(t *testing.T) {
	neighbours := func(_ *Builder, a *Access, _, j int) {
		*a = Access{Buffer: 1, Terms: []Term{{j, 1}}, Mem: MemU8}
	}
	inMemory := func(b *Builder, a *Access, _, j int) {
		a.Index = b.Load(Access{Terms: []Term{{j, 1}}, Mem: MemU8}, 0)
	}
	for name, n := range map[string]*Nest{
		"a few times":       repeatedRows(3, 7, MemU8, nil),
		"words of a vector": repeatedRows(8, 40, MemF32, nil),
		"side by side":      repeatedRows(480, 40, MemU8, neighbours),
		"other rows":        repeatedRows(40, 40, MemU8, func(_ *Builder, a *Access, i, _ int) { a.Terms = []Term{{i, 1}} }),
		"an outer number":   repeatedRows(40, 40, MemU8, func(b *Builder, a *Access, i, _ int) { a.Index = b.Index(I32, i) }),
		"numbers in memory": repeatedRows(40, 40, MemU8, inMemory),
		"what is written":   repeatedRows(40, 40, MemU8, func(_ *Builder, a *Access, _, _ int) { a.Buffer = 2 }),
		"more than is near": longRow(),
		"memory of its own": withScratch(),
	} {
		before := n.String()
		if LayOut(n, false) || n.String() != before {
			t.Errorf("%s: expected nothing, got\n%v", name, n)
		}
	}
	n := repeatedRows(9, 40, MemF32, nil)
	if !LayOut(n, false) || !strings.Contains(n.String(), "load f32 laid[i1]") {
		t.Errorf("words of two vectors: expected a row that is laid out, got\n%v", n)
	}
}

// longRow is a nest whose loop of lanes is long.
func longRow() *Nest {
	n := repeatedRows(40, 40, MemU8, nil)
	n.Root[len(n.Root)-1].Loop.Body[0].Loop.Extent = mostLaid + 1
	return n
}

// withScratch is a nest that has memory of the worker's own.
func withScratch() *Nest {
	n := repeatedRows(40, 40, MemU8, nil)
	n.Buffers = append(n.Buffers, Buffer{Name: "own", Bytes: 64, Write: true, Scratch: true})
	return n
}
