package op

import "github.com/goxla/xla/shape"

func inferRng(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferRngBitGenerator(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferRngGetAndUpdateState(in *Inputs) (shape.Shape, error) { return in.Declared, nil }
