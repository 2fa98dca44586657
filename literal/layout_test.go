package literal

import (
	"bytes"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/goxla/xla/shape"
)

// orders lists all minor-to-major orders of rank 3.
var orders = [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

func TestRelayout(t *testing.T) {
	for _, typ := range arrayTypes() {
		base := New(shape.Make(typ, 2, 3, 4))
		for i := range base.Len() {
			base.SetInt(i, int64(i))
		}
		for _, from := range orders {
			a := base.Relayout(shape.MakeLayout(from...))
			for _, to := range orders {
				b := a.Relayout(shape.MakeLayout(to...))
				if !slices.Equal(b.Shape().MinorToMajor(), to) {
					t.Fatalf("%v %v to %v: layout %v", typ, from, to, b.Shape())
				}
				for i := range base.Len() {
					if got, want := b.ComplexAt(i), base.ComplexAt(i); got != want && !cmplx.IsNaN(want) {
						t.Fatalf("%v %v to %v: element %d is %v, want %v", typ, from, to, i, got, want)
					}
				}
			}
			if back := a.RowMajor(); !bytes.Equal(back.Bytes(), base.Bytes()) || !back.Shape().HasDefaultLayout() {
				t.Fatalf("%v %v: RowMajor differs", typ, from)
			}
		}
	}
}

func TestReshape(t *testing.T) {
	l := Of([][]int32{{1, 2, 3}, {4, 5, 6}})
	r, err := l.Reshape(3, 2)
	if err != nil || r.Shape().String() != "s32[3,2]{1,0}" {
		t.Fatalf("Reshape gives %v, %v", r.Shape(), err)
	}
	if Set(r, int32(9), 0, 1); At[int32](l, 0, 1) != 9 {
		t.Error("reshape of a row-major array copies")
	}
	turned, err := l.Relayout(shape.MakeLayout(0, 1)).Reshape(6)
	if err != nil || !slices.Equal(values(turned), []float64{1, 9, 3, 4, 5, 6}) {
		t.Errorf("Reshape of a column-major array = %v, %v", values(turned), err)
	}
	for _, dims := range [][]int{{5}, {-6}, {2, -3, -1}, {}} {
		if _, err := l.Reshape(dims...); err == nil {
			t.Errorf("reshape to %v", dims)
		}
	}
}

func TestSlice(t *testing.T) {
	base, _ := Iota(shape.Make(shape.S32, 120), 0)
	base, _ = base.Reshape(4, 5, 6)
	r := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		l := base.Relayout(shape.MakeLayout(orders[r.IntN(len(orders))]...))
		start, limit, stride := make([]int, 3), make([]int, 3), make([]int, 3)
		for d, size := range l.Dims() {
			start[d] = r.IntN(size + 1)
			limit[d] = start[d] + r.IntN(size-start[d]+1)
			stride[d] = 1 + r.IntN(3)
		}
		var want []float64
		for i := start[0]; i < limit[0]; i += stride[0] {
			for j := start[1]; j < limit[1]; j += stride[1] {
				for k := start[2]; k < limit[2]; k += stride[2] {
					want = append(want, l.FloatAt(l.Index(i, j, k)))
				}
			}
		}
		got, err := l.Slice(start, limit, stride)
		if err != nil || !slices.Equal(values(got), want) {
			t.Fatalf("%v[%v:%v:%v] = %v, %v; want %v", l.Shape(), start, limit, stride, values(got), err, want)
		}
	}
	bad := [][3][]int{
		{{0}, {1, 1, 1}, nil}, {{0, 0, 0}, {5, 1, 1}, nil}, {{1, 0, 0}, {0, 1, 1}, nil}, {{-1, 0, 0}, {1, 1, 1}, nil},
		{{0, 0, 0}, {1, 1, 1}, {0, 1, 1}}, {{0, 0, 0}, {1, 1, 1}, {1}},
	}
	for _, b := range bad {
		if _, err := base.Slice(b[0], b[1], b[2]); err == nil {
			t.Errorf("slice %v succeeded", b)
		}
	}
}

func TestCopyAndClone(t *testing.T) {
	a := MakeTuple(Of([]int32{1, 2}), MakeTuple(Of([][]F16{{1, 2}, {3, 4}})), New(shape.MakeToken()))
	b := a.Clone()
	Set(b.Elems()[0], int32(7), 0)
	if At[int32](a.Elems()[0], 0) != 1 || At[F16](b.Elems()[1].Elems()[0], 1, 0) != 3 {
		t.Error("Clone shares memory or loses elements")
	}
	inner := New(shape.Make(shape.F16, 2, 2).WithLayout(shape.MakeLayout(0, 1)))
	c := MakeTuple(New(shape.Make(shape.S32, 2)), MakeTuple(inner), New(shape.MakeToken()))
	if err := Copy(c, b); err != nil {
		t.Fatal(err)
	}
	if got := Values[F16](inner); !slices.Equal(got, []F16{1, 3, 2, 4}) {
		t.Errorf("copied %v", got)
	}
	if err := Copy(c, a.Elems()[0]); err == nil {
		t.Error("copy of an array to a tuple")
	}
}

func TestElided(t *testing.T) {
	tests := []struct {
		typ   shape.ElementType
		start uint64
		want  []float64
	}{
		{shape.F32, 0, []float64{0, 0x1p-149, 0x1p-148}},
		{shape.S32, 5, []float64{5, 6, 7}},
		{shape.S32, 1<<31 - 1, []float64{1<<31 - 1, -1 << 31, -1<<31 + 1}},
		{shape.U8, 254, []float64{254, 255, 0}},
		{shape.S4, 6, []float64{6, 7, -8}},
		{shape.U2, 2, []float64{2, 3, 0}},
		{shape.Pred, 0, []float64{0, 1, 0}},
		{shape.F16, 0x3c00, []float64{1, 1 + 0x1p-10, 1 + 0x1p-9}},
		{shape.F4E2M1FN, 15, []float64{-6, 0, 0.5}},
		{shape.F64, math.Float64bits(1), []float64{1, 1 + 0x1p-52, 1 + 0x1p-51}},
		{shape.C64, 1, []float64{0x1p-149, 0x1p-148, 3 * 0x1p-149}},
		{shape.C128, 1, []float64{0x1p-1074, 0x1p-1073, 3 * 0x1p-1074}},
	}
	for _, tt := range tests {
		l := Elided(shape.Make(tt.typ, 3), tt.start)
		if !l.IsElided() || l.ElidedCount() != 3 {
			t.Errorf("%v: IsElided %v, count %d", tt.typ, l.IsElided(), l.ElidedCount())
		}
		if got := values(l); !slices.Equal(got, tt.want) {
			t.Errorf("%v from %#x: %v, want %v", tt.typ, tt.start, got, tt.want)
		}
	}
	column := Elided(shape.Make(shape.S32, 2, 3).WithLayout(shape.MakeLayout(0, 1)), 10)
	if got := Values[int32](column); !slices.Equal(got, []int32{10, 13, 11, 14, 12, 15}) {
		t.Errorf("column-major elided: %v", got)
	}
	tuple := Elided(shape.MakeTuple(shape.Make(shape.S8, 2), shape.MakeToken(), shape.MakeTuple(shape.Make(shape.S8))), 1)
	if got := tuple.Elems()[2].Elems()[0].IntAt(0); tuple.ElidedCount() != 3 || got != 3 {
		t.Errorf("tuple: count %d, last element %d", tuple.ElidedCount(), got)
	}
	r, err := Elided(shape.Make(shape.S32, 6), 1).Reshape(2, 3)
	if err != nil || !r.IsElided() || r.FloatAt(5) != 6 {
		t.Errorf("reshaped elided: %v %v", r.IsElided(), values(r))
	}
}

func TestPacked(t *testing.T) {
	tests := []struct {
		typ  shape.ElementType
		vals []int64
		want []byte
	}{
		{shape.S4, []int64{1, -2, 7}, []byte{0xe1, 0x07}},
		{shape.U4, []int64{1, 2, 15, 4}, []byte{0x21, 0x4f}},
		{shape.S2, []int64{1, -1, -2, 0, 1}, []byte{0x2d, 0x01}},
		{shape.U1, []int64{1, 0, 1, 1, 0, 0, 0, 1, 1}, []byte{0x8d, 0x01}},
		{shape.S1, []int64{-1, 0, -1}, []byte{0x05}},
		{shape.F4E2M1FN, []int64{1, -1}, []byte{0xa2}},
		{shape.F6E2M3FN, []int64{1, -1}, []byte{0x08, 0x28}},
		{shape.Pred, []int64{1, 0}, []byte{1, 0}},
		{shape.S16, []int64{1, -2}, []byte{1, 0, 0xfe, 0xff}},
		{shape.S4, nil, nil},
	}
	for _, tt := range tests {
		l := New(shape.Make(tt.typ, len(tt.vals)))
		for i, v := range tt.vals {
			l.SetInt(i, v)
		}
		packed := l.AppendPacked(nil)
		if !bytes.Equal(packed, tt.want) || len(packed) != PackedSize(tt.typ, l.Len()) {
			t.Errorf("%v %v: packed %x, want %x", tt.typ, tt.vals, packed, tt.want)
		}
		back, err := FromPacked(l.Shape(), packed)
		if err != nil || !bytes.Equal(back.Bytes(), l.Bytes()) {
			t.Errorf("%v %v: back %v, %v", tt.typ, tt.vals, back.Bytes(), err)
		}
		if _, err := FromPacked(l.Shape(), append(packed, 0)); err == nil {
			t.Errorf("%v: one byte too many is taken", tt.typ)
		}
	}
}

func BenchmarkRelayout(b *testing.B) {
	l := New(shape.Make(shape.F32, 512, 512))
	to := shape.MakeLayout(0, 1)
	b.SetBytes(int64(len(l.Bytes())))
	for b.Loop() {
		l.Relayout(to)
	}
}
