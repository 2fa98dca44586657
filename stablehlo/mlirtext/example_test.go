package mlirtext_test

import (
	"fmt"

	"github.com/goxla/xla/stablehlo"
	"github.com/goxla/xla/stablehlo/mlirtext"
)

func ExampleParse() {
	m, err := mlirtext.Parse("rows.mlir", `
		func.func @main(%x: tensor<4x8xi8>) -> tensor<4xi8> {
		  %zero = stablehlo.constant dense<0> : tensor<i8>
		  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
		    : (tensor<4x8xi8>, tensor<i8>) -> tensor<4xi8>
		  return %sum : tensor<4xi8>
		}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for op := range m.Func("main").Walk() {
		fmt.Println(op.Pos.Line, op.Name)
	}
	reduce := m.Func("main").Regions[0].Blocks[0].Ops[1]
	dims, _ := reduce.Attr("dimensions").(*stablehlo.DenseArrayAttr).Ints()
	fmt.Println(dims, reduce.Result(0))
	fmt.Print(mlirtext.Print(m, mlirtext.Options{}))
	// Output:
	// 2 func.func
	// 3 stablehlo.constant
	// 4 stablehlo.reduce
	// 4 stablehlo.add
	// 4 stablehlo.return
	// 6 func.return
	// [1] tensor<4xi8>
	// module {
	//   func.func @main(%arg0: tensor<4x8xi8>) -> tensor<4xi8> {
	//     %c = stablehlo.constant dense<0> : tensor<i8>
	//     %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x8xi8>, tensor<i8>) -> tensor<4xi8>
	//     return %0 : tensor<4xi8>
	//   }
	// }
}
