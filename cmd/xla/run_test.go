package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
	"github.com/goxla/xla/shape"
)

// TestRunDigits: the first command of README.md.
func TestRunDigits(t *testing.T) {
	out := expect(t, exitDone, "accuracy 98.6 %: 355 of 360 rows have the label in y\n",
		"run", digits(t, "digits_cnn.hlo"), "--input", digits(t, "digits_test.npz"))
	m := regexp.MustCompile(`largest difference from logits: (\S+)\n`).FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("no difference from logits in\n%s", out)
	}
	if d, err := strconv.ParseFloat(m[1], 64); err != nil || !(d < 1e-4) {
		t.Errorf("difference %s, want below 1e-4", m[1])
	}
	if !strings.HasSuffix(out, "in y\n") {
		t.Errorf("the last line is not the accuracy:\n%s", out)
	}
}

const scaled = `HloModule scaled

ENTRY e {
  x.1 = f32[2,2] parameter(0)
  f.2 = f32[] parameter(1)
  b = f32[2,2] broadcast(f.2), dimensions={}
  y = f32[2,2] multiply(x.1, b)
  h = bf16[2,2] convert(y)
  ROOT t = (bf16[2,2], (f32[2,2], s32[2])) tuple(h, n)
}
`

func scaledProgram() string {
	return strings.Replace(scaled, "  ROOT",
		"  i = s32[2] iota(), iota_dimension=0\n  n = (f32[2,2], s32[2]) tuple(y, i)\n  ROOT", 1)
}

func matrix(v ...float32) literal.Literal {
	return literal.Of([][]float32{v[:2], v[2:]})
}

// TestRunInputs: arrays by number, by name, by name but for the trailing number, typed
// and flat ones, from one file or several.
func TestRunInputs(t *testing.T) {
	program := file(t, "scaled.hlo", scaledProgram())
	x, f := matrix(1, 2, 3, 4), literal.Of(float32(2))
	const want = "1: f32[2,2]{1,0} { { 2, 4 }, { 6, 8 } }\n2: s32[2]{0} {0, 1}\n"
	tests := []struct {
		name   string
		arrays []npy.Named
	}{
		{"numbers", []npy.Named{{Name: "0", Value: x}, {Name: "1", Value: f}}},
		{"numbers in another order", []npy.Named{{Name: "1", Value: f}, {Name: "0", Value: x}}},
		{"names", []npy.Named{{Name: "x.1", Value: x}, {Name: "f.2", Value: f}}},
		{"names without number", []npy.Named{{Name: "f", Value: f}, {Name: "x", Value: x}}},
		{"names with another number", []npy.Named{{Name: "f.77", Value: f}, {Name: "x.78", Value: x}}},
		{"flat", []npy.Named{{Name: "f", Value: literal.Of([]float32{2})},
			{Name: "x", Value: literal.Of([]float32{1, 2, 3, 4})}}},
		{"others are left alone", []npy.Named{{Name: "f", Value: f}, {Name: "x", Value: x},
			{Name: "z", Value: f}, {Name: "7", Value: f}, {Name: "arr_1", Value: f}}},
	}
	for _, tt := range tests {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) {
			expect(t, exitDone, want, "run", program, "--print", "--input", archive(t, tt.arrays...))
		})
	}
	expect(t, exitDone, want, "run", program, "--print", "--input", archive(t, npy.Named{Name: "x", Value: x}),
		"--input", archive(t, npy.Named{Name: "f", Value: f}))
	one := filepath.Join(t.TempDir(), "x.npy")
	if err := npy.Save(one, []npy.Named{{Name: "x", Value: x}}); err != nil {
		t.Fatal(err)
	}
	expect(t, exitDone, want, "run", program, "--print", "--input", one,
		"--input", archive(t, npy.Named{Name: "1", Value: f}))
	tensors := filepath.Join(t.TempDir(), "in.safetensors")
	if err := npy.Save(tensors, []npy.Named{{Name: "x", Value: x}, {Name: "f", Value: f}}); err != nil {
		t.Fatal(err)
	}
	expect(t, exitDone, want, "run", program, "--print", "--input", tensors)
}

// TestRunUnused: an array that is nobody's is named.
func TestRunUnused(t *testing.T) {
	program := file(t, "scaled.hlo", scaledProgram())
	in := archive(t, npy.Named{Name: "x", Value: matrix(1, 2, 3, 4)}, npy.Named{Name: "f", Value: literal.Of(float32(2))},
		npy.Named{Name: "want", Value: matrix(2, 4, 6, 8)}, npy.Named{Name: "g", Value: literal.Of(float32(3))})
	out := expect(t, exitDone, "largest difference from want: 0\n"+
		"g is not used: no parameter has its name, and it judges no result\n", "run", program, "--input", in)
	if strings.Contains(out, "want is not used") {
		t.Errorf("printed\n%s", out)
	}
}

// TestRunJudged: an array of the shape of a result, which is no parameter's, is what comes out, but for labels.
func TestRunJudged(t *testing.T) {
	program := file(t, "scaled.hlo", scaledProgram())
	x, f := npy.Named{Name: "x", Value: matrix(1, 2, 3, 4)}, npy.Named{Name: "f", Value: literal.Of(float32(2))}
	run := func(exit int, text string, judge npy.Named, more ...string) {
		t.Helper()
		expect(t, exit, text, append([]string{"run", program, "--input", archive(t, x, f, judge)}, more...)...)
	}
	near, far := matrix(2, 4, 6, 8.0005), matrix(2, 4, 6, 9)
	run(exitDone, "largest difference from want: 0.0005", npy.Named{Name: "want", Value: near})
	run(exitFailed, "result 1 differs from want: f32[2,2]{1,0}: 1 of 4 elements", npy.Named{Name: "want", Value: near},
		"--rtol", "1e-6")
	run(exitFailed, "result 1 differs from want: f32[2,2]{1,0}: 1 of 4 elements", npy.Named{Name: "want", Value: far})
	run(exitDone, "largest difference from want: 1\n", npy.Named{Name: "want", Value: far}, "--rtol", "0.2")
	run(exitDone, "largest difference from y: 1\n", npy.Named{Name: "y", Value: far})
	run(exitDone, "result 2 is equal to n\n", npy.Named{Name: "n", Value: literal.Of([]int32{0, 1})})
	run(exitFailed, "result 2 differs from n: s32[2]{0}: 1 of 2", npy.Named{Name: "n", Value: literal.Of([]int32{0, 2})})
	run(exitDone, "accuracy 0.0 %: 0 of 2 rows", npy.Named{Name: "labels", Value: literal.Of([]int32{0, 2})})
	run(exitFailed, "result 0 differs from h:", npy.Named{Name: "h:bf16",
		Value: literal.Of([][]uint16{{0x4000, 0x4080}, {0x40c0, 0x4110}})})
	run(exitFailed, "result 1 differs from want", npy.Named{Name: "want", Value: far}, "--compare", "interp")
	run(exitFailed, "3 results agree", npy.Named{Name: "want", Value: far}, "--compare", "interp")
}

// TestRunJudgedNearest: of several results of its shape an array is that which is nearest.
func TestRunJudgedNearest(t *testing.T) {
	program := file(t, "m.hlo", "ENTRY e {\n  x = f32[2] parameter(0)\n  y = f32[2] add(x, x)\n"+
		"  ROOT t = (f32[2], f32[2]) tuple(x, y)\n}\n")
	x := npy.Named{Name: "x", Value: literal.Of([]float32{1, 2})}
	run := func(exit int, text string, v ...float32) {
		t.Helper()
		expect(t, exit, text, "run", program, "--input", archive(t, x, npy.Named{Name: "want", Value: literal.Of(v)}))
	}
	run(exitDone, "largest difference of result 0 from want: 0\n", 1, 2)
	run(exitDone, "largest difference of result 1 from want: 0\n", 2, 4)
	run(exitFailed, "result 1 differs from want", 2, 5)
}

// TestRunTwice: two arrays of one parameter are an error, whether by number or by name.
func TestRunTwice(t *testing.T) {
	program := file(t, "scaled.hlo", scaledProgram())
	x, f := npy.Named{Name: "x", Value: matrix(1, 2, 3, 4)}, npy.Named{Name: "f", Value: literal.Of(float32(2))}
	one := archive(t, x, f)
	for _, name := range []string{"0", "x.1", "x.7"} {
		again := archive(t, npy.Named{Name: name, Value: x.Value})
		out := expect(t, exitUsage, "parameter 0 (x.1): expects one array for it, got ", "run", program, "--input", one,
			"--input", again)
		if out != "" {
			t.Errorf("%s: printed %q", name, out)
		}
	}
	expect(t, exitUsage, "got x of "+one+" and x of "+one, "run", program, "--input", one, "--input", one)
	savez := archive(t, npy.Named{Name: "arr_0", Value: x.Value})
	expect(t, exitUsage, "got arr_0 of ", "run", program, "--random", "1", "--input", savez, "--input", savez)
	single := filepath.Join(t.TempDir(), "x.npy")
	if err := npy.Save(single, []npy.Named{x}); err != nil {
		t.Fatal(err)
	}
	expect(t, exitUsage, " (the array of a .npy file is parameter 0; give several in a .npz file)", "run", program,
		"--random", "1", "--input", single, "--input", single)
	expect(t, exitFailed, "parameter 0 (x.1): expects one array", "bench", program, "--input", one, "--input", one)
}

// TestRunMistyped: beside random numbers an array of no use is one whose name is wrong.
func TestRunMistyped(t *testing.T) {
	program := file(t, "scaled.hlo", scaledProgram())
	x := matrix(1, 2, 3, 4)
	expect(t, exitUsage, "--input: array X: no parameter is called so, and it judges no result; --random filled 0 (x.1), "+
		"1 (f.2)\n", "run", program, "--random", "1", "--input",
		archive(t, npy.Named{Name: "X", Value: literal.Of(int32(1))}))
	expect(t, exitFailed, "result 1 differs from X", "run", program, "--random", "1", "--input",
		archive(t, npy.Named{Name: "X", Value: x}))
	expect(t, exitDone, "result 1", "run", program, "--random", "1", "--input",
		archive(t, npy.Named{Name: "x", Value: x}))
}

// TestRunExactNames: of two names that differ in their number only, each gets its own.
func TestRunExactNames(t *testing.T) {
	program := file(t, "m.hlo", "ENTRY e {\n  p.1 = s32[] parameter(0)\n  p.2 = s32[] parameter(1)\n"+
		"  ROOT d = s32[] subtract(p.1, p.2)\n}\n")
	in := archive(t, npy.Named{Name: "p.2", Value: literal.Of(int32(5))},
		npy.Named{Name: "p.1", Value: literal.Of(int32(12))})
	expect(t, exitDone, "0: s32[] 7\n", "run", program, "--print", "--input", in)
}

// TestRunTupleParameter: the leaves of tuples count as parameters.
func TestRunTupleParameter(t *testing.T) {
	program := file(t, "m.hlo", `ENTRY e {
  a = (s32[], (s32[2], s32[])) parameter(0)
  b = s32[] parameter(1)
  n = (s32[2], s32[]) get-tuple-element(a), index=1
  v = s32[2] get-tuple-element(n), index=0
  w = s32[] get-tuple-element(n), index=1
  x = s32[] get-tuple-element(a), index=0
  ROOT t = (s32[], s32[2], s32[], s32[]) tuple(b, v, w, x)
}
`)
	scalar := func(v int32) literal.Literal { return literal.Of(v) }
	in := []npy.Named{{Name: "0", Value: scalar(10)}, {Name: "1", Value: literal.Of([]int32{20, 21})},
		{Name: "2", Value: scalar(30)}, {Name: "3", Value: scalar(40)}}
	expect(t, exitDone, "0: s32[] 40\n1: s32[2]{0} {20, 21}\n2: s32[] 30\n3: s32[] 10\n",
		"run", program, "--print", "--input", archive(t, in...))
	in[3].Name = "b"
	expect(t, exitDone, "0: s32[] 40\n", "run", program, "--print", "--input", archive(t, in...))
	expect(t, exitUsage, "parameter 0 (a): no array for it: expects key 2 in an --input file, or --random SEED",
		"run", program, "--input", archive(t, in[:2]...))
}

// TestRunToken: the tokens of ordered effects, as of jax.debug.print(ordered=True), are no arrays: those of np.savez
// are for the other parameters.
func TestRunToken(t *testing.T) {
	program := file(t, "m.hlo", `ENTRY e {
  t = token[] parameter(0)
  x = s32[2] parameter(1)
  p = token[] custom-call(t, x), custom_call_target="xla_ffi_python_cpu_callback", custom_call_has_side_effect=true
  y = s32[2] negate(x)
  ROOT r = (token[], s32[2]) tuple(p, y)
}
`)
	in := archive(t, npy.Named{Name: "arr_0", Value: literal.Of([]int32{1, 2})})
	expect(t, exitDone, "0: s32[2]{0} {-1, -2}\n", "run", program, "--print", "--input", in)
	expect(t, exitUsage, "parameter 1 (x): no array for it: expects key 0 or x in an --input file", "run", program)
	expect(t, exitDone, "m ", "bench", program, "--runs", "1")
}

// TestRunTypedKeys: types that NumPy lacks come as unsigned integers, with the type in
// the key or in the program.
func TestRunTypedKeys(t *testing.T) {
	program := file(t, "m.hlo", `ENTRY e {
  a = bf16[2] parameter(0)
  b = f8e4m3fn[2] parameter(1)
  c = s4[2] parameter(2)
  ROOT t = (bf16[2], f8e4m3fn[2], s4[2]) tuple(a, b, c)
}
`)
	bits := literal.Of([]uint16{0x3f80, 0xc000}) // 1, -2
	small, err := literal.BitcastConvert(literal.Of([]uint8{0x38, 0x40}), shape.F8E4M3FN)
	if err != nil {
		t.Fatal(err)
	}
	four := literal.New(shape.Make(shape.S4, 2))
	four.SetInt(0, 7)
	four.SetInt(1, -8)
	in := archive(t, npy.Named{Name: "a", Value: bits}, npy.Named{Name: "b", Value: small},
		npy.Named{Name: "c", Value: four})
	const want = "0: bf16[2]{0} {1, -2}\n1: f8e4m3fn[2]{0} {1, 2}\n2: s4[2]{0} {7, -8}\n"
	expect(t, exitDone, want, "run", program, "--print", "--input", in)

	out := filepath.Join(t.TempDir(), "out.npz") // and back
	expect(t, exitDone, want, "run", program, "--print", "--input", in, "--output", out)
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"0:bf16.npy", "1:f8e4m3fn.npy", "2:s4.npy"} {
		if !strings.Contains(string(data), key) {
			t.Errorf("no key %s in %s", key, out)
		}
	}
	expect(t, exitDone, want, "run", program, "--print", "--input", out, "--compare", out)
}

// TestRunOutput: results are numbered through, and come back as they were.
func TestRunOutput(t *testing.T) {
	program := file(t, "scaled.hlo", scaledProgram())
	for _, name := range []string{"out.npz", "out.safetensors"} {
		out := filepath.Join(t.TempDir(), name)
		first := expect(t, exitDone, "result 1: f32[2,2]  min ", "run", program, "--random", "3", "--output", out)
		expect(t, exitDone, "3 results agree (rtol 0)\n", "run", program, "--random", "3", "--compare", out, "--rtol", "0")
		if again := expect(t, exitDone, "", "run", program, "--random", "3"); again != first {
			t.Errorf("--random 3 gives\n%sand then\n%s", first, again)
		}
		if other := expect(t, exitDone, "", "run", program, "--random", "4"); other == first {
			t.Errorf("--random 3 and 4 both give\n%s", first)
		}
		arrays, err := npy.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		var shapes []string
		for _, a := range arrays {
			shapes = append(shapes, fmt.Sprintf("%s %s", a.Name, a.Value.Shape().StringNoLayout()))
		}
		if got := strings.Join(shapes, ", "); got != "0 bf16[2,2], 1 f32[2,2], 2 s32[2]" {
			t.Errorf("%s has %s", name, got)
		}
	}
}

func TestRunCompare(t *testing.T) {
	program := file(t, "m.hlo", "ENTRY e {\n  x = f32[2] parameter(0)\n  i = s32[2] iota(), iota_dimension=0\n"+
		"  ROOT t = (f32[2], s32[2]) tuple(x, i)\n}\n")
	in := archive(t, npy.Named{Name: "x", Value: literal.Of([]float32{1, 1000})})
	want := func(x []float32, i []int32) string {
		return archive(t, npy.Named{Name: "0", Value: literal.Of(x)}, npy.Named{Name: "1", Value: literal.Of(i)})
	}
	run := func(exit int, text string, more ...string) {
		t.Helper()
		expect(t, exit, text, append([]string{"run", program, "--input", in}, more...)...)
	}
	run(exitDone, "2 results agree (rtol 0.0001)", "--compare", "interp")
	run(exitDone, " agree", "--compare", want([]float32{1.05, 1000}, []int32{0, 1}))
	run(exitFailed, "result 0 differs", "--compare", want([]float32{1.2, 1000}, []int32{0, 1}))
	run(exitDone, "agree", "--rtol", "1e-3", "--compare", want([]float32{1.2, 1000}, []int32{0, 1}))
	run(exitFailed, "result 0 differs", "--rtol", "1e-6", "--compare", want([]float32{1.05, 1000}, []int32{0, 1}))
	run(exitFailed, "result 1 differs", "--rtol", "10", "--compare", want([]float32{1, 1000}, []int32{0, 2}))
	run(exitFailed, "result 0 differs", "--compare", want([]float32{1, 1000, 0}, []int32{0, 1}))
	run(exitUsage, "no array 1 to compare result 1 with", "--compare",
		archive(t, npy.Named{Name: "0", Value: literal.Of([]float32{1, 1000})}))
	run(exitUsage, "--compare: no result to compare array 2, loss with: the program has 2 results (0, 1), the file has "+
		"0, 1, 2, loss\n", "--compare", archive(t, npy.Named{Name: "0", Value: literal.Of([]float32{1, 1000})},
		npy.Named{Name: "1", Value: literal.Of([]int32{0, 1})}, npy.Named{Name: "2", Value: literal.Of([]int32{0, 1})},
		npy.Named{Name: "loss", Value: literal.Of([]int32{0, 1})}))
	run(exitUsage, "no such file", "--compare", filepath.Join(t.TempDir(), "absent.npz"))
	run(exitUsage, "--rtol: expects 0 or more, got -1", "--rtol", "-1", "--compare", "interp")
}

func TestRunErrors(t *testing.T) {
	program := file(t, "scaled.hlo", scaledProgram())
	x := npy.Named{Name: "x", Value: matrix(1, 2, 3, 4)}
	f := npy.Named{Name: "f", Value: literal.Of(float32(2))}
	text := file(t, "in.npz", "no archive")
	two := file(t, "two.hlo", "ENTRY e {\n  x = f32[2] parameter(0)\n  ROOT t = (f32[2], f32[2]) tuple(x, x)\n}\n")
	tests := []struct {
		name, want string
		args       []string
	}{
		{"absent program", "absent.hlo: no such file", []string{"absent.hlo"}},
		{"wrong program", "bad.hlo:2:", []string{file(t, "bad.hlo", "ENTRY e {\n  p = f32[2] parameters(0)\n}\n")}},
		{"no inputs", "parameter 0 (x.1): no array for it: expects key 0 or x in an --input file", []string{program}},
		{"one input", "parameter 1 (f.2): no array for it: expects key 1 or f in an --input file",
			[]string{program, "--input", archive(t, x)}},
		{"absent input", "absent.npz: no such file", []string{program, "--input", "absent.npz"}},
		{"no archive", text, []string{program, "--input", text}},
		{"wrong type", "in.npz: array x: expects f32[2,2], got f64[2,2] (in Python jnp.asarray converts it)",
			[]string{program, "--input", archive(t, npy.Named{Name: "x", Value: literal.Of([][]float64{{1, 2}, {3, 4}})}, f)}},
		{"wrong shape", "in.npz: array x: expects f32[2,2], got f32[3]", []string{program, "--input",
			archive(t, npy.Named{Name: "x", Value: literal.Of([]float32{1, 2, 3})}, f)}},
		{"too many", "in.npz: array arr_2: the program has only 2 parameters (JAX leaves out unused arguments",
			[]string{program, "--input", archive(t, x, f, npy.Named{Name: "arr_2", Value: literal.Of(float32(2))})}},
		{"flag", "unknown flag: --inputs", []string{program, "--inputs", "a"}},
		{"seed", `invalid argument "x" for "--random"`, []string{program, "--random", "x"}},
		{"backend", `--backend: expects one of [cpu interp], got "gpu"`, []string{program, "--backend", "gpu"}},
		{"output", "--output: stat absent: no such file or directory", []string{program, "--output", "absent/out.npz"}},
		{"several results", "--output: out.npy: a .npy file holds one array, but got 2",
			[]string{two, "--random", "1", "--output", "out.npy"}},
		{"extension", "--output: out.txt: expects the extension", []string{program, "--output", "out.txt"}},
	}
	for _, tt := range tests {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) {
			if out := expect(t, exitUsage, tt.want, append([]string{"run"}, tt.args...)...); out != "" {
				t.Errorf("printed %q", out)
			}
		})
	}
}

// TestRunFails: an error of the program itself is status 1 and names the instruction.
func TestRunFails(t *testing.T) {
	program := file(t, "m.hlo", "ENTRY e {\n  ROOT i = f32[1048576,1048576] iota(), iota_dimension=0\n}\n")
	expect(t, exitFailed, "m.hlo:2:8: %i: iota: ", "run", program)
	huge := file(t, "huge.hlo", "ENTRY e {\n  x = f32[1048576,1048576] parameter(0)\n  ROOT s = f32[1,1] slice(x), "+
		"slice={[0:1], [0:1]}\n}\n")
	const want = "literal: f32[1048576,1048576]{1,0}: more than 68719476736 bytes"
	expect(t, exitUsage, "parameter 0 (x): "+want, "run", huge, "--random", "1", "--backend", "interp")
	expect(t, exitFailed, want, "bench", huge)
}

func TestRunDump(t *testing.T) {
	program, dir := file(t, "scaled.hlo", scaledProgram()), filepath.Join(t.TempDir(), "a", "b")
	expect(t, exitDone, "", "run", program, "--random", "1", "--dump", dir)
	expect(t, exitDone, "result 0", "run", filepath.Join(dir, "00.before.hlo"), "--random", "1")
	about, err := os.ReadFile(filepath.Join(dir, "signature.txt"))
	if err != nil || !strings.Contains(string(about), "parameter 1  f.2          f32[]") {
		t.Errorf("signature.txt: %v\n%s", err, about)
	}
}

// TestRunSummary: what a line says of a result.
func TestRunSummary(t *testing.T) {
	tests := []struct{ constant, want string }{
		{"f32[3] constant({-1, 2, 5})", "result 0: f32[3]  min -1  max 5  mean 2\n"},
		{"f32[3] constant({nan, 2, 4})", "result 0: f32[3]  min 2  max 4  mean 3  (1 infinite or NaN)\n"},
		{"f32[2] constant({nan, inf})", "result 0: f32[2]  (2 infinite or NaN)\n"},
		{"f32[0] constant({})", "result 0: f32[0]\n"},
		{"f32[] constant(2.5)", "result 0: f32[] 2.5\n"},
		{"pred[] constant(true)", "result 0: pred[] true\n"},
		{"s32[2] constant({1, 2})", "result 0: s32[2]\n"},
		{"c64[2] constant({(1, 2), (3, 4)})", "result 0: c64[2]\n"},
		{"(f32[], ()) constant((1, ()))", "result 0: f32[] 1\n"},
	}
	for _, tt := range tests {
		program := file(t, "m.hlo", "ENTRY e {\n  ROOT c = "+tt.constant+"\n}\n")
		if out := expect(t, exitDone, tt.want, "run", program); out != tt.want {
			t.Errorf("%s: got %q, want %q", tt.constant, out, tt.want)
		}
	}
}

// TestRunFlushDenormals: numbers below the smallest normal one are zeros where that is asked for.
func TestRunFlushDenormals(t *testing.T) {
	program := file(t, "scaled.hlo", scaledProgram())
	in := archive(t, npy.Named{Name: "x", Value: matrix(1, 2, 0x1p-140, 4)},
		npy.Named{Name: "f", Value: literal.Of(float32(0x1p120))})
	args := []string{"run", program, "--print", "--input", in}
	const kept = "{ 1.329228e+36, 2.65845599e+36 }, { 9.53674316e-07, 5.31691198e+36 }"
	expect(t, exitDone, kept, args...)
	flushed := strings.Replace(kept, "9.53674316e-07", "0", 1)
	if tier, err := exec.HostTier(os.Getenv(exec.TierEnv)); err != nil || tier == exec.Portable {
		flushed = kept // machine code only
	}
	expect(t, exitDone, flushed, append(args, "--flush-denormals")...)
}

// TestRunExcessPrecision: f32 are not rounded to bf16 in between where that is allowed.
func TestRunExcessPrecision(t *testing.T) {
	program := file(t, "rounded.hlo", `HloModule rounded
ENTRY e {
  x = f32[2,2] parameter(0)
  y = bf16[2,2] convert(x)
  ROOT z = f32[2,2] convert(y)
}
`)
	in := archive(t, npy.Named{Name: "x", Value: matrix(1.001, 2, 3, 4)})
	args := []string{"run", program, "--print", "--input", in}
	expect(t, exitDone, "{ 1, 2 }, { 3, 4 }", args...)
	expect(t, exitDone, "{ 1.001, 2 }, { 3, 4 }", append(args, "--excess-precision")...)
}
