module {
  func.func @main(%arg0: tensor<?xf32>) {
    %c4_i32 = arith.constant 4 : i32
    %cast = tensor.cast %arg0 : tensor<?xf32> to tensor<4xf32>
    return
  }
}
