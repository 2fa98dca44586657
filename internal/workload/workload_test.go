package workload

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
	"github.com/goxla/xla/shape"
)

// TestValues: the values that every implementation is to give, seed 1.
func TestValues(t *testing.T) {
	tests := []struct {
		param int
		spec  string
		want  []float64
	}{
		{0, `{"shape": "f32[3]", "dist": "normal"}`, []float64{-0.7207759618759155, -0.1783968061208725, 0.6582710146903992}},
		{2, `{"shape": "f32[3]", "dist": "normal", "scale": 0.5, "shift": 1.0}`,
			[]float64{1.5686761140823364, 0.9218754172325134, 0.7050505876541138}},
		{0, `{"shape": "f64[3]", "dist": "uniform", "low": -2.0, "high": 0.6}`,
			[]float64{-0.08489960496887816, -0.3212504697829708, 0.02689762916395244}},
		{1, `{"shape": "s32[3]", "dist": "int", "low": 0, "high": 50257}`, []float64{363, 46687, 6881}},
		{0, `{"shape": "s8[3]", "dist": "int", "low": -127, "high": 128}`, []float64{-114, 8, 45}},
		{0, `{"shape": "bf16[3]", "dist": "normal"}`, []float64{-0.72265625, -0.1787109375, 0.66015625}},
		{0, `{"shape": "f32[2,2]", "dist": "symmetric", "diag_add": 64.0}`,
			[]float64{63.27922439575195, -0.1783968061208725, -0.1783968061208725, 63.49274444580078}},
		{0, `{"shape": "s64[2]", "dist": "const", "value": 9007199254740993}`, []float64{9007199254740993, 9007199254740993}},
		{0, `{"shape": "f32[1]", "dist": "const", "value": 0.02}`, []float64{float64(float32(0.02))}},
	}
	for _, test := range tests {
		l := generate(t, test.spec, test.param)
		for i, want := range test.want {
			if got := l.FloatAt(i); got != want {
				t.Errorf("%s: element %d: %v, want %v", test.spec, i, got, want)
			}
		}
	}
	c := generate(t, `{"shape": "c64[2]", "dist": "normal"}`, 0)
	if got, want := c.ComplexAt(1), complex(0.6582710146903992, -0.5072547793388367); got != want {
		t.Errorf("complex: %v, want %v", got, want)
	}
}

func generate(t *testing.T, text string, param int) literal.Literal {
	t.Helper()
	var spec Spec
	if err := json.Unmarshal([]byte(text), &spec); err != nil {
		t.Fatal(err)
	}
	l, err := spec.Literal(1, param)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return l
}

func TestSpecErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"shape": "f32[", "dist": "normal"}`:                                                   "shape: ",
		`{"shape": "f32[2]", "dist": "gamma"}`:                                                  `got "gamma"`,
		`{"shape": "f32[2]", "dist": "symmetric"}`:                                              "expects two dimensions",
		`{"shape": "f32[2]", "dist": "normal", "diag_add": 1}`:                                  "expects two dimensions",
		`{"shape": "f32[2]", "dist": "uniform", "high": 1}`:                                     "low: expects a number",
		`{"shape": "f32[2]", "dist": "uniform", "low": 1}`:                                      "high: expects a number",
		`{"shape": "s32[2]", "dist": "int", "low": 0.5, "high": 1}`:                             "low: expects an integer",
		`{"shape": "s32[2]", "dist": "int", "low": 0}`:                                          "high: expects an integer",
		`{"shape": "s32[2]", "dist": "int", "low": 3, "high": 3}`:                               "expects a range",
		`{"shape": "s32[2]", "dist": "const"}`:                                                  "value: expects a number",
		`{"shape": "u64[2]", "dist": "int", "low": -1, "high": 1` + "8" + `446744073709551615}`: "expects a range",
	} {
		var spec Spec
		if err := json.Unmarshal([]byte(text), &spec); err != nil {
			t.Fatal(err)
		}
		if _, err := spec.Literal(1, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", text, err, want)
		}
	}
}

// TestLargeIntegers: unsigned numbers above 2^63.
func TestLargeIntegers(t *testing.T) {
	l := generate(t, `{"shape": "u64[64]", "dist": "int", "low": 18446744073709551, "high": 18446744073709551615}`, 0)
	large := false
	for i := range l.Len() {
		large = large || l.BitsAt(i) > math.MaxInt64
	}
	if !large {
		t.Error("expects numbers above 2^63 among 64")
	}
}

func TestInputs(t *testing.T) {
	f32, s4 := shape.Make(shape.F32, 2), shape.Make(shape.S4, 8)
	params := []shape.Shape{shape.MakeTuple(f32, s4), f32}
	args, err := Workload{Seed: 1}.Inputs(params)
	if err != nil {
		t.Fatal(err)
	}
	want := generate(t, `{"shape": "f32[2]", "dist": "normal"}`, 2)
	if !literal.Equal(args[1], want) {
		t.Errorf("parameter 1 is %s, want that of leaf 2, %s", args[1].AppendText(nil), want.AppendText(nil))
	}
	w := Workload{Seed: 1, Params: []Spec{DefaultSpec(f32), DefaultSpec(s4), DefaultSpec(f32)}}
	if _, err := w.Inputs(params); err != nil {
		t.Error(err)
	}
	for _, wrong := range [][]shape.Shape{params[:1], {f32, f32, f32}, {f32, s4, f32, f32}, {shape.MakeToken()}} {
		if _, err := w.Inputs(wrong); err == nil {
			t.Errorf("%v: no error", wrong)
		}
	}
}

func TestManifest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.json")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"version": 1, "workloads": [{"name": "a", "file": "a.hlo", "seed": 3}, {"name": "b", "file": "b.hlo"}]}`)
	list, err := ReadManifest(path, "b")
	if err != nil || len(list) != 1 || list[0].File != filepath.Join(filepath.Dir(path), "b.hlo") || list[0].Seed != 1 {
		t.Errorf("got %+v, %v", list, err)
	}
	if list, err = ReadManifest(path); err != nil || len(list) != 2 || list[0].Seed != 3 {
		t.Errorf("got %+v, %v", list, err)
	}
	if _, err = ReadManifest(path, "a", "c", "d"); err == nil || !strings.Contains(err.Error(), "no workload c, d") {
		t.Errorf("got %v", err)
	}
	write(`{"version": 2}`)
	if _, err = ReadManifest(path); err == nil || !strings.Contains(err.Error(), "expects version 1, got 2") {
		t.Errorf("got %v", err)
	}
	write(`{`)
	if _, err = ReadManifest(path); err == nil {
		t.Error("no error")
	}
	if w := OfFile("x/y.tar.hlo", 7); w.Name != "y.tar" || w.Seed != 7 || w.File != "x/y.tar.hlo" {
		t.Errorf("got %+v", w)
	}
}

func TestCheck(t *testing.T) {
	floats := func(v ...float32) []npy.Named { return []npy.Named{{Name: "0", Value: literal.Of(v)}} }
	ints := func(v ...int32) []npy.Named { return []npy.Named{{Name: "0", Value: literal.Of(v)}} }
	tests := []struct {
		got, want      []npy.Named
		rtol, mismatch float64
		ok             bool
	}{
		{floats(1, 100), floats(1.05, 100), 1e-3, 0, true},
		{floats(1, 100), floats(1.2, 100), 1e-3, 0, false},
		{ints(1, 2, 3, 4), ints(1, 2, 3, 5), 1e-3, 0, false},
		{ints(1, 2, 3, 4), ints(1, 2, 3, 5), 1e-3, 0.25, true},
		{ints(1, 2, 4, 4), ints(1, 2, 3, 5), 1e-3, 0.25, false},
		{ints(1), floats(1), 1, 1, false},
		{ints(1), nil, 1, 1, false},
		{ints(1), []npy.Named{{Name: "1", Value: literal.Of([]int32{1})}}, 1, 1, false},
	}
	for i, test := range tests {
		err := Workload{RTol: test.rtol, Mismatch: test.mismatch}.Check(test.got, test.want)
		if (err == nil) != test.ok {
			t.Errorf("case %d: got %v", i, err)
		}
	}
}

// TestReport: the form of the script is read, and what is written is read.
func TestReport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.json")
	text := `{"engine": "xla:cpu", "host": {"cpus": 2, "jaxlib": "0.10.2", "date": "2026-01-02",
 "call_us": 9.5, "jit_call_us": 3},
 "results": [{"name": "a", "compile_ms": 1.5, "run_us": 3, "run_us_min": 2, "runs": 7, "temp_bytes": 0}]}`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := ReadReport(path)
	if err != nil {
		t.Fatal(err)
	}
	if r.Host.CallUS != 9.5 || r.Results[0].RunUSMin != 2 || r.Results[0].TempBytes == nil {
		t.Errorf("got %+v", r)
	}
	if err := r.Write(path, nil); err != nil {
		t.Fatal(err)
	}
	again, err := ReadReport(path)
	if err != nil || again.Results[0].Runs != 7 || *again.Results[0].TempBytes != 0 {
		t.Errorf("got %+v, %v", again, err)
	}
	var out strings.Builder
	WriteHeader(&out)
	r.Results[0].WriteLine(&out)
	if !strings.HasSuffix(out.String(), "1.5          2.0          3.0         -        -      7 \n") {
		t.Errorf("table:\n%s", out.String())
	}
}
