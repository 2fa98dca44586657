package shape

import "testing"

func TestElementTypes(t *testing.T) {
	tests := []struct {
		t     ElementType
		name  string
		bits  int
		bytes int
		class string // of pred, signed, unsigned, float, complex
	}{
		{Pred, "pred", 8, 1, ""}, {S1, "s1", 1, 1, "signed"}, {S4, "s4", 4, 1, "signed"}, {S64, "s64", 64, 8, "signed"},
		{U2, "u2", 2, 1, "unsigned"}, {U32, "u32", 32, 4, "unsigned"}, {BF16, "bf16", 16, 2, "float"},
		{F8E4M3B11FNUZ, "f8e4m3b11fnuz", 8, 1, "float"}, {F6E3M2FN, "f6e3m2fn", 6, 1, "float"},
		{F4E2M1FN, "f4e2m1fn", 4, 1, "float"}, {F64, "f64", 64, 8, "float"}, {C64, "c64", 64, 8, "complex"},
		{C128, "c128", 128, 16, "complex"}, {Token, "token", 0, 0, "none"}, {Opaque, "opaque", 0, 0, "none"},
	}
	for _, test := range tests {
		e := test.t
		if e.String() != test.name || e.Bits() != test.bits || e.ByteSize() != test.bytes {
			t.Errorf("%v: %d bits, %d bytes; want %s, %d, %d", e, e.Bits(), e.ByteSize(), test.name, test.bits, test.bytes)
		}
		got := []bool{e.IsSigned(), e.IsUnsigned(), e.IsFloat(), e.IsComplex(), e.IsInteger(), e.IsArray()}
		want := []bool{test.class == "signed", test.class == "unsigned", test.class == "float", test.class == "complex",
			test.class == "signed" || test.class == "unsigned", test.class != "none"}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%v: classes %v, want %v", e, got, want)
				break
			}
		}
		if parsed, ok := ParseElementType(test.name); !ok || parsed != e {
			t.Errorf("%s: parsed as %v, %v", test.name, parsed, ok)
		}
	}
}

func TestEveryElementTypeHasAName(t *testing.T) {
	seen := map[string]bool{}
	for i := range ElementType(NumElementTypes) {
		name := i.String()
		if name == "" || seen[name] {
			t.Errorf("type %d: name %q is missing or taken", i, name)
		}
		seen[name] = true
		parsed, ok := ParseElementType(name)
		spelled := i != Invalid && i != Tuple && i != Buffer
		if ok != spelled || ok && parsed != i {
			t.Errorf("%s: parsed as %v, %v", name, parsed, ok)
		}
	}
	if got := ElementType(200).String(); got != "invalid" {
		t.Errorf("type 200 is named %s", got)
	}
	if C64.Component() != F32 || C128.Component() != F64 || S8.Component() != S8 {
		t.Error("wrong components")
	}
}

func TestShapeQueries(t *testing.T) {
	dynamic := MakeDynamic(F32, []int{Unbounded, 3, 1}, []bool{true, true, false})
	if dynamic.TrueRank() != 2 || dynamic.IsStatic() || !dynamic.IsDynamicDim(1) || dynamic.IsDynamicDim(2) {
		t.Errorf("%v: wrong answers", dynamic)
	}
	if !dynamic.HasUnbounded() || MakeTuple(Make(F32, 2)).HasUnbounded() || !MakeTuple(dynamic).HasUnbounded() {
		t.Error("HasUnbounded: wrong answers")
	}
	if got := MakeTuple(MakeDynamic(F32, []int{3}, []bool{true})).Static().String(); got != "(f32[3]{0})" {
		t.Errorf("Static: got %s", got)
	}
	if MakeTuple(dynamic).IsStatic() || !MakeTuple(MakeToken()).IsStatic() {
		t.Error("IsStatic: wrong answers for tuples")
	}
	if got := MakeDynamic(F32, []int{2}, []bool{false}); got.Dynamic != nil {
		t.Errorf("MakeDynamic keeps flags that are all false: %v", got.Dynamic)
	}
	if n := Make(F32, 0, 1<<62, 4).Size(); n != 0 {
		t.Errorf("an empty array has %d elements", n)
	}
	if n := dynamic.Size(); n != 0 {
		t.Errorf("Size of %v is %d, want 0", dynamic, n)
	}
}

func TestPermute(t *testing.T) {
	tests := []struct {
		shape string
		perm  []int
		want  string
	}{
		{"f32[4,2]{1,0}", []int{1, 0}, "f32[2,4]{0,1}"},
		{"f32[4,2]{0,1}", []int{1, 0}, "f32[2,4]{1,0}"},
		{"f32[2,<=3,4]{2,1,0:T(8)}", []int{2, 0, 1}, "f32[4,2,<=3]{0,2,1:T(8)}"},
		{"f32[2,8]{1,0:SC(1:4)}", []int{1, 0}, "f32[8,2]{0,1:SC(0:4)}"},
		{"f32[]", nil, "f32[]"},
	}
	for _, test := range tests {
		if got := mustParse(t, test.shape).Permute(test.perm).String(); got != test.want {
			t.Errorf("%s by %v: got %s, want %s", test.shape, test.perm, got, test.want)
		}
	}
}

func TestWithDefaultLayouts(t *testing.T) {
	s := mustParse(t, "(f32[2,3]{0,1}, (s32[4]{0:S(5)}))")
	if s.HasDefaultLayout() {
		t.Errorf("%v has the default layout", s)
	}
	d := s.WithDefaultLayouts()
	if got := d.String(); got != "(f32[2,3]{1,0}, (s32[4]{0}))" || !d.HasDefaultLayout() {
		t.Errorf("got %s", got)
	}
	if got := s.String(); got != "(f32[2,3]{0,1}, (s32[4]{0:S(5)}))" {
		t.Errorf("the source became %s", got)
	}
}
