module {
  func.func @main(%arg0: tensor<4xf32>) {
    %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
    return
  }
}
