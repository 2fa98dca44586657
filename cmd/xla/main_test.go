package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
	"github.com/goxla/xla/shape"
)

const negate = `HloModule negate

ENTRY e {
  x.1 = bf16[2] parameter(0)
  i = s4[2] parameter(1)
  n = bf16[2] negate(x.1)
  ROOT t = (bf16[2], s4[2]) tuple(n, i)
}
`

// numpyFile is an array as np.save writes it for a type of ml_dtypes.
func numpyFile(descr, data string) string {
	head := "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (2,), }"
	head += strings.Repeat(" ", 117-len(head)) + "\n"
	return "\x93NUMPY\x01\x00\x76\x00" + head + data
}

// workFolder makes a folder with inputs and enters it.
func workFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	files := map[string]string{
		"m.hlo":    negate,
		"x.npy":    numpyFile("<V2", "\x80\x3f\x00\x40"), // 1, 2
		"obj.npy":  numpyFile("|O", ""),
		"date.npy": numpyFile("<M8[D]", "0123456789abcdef"),
		"print.hlo": "HloModule print\n\nENTRY e {\n  x = f32[2] parameter(0)\n  p = () custom-call(x), " +
			"custom_call_target=\"xla_ffi_python_cpu_callback\", custom_call_has_side_effect=true, " +
			"api_version=API_VERSION_TYPED_FFI\n  t = token[] after-all()\n  q = token[] custom-call(t, x), " +
			"custom_call_target=\"xla_ffi_python_cpu_callback\", custom_call_has_side_effect=true\n" +
			"  ROOT y = f32[2] negate(x)\n}\n",
		"c.hlo":     "HloModule c\n\nENTRY e {\n  ROOT c = f32[20] constant({...})\n}\n",
		"sizes.hlo": "ENTRY e {\n  x = f32[?] parameter(0)\n  ROOT y = f32[?] negate(x)\n}\n",
		"sizes.mlir": `func.func @main(%p: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}`,
		"several.mlir": `func.func @main(%p: tensor<i32> {jax.global_constant = "_platform_index"}, %x: tensor<f32>)
  -> tensor<i32> { return %p : tensor<i32> }`,
		"junk": "neither of the formats",
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	arrays := map[string][]npy.Named{
		"i.npz":     {{Name: "i", Value: literal.Of([]uint8{15, 1})}},
		"wide.npz":  {{Name: "x", Value: literal.Of([]float32{1, 2})}},
		"long.npz":  {{Name: "x.7", Value: literal.New(shape.Make(shape.BF16, 3))}},
		"wrong.npz": {{Name: "a", Value: literal.Of([]float32{1})}, {Name: "b", Value: literal.Of([]float32{1})}},
		"want.npz": {{Name: "0", Value: literal.Of([]literal.BF16{0xbf80, 0xc000})},
			{Name: "1", Value: literal.Of([]uint8{15, 1})}},
		"unnamed.npz": {{Name: "arr_0", Value: literal.Of([]literal.BF16{0xbf80, 0xc000})},
			{Name: "arr_1", Value: literal.Of([]uint8{15, 1})}},
		"other.npz": {{Name: "0", Value: literal.Of([]literal.BF16{0xbf80, 0xc001})},
			{Name: "1", Value: literal.Of([]uint8{15, 1})}},
	}
	for name, list := range arrays {
		if err := npy.Save(filepath.Join(".", name), list); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCommandLines(t *testing.T) {
	workFolder(t)
	for _, c := range []struct {
		line   string
		status int
		want   string // a part of the output
	}{
		{"run m.hlo --input x.npy --input i.npz --print", 0, "0: bf16[2]{0} {-1, -2}\n1: s4[2]{0} {-1, 1}\n"},
		{"run m.hlo --input x.npy --input i.npz --compare want.npz", 0, "2 results agree (rtol 0.0001)\n"},
		{"run m.hlo --input x.npy --input i.npz --compare other.npz --rtol 0.01", 0,
			"2 results agree (rtol 0.01), the largest difference is 0.0078 in result 0"},
		{"run m.hlo --input x.npy --input i.npz --compare other.npz --rtol 1e-4", 1,
			"result 0 differs: bf16[2]{0}: 1 of 2 elements"},
		{"run m.hlo --input x.npy --input i.npz --compare other.npz", 0,
			"2 results agree (rtol 0.0001), the largest difference is 0.0078 in result 0"},
		{"run m.hlo --input x.npy --input i.npz --compare i.npz", 2,
			"--compare: no array 0 to compare result 0 with; the file has i"},
		{"run m.hlo --input x.npy --input i.npz --compare unnamed.npz", 0, "2 results agree"},
		{"run m.hlo --input unnamed.npz --print", 0, "0: bf16[2]{0} {1, 2}\n1: s4[2]{0} {-1, 1}\n"},
		{"run c.hlo", 0, "warning: c.hlo: the text has {...} for the values of constants (1, such as c f32[20]), " +
			"and stand-ins are used: its results are not those of the model"},
		{"run print.hlo --random 1", 0, "warning: print.hlo: calls of Python that give nothing back, as of " +
			"jax.debug.print, are left out (2, such as p)\nresult 0: f32[2]"},
		{"run print.hlo --random 1 --compare interp", 0, "1 results agree"},
		{"show c.hlo", 0, "the text has {...} for the values of constants (1, such as c f32[20])"},
		{"run several.mlir --random 1", 0, "warning: several.mlir: the program is for several platforms, " +
			"and only a file of jax.export has their names: what runs is the first\nresult 0: s32[] 0\n"},
		{"show several.mlir", 0, "what runs is the first\n"},
		{"run", 2, `expects the arguments of "xla run FILE [flags]", got 0`},
		{"convert a", 2, `expects the arguments of "xla convert IN OUT [flags]", got 1`},
		{"convert sizes.mlir -", 2, "f32[?]) -> f32[?] (xla run sizes.mlir --input F --dump DIR writes it"},
		{"opt sizes.mlir", 2, "(xla run sizes.mlir --input F --dump DIR writes it for those of F)"},
		{"ops a", 2, `expects the arguments of "xla ops [flags]", got 1`},
		{"run m.hlo --wrong", 2, "unknown flag: --wrong; see xla run --help"},
		{"run m.hlo --random 1 --rtol -1", 2, "--rtol: expects 0 or more, got -1"},
		{"run m.hlo", 2, "parameter 0 (x.1): no array for it: expects key 0 or x in an --input file, or --random SEED\n"},
		{"run sizes.mlir", 2, "no array for it: expects key 0 or Arg_0 in an --input file, whose sizes are taken\n"},
		{"show --plan sizes.mlir", 2, "f32[?]) -> f32[?] (xla run sizes.mlir --input F --dump DIR writes it"},
		{"run sizes.hlo --random 1", 2,
			"parameter 0 (x): expects an array from --input for the sizes of f32[?], got --random\n"},
		{"bench sizes.mlir", 1, "expects an array of known size, got f32[?] (an --input file has sizes)\n"},
		{"run sizes.mlir --random 1", 2, "expects arrays from --input for the sizes of its parameters"},
		{"run m.hlo --input wrong.npz", 2, "or --random SEED; the files have a, b\n"},
		{"run m.hlo --input wide.npz", 2, "parameter 0 (x.1): wide.npz: array x: expects bf16[2], got f32[2]\n"},
		{"run m.hlo --input long.npz", 2, "parameter 0 (x.1): long.npz: array x.7: expects bf16[2], got bf16[3]\n"},
		{"run m.hlo --input x.npy --input x.npy", 2, "parameter 0 (x.1): expects one array for it, got 0 of x.npy and 0 of " +
			"x.npy (the array of a .npy file is parameter 0; give several in a .npz file)\n"},
		{"run m.hlo --input .", 2, "read .: is a directory\n"},
		{"run m.hlo --input date.npy", 2, "date.npy: npy: dtype <M8: dates have no element type\n"},
		{"test m.hlo", 2, "m.hlo: expects a folder, or golden cases (.txtar) or StableHLO tests (.mlir, .mlirbc, .bc)\n"},
		{"run m.hlo --input obj.npy", 2, "obj.npy: npy: dtype |O: Python objects have no element type\n"},
		{"run m.hlo --input junk", 2, "junk: expects arrays as .npy, .npz or .safetensors, got something else\n"},
		{"run missing.hlo", 2, "missing.hlo: no such file"},
	} {
		var out bytes.Buffer
		status := execute(context.Background(), strings.Fields(c.line), &out, &out)
		if status != c.status || !strings.Contains(out.String(), c.want) {
			t.Errorf("xla %s: got status %d and\n%swant status %d and\n%s", c.line, status, &out, c.status, c.want)
		}
	}
}
