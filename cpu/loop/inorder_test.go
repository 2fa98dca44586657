package loop

import (
	"slices"
	"testing"
)

// turnedRows is a nest over rows that are whole in x and in y, whose strides in them are those of the loops. Without
// more, it is a transpose that puts 12 heads of 64 elements in front of 512 places.
type turnedRows struct {
	extents, x, y []int64
	row           int64
	kept, beside  bool // what is written is kept in the caches; a z in the order of y is added
	index         bool // the first loop's number is added in front of the others
}

func headsInFront() turnedRows {
	return turnedRows{extents: []int64{8, 12, 512}, x: []int64{393216, 64, 768}, y: []int64{393216, 32768, 64}, row: 64}
}

// bytes is how many bytes rows of those strides take.
func (r turnedRows) bytes(strides []int64) int64 {
	last := r.row
	for k, s := range strides {
		last += (r.extents[k] - 1) * s
	}
	return 4 * last
}

func (r turnedRows) nest() *Nest {
	b := NewBuilder("turned")
	x := b.Buffer(Buffer{Name: "x", Bytes: r.bytes(r.x)})
	y := b.Buffer(Buffer{Name: "y", Bytes: r.bytes(r.y), Write: true, Stream: !r.kept})
	z := b.Buffer(Buffer{Name: "z", Bytes: r.bytes(r.y)})
	access := func(buffer int, strides []int64, vars []int) Access {
		a := Access{Buffer: buffer, Mem: MemI32}
		for k, v := range vars[:len(vars)-1] {
			a.Terms = append(a.Terms, Term{v, strides[k]})
		}
		a.Terms = append(a.Terms, Term{vars[len(vars)-1], 1})
		return a
	}
	var vars []int
	number := Value(0)
	var around func(k int)
	around = func(k int) {
		if k == 1 && r.index {
			number = b.Index(I32, vars[0])
		}
		s := Spec{Extent: r.row, Parallel: true, Lanes: true}
		if k < len(r.extents) {
			s = Spec{Extent: r.extents[k], Parallel: true}
		}
		b.Each(s, func(i int) {
			vars = append(vars, i)
			if k < len(r.extents) {
				around(k + 1)
				return
			}
			v := b.Load(access(x, r.x, vars), 0)
			if r.beside {
				v = b.Op(Add, I32, v, b.Load(access(z, r.y, vars), 0))
			}
			if r.index {
				v = b.Op(Add, I32, v, number)
			}
			b.Store(access(y, r.y, vars), v, 0)
		})
	}
	around(0)
	return b.Nest()
}

func TestReadInOrder(t *testing.T) {
	r := headsInFront()
	r.index = true
	n := r.nest()
	if !ReadInOrder(n) {
		t.Error("not done")
	}
	want := `nest turned {
  buffer x 12582912 bytes
  buffer y 12582912 bytes write stream
  buffer z 12582912 bytes
  parallel for i0 < 8 {
    parallel for i2 < 512 {
      parallel for i1 < 12 {
        v1 = index i32 i0
        parallel lanes i3 < 64 {
          v2 = load i32 x[i0*393216 + i1*64 + i2*768 + i3]
          v3 = add i32 v1 v2
          store i32 y[i0*393216 + i1*32768 + i2*64 + i3] v3
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

func TestReadInOrderWhere(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*turnedRows)
		want   bool
	}{
		{"heads in front", func(*turnedRows) {}, true},
		{"kept in the caches", func(r *turnedRows) { r.kept = true }, true},
		{"another operand in the order of the result", func(r *turnedRows) { r.beside = true }, true},
		{"rows of a third", func(r *turnedRows) { r.x = []int64{3 * 393216, 64, 3 * 768} }, true},
		{"every other row", func(r *turnedRows) { r.x = []int64{2 * 393216, 128, 2 * 768} }, true},
		{"near", func(r *turnedRows) {
			r.extents, r.x, r.y = []int64{8, 12, 36}, []int64{27648, 64, 768}, []int64{27648, 2304, 64}
		}, false},
		{"few pieces are read", func(r *turnedRows) {
			r.extents, r.x, r.y = []int64{8, 512, 12}, []int64{393216, 64, 32768}, []int64{393216, 768, 64}
		}, false},
		{"many pieces are written, which are kept", func(r *turnedRows) {
			r.extents, r.x, r.y = []int64{64, 128}, []int64{64, 4096}, []int64{8192, 64}
			r.kept = true
		}, false},
		{"many pieces are written past the caches", func(r *turnedRows) {
			r.extents, r.x, r.y = []int64{64, 128}, []int64{64, 4096}, []int64{8192, 64}
		}, true},
		{"rows that end within a line", func(r *turnedRows) { r.row = 60 }, false},
		{"rows that are written from within a line on", func(r *turnedRows) { r.y = []int64{393224, 32776, 64} }, false},
		{"rows far from one another", func(r *turnedRows) { r.x = []int64{5 * 393216, 5 * 64, 5 * 768} }, false},
		{"long rows", func(r *turnedRows) {
			r.row, r.extents = 2048, []int64{12, 512}
			r.x, r.y = []int64{2048, 12 * 2048}, []int64{512 * 2048, 2048}
		}, false},
		{"read again", func(r *turnedRows) { r.x = []int64{0, 64, 768} }, false},
	} {
		r := headsInFront()
		c.change(&r)
		n := r.nest()
		before := n.String()
		if got := ReadInOrder(n); got != c.want {
			t.Errorf("%s: got %v, expected %v", c.name, got, c.want)
		}
		if err := n.Verify(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if !c.want && n.String() != before {
			t.Errorf("%s: changed", c.name)
		}
	}
}

// TestReadInOrderRanges: a loop for whose iterations others run stays where it is.
func TestReadInOrderRanges(t *testing.T) {
	n := headsInFront().nest()
	outer := n.Root[0].Loop
	lanes := outer.Body[0].Loop.Body[0].Loop.Body[0].Loop
	n.Vars++
	lanes.Body = slices.Concat(Block{{Loop: &Loop{Var: n.Vars - 1, Extent: 1, When: &Range{Var: outer.Var, Lo: 1, Hi: 2},
		Body: slices.Clone(lanes.Body)}}}, lanes.Body)
	if ReadInOrder(n) {
		t.Error("done")
	}
}
