module {
  func.func @main(%arg0: tensor<f32>) -> tensor<i1> {
    %0 = chlo.broadcast_compare %arg0, %arg0 {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction GE>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
}
