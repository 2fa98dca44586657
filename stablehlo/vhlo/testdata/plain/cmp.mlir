module {
  func.func @main(%arg0: tensor<f32>) -> tensor<i1> {
    %0 = stablehlo.compare LT, %arg0, %arg0, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
}
