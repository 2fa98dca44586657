package op

import "github.com/goxla/xla/shape"

func inferTuple(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferGetTupleElement(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferOptBarrier(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferAfterAll(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferAddDependency(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferDomain(in *Inputs) (shape.Shape, error) { return in.Declared, nil }
