package mlirtest

import (
	"strings"
	"testing"

	"github.com/goxla/xla/stablehlo/mlirtext"
)

// TestInferred: the types that comments name are compared with those that follow.
func TestInferred(t *testing.T) {
	const text = `func.func @f(%a: tensor<2x3xf32>) {
  %0 = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<?x?xf32>
  // CHECK: types0 = TYPE
  %1 = "hlo_test_infer.get_return_types"(%0) : (tensor<?x?xf32>) -> tensor<2xindex>
  %2 = "hlo_test_infer.reify_return_type_shapes"(%0) : (tensor<?x?xf32>) -> tensor<RANKxindex>
  return
}`
	for _, c := range []struct{ typ, rank, fault string }{
		{"tensor<3x2xf32>", "2", ""},
		{"tensor<2x3xf32>", "2", "expected tensor<2x3xf32> as the type of result 0, got tensor<3x2xf32>"},
		{"tensor<3x2xf32>, types1 = tensor<f32>", "2", "expected tensor<f32> as the type of result 1, got 1 results"},
		{"tensor<3x2xf32>", "3", "expected a shape of 2 numbers, got tensor<3xindex>"},
	} {
		part := mlirtext.Part{Text: strings.NewReplacer("TYPE", c.typ, "RANK", c.rank).Replace(text)}
		m, err := mlirtext.ParsePart("x.mlir", part)
		if err != nil {
			t.Fatal(err)
		}
		err = inferred(m, part)
		if (err == nil) != (c.fault == "") || err != nil && !strings.HasSuffix(err.Error(), c.fault) {
			t.Errorf("%s: expected %q, got %v", c.typ, c.fault, err)
		}
	}
}
