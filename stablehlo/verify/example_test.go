package verify_test

import (
	"fmt"

	"github.com/goxla/xla/stablehlo/mlirtext"
	"github.com/goxla/xla/stablehlo/verify"
)

// A fault says where, which operation and attribute, what was expected, and the label of
// the constraint in the specification.
func ExampleModule() {
	m, err := mlirtext.Parse("model.mlir", `
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = stablehlo.reverse %x, dims = [0, 2] : tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}`)
	if err == nil {
		err = verify.Module(m)
	}
	fmt.Println(err)
	// Output: model.mlir:3:8: stablehlo.reverse: dimensions: expected numbers in [0, 2), got 2 (reverse_c3)
}
