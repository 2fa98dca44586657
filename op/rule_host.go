package op

import "github.com/goxla/xla/shape"

func inferInfeed(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferOutfeed(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferSend(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferSendDone(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferRecv(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferRecvDone(in *Inputs) (shape.Shape, error) { return in.Declared, nil }
