package literal

import (
	"math"
	"strings"
	"testing"

	"github.com/goxla/xla/shape"
)

func TestParseTolerance(t *testing.T) {
	tests := []struct {
		text string
		want Tolerance
	}{
		{"exact", Tolerance{}},
		{"ulp=4", ULP(4)},
		{"ulp=0", ULP(0)},
		{"rel=1e-05 abs=1e-06", Relative(1e-5, 1e-6)},
		{"abs=2 rel=0.5", Relative(0.5, 2)},
		{"rel=0.1", Relative(0.1, 0)},
		{"abs=0.1", Relative(0, 0.1)},
		{"largest=0.0001", RelativeToLargest(1e-4)},
	}
	for _, tt := range tests {
		got, err := ParseTolerance(tt.text)
		if err != nil || got != tt.want {
			t.Errorf("ParseTolerance(%q) = %v, %v; want %v", tt.text, got, err, tt.want)
		}
		if back, err := ParseTolerance(got.String()); err != nil || back != got {
			t.Errorf("%v comes back as %v, %v", got, back, err)
		}
	}
	bad := []string{
		"", "ulp", "ulp=-1", "ulp=x", "rel=-1", "rel=nan", "ulp=1 rel=1", "rel=1 rel=2", "exact ulp=1",
		"off=1", "largest=1 abs=1", "rel=1 abs=1 ulp=1",
	}
	for _, text := range bad {
		if got, err := ParseTolerance(text); err == nil {
			t.Errorf("ParseTolerance(%q) = %v", text, got)
		}
	}
}

func TestCompareElements(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	negZero := math.Copysign(0, -1)
	tests := []struct {
		typ       shape.ElementType
		got, want complex128
		tol       string
		ok        bool
	}{
		{shape.F32, 1, 1, "exact", true},
		{shape.F32, complex(negZero, 0), 0, "exact", false},
		{shape.F32, complex(negZero, 0), 0, "ulp=0", true},
		{shape.F32, complex(negZero, 0), 0, "rel=0 abs=0", true},
		{shape.F32, 1 + 0x1p-23, 1, "exact", false},
		{shape.F32, 1 + 0x1p-23, 1, "ulp=0", false},
		{shape.F32, 1 + 0x1p-23, 1, "ulp=1", true},
		{shape.F32, 1 - 0x1p-23, 1, "ulp=1", false},
		{shape.F32, 1 - 0x1p-23, 1, "ulp=2", true},
		{shape.F32, 0x1p-149, -0x1p-149, "ulp=1", false},
		{shape.F32, 0x1p-149, -0x1p-149, "ulp=2", true},
		{shape.F32, math.MaxFloat32, complex(inf, 0), "ulp=1", true},
		{shape.F32, math.MaxFloat32, complex(inf, 0), "ulp=0", false},
		{shape.F32, math.MaxFloat32, complex(inf, 0), "rel=1 abs=1", false},
		{shape.F32, complex(inf, 0), complex(-inf, 0), "rel=1 abs=1", false},
		{shape.F32, complex(inf, 0), complex(inf, 0), "rel=0 abs=0", true},
		{shape.F32, complex(nan, 0), complex(nan, 0), "exact", true},
		{shape.F32, complex(nan, 0), 1, "rel=9 abs=9", false},
		{shape.F32, 1, complex(nan, 0), "ulp=4000000000", false},
		{shape.F32, 1.1, 1, "rel=0.11 abs=0", true},
		{shape.F32, 1.1, 1, "rel=0.09 abs=0", false},
		{shape.F32, 1.1, 1, "rel=0.05 abs=0.06", true},
		{shape.F32, 1, 1.1, "rel=0.1 abs=0", true},
		{shape.S32, 5, 6, "rel=9 abs=9", false},
		{shape.S32, 5, 6, "ulp=9", false},
		{shape.U64, 5, 5, "exact", true},
		{shape.Pred, 1, 0, "ulp=9", false},
		{shape.F16, 1 + 0x1p-10, 1, "ulp=1", true},
		{shape.BF16, 1 + 0x1p-6, 1, "ulp=1", false},
		{shape.F8E4M3FN, 448, 416, "ulp=1", true},
		{shape.F8E4M3FNUZ, -0x1p-10, 0x1p-10, "ulp=2", true},
		{shape.F8E4M3FNUZ, -0x1p-10, 0x1p-10, "ulp=1", false},
		{shape.F8E8M0FNU, 4, 1, "ulp=2", true},
		{shape.F8E8M0FNU, 4, 1, "ulp=1", false},
		{shape.F4E2M1FN, 6, 4, "ulp=1", true},
		{shape.F64, 1 + 0x1p-52, 1, "ulp=1", true},
		{shape.C64, 3 + 4.3i, 3 + 4i, "rel=0.07 abs=0", true},
		{shape.C64, 3 + 4.3i, 3 + 4i, "rel=0.05 abs=0", false},
		{shape.C64, 3 + 0.3i, 3 + 0i, "rel=0.11 abs=0", true},
		{shape.C64, complex(1, nan), complex(1, nan), "exact", true},
		{shape.C64, complex(1, nan), complex(nan, 1), "rel=1 abs=1", false},
		{shape.C128, 1i, 1, "ulp=100", false},
	}
	for _, tt := range tests {
		got, want := New(shape.Make(tt.typ, 2)), New(shape.Make(tt.typ, 2))
		got.SetComplex(1, tt.got)
		want.SetComplex(1, tt.want)
		tol, err := ParseTolerance(tt.tol)
		if err != nil {
			t.Fatal(err)
		}
		if err := Compare(got, want, tol); (err == nil) != tt.ok {
			t.Errorf("%v: got %v, want %v, %s: %v", tt.typ, tt.got, tt.want, tt.tol, err)
		}
	}
}

func TestCompareToLargest(t *testing.T) {
	want := Of([]float32{100, 0, -1000, float32(math.Inf(1))})
	tests := []struct {
		got []float32
		ok  bool
	}{
		{[]float32{100.09, 0.09, -1000.09, float32(math.Inf(1))}, true},
		{[]float32{100.11, 0, -1000, float32(math.Inf(1))}, false},
		{[]float32{100, 0, -1000, 1e30}, false},
		{[]float32{100, float32(math.NaN()), -1000, float32(math.Inf(1))}, false},
	}
	for _, tt := range tests {
		if err := Compare(Of(tt.got), want, RelativeToLargest(1e-4)); (err == nil) != tt.ok {
			t.Errorf("%v: %v", tt.got, err)
		}
	}
	if err := Compare(Of([]int32{1, 1000}), Of([]int32{0, 1000}), RelativeToLargest(0.5)); err == nil {
		t.Error("integers within a relative tolerance")
	}
}

func TestCompareReport(t *testing.T) {
	a := Of([][]float32{{1, 2, 3}, {4, 5, 6}})
	b := a.Clone().Relayout(shape.MakeLayout(0, 1))
	Set(b, float32(5.5), 1, 1)
	Set(b, float32(math.NaN()), 0, 2)
	tests := []struct {
		got, want Literal
		tol       Tolerance
		text      []string
	}{
		{b, a, ULP(4), []string{"f32[2,3]{1,0}: 2 of 6 elements differ (tolerance ulp=4): " +
			"[0,2] want 3, got nan (NaN ulp); [1,1] want 5, got 5.5 (1.049e+06 ulp)"}},
		{b, a, Relative(0, 0.25), []string{"2 of 6", "[1,1] want 5, got 5.5 (off by 0.5)"}},
		{
			MakeTuple(a, MakeTuple(b, a)), MakeTuple(a, MakeTuple(a, b)), Tolerance{},
			[]string{"element {1,0}: ", "\nelement {1,1}: "},
		},
		{a, Of([]float32{1}), Tolerance{}, []string{"want shape f32[1]{0}, got f32[2,3]{1,0}"}},
		{MakeTuple(a), MakeTuple(a, a), Tolerance{}, []string{"want shape (f32"}},
		{Of([]int8{-3}), Of([]int8{4}), Tolerance{}, []string{"[0] want 4, got -3 (off by 7)"}},
		{Of(true), Of(false), Tolerance{}, []string{"[] want false, got true (off by 1)"}},
		{Of(complex64(1i)), Of(complex64(2)), Tolerance{}, []string{"want (2, 0), got (0, 1)"}},
	}
	for _, tt := range tests {
		err := Compare(tt.got, tt.want, tt.tol)
		if err == nil {
			t.Errorf("%v and %v are equal", tt.got.Shape(), tt.want.Shape())
			continue
		}
		for _, text := range tt.text {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("report %q has no %q", err, text)
			}
		}
	}
	many := New(shape.Make(shape.S32, 100))
	for i := range many.Len() {
		many.SetInt(i, int64(i*7%100))
	}
	m := Compare(many, New(many.Shape()), Tolerance{}).(*Mismatch)
	if w := m.Arrays[0]; w.Count != 99 || len(w.Worst) != maxWorst || w.Worst[0].Error != 99 || w.Worst[4].Error != 95 {
		t.Errorf("worst elements: %+v", w)
	}
}

func TestEqual(t *testing.T) {
	nan := Of([]float32{float32(math.NaN())})
	other := nan.Clone()
	other.SetBits(0, 0x7fc00001)
	a := Of([][]int16{{1, 2}, {3, 4}})
	tests := []struct {
		a, b Literal
		want bool
	}{
		{a, a.Relayout(shape.MakeLayout(0, 1)), true},
		{nan, nan.Clone(), true},
		{nan, other, false},
		{a, Of([]int16{1, 2, 3, 4}), false},
		{MakeTuple(a, nan), MakeTuple(a, nan), true},
		{MakeTuple(a, nan), MakeTuple(a), false},
		{MakeTuple(), MakeTuple(), true},
		{New(shape.MakeToken()), New(shape.MakeToken()), true},
		{Elided(shape.Make(shape.S8, 2), 1), Of([]int8{1, 2}), true},
	}
	for i, tt := range tests {
		if got := Equal(tt.a, tt.b); got != tt.want {
			t.Errorf("%d: Equal(%v, %v) = %v", i, tt.a.Shape(), tt.b.Shape(), got)
		}
	}
}
