package op

import "github.com/goxla/xla/shape"

func inferDynamicSlice(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferDynamicUpdateSlice(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferDynamicReshape(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferGetDimensionSize(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferSetDimensionSize(in *Inputs) (shape.Shape, error) { return in.Declared, nil }
