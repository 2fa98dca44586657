package xla_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/internal/hlotest"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/literal/npy"
	"github.com/goxla/xla/shape"
)

const anyRows = `module @rows {
  func.func @main(%arg0: tensor<?x3xf32>) -> tensor<?x3xf32> {
    %n = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<1xi32>
    %three = stablehlo.constant dense<3> : tensor<1xi32>
    %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %sizes = stablehlo.concatenate %n1, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %rows = stablehlo.dynamic_iota %sizes, dim = 0 : (tensor<2xi32>) -> tensor<?x3xf32>
    %sum = stablehlo.add %arg0, %rows : tensor<?x3xf32>
    return %sum : tensor<?x3xf32>
  }
}`

// TestShapes: a program with unknown sizes runs for each shape it is made for.
func TestShapes(t *testing.T) {
	prog, err := xla.Parse("rows.mlir", []byte(anyRows))
	if err != nil {
		t.Fatal(err)
	}
	if !prog.NeedsShapes() || prog.Form() != xla.StableHLOText {
		t.Fatalf("NeedsShapes %v, form %q", prog.NeedsShapes(), prog.Form())
	}
	for _, rows := range []int{1, 4} {
		version, err := prog.WithShapes(shape.Make(shape.F32, rows, 3))
		if err != nil {
			t.Fatal(err)
		}
		again, err := prog.WithShapes(shape.Make(shape.F32, rows, 3))
		if err != nil || again != version {
			t.Errorf("the version for %d rows was made twice (%v)", rows, err)
		}
		out, err := compile(t, version).Run(t.Context(), literal.New(shape.Make(shape.F32, rows, 3)))
		if err != nil {
			t.Fatal(err)
		}
		if got := literal.At[float32](out[0], rows-1, 2); got != float32(rows-1) {
			t.Errorf("%d rows: last row holds %v", rows, got)
		}
	}
	if _, err := prog.WithShapes(shape.Make(shape.F32, 2, 4)); err == nil || !strings.Contains(err.Error(), "fits") {
		t.Errorf("a shape that does not fit: %v", err)
	}
}

// TestDigitsForms: the digits model as StableHLO gives XLA's logits.
func TestDigitsForms(t *testing.T) {
	dir := filepath.Join(hlotest.Shared(t), "examples", "digits")
	data, err := npy.Open(filepath.Join(dir, "digits_test.npz"))
	if err != nil {
		t.Fatal(err)
	}
	arrays := map[string]literal.Literal{}
	for _, a := range data {
		arrays[a.Name] = a.Value
	}
	for _, name := range []string{"digits_cnn.mlir", "digits_cnn.mlirbc", "digits_cnn.jaxexport",
		"digits_cnn_dynamic.jaxexport"} {
		prog, err := xla.Load(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			continue
		}
		if prog, err = prog.WithShapes(arrays["x"].Shape()); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		out, err := compile(t, prog).Run(t.Context(), arrays["x"])
		if err != nil {
			t.Error(err)
			continue
		}
		if err := literal.Compare(out[0], arrays["logits"], literal.Relative(0, 1e-4)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestExported: files of jax.export give what XLA gave, at each of their sizes.
func TestExported(t *testing.T) {
	dir := filepath.Join(hlotest.Shared(t), "examples", "jax_export")
	inputs, err := filepath.Glob(filepath.Join(dir, "*.in.npz"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no files in %s (%v)", dir, err)
	}
	for _, in := range inputs {
		name := strings.TrimSuffix(filepath.Base(in), ".in.npz")
		t.Run(name, func(t *testing.T) {
			file, _, _ := strings.Cut(name, ".")
			testExported(t, filepath.Join(dir, file+".jaxexport"), in, filepath.Join(dir, name+".out.npz"))
		})
	}
}

func testExported(t *testing.T, file, in, out string) {
	prog, err := xla.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if prog.Exported() == nil || prog.Form() != xla.JAXExport {
		t.Errorf("form %q, exported %v", prog.Form(), prog.Exported())
	}
	args := numbered(t, in)
	var shapes []shape.Shape
	for _, a := range args {
		shapes = append(shapes, a.Shape())
	}
	if prog, err = prog.WithShapes(shapes...); err != nil {
		t.Fatal(err)
	}
	got, err := compile(t, prog).Run(t.Context(), args...)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range numbered(t, out) {
		if err := literal.Compare(got[i], want, literal.RelativeToLargest(1e-4)); err != nil {
			t.Errorf("result %d: %v", i, err)
		}
	}
}

// numbered returns the arrays of a file with the keys 0, 1, ...
func numbered(t *testing.T, file string) []literal.Literal {
	t.Helper()
	list, err := npy.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	arrays := make([]literal.Literal, len(list))
	for _, a := range list {
		key, _, _ := strings.Cut(a.Name, ":")
		n, err := strconv.Atoi(key)
		if err != nil || n >= len(arrays) {
			t.Fatalf("%s: key %q", file, a.Name)
		}
		arrays[n] = a.Value
	}
	return arrays
}

// TestAssertion: a size that the program refuses is an error with the program's message.
func TestAssertion(t *testing.T) {
	prog, err := xla.Load(filepath.Join(hlotest.Shared(t), "examples", "jax_export", "gpt_tiny_dynamic.jaxexport"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := prog.WithShapes(shape.Make(shape.S32, 0, 16)); err == nil ||
		!strings.Contains(err.Error(), "stablehlo.custom_call: ") {
		t.Errorf("batch size 0: error %v", err)
	}
}
