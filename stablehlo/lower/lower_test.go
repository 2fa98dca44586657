package lower_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla/hlo/hlotext"
	"github.com/goxla/xla/stablehlo/lower"
	"github.com/goxla/xla/stablehlo/mlirtext"
)

// TestErrors: faults are found at their operation, with place and label.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"label", `%0 = stablehlo.reverse %x, dims = [3] : tensor<2x3xf32>`,
			"f.mlir:2:6: stablehlo.reverse: dimensions[0]: "},
		{"result", `%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>`,
			"expected result 0 of type f32[3,2]"},
		{"shapes", `%0 = "stablehlo.add"(%x, %y) : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>`,
			"expected operands of equal shapes"},
		{"location", `%0 = stablehlo.reverse %x, dims = [3] : tensor<2x3xf32> loc("here")`, `at loc("here")`},
		{"unknown", `%0 = "other.op"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>`,
			"other.op: expected an operation that can run"},
		{"recursion", `%0 = func.call @main(%x, %y) : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>`,
			"which calls itself"},
	} {
		text := "func.func @main(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>) -> tensor<2x3xf32> {\n" + c.body +
			"\nreturn %x : tensor<2x3xf32>\n}"
		m, err := mlirtext.Parse("f.mlir", text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if _, err := lower.Module(m, lower.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestText: what operations become.
func TestText(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"composite", `
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.composite "my.square" %x {composite_attributes = {n = 2 : i64}, decomposition = @square}
    : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @square(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}`, `composite.attributes={n = 2 : i64},composite.name="my.square"`},
		{"custom call", `
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @other(%x) {backend_config = "c", has_side_effect = true}
    : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}`, `custom_call_target="other", custom_call_has_side_effect=true, backend_config="c"`},
		{"captured by while", `
func.func @main(%x: tensor<f32>, %limit: tensor<f32>) -> tensor<f32> {
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.while(%a = %x) : tensor<f32>
    cond { %p = stablehlo.compare LT, %a, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
           stablehlo.return %p : tensor<i1> }
    do { %m = stablehlo.multiply %a, %two : tensor<f32>
         stablehlo.return %m : tensor<f32> }
  return %0 : tensor<f32>
}`, "(f32[], f32[]) while("},
	} {
		m, err := mlirtext.Parse("f.mlir", c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		h, err := lower.Module(m, lower.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := hlotext.String(h, hlotext.Default()); !strings.Contains(got, c.want) {
			t.Errorf("%s: no %q in\n%s", c.name, c.want, got)
		}
	}
}
