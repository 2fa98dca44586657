package ffi_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/goxla/xla/ffi"
	"github.com/goxla/xla/literal"
)

// show writes a value so that a test can hold it as text.
func show(v any) string {
	switch v := v.(type) {
	case literal.Literal:
		return string(v.AppendGolden(nil))
	case ffi.Dict:
		var parts []string
		for _, a := range v {
			parts = append(parts, a.Name+"="+show(a.Value))
		}
		return "{" + strings.Join(parts, " ") + "}"
	case ffi.List:
		var parts []string
		for _, e := range v {
			parts = append(parts, show(e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case string:
		return fmt.Sprintf("%q", v)
	case ffi.Unit:
		return "unit"
	}
	return fmt.Sprint(v)
}

func TestParseAttributes(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "{}"},
		{"{}", "{}"},
		{"{axis = 1 : i32}", "{axis=s32[] 1}"},
		{"{b = 2, a = -3 : i8}", "{a=s8[] -3 b=s64[] 2}"},
		{"{a = 255 : i8, b = 255 : ui8, c = -1 : si16, d = 7 : index}", "{a=s8[] -1 b=u8[] 255 c=s16[] -1 d=s64[] 7}"},
		{"{eps = 1.0e-5 : f32, x = -2.5, h = 0x7FC0 : bf16}", "{eps=f32[] 1e-05 h=bf16[] nan x=f64[] -2.5}"},
		{"{t = true, f = false, u = unit, v}", "{f=false t=true u=unit v=unit}"},
		{`{s = "a\"b\\\n\41", "quoted name" = "x" : !t}`, `{quoted name="x" s="a\"b\\\nA"}`},
		{"{l = [1 : i32, \"x\", [true]], d = {e = {}}}", `{d={e={}} l=[s32[] 1 "x" [true]]}`},
		{"{a = array<i64: 1, -2>, b = array<i1: true, false>, c = array<f32>}",
			"{a=s64[2] {1, -2} b=pred[2] {true, false} c=f32[0] {}}"},
		{"{a = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>}", "{a=s32[2,2] {{1, 2}, {3, 4}}}"},
		{"{a = dense<1.5> : tensor<3xf16>, b = dense<> : tensor<0x2xi8>, c = dense<7> : tensor<i64>}",
			"{a=f16[3] {1.5, 1.5, 1.5} b=s8[0,2] {} c=s64[] 7}"},
		{"{a = dense<[true, false]> : tensor<2xi1>, b = dense<(1.0, -2.0)> : tensor<1xcomplex<f32>>}",
			"{a=pred[2] {true, false} b=c64[1] {(1, -2)}}"},
		{`{a = dense<"0x0100000002000000"> : tensor<2xi32>}`, "{a=s32[2] {1, 2}}"},
		{"{f = @main::@inner, m = affine_map<(d0, d1) -> (d1, d0)>, t = tensor<2x3xf32>, x = #d.a<b, [c]>}",
			"{f=@main::@inner m=affine_map<(d0, d1) -> (d1, d0)> t=tensor<2x3xf32> x=#d.a<b, [c]>}"},
		{`{"b": [1, 2.5, null], "a": {"s": "x", "t": true}}`, `{a={s="x" t=true} b=[1 2.5 unit]}`},
	}
	for _, test := range tests {
		d, err := ffi.ParseAttributes(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
		} else if got := show(d); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.text, got, test.want)
		}
	}
}

func TestParseAttributesErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{"x", "column 1: expects '{'"},
		{"{a = 1", "expects '}', got the end"},
		{"{a = 1, a = 2}", `"a" is given twice`},
		{`{"a": 1, "a": 2}`, `"a" is given twice`},
		{"[1]", "expects a JSON object"},
		{"{a = 300 : i8}", "column 6: expects an integer of s8"},
		{"{a = 1.5 : i8}", "expects an integer of s8"},
		{"{a = 1 : q8}", "expects an element type"},
		{"{a = }", "expects a value"},
		{"{a = (b]}", "expects ')'"},
		{`{a = "x}`, "at the end of the string"},
		{"{a = dense<[1, 2]> : tensor<3xi32>}", "expects 3 entries along dimension 0"},
		{"{a = dense<[1, 2, 3]> : tensor<2xi32>}", "expects 2 elements"},
		{"{a = dense<0> : tensor<100000x100000xi8>}", "elements for"},
		{"{a = dense<[1]", "expects '>'"},
		{"{a = dense<+0> : tensor<0xf32>}", "expects the end of the elements"},
		{"{a = array<i8: 1, x>}", "array element 1"},
		{"{} {}", "expects the end"},
		{"{a = " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "}", "nested at most"},
		{`{"a":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "}", "nest deeper"},
	}
	for _, test := range tests {
		if _, err := ffi.ParseAttributes(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.40s: got %v, want an error with %q", test.text, err, test.want)
		}
	}
}

func FuzzParseAttributes(f *testing.F) {
	for _, s := range []string{"{a = 1 : i32}", `{"a": [1]}`, "{a = dense<[[1]]> : tensor<1x1xf32>}",
		"{a = array<i64: 1>, b = @f, c}", `{a = "\41"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) { _, _ = ffi.ParseAttributes(text) })
}

type inner struct {
	On bool `ffi:"on"`
}

type config struct {
	Axis  int32           `ffi:"axis"`
	Eps   float32         `ffi:"eps,optional"`
	Name  string          `ffi:"name,optional"`
	Sizes []int64         `ffi:"sizes,optional"`
	Table literal.Literal `ffi:"table,optional"`
	Inner inner           `ffi:"inner,optional"`
	Rest  any             `ffi:"rest,optional"`
	Count int             `ffi:"count,optional"`
	Own   int             // no attribute
}

func TestDecode(t *testing.T) {
	tests := []struct {
		text string
		want config
		err  string
	}{
		{text: `{axis = 1 : i32, eps = 0.5 : f32, name = "n", sizes = array<i64: 1, 2>, inner = {on = true},
			count = 3 : ui8}`,
			want: config{Axis: 1, Eps: 0.5, Name: "n", Sizes: []int64{1, 2}, Inner: inner{true}, Count: 3}},
		{text: `{"axis": 1, "eps": 0.25, "sizes": [3], "rest": "r", "count": -3}`,
			want: config{Axis: 1, Eps: 0.25, Sizes: []int64{3}, Rest: "r", Count: -3}},
		{text: "{axis = 1 : i64}", err: `attribute "axis": expects a int32, got s64[] 1`},
		{text: "{}", err: `expects an attribute "axis", got []`},
		{text: "{axis = 1 : i32, more = 2}", err: `attribute "more": expects no such attribute`},
		{text: `{"axis": 3000000000}`, err: "expects a int32, got 3000000000"},
		{text: `{"axis": 1.5}`, err: "expects a int32, got 1.5"},
		{text: `{axis = "1"}`, err: "expects a int32, got 1 of type string"},
		{text: "{axis = 1 : i32, inner = {on = 1 : i32}}", err: `attribute "inner": attribute "on": expects a bool`},
		{text: "{axis = 1 : i32, sizes = array<i32: 1>}", err: `attribute "sizes": expects a int64, got s32[1] {1}`},
		{text: "{axis = 1 : i32, count = 18446744073709551615 : ui64}", err: "expects a int"},
	}
	for _, test := range tests {
		d, err := ffi.ParseAttributes(test.text)
		if err != nil {
			t.Fatalf("%s: %v", test.text, err)
		}
		var got config
		err = ffi.Decode(d, &got)
		switch {
		case test.err != "":
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: got %v, want %s", test.text, err, test.err)
			}
		case err != nil:
			t.Errorf("%s: %v", test.text, err)
		case !reflect.DeepEqual(got, test.want):
			t.Errorf("%s: got %+v, want %+v", test.text, got, test.want)
		}
	}
	if err := ffi.Decode(nil, config{}); err == nil {
		t.Error("Decode into a struct, not a pointer: expects an error")
	}
}

func TestGet(t *testing.T) {
	d, err := ffi.ParseAttributes(`{t = dense<[1, 2]> : tensor<2xi32>, h = 1.5 : f16, u}`)
	if err != nil {
		t.Fatal(err)
	}
	if l, err := ffi.Get[literal.Literal](d, "t"); err != nil || show(l) != "s32[2] {1, 2}" {
		t.Errorf("t: %v, %v", l, err)
	}
	if v, err := ffi.Get[[]int32](d, "t"); err != nil || len(v) != 2 || v[1] != 2 {
		t.Errorf("t: %v, %v", v, err)
	}
	if _, err := ffi.Get[float32](d, "h"); err == nil {
		t.Error("h: an f16 is no float32")
	}
	if _, err := ffi.Get[ffi.Unit](d, "u"); err != nil {
		t.Error(err)
	}
	if _, err := ffi.Get[bool](d, "x"); err == nil || !strings.Contains(err.Error(), `"x", got [h t u]`) {
		t.Errorf("x: %v", err)
	}
}
