package op

import "github.com/goxla/xla/shape"

func inferDot(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferRaggedDot(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferScaledDot(in *Inputs) (shape.Shape, error) { return in.Declared, nil }
