package op

import "github.com/goxla/xla/shape"

func inferInvalid(*Inputs) (shape.Shape, error) { return shape.Shape{}, errf("not an operation") }

func inferCall(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferConditional(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferWhile(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferFusion(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferCustomCall(in *Inputs) (shape.Shape, error) { return in.Declared, nil }
