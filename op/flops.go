package op

import "github.com/goxla/xla/shape"

func inferInvalid(*Inputs) (shape.Shape, error) { return shape.Shape{}, errf("not an operation") }

func flopsBatchNorm(in *Inputs, result shape.Shape) int64 { return int64(result.Size()) }

func flopsCholesky(in *Inputs, result shape.Shape) int64 { return int64(result.Size()) }

func flopsConvolution(in *Inputs, result shape.Shape) int64 { return int64(result.Size()) }

func flopsDot(in *Inputs, result shape.Shape) int64 { return int64(result.Size()) }

func flopsElementwise(in *Inputs, result shape.Shape) int64 { return int64(result.Size()) }

func flopsFft(in *Inputs, result shape.Shape) int64 { return int64(result.Size()) }

func flopsRaggedDot(in *Inputs, result shape.Shape) int64 { return int64(result.Size()) }

func flopsReduce(in *Inputs, result shape.Shape) int64 { return int64(result.Size()) }

func flopsReduceWindow(in *Inputs, result shape.Shape) int64 { return int64(result.Size()) }

func flopsSort(in *Inputs, result shape.Shape) int64 { return int64(result.Size()) }

func flopsTopK(in *Inputs, result shape.Shape) int64 { return int64(result.Size()) }

func flopsTriangularSolve(in *Inputs, result shape.Shape) int64 { return int64(result.Size()) }
