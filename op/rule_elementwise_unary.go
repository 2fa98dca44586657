package op

import "github.com/goxla/xla/shape"

func inferAbs(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferElementary(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferRounding(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferConvert(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferBitCount(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferRealImag(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferIsFinite(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferNegate(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferNot(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferReducePrecision(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferSign(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferBitcastConvert(in *Inputs) (shape.Shape, error) { return in.Declared, nil }
