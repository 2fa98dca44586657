module {
  func.func @main(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<f32>) {
    %0:3 = chlo.scan(%arg0, %arg1) inits (%arg2) dimension=0  attributes {is_reverse = false} {
    ^bb0(%input: tensor<f32>, %input_0: tensor<f32>, %carry: tensor<f32>):
      stablehlo.return %input, %input_0, %carry : tensor<f32>, tensor<f32>, tensor<f32>
    } : (tensor<3xf32>, tensor<3xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<f32>)
    return
  }
}
