package xla_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

const affine = `HloModule affine

ENTRY e {
  x = f32[2,3] parameter(0)
  scale = f32[] parameter(1)
  b = f32[2,3] broadcast(scale), dimensions={}
  ROOT y = f32[2,3] multiply(x, b)
}`

func TestArguments(t *testing.T) {
	exe := compile(t, parse(t, affine))
	two := literal.Of(float32(2))
	matrix := literal.Of([][]float32{{1, 2, 3}, {4, 5, 6}})
	columns := matrix.Relayout(&shape.Layout{MinorToMajor: []int{0, 1}})
	tests := []struct {
		name string
		args []literal.Literal
		want string // the result, or a part of the error
	}{
		{"right", []literal.Literal{matrix, two}, "{{2, 4, 6}, {8, 10, 12}}"},
		{"flat", []literal.Literal{literal.Of([]float32{1, 2, 3, 4, 5, 6}), two}, "{{2, 4, 6}, {8, 10, 12}}"},
		{"other layout", []literal.Literal{columns, two}, "{{2, 4, 6}, {8, 10, 12}}"},
		{"one element for a scalar", []literal.Literal{matrix, literal.Of([]float32{2})}, "{{2, 4, 6}, {8, 10, 12}}"},
		{"too few", []literal.Literal{matrix}, "affine takes 2 arguments, got 1"},
		{"too many", []literal.Literal{matrix, two, two}, "affine takes 2 arguments, got 3"},
		{"none", nil, "affine takes 2 arguments, got 0"},
		{"wrong type", []literal.Literal{literal.Of([][]float64{{1, 2, 3}, {4, 5, 6}}), two},
			"argument 0 (x) of affine: expects f32[2,3], got f64[2,3]"},
		{"wrong shape", []literal.Literal{literal.Of([][]float32{{1, 2}, {3, 4}, {5, 6}}), two},
			"argument 0 (x) of affine: expects f32[2,3], got f32[3,2]"},
		{"flat of the wrong size", []literal.Literal{literal.Of([]float32{1, 2, 3, 4, 5}), two},
			"argument 0 (x) of affine: expects f32[2,3], got f32[5]"},
		{"flat of the wrong type", []literal.Literal{literal.Of([]int32{1, 2, 3, 4, 5, 6}), two},
			"argument 0 (x) of affine: expects f32[2,3], got s32[6]"},
		{"tuple", []literal.Literal{literal.MakeTuple(matrix), two},
			"argument 0 (x) of affine: expects f32[2,3], got (f32[2,3])"},
		{"no literal", []literal.Literal{matrix, {}}, "argument 1 (scale) of affine: expects f32[], got"},
	}
	for _, tt := range tests {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) {
			out, err := exe.Run(t.Context(), tt.args...)
			if err != nil {
				checkError(t, err, tt.want)
				return
			}
			if got := string(out[0].AppendGolden(nil)); got != "f32[2,3] "+tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestNoContext: where there is no context, none ends a compilation or a run.
func TestNoContext(t *testing.T) {
	client, err := xla.NewClient(xla.Options{Devices: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var none context.Context
	exe, err := client.Compile(none, parse(t, affine))
	if err != nil {
		t.Fatal(err)
	}
	x, two := literal.Of([][]float32{{1, 2, 3}, {4, 5, 6}}), literal.Of(float32(2))
	if _, err := exe.Run(none, x, two); err != nil {
		t.Error(err)
	}
	var args []*xla.Buffer
	for _, l := range []literal.Literal{x, two} {
		b, err := client.BufferOf(l)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, b)
	}
	if _, err := exe.RunBuffers(none, args); err != nil {
		t.Error(err)
	}
	part := xla.Part{Exe: exe, Args: []literal.Literal{x, two}}
	if _, err := client.RunGrid(none, [][]xla.Part{{part}, {part}}); err != nil {
		t.Error(err)
	}
}

func TestSignature(t *testing.T) {
	sig := compile(t, parse(t, affine)).Signature()
	right := len(sig.Params) == 2 && sig.Params[0].StringNoLayout() == "f32[2,3]" && sig.Params[1].String() == "f32[]"
	if !right || !slices.Equal(sig.Names, []string{"x", "scale"}) || sig.Result.StringNoLayout() != "f32[2,3]" {
		t.Errorf("signature %v %v -> %v", sig.Names, sig.Params, sig.Result)
	}
}

// TestTupleResult: the elements of a tuple are the results; those of an empty one are none.
func TestTupleResult(t *testing.T) {
	tests := []struct{ root, want string }{
		{"ROOT t = (f32[], s32[2]) tuple(x, i)", "f32[] s32[2]"},
		{"ROOT t = (f32[]) tuple(x)", "f32[]"},
		{"n = (f32[]) tuple(x)\nROOT t = ((f32[]), s32[2]) tuple(n, i)", "(f32[]) s32[2]"},
		{"ROOT t = () tuple()", ""},
		{"ROOT r = s32[2] negate(i)", "s32[2]"},
	}
	for _, tt := range tests {
		exe := compile(t, parse(t, entry("x = f32[] constant(1)\ni = s32[2] iota(), iota_dimension=0\n"+tt.root)))
		out, err := exe.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var shapes []string
		for _, o := range out {
			shapes = append(shapes, o.Shape().StringNoLayout())
		}
		if got := strings.Join(shapes, " "); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.root, got, tt.want)
		}
	}
}

// TestConcurrent runs one executable on many goroutines; each has its own arguments.
func TestConcurrent(t *testing.T) {
	exe := compile(t, parse(t, `HloModule m
body {
  s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[4] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  two = f32[] constant(2)
  b = f32[4] broadcast(two), dimensions={}
  y = f32[4] multiply(x, b)
  ROOT t = (s32[], f32[4]) tuple(j, y)
}
condition {
  s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(10)
  ROOT c = pred[] compare(i, n), direction=LT
}
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT z = f32[] add(x, y)
}
ENTRY e {
  x = f32[4] parameter(0)
  i = s32[] constant(0)
  t = (s32[], f32[4]) tuple(i, x)
  w = (s32[], f32[4]) while(t), condition=condition, body=body
  y = f32[4] get-tuple-element(w), index=1
  z = f32[] constant(0)
  ROOT r = f32[] reduce(y, z), dimensions={0}, to_apply=add
}`))
	var wg sync.WaitGroup
	for k := range 32 {
		wg.Go(func() {
			out, err := exe.Run(t.Context(), literal.Of([]float32{float32(k), 1, 2, 3}))
			if err != nil {
				t.Error(err)
				return
			}
			if got, want := literal.Values[float32](out[0])[0], float32(k+6)*1024; got != want {
				t.Errorf("run %d: got %v, want %v", k, got, want)
			}
		})
	}
	wg.Wait()
}

func TestSeed(t *testing.T) {
	const text = `HloModule m
ENTRY e {
  lo = f32[] constant(0)
  hi = f32[] constant(1)
  ROOT r = f32[8] rng(lo, hi), distribution=rng_uniform
}`
	draw := func(opts xla.Options, run ...xla.RunOption) string {
		exe, err := newClient(t, opts).Compile(t.Context(), parse(t, text))
		if err != nil {
			t.Fatal(err)
		}
		out, err := exe.RunWith(t.Context(), nil, run...)
		if err != nil {
			t.Fatal(err)
		}
		again, err := exe.RunWith(t.Context(), nil, run...)
		if err != nil {
			t.Fatal(err)
		}
		if !literal.Equal(out[0], again[0]) {
			t.Errorf("two runs of one seed differ: %v and %v", out[0], again[0])
		}
		return out[0].String()
	}
	zero, seven := draw(xla.Options{}), draw(xla.Options{Seed: 7})
	if zero == seven {
		t.Error("two seeds of a client give one result")
	}
	if got := draw(xla.Options{}, xla.WithSeed(7)); got != seven {
		t.Errorf("WithSeed(7) gives %s, Options.Seed 7 gives %s", got, seven)
	}
	if got := draw(xla.Options{Seed: 7}, xla.WithSeed(0)); got != zero {
		t.Errorf("WithSeed(0) gives %s, Options.Seed 0 gives %s", got, zero)
	}
}

func TestMemoryLimit(t *testing.T) {
	text := entry("a = f32[1024] iota(), iota_dimension=0\nb = f32[1024] negate(a)\nROOT c = f32[1024] add(a, b)")
	for _, test := range []struct {
		limit   int64
		backend xla.Backend
		want    string
	}{
		{0, xla.Interp(), ""},
		{12288, xla.Interp(), ""},
		{12287, xla.Interp(), "%c: add: expects values of at most 12287 bytes alive at a time (the memory limit), " +
			"got f32[1024] of 4096 bytes beside 8192"},
		{4095, xla.Interp(), "%a: iota"},
		{4096, xla.CPU(), ""}, // one kernel
		{4095, xla.CPU(), "m needs 4096 bytes for its values, most of them 4096 for c f32[1024]: " +
			"expects at most 4095 (the memory limit)"},
		{-1, nil, "MemoryLimit: expects 0 or more bytes, got -1"},
	} {
		client, err := xla.NewClient(xla.Options{MemoryLimit: test.limit, Backend: test.backend})
		if err == nil {
			var exe *xla.Executable
			if exe, err = client.Compile(t.Context(), parse(t, text)); err == nil {
				_, err = exe.Run(t.Context())
			}
		}
		checkError(t, err, test.want)
	}
}

// TestErrors: an error has the place, the instruction, the operation, the attribute
// and the constraint.
func TestErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"reverse_c3",
			"HloModule m\n\nENTRY e {\n  p = f32[2,3] parameter(0)\n  ROOT r = f32[2,3] reverse(p), dimensions={0,4}\n}\n",
			"model.hlo:5:8: %r: reverse: dimensions[1]: 4 is not in [0, 2) [reverse_c3]"},
		{"operand", "ENTRY e {\n  p = f32[2] parameter(0)\n  q = f32[3] parameter(1)\n  a = f32[2] add(p, q)\n}\n",
			"model.hlo:4:3: %a: add: "},
		{"result", "ENTRY e {\n  p = f32[2] parameter(0)\n  a = f32[3] negate(p)\n}\n", "model.hlo:3:3: %a: negate: "},
		{"name", "ENTRY e {\n  p = f32[2] parameter(0)\n  a = f32[2] negate(q)\n}\n", "model.hlo:3:21: "},
		{"opcode", "ENTRY e {\n  p = f32[2] parameter(0)\n  a = f32[2] negative(p)\n}\n", "model.hlo:3:14: "},
		{"attribute", "ENTRY e {\n  p = f32[2] parameter(0)\n  a = f32[2] negate(p), dimension=3\n}\n", "model.hlo:3:25: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "model.hlo")
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := xla.Load(path)
			if err == nil {
				t.Fatal("no error")
			}
			message := strings.TrimPrefix(err.Error(), filepath.Dir(path)+string(filepath.Separator))
			if !strings.HasPrefix(message, tt.want) {
				t.Errorf("error\n%s\nwant\n%s", message, tt.want)
			}
			t.Log(message)
		})
	}
}

func TestLoadErrors(t *testing.T) {
	if _, err := xla.Load(filepath.Join(t.TempDir(), "absent.hlo")); !os.IsNotExist(err) {
		t.Errorf("absent file: %v", err)
	}
	if _, err := xla.Load(t.TempDir()); err == nil {
		t.Error("a folder: no error")
	}
	for name, data := range map[string]string{
		"empty":   "",
		"zeros":   strings.Repeat("\x00", 100),
		"binary":  "\x0a\x07\x08\x96\x01\xff\xfe",
		"elf":     "\x7fELF\x02\x01\x01\x00",
		"latin 1": "HloModule m\xe9\n",
		"words":   "to be or not to be",
		"mlir":    "module { func.func @main() { return }",
	} {
		if _, err := xla.Parse(name, []byte(data)); err == nil || !strings.HasPrefix(err.Error(), name+":") {
			t.Errorf("%s: error %v, want one that names the file", name, err)
		}
	}
}

// source is a Source of no kind that Compile knows.
type source struct{}

func (source) EntrySignature() shape.Program { return shape.Program{} }

func TestCompileErrors(t *testing.T) {
	client := newClient(t, xla.Options{})
	const text = "ENTRY e {\n  p = f32[2] parameter(0)\n  ROOT r = f32[3] negate(p)\n}\n"
	wrong, err := xla.ParseUnverified("wrong.hlo", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for want, p := range map[string]xla.Source{
		"*hlo.Module or a *Program, got xla_test.source": source{},
		"got <nil>":                 nil,
		"no entry computation":      hlo.NewModule("empty"),
		"wrong.hlo:3:8: %r: negate": wrong,
	} {
		_, err := client.Compile(t.Context(), p)
		checkError(t, err, want)
	}
	var m *hlo.Module
	_, err = client.Compile(t.Context(), m)
	checkError(t, err, "no entry computation")
	var p *xla.Program
	_, err = client.Compile(t.Context(), p)
	checkError(t, err, "no entry computation")
}
