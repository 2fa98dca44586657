package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/verify"
)

// TestResultTypes: what is known of sizes and bounds goes from operands to results.
func TestResultTypes(t *testing.T) {
	for _, c := range []struct{ name, operands, op, want string }{
		{"narrow", "tensor<?x3xf32>, tensor<2x?xf32>",
			`"stablehlo.add"(%0, %1) : (tensor<?x3xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>`, "tensor<2x3xf32>"},
		{"narrow_bounds", "tensor<?xf32, #stablehlo.bounds<5>>, tensor<?xf32, #stablehlo.bounds<3>>",
			`"stablehlo.maximum"(%0, %1) : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<?xf32, #stablehlo.bounds<3>>) ->
			tensor<?xf32>`, "tensor<?xf32, #stablehlo.bounds<3>>"},
		{"concatenate", "tensor<?x3xf32, #stablehlo.bounds<5, ?>>, tensor<2x?xf32>",
			`"stablehlo.concatenate"(%0, %1) {dimension = 0 : i64} :
			(tensor<?x3xf32, #stablehlo.bounds<5, ?>>, tensor<2x?xf32>) -> tensor<?x?xf32>`,
			"tensor<?x3xf32, #stablehlo.bounds<7, ?>>"},
		{"transpose", "tensor<?x3xf32, #stablehlo.bounds<5, ?>>",
			`"stablehlo.transpose"(%0) {permutation = array<i64: 1, 0>} :
			(tensor<?x3xf32, #stablehlo.bounds<5, ?>>) -> tensor<?x?xf32>`, "tensor<3x?xf32, #stablehlo.bounds<?, 5>>"},
		{"set_dimension_size", "tensor<4x3xf32>, tensor<i32>",
			`"stablehlo.set_dimension_size"(%0, %1) {dimension = 0 : i64} : (tensor<4x3xf32>, tensor<i32>) ->
			tensor<?x3xf32>`, "tensor<?x3xf32, #stablehlo.bounds<4, ?>>"},
		{"widen", "tensor<i1>, tensor<2x?xf32, #stablehlo.bounds<?, 7>>, tensor<2x5xf32>",
			`"stablehlo.if"(%0) ({
				"stablehlo.return"(%1) : (tensor<2x?xf32, #stablehlo.bounds<?, 7>>) -> ()
			}, {
				"stablehlo.return"(%2) : (tensor<2x5xf32>) -> ()
			}) : (tensor<i1>) -> tensor<?x?xf32>`,
			"tensor<2x?xf32, #stablehlo.bounds<?, 7>>"},
		{"beyond_the_bound", "tensor<i1>, tensor<2x?xf32, #stablehlo.bounds<?, 3>>, tensor<2x5xf32>",
			`"stablehlo.if"(%0) ({
				"stablehlo.return"(%1) : (tensor<2x?xf32, #stablehlo.bounds<?, 3>>) -> ()
			}, {
				"stablehlo.return"(%2) : (tensor<2x5xf32>) -> ()
			}) : (tensor<i1>) -> tensor<?x?xf32>`, ""},
		{"dot_general", "tensor<?x3xf32>, tensor<3x4xf32>",
			`"stablehlo.dot_general"(%0, %1) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1],
			rhs_contracting_dimensions = [0]>} : (tensor<?x3xf32>, tensor<3x4xf32>) -> tensor<?x?xf64>`, "tensor<?x4xf64>"},
		{"broadcast_add", "tensor<5x1xf32>, tensor<?xf32>",
			`"chlo.broadcast_add"(%0, %1) : (tensor<5x1xf32>, tensor<?xf32>) -> tensor<?x?xf32>`, "tensor<5x?xf32>"},
		{"custom_call", "tensor<f32>",
			`"stablehlo.custom_call"(%0) {call_target_name = "x"} : (tensor<f32>) -> tensor<f32>`, "unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var params []string
			for i, p := range strings.Split(c.operands, ", tensor") {
				params = append(params, fmt.Sprintf("%%%d: %s%s", i, map[bool]string{true: "tensor"}[i > 0], p))
			}
			m, err := mlirtext.Parse("", "func.func @f("+strings.Join(params, ", ")+") {\n %r = "+c.op+"\n return\n}")
			if err != nil {
				t.Fatal(err)
			}
			types, known, err := verify.ResultTypes(m, m.Func("f").Regions[0].Blocks[0].Ops[0])
			got := "unknown"
			switch {
			case err != nil:
				got = ""
			case known:
				got = types[0].String()
			}
			if got != c.want {
				t.Errorf("expected %q, got %q, %v", c.want, got, err)
			}
		})
	}
}
