package op

import "github.com/goxla/xla/shape"

func inferCholesky(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferTriangularSolve(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferFft(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferBatchNormGrad(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferBatchNormInference(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferBatchNormTraining(in *Inputs) (shape.Shape, error) { return in.Declared, nil }
