package builder_test

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// replaysLinear and replaysDevices go on with replays.
var replaysLinear = map[op.Code]replayFunc{
	op.Dot: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.DotGeneral(x[0], x[1], *attrsOf[op.DotAttrs](i), builder.DotOptions{Preferred: i.Shape().Type})
	},
	op.ScaledDot: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.ScaledDot(x[0], x[2], x[1], x[3], *attrsOf[op.DotAttrs](i),
			builder.DotOptions{Preferred: i.Shape().Type})
	},
	op.RaggedDot: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.RaggedDot(x[0], x[1], x[2], *attrsOf[op.RaggedDotAttrs](i),
			builder.DotOptions{Preferred: i.Shape().Type})
	},
	op.Convolution: replayConvolution,
	op.Cholesky: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.Cholesky(x[0], attrsOf[op.CholeskyAttrs](i).Lower)
	},
	op.TriangularSolve: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.TriangularSolve(x[0], x[1], *attrsOf[op.TriangularSolveAttrs](i))
	},
	op.Fft: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.FftAttrs](i)
		return builder.Fft(x[0], a.Type, a.Length...)
	},
	op.BatchNormTraining: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.BatchNormAttrs](i)
		return builder.Tuple(triple(builder.BatchNormTraining(x[0], x[1], x[2], a.Epsilon, a.FeatureIndex))...)
	},
	op.BatchNormInference: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.BatchNormAttrs](i)
		return builder.BatchNormInference(x[0], x[1], x[2], x[3], x[4], a.Epsilon, a.FeatureIndex)
	},
	op.BatchNormGrad: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.BatchNormAttrs](i)
		return builder.Tuple(triple(builder.BatchNormGrad(x[0], x[1], x[2], x[3], x[4], a.Epsilon, a.FeatureIndex))...)
	},
	op.Rng: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		if attrsOf[op.RngAttrs](i).Distribution == op.RngNormal {
			return builder.RngNormal(x[0], x[1], i.Shape())
		}
		return builder.RngUniform(x[0], x[1], i.Shape())
	},
	op.RngBitGenerator: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		state, bits := builder.RngBitGenerator(attrsOf[op.RngBitGeneratorAttrs](i).Algorithm, x[0], bitsShape(i.Shape()))
		return builder.Tuple(state, bits)
	},
	op.RngGetAndUpdateState: func(r *replay, i *hlo.Instruction, _ []builder.Op) builder.Op {
		return r.b.RngGetAndUpdateState(attrsOf[op.RngStateAttrs](i).Delta)
	},
}

func bitsShape(s shape.Shape) shape.Shape {
	if s.IsTuple() {
		return s.Elems[len(s.Elems)-1]
	}
	return s
}

func replayConvolution(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
	a := attrsOf[op.ConvolutionAttrs](i)
	w := windowOf(a.Window)
	var reversal []bool
	for _, d := range a.Window.Dims {
		reversal = append(reversal, d.Reversal)
	}
	return builder.ConvGeneralDilated(x[0], x[1], w.Strides, w.Edges, w.BaseDilations, w.WindowDilations, a.DimLabels,
		builder.ConvOptions{Reversal: reversal, FeatureGroups: a.FeatureGroupCount, BatchGroups: a.BatchGroupCount,
			Precision: a.OperandPrecision, Algorithm: a.Algorithm, Preferred: i.Shape().Type})
}

// collectiveOf returns the options of a collective.
func collectiveOf(i *hlo.Instruction, groups op.ReplicaGroups, global bool) builder.CollectiveOptions {
	id, _ := i.Channel()
	return builder.CollectiveOptions{Groups: groups, Channel: id, GlobalIDs: global}
}

// operandOf returns the operand of a function for an instruction on x: a tuple of several.
func operandOf(x []builder.Op) builder.Op {
	if len(x) == 1 {
		return x[0]
	}
	return builder.Tuple(x...)
}

func permutePairs(i *hlo.Instruction) (pairs [][2]int) {
	for _, p := range attrsOf[op.CollectivePermuteAttrs](i).SourceTargetPairs {
		pairs = append(pairs, [2]int{p[0], p[1]})
	}
	return pairs
}

// gathered returns how many times larger dimension d of the result of i is.
func gathered(i *hlo.Instruction, result shape.Shape, d int) int {
	if result.IsTuple() {
		result = result.Elems[0]
	}
	if n := i.Operand(0).Shape().Dims[d]; n > 0 {
		return result.Dims[d] / n
	}
	return 1
}

var replaysDevices = map[op.Code]replayFunc{
	op.ReplicaId:   func(r *replay, _ *hlo.Instruction, _ []builder.Op) builder.Op { return r.b.ReplicaId() },
	op.PartitionId: func(r *replay, _ *hlo.Instruction, _ []builder.Op) builder.Op { return r.b.PartitionId() },
	op.AllGather: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.AllGatherAttrs](i)
		d := a.Dimensions[0]
		return builder.AllGather(operandOf(x), d, gathered(i, i.Shape(), d),
			collectiveOf(i, a.ReplicaGroups, a.UseGlobalDeviceIDs))
	},
	op.AllGatherStart: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.AllGatherAttrs](i)
		d := a.Dimensions[0]
		return builder.AllGatherStart(operandOf(x), d, gathered(i, i.Shape().Elems[1], d),
			collectiveOf(i, a.ReplicaGroups, a.UseGlobalDeviceIDs))
	},
	op.AllReduce: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.AllReduceAttrs](i)
		return builder.AllReduce(operandOf(x), r.called(i)[0], collectiveOf(i, a.ReplicaGroups, a.UseGlobalDeviceIDs))
	},
	op.AllReduceStart: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.AllReduceAttrs](i)
		return builder.AllReduceStart(operandOf(x), r.called(i)[0], collectiveOf(i, a.ReplicaGroups, a.UseGlobalDeviceIDs))
	},
	op.ReduceScatter: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.ReduceScatterAttrs](i)
		d, result := a.Dimensions[0], i.Shape()
		if result.IsTuple() {
			result = result.Elems[0]
		}
		return builder.ReduceScatter(operandOf(x), r.called(i)[0], d, i.Operand(0).Shape().Dims[d]/max(1, result.Dims[d]),
			collectiveOf(i, a.ReplicaGroups, a.UseGlobalDeviceIDs))
	},
	op.AllToAll: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.AllToAllAttrs](i)
		o := collectiveOf(i, a.ReplicaGroups, false)
		if a.Dimensions == nil {
			return builder.Tuple(builder.AllToAllTuple(x, o)...)
		}
		members := i.Computation().Module().Replicas
		if o.Channel > 0 {
			members = i.Computation().Module().Partitions
		}
		count := len(a.ReplicaGroups.Expand(max(1, members))[0])
		return builder.AllToAll(x[0], a.Dimensions[0], a.Dimensions[0], count, o)
	},
	op.RaggedAllToAll: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.RaggedAllToAll(x[0], x[2], x[3], x[1], x[4], x[5],
			collectiveOf(i, attrsOf[op.RaggedAllToAllAttrs](i).ReplicaGroups, false))
	},
	op.CollectiveBroadcast: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.CollectiveBroadcast(operandOf(x),
			collectiveOf(i, attrsOf[op.CollectiveBroadcastAttrs](i).ReplicaGroups, false))
	},
	op.CollectivePermute: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		o := collectiveOf(i, op.ReplicaGroups{}, false)
		if sizes := attrsOf[op.CollectivePermuteAttrs](i).SliceSizes; sizes != nil {
			return builder.CollectivePermuteInPlace(x[0], x[1], x[2], x[3], permutePairs(i), sizes[0], o)
		}
		return builder.CollectivePermute(operandOf(x), permutePairs(i), o)
	},
	op.CollectivePermuteStart: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.CollectivePermuteStart(operandOf(x), permutePairs(i), collectiveOf(i, op.ReplicaGroups{}, false))
	},
	op.Send: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.SendStart(x[0], x[1], channelOf(i))
	},
	op.Recv: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.RecvStart(x[0], i.Shape().Elems[0], channelOf(i))
	},
	op.RecvDone: func(_ *replay, _ *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.Tuple(pair(builder.RecvDone(x[0]))...)
	},
	op.Infeed: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.Tuple(pair(builder.InfeedWithToken(x[0], i.Shape().Elems[0], attrsOf[op.InfeedAttrs](i).Config))...)
	},
	op.Outfeed: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.OutfeedAttrs](i)
		return builder.OutfeedWithToken(x[0], x[1], a.Shape, a.Config)
	},
}

// channelOf returns the channel of a send or receive to the device itself.
func channelOf(i *hlo.Instruction) builder.Channel {
	id, _ := i.Channel()
	return builder.Channel{ID: id, Pairs: [][2]int{{0, 0}}}
}

// replayOf returns the function for an opcode, nil if there is none.
func replayOf(c op.Code) replayFunc {
	if f := replays[c]; f != nil {
		return f
	}
	if f := replaysLinear[c]; f != nil {
		return f
	}
	return replaysDevices[c]
}
