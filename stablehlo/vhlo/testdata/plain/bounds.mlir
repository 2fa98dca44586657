module {
  func.func @main(%arg0: tensor<2x?xf32, #stablehlo.bounds<?, 4>>, %arg1: !stablehlo.token) {
    return
  }
}
