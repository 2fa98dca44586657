package lower_test

import (
	"strings"
	"testing"

	"github.com/goxla/xla"
	"github.com/goxla/xla/literal"
)

// outside are operations whose regions use %k, a scalar from outside, on %x = [3, 1, 2]; %k is 10.
var outside = []struct{ name, body, want string }{
	{"reduce", `
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.multiply %b, %k : tensor<f32>
    %s = stablehlo.add %a, %m : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>`, "f32[] 60"},
	{"reduce_window", `
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.multiply %b, %k : tensor<f32>
    %s = stablehlo.add %a, %m : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}
    : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>`, "f32[3]{0} {30, 40, 30}"},
	{"sort", `
  %r = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.multiply %a, %k : tensor<f32>
    %d = stablehlo.multiply %b, %k : tensor<f32>
    %p = stablehlo.compare LT, %c, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>`, "f32[3]{0} {1, 2, 3}"},
	{"map", `
  %r = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<f32>):
    %m = stablehlo.multiply %a, %k : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>`, "f32[3]{0} {30, 10, 20}"},
	{"scatter", `
  %i = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %u = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.multiply %b, %k : tensor<f32>
    %s = stablehlo.add %a, %m : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<3xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>`, "f32[3]{0} {23, 1, 12}"},
	{"two values", `
  %j = stablehlo.add %k, %k : tensor<f32>
  %r = "stablehlo.reduce"(%x, %k) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.multiply %b, %k : tensor<f32>
    %s = stablehlo.subtract %a, %m : tensor<f32>
    %t = stablehlo.add %s, %j : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>`, "f32[] 10"},
	{"approximate top k", `
  %i = stablehlo.iota dim = 0 : tensor<3xi32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<-1> : tensor<i32>
  %r:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %z, %n) {called_computations = [@greater],
      mhlo.backend_config = {aggregate_to_topk = true,
      recall_target = 0.9 : f32, reduction_dim = 0 : i64, top_k = 2 : i64}}
    : (tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %r#1 : tensor<2xi32>`, "s32[2]{0} {0, 2}"},
	{"other dialects", `
  %c = arith.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %r = "arith.addf"(%x, %c) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %t = tensor.cast %r : tensor<3xf32> to tensor<?xf32>
  %zero = "arith.constant"() {value = 0 : index} : () -> index
  %size = "tensor.dim"(%t, %zero) : (tensor<?xf32>, index) -> index
  %two = "arith.constant"() {value = 2 : index} : () -> index
  %s = "arith.muli"(%size, %two) : (index, index) -> index
  %shape = "tensor.from_elements"(%two, %size) : (index, index) -> tensor<2xindex>
  %w = stablehlo.dynamic_broadcast_in_dim %t, %shape, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
  return %w : tensor<?x?xf32>`, "f32[2,3]{1,0} { { 7, 6, 8 }, { 7, 6, 8 } }"},
	{"sizes of the result's type", `
  %i = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xi32>
  %j = stablehlo.slice %i [0:2] : (tensor<3xi32>) -> tensor<2xi32>
  %r = stablehlo.dynamic_iota %j, dim = 1 : (tensor<2xi32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>`, "f32[2,2]{1,0} { { 0, 1 }, { 0, 1 } }"},
	{"place of a slice", `
  %i = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xi32>
  %j = stablehlo.slice %i [1:2] : (tensor<3xi32>) -> tensor<1xi32>
  %l = stablehlo.slice %i [0:1] : (tensor<3xi32>) -> tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %r = stablehlo.real_dynamic_slice %x, %j, %l, %one
    : (tensor<3xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
  return %r : tensor<2xf32>`, "f32[2]{0} {1, 2}"},
	{"six bits", `
  %r = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xf6E2M3FN>
  %s = stablehlo.convert %r : (tensor<3xf6E2M3FN>) -> tensor<3xf32>
  return %s : tensor<3xf32>`, "f32[3]{0} {3, 1, 2}"},
	{"inverse tangent of small complex numbers", `
  %s = stablehlo.constant dense<1.0e-9> : tensor<3xf64>
  %w = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xf64>
  %y = stablehlo.multiply %w, %s : tensor<3xf64>
  %z = stablehlo.complex %y, %s : tensor<3xcomplex<f64>>
  %r = chlo.atan %z : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  %q = stablehlo.divide %r, %z : tensor<3xcomplex<f64>>
  %i = stablehlo.imag %q : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  %a = stablehlo.abs %i : tensor<3xf64>
  %e = stablehlo.constant dense<1.0e-15> : tensor<3xf64>
  %o = stablehlo.compare LT, %a, %e : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xi1>
  return %o : tensor<3xi1>`, "pred[3]{0} {1, 1, 1}"},
	{"shardings on one device", `
  %r = sdy.sharding_constraint %x <@mesh, [{"a"}]> : tensor<3xf32>
  %s = stablehlo.custom_call @Sharding(%r) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<3xf32>) -> tensor<3xf32>
  return %s : tensor<3xf32>`, "f32[3]{0} {3, 1, 2}"},
}

// TestRun runs programs on x = [3, 1, 2] and k = 10.
func TestRun(t *testing.T) {
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range outside {
		_, result, _ := strings.Cut(c.body[strings.LastIndex(c.body, "return "):], " : ")
		p, err := xla.Parse("f.mlir", []byte(`module {
sdy.mesh @mesh = <["a"=2]>
func.func @main(%x: tensor<3xf32>, %k: tensor<f32>) -> `+result+" {"+c.body+`
}
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>) -> tensor<i1> {
  %r = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %r : tensor<i1>
}
}`))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		exe, err := client.Compile(t.Context(), p)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		out, err := exe.Run(t.Context(), literal.Of([]float32{3, 1, 2}), literal.Scalar(float32(10)))
		if err != nil || out[0].String() != c.want {
			t.Errorf("%s: got %v, %v, want %s", c.name, out, err, c.want)
		}
	}
}

// TestUnknownTarget: a custom call that nobody knows is named with its place in the user's program.
func TestUnknownTarget(t *testing.T) {
	client, err := xla.NewClient(xla.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := xla.Parse("f.mlir", []byte(`func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @my_kernel(%x) : (tensor<2xf32>) -> tensor<2xf32> loc("jit(f)/kernel"("model.py":12:7))
  return %0 : tensor<2xf32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	const want = `f.mlir:2:8: %custom-call: custom-call: custom_call_target: expects a handler for "my_kernel", ` +
		"got none, at jit(f)/kernel (model.py:12)"
	if _, err := client.Compile(t.Context(), p); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
