package op

import "github.com/goxla/xla/shape"

func inferAllGather(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferAllGatherStart(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferAllGatherDone(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferAllReduce(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferAllReduceStart(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferAllReduceDone(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferReduceScatter(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferAllToAll(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferRaggedAllToAll(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferCollectiveBroadcast(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferCollectivePermute(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferCollectivePermuteStart(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferCollectivePermuteDone(in *Inputs) (shape.Shape, error) { return in.Declared, nil }

func inferDeviceID(in *Inputs) (shape.Shape, error) { return in.Declared, nil }
