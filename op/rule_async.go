package op

import "github.com/goxla/xla/shape"

func inferAsyncStart(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferAsyncUpdate(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferAsyncDone(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferCopyStart(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferCopyDone(in *Inputs) (shape.Shape, error) { return in.Declared, nil }
