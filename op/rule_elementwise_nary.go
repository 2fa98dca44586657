package op

import "github.com/goxla/xla/shape"

func inferArithmetic(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferBitwise(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferAtan2(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferClamp(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferCompare(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferComplex(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferMulhi(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferSelect(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferShift(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferStochasticConvert(in *Inputs) (shape.Shape, error) { return in.Declared, nil }
