module {
  func.func @main(%arg0: tensor<3xf32>) {
    %0 = chlo.scan(%arg0) inits () dimension=0  attributes {is_reverse = false} {
    ^bb0(%input: tensor<f32>):
      stablehlo.return %input : tensor<f32>
    } : (tensor<3xf32>) -> tensor<3xf32>
    return
  }
}
