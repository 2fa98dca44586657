package literal

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/goxla/xla/shape"
)

func arrayTypes() (list []shape.ElementType) {
	for t := range shape.ElementType(shape.NumElementTypes) {
		if t.IsArray() {
			list = append(list, t)
		}
	}
	return list
}

func TestOf(t *testing.T) {
	type named []float32
	tests := []struct {
		v    any
		want string // the shape
		vals []float64
	}{
		{float32(2.5), "f32[]", []float64{2.5}},
		{true, "pred[]", []float64{1}},
		{7, "s64[]", []float64{7}},
		{uint(7), "u64[]", []float64{7}},
		{F16From32(1.5), "f16[]", []float64{1.5}},
		{[]BF16{BF16From32(3)}, "bf16[1]{0}", []float64{3}},
		{[]int{1, -2}, "s64[2]{0}", []float64{1, -2}},
		{[][]int8{{1, 2, 3}, {4, 5, 6}}, "s8[2,3]{1,0}", []float64{1, 2, 3, 4, 5, 6}},
		{[2][2]uint16{{1, 2}, {3, 4}}, "u16[2,2]{1,0}", []float64{1, 2, 3, 4}},
		{[][][]float64{{{1}, {2}}}, "f64[1,2,1]{2,1,0}", []float64{1, 2}},
		{named{1, 2}, "f32[2]{0}", []float64{1, 2}},
		{[]named{{1, 2}, {3, 4}}, "f32[2,2]{1,0}", []float64{1, 2, 3, 4}},
		{[][]complex64{{1 + 2i}}, "c64[1,1]{1,0}", []float64{1}},
		{[]float32{}, "f32[0]{0}", nil},
		{[][]float32{}, "f32[0,0]{1,0}", nil},
		{[][]int{{}, {}}, "s64[2,0]{1,0}", nil},
	}
	for _, tt := range tests {
		l, err := FromAny(tt.v)
		if err != nil {
			t.Errorf("FromAny(%v): %v", tt.v, err)
			continue
		}
		if got := l.Shape().String(); got != tt.want {
			t.Errorf("FromAny(%v) has shape %s, want %s", tt.v, got, tt.want)
		}
		if got := values(l); !slices.Equal(got, tt.vals) {
			t.Errorf("FromAny(%v) = %v, want %v", tt.v, got, tt.vals)
		}
	}
	for _, v := range []any{nil, "x", []string{"x"}, []any{1}, [][]int{{1}, {1, 2}}, [][]int{{1}, {}}, struct{}{}} {
		if l, err := FromAny(v); err == nil {
			t.Errorf("FromAny(%v) = %v, want an error", v, l.Shape())
		}
	}
	xs := []float32{1, 2}
	if l := Of(xs); func() bool { xs[0] = 9; return At[float32](l, 0) != 1 }() {
		t.Error("Of shares the slice")
	}
}

// values returns the elements in logical order.
func values(l Literal) (out []float64) {
	for i := range l.Len() {
		out = append(out, l.FloatAt(i))
	}
	return out
}

func TestSetAndGet(t *testing.T) {
	for _, typ := range arrayTypes() {
		l := New(shape.Make(typ, 3))
		l.SetInt(1, 1)
		want := 1.0
		if typ == shape.S1 {
			want = -1
		}
		if l.FloatAt(1) != want || l.IntAt(1) != int64(want) || l.ComplexAt(1) != complex(want, 0) || !l.BoolAt(1) {
			t.Errorf("%v: SetInt(1) reads %v %v %v %v", typ, l.FloatAt(1), l.IntAt(1), l.ComplexAt(1), l.BoolAt(1))
		}
		l.SetFloat(2, 1)
		if typ != shape.S1 && l.FloatAt(2) != 1 {
			t.Errorf("%v: SetFloat(1) reads %v", typ, l.FloatAt(2))
		}
		if typ != shape.F8E8M0FNU && l.BoolAt(0) {
			t.Errorf("%v: element 0 changed", typ)
		}
	}
}

func TestSetIntRanges(t *testing.T) {
	tests := []struct {
		typ  shape.ElementType
		v    int64
		want float64
	}{
		{shape.S4, 7, 7}, {shape.S4, 8, -8}, {shape.S4, -8, -8}, {shape.U4, -1, 15}, {shape.S2, 2, -2}, {shape.U2, 7, 3},
		{shape.U1, 3, 1}, {shape.S1, 3, -1}, {shape.S8, 300, 44}, {shape.U64, -1, 0x1p64}, {shape.Pred, -5, 1},
		{shape.F32, 1<<24 + 1, 1 << 24}, {shape.F32, 1<<62 + 1<<38 + 1, 1<<62 + 1<<39},
		{shape.BF16, -(1<<62 + 1<<54 + 1), -(1<<62 + 1<<55)}, {shape.F8E4M3FN, 1000, math.NaN()},
		{shape.F8E8M0FNU, 1<<62 + 1<<61 - 1, 1 << 62}, {shape.F4E2M1FN, math.MinInt64, -6},
		{shape.C64, -3, -3},
	}
	for _, tt := range tests {
		l := New(shape.Make(tt.typ))
		l.SetInt(0, tt.v)
		if got := l.FloatAt(0); got != tt.want && !(got != got && tt.want != tt.want) {
			t.Errorf("%v: %d reads %v, want %v", tt.typ, tt.v, got, tt.want)
		}
	}
}

func TestSetFloatSaturates(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		typ  shape.ElementType
		v    float64
		want int64
	}{
		{shape.S32, 2.9, 2}, {shape.S32, -2.9, -2}, {shape.S32, inf, math.MaxInt32}, {shape.S32, -inf, math.MinInt32},
		{shape.S64, 0x1p63, math.MaxInt64}, {shape.S64, -0x1p63, math.MinInt64}, {shape.S64, 1e300, math.MaxInt64},
		{shape.U64, 0x1p63, math.MinInt64}, {shape.U64, 0x1p64, -1}, {shape.U64, -1, 0}, {shape.U8, -0.5, 0},
		{shape.U8, 255.5, 255}, {shape.S4, 100, 7}, {shape.S4, -100, -8}, {shape.U2, 2.99, 2}, {shape.S16, math.NaN(), 0},
		{shape.S1, -0.99, 0}, {shape.S1, -5, -1}, {shape.S1, 5, 0}, {shape.Pred, 0.001, 1}, {shape.Pred, math.NaN(), 1},
	}
	for _, tt := range tests {
		l := New(shape.Make(tt.typ))
		l.SetFloat(0, tt.v)
		if got := l.IntAt(0); got != tt.want {
			t.Errorf("%v: %v reads %d, want %d", tt.typ, tt.v, got, tt.want)
		}
	}
}

func TestAt(t *testing.T) {
	l := Of([][]int32{{1, 2, 3}, {4, 5, 6}}).Relayout(shape.MakeLayout(0, 1))
	if got := At[int32](l, 1, 0); got != 4 {
		t.Errorf("At(1, 0) = %d, want 4", got)
	}
	Set(l, int32(9), 0, 2)
	if got := Values[int32](l); !slices.Equal(got, []int32{1, 4, 2, 5, 9, 6}) {
		t.Errorf("physical order is %v", got)
	}
	for _, position := range [][]int{{0}, {2, 0}, {0, -1}, {0, 0, 0}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("At(%v) did not panic", position)
				}
			}()
			At[int32](l, position...)
		}()
	}
}

func TestExtremes(t *testing.T) {
	for _, typ := range arrayTypes() {
		low, err := MinValue(typ)
		high, err2 := MaxValue(typ)
		if typ.IsComplex() {
			if err == nil || err2 == nil {
				t.Errorf("%v has extreme values", typ)
			}
			continue
		}
		f, isFloat := FloatFormat(typ)
		wantHigh := f.MaxFinite
		if isFloat && f.HasInf {
			wantHigh = math.Inf(1)
		}
		switch {
		case !isFloat:
			if _, h := intRange(typ); typ != shape.Pred && high.FloatAt(0) != float64(h) {
				t.Errorf("%v: highest is %v", typ, high.FloatAt(0))
			}
		case high.FloatAt(0) != wantHigh || f.HasSign && low.FloatAt(0) != -wantHigh:
			t.Errorf("%v: from %v to %v, want %v", typ, low.FloatAt(0), high.FloatAt(0), wantHigh)
		}
		if low.FloatAt(0) > high.FloatAt(0) {
			t.Errorf("%v: from %v to %v", typ, low.FloatAt(0), high.FloatAt(0))
		}
		if typ != shape.F8E8M0FNU && Zero(typ).FloatAt(0) != 0 || !One(typ).BoolAt(0) {
			t.Errorf("%v: zero %v, one %v", typ, Zero(typ).FloatAt(0), One(typ).FloatAt(0))
		}
	}
	if _, err := MinValue(shape.Token); err == nil {
		t.Error("a token has a smallest value")
	}
}

func TestIotaAndFull(t *testing.T) {
	s := shape.Make(shape.S4, 2, 3).WithLayout(shape.MakeLayout(0, 1))
	tests := []struct {
		dim  int
		want []float64
	}{{0, []float64{0, 0, 0, 1, 1, 1}}, {1, []float64{0, 1, 2, 0, 1, 2}}}
	for _, tt := range tests {
		l, err := Iota(s, tt.dim)
		if err != nil || !slices.Equal(values(l), tt.want) {
			t.Errorf("Iota along %d = %v, %v; want %v", tt.dim, values(l), err, tt.want)
		}
	}
	if _, err := Iota(s, 2); err == nil {
		t.Error("iota along a dimension that is not there")
	}
	l, err := Full(shape.Make(shape.F16, 2, 2), One(shape.F16))
	if err != nil || !slices.Equal(values(l), []float64{1, 1, 1, 1}) {
		t.Errorf("Full = %v, %v", values(l), err)
	}
	if _, err := Full(s, One(shape.F32)); err == nil || !strings.Contains(err.Error(), "s4[2,3]") {
		t.Errorf("fill s4 with f32: %v", err)
	}
}

func TestCheckSize(t *testing.T) {
	deep := shape.MakeToken()
	for range MaxTupleDepth + 2 {
		deep = shape.MakeTuple(deep)
	}
	half, huge := shape.Make(shape.U8, int(min(int64(MaxBytes), math.MaxInt)/2+1)), math.MaxInt/4
	tests := []struct {
		s  shape.Shape
		ok bool
	}{
		{shape.Make(shape.F32, 1<<20), true},
		{shape.Make(shape.F32), true},
		{shape.MakeToken(), true},
		{half, true},
		{shape.MakeTuple(half, half), false},
		{shape.Make(shape.F64, huge), false},
		{shape.Make(shape.U8, huge, huge), false},
		{shape.Make(shape.U8, huge, huge, 0), true},
		{shape.Make(shape.U8, -1), false},
		{shape.Make(shape.U8, shape.Unbounded), false},
		{deep, false},
	}
	for _, tt := range tests {
		if err := CheckSize(tt.s); (err == nil) != tt.ok {
			t.Errorf("CheckSize(%.60v) = %v", tt.s.String(), err)
		}
	}
}
