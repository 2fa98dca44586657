package lower_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
)

// dynamic are programs on %x = [3, 1, 2], of a size %n that is not known before, and %k = 1.
var dynamic = []struct{ name, body, want string }{
	{"size from a function", `
  %p:2 = call @shape_sums(%n) : (tensor<i32>) -> (tensor<i32>, tensor<i1>)
  stablehlo.custom_call @shape_assertion(%p#1, %n) {error_message = "{0}"} : (tensor<i1>, tensor<i32>) -> ()
  %s = stablehlo.reshape %p#0 : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>`, "f32[4]{0} {0, 1, 2, 3}"},
	{"function of a value", `
  %p:2 = call @shape_sums(%k) : (tensor<i32>) -> (tensor<i32>, tensor<i1>)
  %s = stablehlo.reshape %p#0 : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>`, "output_shape: expected integers that follow from constants"},
	{"slice of known size", `
  %j = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>
  %less = stablehlo.subtract %n, %one : tensor<i32>
  %size = stablehlo.reshape %less : (tensor<i32>) -> tensor<1xi32>
  %l = stablehlo.add %j, %size : tensor<1xi32>
  %step = stablehlo.constant dense<1> : tensor<1xi32>
  %r = stablehlo.real_dynamic_slice %x, %j, %l, %step
    : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>`, "f32[2]{0} {1, 2}"},
	{"slice of unknown size", `
  %j = stablehlo.reshape %one : (tensor<i32>) -> tensor<1xi32>
  %l = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.real_dynamic_slice %x, %l, %l, %j
    : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>`, "limit_indices: expected integers that follow from constants"},
	{"sizes of a custom call", `
  %i = stablehlo.constant dense<1> : tensor<2xi32>
  %b = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %b, %i, dim = 0 : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  %m = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<3xi32>) -> tensor<?x1x1xf32>
  %o = stablehlo.constant dense<1> : tensor<1xi32>
  %p = stablehlo.concatenate %b, %o, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %q:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%s, %m, %p, %b) {
    indices_of_shape_operands = dense<[0, 2, 3]> : tensor<3xi64>, mhlo.backend_config = {},
    operand_layouts = [dense<0> : tensor<1xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>,
      dense<0> : tensor<1xindex>],
    result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]}
    : (tensor<3xi32>, tensor<?x1x1xf32>, tensor<2xi32>, tensor<1xi32>)
    -> (tensor<?x1x1xf32>, tensor<?x1xi32>, tensor<?xi32>)
  return %q#1 : tensor<?x1xi32>`, "s32[3,1]{1,0} { {1}, {1}, {1} }"},
	{"a size that is none", `
  %b = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.custom_call @f(%b) {indices_of_shape_operands = dense<1> : tensor<1xi64>}
    : (tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>`, "indices_of_shape_operands[0]: expected one of 1 operands for each of 1 results, got 1"},
	{"sizes of another type", `
  %b = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %r = stablehlo.custom_call @f(%b) {indices_of_shape_operands = dense<0> : tensor<1xi64>}
    : (tensor<1xi32>) -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>`,
		"indices_of_shape_operands: expected sizes of a value of type tensor<?x2xf32>, got [3]"},
}

// TestDynamic runs programs of unknown sizes, or compares the error.
func TestDynamic(t *testing.T) {
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range dynamic {
		_, result, _ := strings.Cut(c.body[strings.LastIndex(c.body, "return "):], " : ")
		p, err := xla.Parse("f.mlir", []byte(`func.func @main(%x: tensor<?xf32>, %k: tensor<i32>) -> `+result+` {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>`+c.body+`
}
func.func private @shape_sums(%a: tensor<i32>) -> (tensor<i32>, tensor<i1>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = call @sum(%a, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %1 = stablehlo.compare GT, %0, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
  return %0, %1 : tensor<i32>, tensor<i1>
}
func.func private @sum(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %a, %b : tensor<i32>
  return %0 : tensor<i32>
}`))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := ""
		if exe, err := client.Compile(t.Context(), p); err != nil {
			got = err.Error()
		} else if out, err := exe.Run(t.Context(), literal.Of([]float32{3, 1, 2}), literal.Scalar(int32(1))); err != nil {
			got = err.Error()
		} else {
			got = out[0].String()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: got %v, want %s", c.name, got, c.want)
		}
	}
}
