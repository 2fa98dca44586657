package op

import "github.com/goxla/xla/shape"

func inferBitcast(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferBroadcast(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferConcatenate(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferConstant(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferCopy(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferIota(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferPad(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferParameter(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferReshape(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferReverse(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferSlice(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferTranspose(in *Inputs) (shape.Shape, error) { return in.Declared, nil }
