package builder_test

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// replayFunc adds instruction i, with operands x, by a function of the package.
type replayFunc func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op

// attrsOf returns the attributes of i, which are of type T.
func attrsOf[T any](i *hlo.Instruction) *T { return any(i.Attrs()).(*T) }

func replayUnary(f func(builder.Op) builder.Op) replayFunc {
	return func(_ *replay, _ *hlo.Instruction, x []builder.Op) builder.Op { return f(x[0]) }
}

func replayElementary(f func(builder.Op, ...op.ResultAccuracy) builder.Op) replayFunc {
	return func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return f(x[0], attrsOf[op.UnaryAttrs](i).ResultAccuracy)
	}
}

func replayBinary(f func(lhs, rhs builder.Op, dims ...int) builder.Op) replayFunc {
	return func(_ *replay, _ *hlo.Instruction, x []builder.Op) builder.Op { return f(x[0], x[1]) }
}

// replays has a function for every opcode.
var replays = [op.NumCodes]replayFunc{
	op.Abs: replayUnary(builder.Abs), op.Ceil: replayUnary(builder.Ceil), op.Floor: replayUnary(builder.Floor),
	op.RoundNearestAfz:   replayUnary(builder.RoundNearestAfz),
	op.RoundNearestEven:  replayUnary(builder.RoundNearestEven),
	op.Negate:            replayUnary(builder.Neg),
	op.Sign:              replayUnary(builder.Sign),
	op.IsFinite:          replayUnary(builder.IsFinite),
	op.Not:               replayUnary(builder.Not),
	op.CountLeadingZeros: replayUnary(builder.Clz),
	op.Popcnt:            replayUnary(builder.PopulationCount),
	op.Real:              replayUnary(builder.Real),
	op.Imag:              replayUnary(builder.Imag),
	op.Copy:              replayUnary(builder.Copy),
	op.OptBarrier:        replayUnary(builder.OptimizationBarrier),
	op.AsyncDone:         replayUnary(builder.AsyncDone),
	op.CopyStart:         replayUnary(builder.CopyStart),
	op.CopyDone:          replayUnary(builder.CopyDone),
	op.AllGatherDone:     replayUnary(builder.AllGatherDone),
	op.AllReduceDone:     replayUnary(builder.AllReduceDone),
	op.SendDone:          replayUnary(builder.SendDone),

	op.CollectivePermuteDone: replayUnary(builder.CollectivePermuteDone),

	op.Acos: replayElementary(builder.Acos), op.Acosh: replayElementary(builder.Acosh),
	op.Asin: replayElementary(builder.Asin), op.Asinh: replayElementary(builder.Asinh),
	op.Atanh: replayElementary(builder.Atanh), op.Cbrt: replayElementary(builder.Cbrt),
	op.Cosine: replayElementary(builder.Cos), op.Cosh: replayElementary(builder.Cosh),
	op.Erf: replayElementary(builder.Erf), op.Exponential: replayElementary(builder.Exp),
	op.ExponentialMinusOne: replayElementary(builder.Expm1), op.Log: replayElementary(builder.Log),
	op.LogPlusOne: replayElementary(builder.Log1p), op.Logistic: replayElementary(builder.Logistic),
	op.Rsqrt: replayElementary(builder.Rsqrt), op.Sine: replayElementary(builder.Sin),
	op.Sinh: replayElementary(builder.Sinh), op.Sqrt: replayElementary(builder.Sqrt),
	op.Tan: replayElementary(builder.Tan), op.Tanh: replayElementary(builder.Tanh),

	op.Add: replayBinary(builder.Add), op.Subtract: replayBinary(builder.Sub), op.Multiply: replayBinary(builder.Mul),
	op.Divide: replayBinary(builder.Div), op.Remainder: replayBinary(builder.Rem), op.Maximum: replayBinary(builder.Max),
	op.Minimum: replayBinary(builder.Min), op.Power: replayBinary(builder.Pow), op.Atan2: replayBinary(builder.Atan2),
	op.And: replayBinary(builder.And), op.Or: replayBinary(builder.Or), op.Xor: replayBinary(builder.Xor),
	op.ShiftLeft:            replayBinary(builder.ShiftLeft),
	op.ShiftRightArithmetic: replayBinary(builder.ShiftRightArithmetic),
	op.ShiftRightLogical:    replayBinary(builder.ShiftRightLogical),
	op.Complex:              replayBinary(builder.Complex),
	op.Mulhi:                replayBinary(builder.Mulhi),

	op.Compare: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.CompareAttrs](i)
		return builder.Compare(x[0], x[1], a.Direction, a.Type)
	},
	op.Convert: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.ConvertElementType(x[0], i.Shape().Type)
	},
	op.BitcastConvert: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.BitcastConvertType(x[0], i.Shape().Type)
	},
	op.Bitcast: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.Bitcast(x[0], i.Shape())
	},
	op.StochasticConvert: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.StochasticConvert(x[0], x[1], i.Shape().Type)
	},
	op.ReducePrecision: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.ReducePrecisionAttrs](i)
		return builder.ReducePrecision(x[0], a.ExponentBits, a.MantissaBits)
	},
	op.Clamp: func(_ *replay, _ *hlo.Instruction, x []builder.Op) builder.Op { return builder.Clamp(x[0], x[1], x[2]) },
	op.Select: func(_ *replay, _ *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.Select(x[0], x[1], x[2])
	},

	op.Parameter: func(r *replay, i *hlo.Instruction, _ []builder.Op) builder.Op {
		return r.b.Parameter(attrsOf[op.ParameterAttrs](i).Number, i.Shape(), i.Name())
	},
	op.Constant: func(r *replay, i *hlo.Instruction, _ []builder.Op) builder.Op {
		return r.b.Const(attrsOf[op.ConstantAttrs](i).Value)
	},
	op.Iota: func(r *replay, i *hlo.Instruction, _ []builder.Op) builder.Op {
		return r.b.Iota(i.Shape(), attrsOf[op.IotaAttrs](i).Dimension)
	},
	op.Broadcast: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.BroadcastInDim(x[0], i.Shape().Dims, attrsOf[op.BroadcastAttrs](i).Dimensions)
	},
	op.Reshape: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.ReshapeTo(x[0], i.Shape())
	},
	op.Transpose: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.Transpose(x[0], attrsOf[op.TransposeAttrs](i).Dimensions...)
	},
	op.Reverse: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.Rev(x[0], attrsOf[op.ReverseAttrs](i).Dimensions...)
	},
	op.Slice: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		var start, limit, strides []int
		for _, s := range attrsOf[op.SliceAttrs](i).Slice {
			start, limit, strides = append(start, s.Start), append(limit, s.Limit), append(strides, s.Stride)
		}
		return builder.Slice(x[0], start, limit, strides)
	},
	op.DynamicSlice: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		sizes := attrsOf[op.DynamicSliceAttrs](i).SliceSizes
		if len(x) == 2 && x[1].Rank() == 1 {
			return builder.DynamicSliceVector(x[0], x[1], sizes)
		}
		return builder.DynamicSlice(x[0], x[1:], sizes)
	},
	op.DynamicUpdateSlice: func(_ *replay, _ *hlo.Instruction, x []builder.Op) builder.Op {
		if len(x) == 3 && x[2].Rank() == 1 {
			return builder.DynamicUpdateSliceVector(x[0], x[1], x[2])
		}
		return builder.DynamicUpdateSlice(x[0], x[1], x[2:])
	},
	op.Pad: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.Pad(x[0], x[1], attrsOf[op.PadAttrs](i).Padding)
	},
	op.Concatenate: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return r.b.ConcatInDim(x, attrsOf[op.ConcatenateAttrs](i).Dimensions[0])
	},
	op.Gather: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.Gather(x[0], x[1], *attrsOf[op.GatherAttrs](i))
	},
	op.Scatter: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		n, a := len(x)/2, *attrsOf[op.ScatterAttrs](i)
		if len(x) == 3 && !i.Shape().IsTuple() {
			return builder.Scatter(x[0], x[1], x[2], r.called(i)[0], a)
		}
		return builder.Tuple(builder.ScatterMany(x[:n], x[n], x[n+1:], r.called(i)[0], a)...)
	},
	op.GetDimensionSize: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.GetDimensionSize(x[0], attrsOf[op.DimensionAttrs](i).Dimensions[0])
	},
	op.SetDimensionSize: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.SetDimensionSize(x[0], x[1], attrsOf[op.DimensionAttrs](i).Dimensions[0])
	},
	op.DynamicReshape: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		s := i.Shape()
		dynamic := make([]bool, s.Rank())
		for d := range dynamic {
			dynamic[d] = s.IsDynamicDim(d)
		}
		return builder.DynamicReshape(x[0], x[1:], s.Dims, dynamic)
	},
	op.Sort: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.SortAttrs](i)
		if len(x) == 1 {
			return builder.Sort(x[0], r.called(i)[0], a.Dimensions[0], a.IsStable)
		}
		return builder.Tuple(builder.SortMany(x, r.called(i)[0], a.Dimensions[0], a.IsStable)...)
	},
	op.Topk: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.TopKAttrs](i)
		return builder.Tuple(pair(builder.TopK(x[0], a.K, a.Largest != op.False))...)
	},

	op.Tuple: func(r *replay, _ *hlo.Instruction, x []builder.Op) builder.Op { return r.b.Tuple(x...) },
	op.GetTupleElement: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.GetTupleElement(x[0], attrsOf[op.GetTupleElementAttrs](i).Index)
	},
	op.Domain: func(_ *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.Domain(x[0], attrsOf[op.DomainAttrs](i).Domain)
	},
	op.AfterAll: func(r *replay, _ *hlo.Instruction, x []builder.Op) builder.Op { return r.b.AfterAll(x...) },
	op.AddDependency: func(_ *replay, _ *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.AddDependency(x[0], x[1])
	},
	op.Call: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		if attrsOf[op.CallAttrs](i).IsComposite {
			return replayComposite(r, i, x)
		}
		return r.b.Call(r.called(i)[0], x...)
	},
	op.Fusion: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return r.b.Fusion(attrsOf[op.FusionAttrs](i).Kind, r.called(i)[0], x...)
	},
	op.CustomCall: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.CustomCallAttrs](i)
		return r.b.CustomCall(a.Target, x, i.Shape(), builder.CustomCallOptions{
			BackendConfig: i.BackendConfig, Called: r.called(i), Attrs: *a})
	},
	op.Map: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.Map(x, r.called(i)[0], attrsOf[op.MapAttrs](i).Dimensions)
	},
	op.Conditional: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		if f := r.called(i); x[0].Type() == shape.Pred && len(x) == 3 && len(f) == 2 {
			return builder.Conditional(x[0], x[1], f[0], x[2], f[1])
		}
		return builder.ConditionalIndexed(x[0], r.called(i), x[1:])
	},
	op.While: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.While(r.called(i)[0], r.called(i)[1], x[0])
	},
	op.Scan: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		a := attrsOf[op.ScanAttrs](i)
		m := len(x) - a.NumCarries
		return builder.ScanWith(x[:m], x[m:], r.called(i)[0], a.Dimensions[0],
			builder.ScanOptions{Reverse: a.IsReverse, Associative: a.IsAssociative})
	},
	op.AsyncStart: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		return r.b.AsyncStart(attrsOf[op.AsyncAttrs](i).ExecutionThread, r.called(i)[0], x...)
	},
	op.AsyncUpdate: func(_ *replay, _ *hlo.Instruction, x []builder.Op) builder.Op {
		return builder.AsyncUpdate(x[0], x[1:]...)
	},

	op.Reduce: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		n, dims := len(x)/2, attrsOf[op.ReduceAttrs](i).Dimensions
		if len(x) == 2 && !i.Shape().IsTuple() {
			return builder.Reduce(x[0], x[1], dims, r.called(i)[0])
		}
		return builder.Tuple(builder.ReduceMany(x[:n], x[n:], dims, r.called(i)[0])...)
	},
	op.ReduceWindow: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		n, w := len(x)/2, windowOf(attrsOf[op.WindowAttrs](i).Window)
		if len(x) == 2 && !i.Shape().IsTuple() {
			return builder.ReduceWindow(x[0], x[1], r.called(i)[0], w)
		}
		return builder.Tuple(builder.ReduceWindowMany(x[:n], x[n:], r.called(i)[0], w)...)
	},
	op.SelectAndScatter: func(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
		w := windowOf(attrsOf[op.WindowAttrs](i).Window)
		return builder.SelectAndScatter(x[0], r.called(i)[0], w, x[1], x[2], r.called(i)[1])
	},
}

func pair(a, b builder.Op) []builder.Op { return []builder.Op{a, b} }

func triple(a, b, c builder.Op) []builder.Op { return []builder.Op{a, b, c} }

func replayComposite(r *replay, i *hlo.Instruction, x []builder.Op) builder.Op {
	values := map[string]string{}
	for _, kv := range i.FrontendAttributes {
		values[kv.Key] = kv.Value
	}
	version := 0
	for _, c := range values["composite.version"] {
		version = 10*version + int(c-'0')
	}
	return r.b.CompositeCall(r.called(i)[0], x, values["composite.name"], values["composite.attributes"], version)
}

// windowOf returns a window attribute as the argument that makes it.
func windowOf(w op.Window) builder.Window {
	v := builder.Window{Edges: [][2]int{}}
	for _, d := range w.Dims {
		v.Sizes, v.Strides = append(v.Sizes, d.Size), append(v.Strides, d.Stride)
		v.BaseDilations = append(v.BaseDilations, d.BaseDilation)
		v.WindowDilations = append(v.WindowDilations, d.WindowDilation)
		v.Edges = append(v.Edges, [2]int{d.PaddingLow, d.PaddingHigh})
	}
	return v
}
