package xla_test

import (
	"path/filepath"
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
	for _, name := range []string{"digits_cnn.mlir", "digits_cnn.mlirbc"} {
		prog, err := xla.Load(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
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
