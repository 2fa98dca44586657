package op

import (
	"fmt"
	"strings"
	"testing"
)

func TestDimLabels(t *testing.T) {
	for _, s := range []string{
		"bf_io->bf", "b0f_0io->b0f", "b01f_01io->b01f", "fb01_io01->bf01", "b0f1_o01i->01bf",
		"b?f_?io->b?f", "b?0f_i?o0->?0bf", "f??b_??oi->b??f",
		"b0123456789f_0123456789io->b0123456789f",
	} {
		d, err := ParseDimLabels(s)
		if err != nil || !d.Given {
			t.Errorf("%s: %+v, %v", s, d, err)
			continue
		}
		if got := d.String(); got != s {
			t.Errorf("got %s, want %s", got, s)
		}
	}
	if d, err := ParseDimLabels("b01f?_01i?o->b01f?"); err != nil || d.String() != "b01f_01i?o->b01f" {
		t.Errorf("unknown dimensions at the end: got %s, %v", d, err)
	}
	d, err := ParseDimLabels("b0f1_o01i->01bf")
	want := DimLabels{InputBatch: 0, InputFeature: 2, InputSpatial: []int{1, 3}, KernelInputFeature: 3,
		KernelOutputFeature: 0,
		KernelSpatial:       []int{1, 2}, OutputBatch: 2, OutputFeature: 3, OutputSpatial: []int{0, 1}, Given: true}
	if err != nil || fmt.Sprintf("%#v", d) != fmt.Sprintf("%#v", want) {
		t.Errorf("got %#v, %v, want %#v", d, err, want)
	}
}

func TestDimLabelsErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "pattern"},
		{"b0f", "pattern"},
		{"b0f_0io", "pattern"},
		{"b0f->0io_b0f", "pattern"},
		{"b0f_0io->bf", "as many spatial dimensions"},
		{"bbf_0io->b0f", "unique"},
		{"b00f_01io->b01f", "unique"},
		{"b1f_0io->b0f", "0 to 0"},
		{"b0?_0io->b0f", "'b' and 'f'"},
		{"b0o_0io->b0f", "'b', 'f', digits"},
		{"b0f_0bf->b0f", "'i', 'o', digits"},
		{"b0\xff_0io->b0f", "digits"},
	}
	for _, test := range tests {
		if d, err := ParseDimLabels(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %+v, %v, want an error with %q", test.text, d, err, test.want)
		}
	}
}

// roundTrip checks that parse is the inverse of String for the count values from first on.
func roundTrip[T interface {
	~uint8
	String() string
}](t *testing.T, parse func(string) (T, bool), first, count T, names string) {
	t.Helper()
	var got []string
	for e := first; e < count; e++ {
		got = append(got, e.String())
		if back, ok := parse(e.String()); !ok || back != e {
			t.Errorf("%T: %q is read as %v, %v", e, e.String(), back, ok)
		}
	}
	if s := strings.Join(got, " "); s != names {
		t.Errorf("%T: got %s, want %s", first, s, names)
	}
	for _, s := range []string{"", "nothing", "EQ "} {
		if e, ok := parse(s); ok {
			t.Errorf("%T: %q is read as %v", e, s, e)
		}
	}
	if s := T(200).String(); s != "invalid" {
		t.Errorf("%T(200) prints as %s", first, s)
	}
}

func TestEnums(t *testing.T) {
	roundTrip(t, ParseTriState, False, 3, "false true")
	roundTrip(t, ParsePrecision, PrecisionDefault, 4, "default high highest packed_nibble")
	roundTrip(t, ParseDirection, EQ, 7, "EQ NE GE GT LE LT")
	roundTrip(t, ParseComparisonType, ComparisonFloat, 5, "FLOAT TOTALORDER SIGNED UNSIGNED")
	roundTrip(t, ParseTransposeKind, NoTranspose, 4, "NO_TRANSPOSE TRANSPOSE ADJOINT")
	roundTrip(t, ParseFftType, FFT, 4, "FFT IFFT RFFT IRFFT")
	roundTrip(t, ParseDistribution, RngInvalid, 3, "rng_invalid rng_uniform rng_normal")
	roundTrip(t, ParseRngAlgorithm, RngDefault, 3, "rng_default rng_three_fry rng_philox")
	roundTrip(t, ParseSubgroupKind, SubgroupReplicated, 4, "replicated manual unknown unreduced")
}

func TestWords(t *testing.T) {
	tests := []struct {
		attr, text string
		want       Word
		ok         bool
	}{
		{"algorithm", "dot_bf16_bf16_f32_x3", "dot_bf16_bf16_f32_x3", true},
		{"algorithm", "unset", "", true},
		{"algorithm", "dot_bf16", "", false},
		{"kind", "kLoop", "kLoop", true},
		{"kind", "", "", false},
		{"kind", "kloop", "", false},
		{"schedule", "SCHEDULE_NONE", "", true},
		{"schedule", "SCHEDULE_EARLIEST", "SCHEDULE_EARLIEST", true},
		{"api_version", "API_VERSION_ORIGINAL", "", true},
		{"api_version", "API_VERSION_TYPED_FFI", "API_VERSION_TYPED_FFI", true},
		{"padding_type", "PADDING_SAME", "PADDING_SAME", true},
		{"convolution_kind", "wgrad", "wgrad", true},
		{"result_accuracy", "default", "", true},
		{"unreduced", "max", "max", true},
		{"no_such_attribute", "max", "", false},
	}
	for _, test := range tests {
		got, ok := ParseWord(test.attr, test.text)
		if ok != test.ok || ok && got != test.want {
			t.Errorf("ParseWord(%q, %q) = %q, %v", test.attr, test.text, got, ok)
		}
		if LegalWord(test.attr, test.text) != test.ok {
			t.Errorf("LegalWord(%q, %q) = %v", test.attr, test.text, !test.ok)
		}
	}
	if n := len(Words("algorithm")); n != 14 {
		t.Errorf("got %d dot algorithms, want 14", n)
	}
	if n := len(Words("kind")); n != 4 {
		t.Errorf("got %d fusion kinds, want 4", n)
	}
}

func TestAppendQuoted(t *testing.T) {
	tests := []struct{ s, want string }{
		{"", `""`},
		{"plain text", `"plain text"`},
		{"a\"b'c\\d", `"a\"b\'c\\d"`},
		{"\n\r\t", `"\n\r\t"`},
		{"\x00\x01\x1f\x7f\xff", `"\000\001\037\177\377"`},
		{"é", `"\303\251"`},
	}
	for _, test := range tests {
		if got := string(AppendQuoted(nil, test.s)); got != test.want {
			t.Errorf("AppendQuoted(%q) = %s, want %s", test.s, got, test.want)
		}
	}
}

func TestFields(t *testing.T) {
	a := &ConvolutionAttrs{}
	f, ok := FieldByName(a, "feature_group_count")
	if !ok || !f.Flags.Has(FieldCount) {
		t.Fatalf("feature_group_count: got %+v, %v", f, ok)
	}
	f.Value(a).SetInt(3)
	if a.FeatureGroupCount != 3 || f.IsZero(a) {
		t.Errorf("after setting 3: %+v", a)
	}
	*f.Pointer(a).(*int) = 1
	if !f.IsZero(a) {
		t.Error("1 group is not the default")
	}
	if _, ok := FieldByName(a, "nothing"); ok {
		t.Error("found an attribute that is not there")
	}
	if NewAttrs(Add) != nil || len(Plan(nil)) != 0 {
		t.Error("add has attributes")
	}
	if f, ok := FieldByName((*CustomCallAttrs)(nil), "custom_call_target"); !ok || !f.Flags.Has(FieldRequired) {
		t.Errorf("custom_call_target: got %+v, %v", f, ok)
	}
}

func TestKindStrings(t *testing.T) {
	tests := []struct {
		kind fmt.Stringer
		want string
	}{
		{Some(3), "3"},
		{OptInt{}, ""},
		{ResultAccuracy{}, "{mode=default}"},
		{UnitWindow(2), "{size=1x1}"},
		{Padding{{Low: 1}}, "1_0"},
		{SliceRanges{{0, 4, 2}}, "{[0:4:2]}"},
		{OutputAliasing{Operand: 1}, "{}: (1, {})"},
		{&OperandLayouts{}, "{}"},
		{(*OperandLayouts)(nil), "{}"},
		{DomainSpec{Kind: "sharding", Entry: &Sharding{}}, `{kind="sharding", entry={replicated}, exit={}}`},
		{(*SparsityConfig)(nil), "{}"},
		{&SparsityConfig{RHS: &Sparsity{A: 2, B: 4}}, "{rhs={sparsity=2x4 dimension=0 stride=0 idx=0}}"},
		{&Sparsity{A: 1, B: 2, Dimension: 3, Stride: 4, Idx: 5}, "{sparsity=1x2 dimension=3 stride=4 idx=5}"},
		{Devices{Dims: []int{2, 2}}, "[2,2]<=[4]"},
		{&IotaForm{Reshape: []int{4}}, "[4]"},
		{&IotaForm{[]int{2, 2}, []int{1, 0}}, "[2,2]T(1,0)"},
		{CrossReplicaAndPartition, "cross_replica_and_partition"},
		{AxisRef{"x", 1, 2}, "'x':(1)2"},
		{&Mesh{}, "mesh[]"},
	}
	for _, test := range tests {
		if got := test.kind.String(); got != test.want {
			t.Errorf("%T: got %s, want %s", test.kind, got, test.want)
		}
	}
}
