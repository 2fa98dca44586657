package builder_test

import (
	"maps"
	"strings"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

type (
	unaryFn      = func(builder.Op) builder.Op
	binaryFn     = func(lhs, rhs builder.Op, dims ...int) builder.Op
	elementaryFn = func(builder.Op, ...op.ResultAccuracy) builder.Op
)

// seedCalls has a program for every function that a line of the shared cases names.
var seedCalls = makeSeedCalls()

func makeSeedCalls() map[string]func(c *seed) builder.Op {
	calls := map[string]func(c *seed) builder.Op{}
	for name, f := range seedUnary {
		calls[name] = func(c *seed) builder.Op { return f(c.p[0]) }
	}
	for name, f := range seedElementary {
		calls[name] = func(c *seed) builder.Op { return f(c.p[0], c.accuracy()...) }
	}
	for name, f := range seedBinary {
		calls[name] = func(c *seed) builder.Op { return f(c.p[0], c.p[1], c.ints(-1, "broadcast_dimensions")...) }
	}
	for name, f := range seedTotalOrder {
		calls[name] = func(c *seed) builder.Op { // each number with each, by bits
			x := builder.BitcastConvertType(c.p[0], shape.F32)
			return f(builder.BroadcastInDim(x, []int{8, 8}, []int{0}), builder.BroadcastInDim(x, []int{8, 8}, []int{1}))
		}
	}
	for _, table := range []map[string]func(c *seed) builder.Op{seedOther, seedDevices, seedCalling} {
		maps.Copy(calls, table)
	}
	return calls
}

// accuracy returns the accuracy that the line asks for.
func (c *seed) accuracy() []op.ResultAccuracy {
	switch v := c.value(-1, "result_accuracy"); {
	case v == "HIGHEST":
		return []op.ResultAccuracy{{Mode: "highest"}}
	case v != "":
		return []op.ResultAccuracy{c.attrs(op.Exponential).(*op.UnaryAttrs).ResultAccuracy}
	}
	return nil
}

var seedUnary = map[string]unaryFn{
	"Abs": builder.Abs, "Ceil": builder.Ceil, "Floor": builder.Floor, "Neg": builder.Neg, "Sign": builder.Sign,
	"IsFinite": builder.IsFinite, "Not": builder.Not, "LogicalNot": builder.LogicalNot, "Clz": builder.Clz,
	"PopulationCount": builder.PopulationCount, "Real": builder.Real, "Imag": builder.Imag, "Round": builder.Round,
	"RoundNearestAfz": builder.RoundNearestAfz, "RoundNearestEven": builder.RoundNearestEven,
}

var seedElementary = map[string]elementaryFn{
	"Cbrt": builder.Cbrt, "Cos": builder.Cos, "Cosh": builder.Cosh, "Erf": builder.Erf, "Exp": builder.Exp,
	"Expm1": builder.Expm1, "Log": builder.Log, "Log1p": builder.Log1p, "Logistic": builder.Logistic,
	"Rsqrt": builder.Rsqrt, "Sin": builder.Sin, "Sqrt": builder.Sqrt, "Tan": builder.Tan, "Tanh": builder.Tanh,
}

var seedBinary = map[string]binaryFn{
	"Add": builder.Add, "Sub": builder.Sub, "Mul": builder.Mul, "Div": builder.Div, "Rem": builder.Rem,
	"Max": builder.Max, "Min": builder.Min, "Pow": builder.Pow, "Atan2": builder.Atan2, "And": builder.And,
	"Or": builder.Or, "Xor": builder.Xor, "LogicalAnd": builder.LogicalAnd, "LogicalOr": builder.LogicalOr,
	"ShiftLeft": builder.ShiftLeft, "ShiftRightArithmetic": builder.ShiftRightArithmetic,
	"ShiftRightLogical": builder.ShiftRightLogical, "Complex": builder.Complex, "Eq": builder.Eq, "Ne": builder.Ne,
	"Ge": builder.Ge, "Gt": builder.Gt, "Le": builder.Le, "Lt": builder.Lt,
}

var seedTotalOrder = map[string]binaryFn{
	"EqTotalOrder": builder.EqTotalOrder, "NeTotalOrder": builder.NeTotalOrder, "GeTotalOrder": builder.GeTotalOrder,
	"GtTotalOrder": builder.GtTotalOrder, "LeTotalOrder": builder.LeTotalOrder, "LtTotalOrder": builder.LtTotalOrder,
}

// reducers are the functions that the lines pass by name.
var reducers = map[string]binaryFn{
	"add": builder.Add, "sub": builder.Sub, "max": builder.Max, "min": builder.Min, "lt": builder.Lt, "gt": builder.Gt,
	"ge": builder.Ge,
}

// elementType returns the type that argument i names: F32.
func (c *seed) elementType(i int) shape.ElementType {
	t, _ := shape.ParseElementType(strings.ToLower(c.args[i]))
	return t
}

// shapeArg returns argument i as a shape.
func (c *seed) shapeArg(i int) shape.Shape { return shapeOf(strings.TrimPrefix(c.args[i], "shape ")) }

// init returns the parameter after the arrays, or the initial value that the line names.
func (c *seed) init(text string, arrays int) builder.Op {
	t := c.p[0].Type()
	switch {
	case len(c.p) > arrays:
		return c.p[arrays]
	case text == "MAX_FLOAT":
		return c.MaxValue(t)
	case text == "0":
		return c.Zero(t)
	}
	return c.MinValue(t)
}

// padding returns the padding that the line names.
func (c *seed) padding() builder.Padding {
	if strings.Contains(c.line, "SAME") || strings.Contains(c.line, "kSame") {
		return builder.Same
	}
	return builder.Valid
}

func (c *seed) conv() builder.ConvOptions {
	return builder.ConvOptions{LHSDilation: c.ints(-1, "lhs_dilation"), RHSDilation: c.ints(-1, "rhs_dilation"),
		FeatureGroups: c.int(-1, "feature_group_count"), BatchGroups: c.int(-1, "batch_group_count")}
}

var transposes = map[string]op.TransposeKind{"NO_TRANSPOSE": op.NoTranspose, "TRANSPOSE": op.TransposeA,
	"ADJOINT": op.Adjoint}

var seedOther = map[string]func(c *seed) builder.Op{
	"Clamp":              func(c *seed) builder.Op { return builder.Clamp(c.p[1], c.p[0], c.p[2]) },
	"ConvertElementType": func(c *seed) builder.Op { return builder.ConvertElementType(c.p[0], c.elementType(1)) },
	"BitcastConvertType": func(c *seed) builder.Op { return builder.BitcastConvertType(c.p[0], c.elementType(1)) },
	"ReducePrecision": func(c *seed) builder.Op {
		return builder.ReducePrecision(c.p[0], c.int(1, ""), c.int(2, ""))
	},
	"Select": func(c *seed) builder.Op {
		switch len(c.p) {
		case 1: // the error of a pred array on tuples
			return builder.Select(c.p[0], c.Tuple(c.p[0]), c.Tuple(c.p[0]))
		case 5:
			return builder.Select(c.p[0], c.Tuple(c.p[1], c.p[2]), c.Tuple(c.p[3], c.p[4]))
		}
		return builder.Select(c.p[0], c.p[1], c.p[2])
	},
	"Broadcast":      func(c *seed) builder.Op { return builder.Broadcast(c.p[0], c.ints(1, "")...) },
	"BroadcastInDim": func(c *seed) builder.Op { return builder.BroadcastInDim(c.p[0], c.ints(1, ""), c.ints(2, "")) },
	"Reshape": func(c *seed) builder.Op {
		switch {
		case strings.HasPrefix(c.args[0], "shape "):
			return builder.ReshapeTo(c.p[0], c.shapeArg(0))
		case strings.HasPrefix(c.args[0], "Transpose"):
			return builder.Reshape(builder.Transpose(c.p[0], 1, 2, 0), 24)
		case len(c.args) == 3:
			return builder.ReshapeInOrder(c.p[0], c.ints(1, ""), c.ints(2, ""))
		}
		return builder.Reshape(c.p[0], c.ints(1, "")...)
	},
	"Collapse":  func(c *seed) builder.Op { return builder.Collapse(c.p[0], c.ints(1, "")...) },
	"Transpose": func(c *seed) builder.Op { return builder.Transpose(c.p[0], c.ints(1, "")...) },
	"Rev":       func(c *seed) builder.Op { return builder.Rev(c.p[0], c.ints(1, "")...) },
	"Slice": func(c *seed) builder.Op {
		return builder.Slice(c.p[0], c.ints(1, ""), c.ints(2, ""), c.ints(3, ""))
	},
	"DynamicSlice": func(c *seed) builder.Op {
		if c.p[1].Rank() == 1 {
			return builder.DynamicSliceVector(c.p[0], c.p[1], c.ints(2, ""))
		}
		return builder.DynamicSlice(c.p[0], c.p[1:], c.ints(2, ""))
	},
	"DynamicUpdateSlice": func(c *seed) builder.Op { return builder.DynamicUpdateSlice(c.p[0], c.p[1], c.p[2:]) },
	"Pad": func(c *seed) builder.Op {
		var padding []op.PadDim
		for _, l := range c.lists(2, "") {
			padding = append(padding, op.PadDim{Low: l[0], High: l[1], Interior: l[2]})
		}
		return builder.Pad(c.p[0], c.p[1], padding)
	},
	"ConcatInDim": func(c *seed) builder.Op { return c.Builder.ConcatInDim(c.p, c.int(1, "")) },
	"Iota":        func(c *seed) builder.Op { return c.Builder.Iota(c.shapeArg(0), c.int(1, "")) },
	"Constant": func(c *seed) builder.Op {
		return c.Builder.Constant(c.attrs(op.Constant).(*op.ConstantAttrs).Value)
	},
	"Scatter": func(c *seed) builder.Op {
		f := reducers["add"]
		if strings.Contains(c.line, "sub") {
			f = builder.Sub
		}
		return builder.Scatter(c.p[0], c.p[1], c.p[2], f, *c.attrs(op.Scatter).(*op.ScatterAttrs))
	},
	"GetDimensionSize": func(c *seed) builder.Op { return builder.GetDimensionSize(c.p[0], c.int(1, "")) },
	"DynamicReshape": func(c *seed) builder.Op {
		return builder.DynamicReshape(c.p[0], c.p[1:], c.ints(2, "new_size_bounds"), []bool{true, true})
	},
	"Sort": func(c *seed) builder.Op {
		if len(c.args) == 1 {
			return builder.SortAscending(c.p[0])
		}
		if len(c.p) == 1 {
			return builder.Sort(c.p[0], reducers[c.args[1]], c.int(2, ""), strings.Contains(c.line, "is_stable=true"))
		}
		f := reducers[c.args[1]]
		first := func(l, r []builder.Op) builder.Op { return f(l[0], r[0]) }
		return c.Tuple(builder.SortMany(c.p, first, c.int(2, ""), false)...)
	},
	"TopK": func(c *seed) builder.Op {
		return c.Tuple(pair(builder.TopK(c.p[0], c.int(1, ""), c.args[2] == "true"))...)
	},

	"Parameter":           func(c *seed) builder.Op { return c.p[0] },
	"Tuple":               func(c *seed) builder.Op { return builder.Tuple(c.p...) },
	"GetTupleElement":     func(c *seed) builder.Op { return builder.GetTupleElement(c.Tuple(c.p...), c.int(1, "")) },
	"OptimizationBarrier": func(c *seed) builder.Op { return builder.OptimizationBarrier(c.Tuple(c.p...)) },
	"AfterAll": func(c *seed) builder.Op {
		return builder.AddDependency(c.p[0], c.Builder.AfterAll(c.Builder.AfterAll(), c.Builder.AfterAll()))
	},
	"Reduce": func(c *seed) builder.Op {
		return builder.Reduce(c.p[0], c.p[1], c.ints(3, ""), reducers[c.args[2]])
	},
	"ReduceWindow": func(c *seed) builder.Op {
		w := builder.Window{Sizes: c.ints(3, ""), Strides: c.ints(4, ""), Padding: c.padding(),
			BaseDilations: c.ints(-1, "base_dilations"), WindowDilations: c.ints(-1, "window_dilations")}
		if edges := c.pairs(-1, "padding"); edges != nil {
			return builder.ReduceWindowWithGeneralPadding(c.p[0], c.p[1], reducers[c.args[2]], w, edges)
		}
		return builder.ReduceWindow(c.p[0], c.init(c.args[1], 1), reducers[c.args[2]], w)
	},
	"SelectAndScatter": func(c *seed) builder.Op {
		w := builder.Window{Sizes: c.ints(2, ""), Strides: c.ints(3, ""), Padding: c.padding()}
		return builder.SelectAndScatter(c.p[0], reducers[c.args[1]], w, c.p[1], c.p[2], reducers[c.args[7]])
	},

	"Dot": func(c *seed) builder.Op {
		if c.value(-1, "precision_config") != "" {
			highest := []op.Precision{op.PrecisionHighest, op.PrecisionHighest}
			return builder.Dot(c.p[0], c.p[1], builder.DotOptions{Precision: highest})
		}
		return builder.Dot(c.p[0], c.p[1])
	},
	"DotGeneral": func(c *seed) builder.Op {
		o := builder.DotOptions{}
		if c.value(-1, "preferred_element_type") == "S32" {
			o.Preferred = shape.S32
		}
		return builder.DotGeneral(c.p[0], c.p[1], *c.attrs(op.Dot).(*op.DotAttrs), o)
	},
	"Conv": func(c *seed) builder.Op { return builder.Conv(c.p[0], c.p[1], c.ints(2, ""), c.padding(), c.conv()) },
	"ConvWithGeneralPadding": func(c *seed) builder.Op {
		return builder.ConvWithGeneralPadding(c.p[0], c.p[1], c.ints(2, ""), c.pairs(3, ""), c.conv())
	},
	"ConvWithGeneralDimensions": func(c *seed) builder.Op {
		return builder.ConvWithGeneralDimensions(c.p[0], c.p[1], c.ints(2, ""), c.padding(), nhwc)
	},
	"ConvGeneral": func(c *seed) builder.Op {
		return builder.ConvGeneral(c.p[0], c.p[1], c.ints(2, ""), c.pairs(3, ""), nhwc)
	},
	"ConvGeneralDilated": func(c *seed) builder.Op { // the rest is in the module
		a := c.attrs(op.Convolution).(*op.ConvolutionAttrs)
		w := windowOf(a.Window)
		return builder.ConvGeneralDilated(c.p[0], c.p[1], w.Strides, w.Edges, w.BaseDilations, w.WindowDilations, a.DimLabels,
			builder.ConvOptions{Reversal: []bool{a.Window.Dims[0].Reversal, false}[:len(w.Sizes)]})
	},
	"Cholesky": func(c *seed) builder.Op { return builder.Cholesky(c.p[0], c.value(1, "lower") == "true") },
	"TriangularSolve": func(c *seed) builder.Op {
		return builder.TriangularSolve(c.p[0], c.p[1], op.TriangularSolveAttrs{LeftSide: c.value(-1, "left_side") == "true",
			Lower: c.value(-1, "lower") == "true", UnitDiagonal: c.value(-1, "unit_diagonal") == "true",
			TransposeA: transposes[c.value(-1, "transpose_a")]})
	},
	"Fft": func(c *seed) builder.Op {
		kind, _ := op.ParseFftType(c.args[1])
		return builder.Fft(c.p[0], kind, c.ints(2, "")...)
	},
	"BatchNormTraining": func(c *seed) builder.Op {
		a := c.attrs(op.BatchNormTraining).(*op.BatchNormAttrs)
		return c.Tuple(triple(builder.BatchNormTraining(c.p[0], c.p[1], c.p[2], a.Epsilon, a.FeatureIndex))...)
	},
	"BatchNormInference": func(c *seed) builder.Op {
		a := c.attrs(op.BatchNormInference).(*op.BatchNormAttrs)
		return builder.BatchNormInference(c.p[0], c.p[1], c.p[2], c.p[3], c.p[4], a.Epsilon, a.FeatureIndex)
	},
	"BatchNormGrad": func(c *seed) builder.Op {
		a := c.attrs(op.BatchNormGrad).(*op.BatchNormAttrs)
		return c.Tuple(triple(builder.BatchNormGrad(c.p[0], c.p[1], c.p[2], c.p[3], c.p[4], a.Epsilon, a.FeatureIndex))...)
	},
	"RngUniform":   func(c *seed) builder.Op { return builder.RngUniform(c.p[0], c.p[1], c.shapeArg(2)) },
	"RngNormal":    func(c *seed) builder.Op { return builder.RngNormal(c.p[0], c.p[1], c.shapeArg(2)) },
	"RngBernoulli": func(c *seed) builder.Op { return builder.RngBernoulli(c.p[0], c.shapeArg(1)) },
	"RngBitGenerator": func(c *seed) builder.Op {
		algorithm, _ := op.ParseRngAlgorithm(strings.ToLower(c.args[0]))
		return c.Tuple(pair(builder.RngBitGenerator(algorithm, c.p[0], c.shapeArg(2)))...)
	},
}

// collective returns the options of a call, whose groups are argument i.
func (c *seed) collective(i int) builder.CollectiveOptions {
	o := builder.CollectiveOptions{Groups: builder.Groups(c.lists(i, "replica_groups")...)}
	if strings.Contains(c.line, "use_global_device_ids=true") {
		o = global
	}
	if c.value(i, "replica_groups") == "{}" {
		o = builder.CollectiveOptions{}
	}
	return o
}

// operand returns the parameters as one operand.
func (c *seed) operand() builder.Op {
	if strings.Contains(c.line, "(Tuple(") {
		return c.Tuple(c.p...)
	}
	return c.p[0]
}

var seedDevices = map[string]func(c *seed) builder.Op{
	"ReplicaId":   func(c *seed) builder.Op { return c.Builder.ReplicaId() },
	"PartitionId": func(c *seed) builder.Op { return c.Builder.PartitionId() },
	"AllGather": func(c *seed) builder.Op {
		x := c.p
		if len(x) == 0 {
			x = c.ins("f32[2]")
		}
		return builder.AllGather(x[0], c.int(1, "all_gather_dimension"), c.int(2, "shard_count"), c.collective(3))
	},
	"AllReduce": func(c *seed) builder.Op {
		return builder.AllReduce(c.operand(), reducers[c.args[1]], c.collective(2))
	},
	"CrossReplicaSum": func(c *seed) builder.Op { return builder.CrossReplicaSum(c.p[0], c.lists(1, "")...) },
	"ReduceScatter": func(c *seed) builder.Op {
		return builder.ReduceScatter(c.operand(), reducers[c.args[1]], c.int(2, ""), c.int(3, ""), c.collective(4))
	},
	"AllToAll": func(c *seed) builder.Op {
		return builder.AllToAll(c.p[0], c.int(1, "split_dimension"), c.int(2, "concat_dimension"), c.int(3, "split_count"),
			c.collective(4))
	},
	"RaggedAllToAll": func(c *seed) builder.Op {
		return builder.RaggedAllToAll(c.p[0], c.p[2], c.p[3], c.p[1], c.p[4], c.p[5],
			builder.CollectiveOptions{Groups: builder.Groups([]int{0, 1})})
	},
	"CollectiveBroadcast": func(c *seed) builder.Op { return builder.CollectiveBroadcast(c.p[0], c.collective(1)) },
	"CollectivePermute":   func(c *seed) builder.Op { return builder.CollectivePermute(c.p[0], c.pairs(1, "")) },
	"Infeed":              func(c *seed) builder.Op { return c.Builder.Infeed(c.shapeArg(0), "") },
	"Outfeed": func(c *seed) builder.Op {
		builder.Outfeed(c.p[0], c.shapeArg(1), "")
		return double(c.p[0])
	},
}
