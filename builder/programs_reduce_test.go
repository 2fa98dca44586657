package builder_test

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// argMax is a reducer of values and indices that keeps the last of equals.
func argMax(acc, x []builder.Op) []builder.Op {
	later := builder.Ge(x[0], acc[0])
	return []builder.Op{builder.Select(later, x[0], acc[0]), builder.Select(later, x[1], acc[1])}
}

var programsReduce = []program{
	{"Reduce", func(p *prog) builder.Op {
		return builder.Reduce(p.in("f32[4,2,3]"), p.in("f32[]"), []int{2, 0}, builder.Add)
	}},
	{"Reduce by a closure", func(p *prog) builder.Op {
		return builder.Reduce(p.in("f32[4]"), p.Zero(shape.F32), []int{0}, func(a, b builder.Op) builder.Op {
			return builder.Max(a, builder.Abs(b))
		})
	}},
	{"ReduceAll", func(p *prog) builder.Op { return builder.ReduceAll(p.in("f32[4,2]"), p.in("f32[]"), builder.Max) }},
	{"ReduceMany", func(p *prog) builder.Op {
		return p.Tuple(builder.ReduceMany(p.ins("f32[4]", "s32[4]"),
			[]builder.Op{p.MinValue(shape.F32), p.Zero(shape.S32)}, []int{0}, argMax)...)
	}},
	{"ReduceMany of one", func(p *prog) builder.Op {
		return builder.ReduceMany(p.ins("f32[4]"), p.ins("f32[]"), []int{0}, func(acc, x []builder.Op) []builder.Op {
			return []builder.Op{builder.Add(acc[0], x[0])}
		})[0]
	}},
	{"ReduceSum", func(p *prog) builder.Op { return builder.ReduceSum(p.in("f32[4,2]"), 1) }},
	{"ReduceProd", func(p *prog) builder.Op { return builder.ReduceProd(p.in("s32[4,2]")) }},
	{"ReduceMax", func(p *prog) builder.Op { return builder.ReduceMax(p.in("f32[4,2]"), 0) }},
	{"ReduceMin", func(p *prog) builder.Op { return builder.ReduceMin(p.in("s8[4,2]"), 0) }},
	{"ReduceAnd", func(p *prog) builder.Op { return builder.ReduceAnd(p.in("pred[4,2]"), 0) }},
	{"ReduceOr", func(p *prog) builder.Op { return builder.ReduceOr(p.in("s32[4,2]"), 0) }},
	{"ReduceWindow", func(p *prog) builder.Op {
		return builder.ReduceWindow(p.in("f32[4,6]"), p.MinValue(shape.F32), builder.Max,
			builder.Window{Sizes: []int{2, 3}, Strides: []int{2, 3}})
	}},
	{"ReduceWindow same", func(p *prog) builder.Op {
		return builder.ReduceWindow(p.in("f32[5]"), p.Zero(shape.F32), builder.Add,
			builder.Window{Sizes: []int{2}, Padding: builder.Same})
	}},
	{"ReduceWindow same of a bounded dimension", func(p *prog) builder.Op {
		return builder.ReduceWindow(p.in("f32[<=5]"), p.Zero(shape.F32), builder.Add,
			builder.Window{Sizes: []int{3}, Strides: []int{2}, Padding: builder.Same})
	}},
	{"ReduceWindowWithGeneralPadding", func(p *prog) builder.Op {
		return builder.ReduceWindowWithGeneralPadding(p.in("s32[3,2]"), p.Zero(shape.S32), builder.Add,
			builder.Window{Sizes: []int{2, 1}, Strides: []int{4, 1}, BaseDilations: []int{2, 1}, WindowDilations: []int{3, 1}},
			[][2]int{{2, 1}, {0, 0}})
	}},
	{"ReduceWindowMany", func(p *prog) builder.Op {
		return p.Tuple(builder.ReduceWindowMany(p.ins("f32[4]", "s32[4]"), p.ins("f32[]", "s32[]"), argMax,
			builder.Window{Sizes: []int{2}, Edges: [][2]int{{1, 0}}})...)
	}},
	{"SelectAndScatter", func(p *prog) builder.Op {
		return builder.SelectAndScatter(p.in("f32[4,5]"), builder.Ge,
			builder.Window{Sizes: []int{2, 3}, Strides: []int{2, 2}}, p.in("f32[2,2]"), p.Zero(shape.F32), builder.Add)
	}},
	{"SelectAndScatterWithGeneralPadding", func(p *prog) builder.Op {
		return builder.SelectAndScatterWithGeneralPadding(p.in("f32[4]"), builder.Ge, builder.Window{Sizes: []int{2}},
			[][2]int{{1, 1}}, p.in("f32[5]"), p.Zero(shape.F32), builder.Add)
	}},
	{"SelectAndScatter same of a bounded dimension", func(p *prog) builder.Op {
		return builder.SelectAndScatter(p.in("f32[<=4]"), builder.Ge,
			builder.Window{Sizes: []int{2}, Strides: []int{2}, Padding: builder.Same},
			p.in("f32[<=2]"), p.Zero(shape.F32), builder.Add)
	}},
}

var nhwc = mustDims("b01f_01io->b01f")

func mustDims(text string) op.DimLabels {
	d, err := op.ParseDimLabels(text)
	if err != nil {
		panic(err)
	}
	return d
}

var programsLinear = []program{
	{"Dot", func(p *prog) builder.Op { return builder.Dot(p.in("f32[2,3]"), p.in("f32[3,4]")) }},
	{"Dot of vectors", func(p *prog) builder.Op {
		return builder.Dot(p.in("f32[3]"), p.in("f32[3]"), builder.DotOptions{
			Precision: []op.Precision{op.PrecisionHighest, op.PrecisionHighest}})
	}},
	{"Dot of a matrix and a vector", func(p *prog) builder.Op {
		return builder.Dot(p.in("f32[2,3]"), p.in("f32[3]"))
	}},
	{"DotGeneral", func(p *prog) builder.Op {
		return builder.DotGeneral(p.in("s8[5,2,3]"), p.in("s8[5,3,4]"), op.DotAttrs{LHSBatch: []int{0}, RHSBatch: []int{0},
			LHSContracting: []int{2}, RHSContracting: []int{1}}, builder.DotOptions{Preferred: shape.S32})
	}},
	{"ScaledDot", func(p *prog) builder.Op {
		return builder.ScaledDot(p.in("f8e4m3fn[4,64]"), p.in("f8e8m0fnu[4,2]"), p.in("f8e4m3fn[8,64]"),
			p.in("f8e8m0fnu[8,2]"),
			op.DotAttrs{LHSContracting: []int{1}, RHSContracting: []int{1}}, builder.DotOptions{Preferred: shape.F32})
	}},
	{"RaggedDot", func(p *prog) builder.Op {
		return builder.RaggedDot(p.in("f32[6,3]"), p.in("f32[2,3,4]"), p.in("s32[2]"), op.RaggedDotAttrs{
			LHSContracting: []int{1}, RHSContracting: []int{1}, LHSRagged: []int{0}, RHSGroup: []int{0}})
	}},
	{"Conv", func(p *prog) builder.Op {
		return builder.Conv(p.in("f32[1,1,4,4]"), p.in("f32[1,1,3,2]"), nil, builder.Same)
	}},
	{"Conv with groups", func(p *prog) builder.Op {
		return builder.Conv(p.in("f32[1,4,5]"), p.in("f32[6,2,3]"), []int{2}, builder.Valid, builder.ConvOptions{
			FeatureGroups: 2, Precision: []op.Precision{op.PrecisionHigh, op.PrecisionDefault}, Preferred: shape.F64})
	}},
	{"ConvDimensions", func(p *prog) builder.Op {
		return builder.ConvGeneral(p.in("f32[1,2]"), p.in("f32[3,2]"), nil, nil, builder.ConvDimensions(0))
	}},
	{"ConvWithGeneralPadding", func(p *prog) builder.Op {
		return builder.ConvWithGeneralPadding(p.in("f32[1,1,5]"), p.in("f32[1,1,2]"), []int{1}, [][2]int{{-1, 2}},
			builder.ConvOptions{LHSDilation: []int{3}})
	}},
	{"ConvWithGeneralDimensions", func(p *prog) builder.Op {
		return builder.ConvWithGeneralDimensions(p.in("f32[1,4,5,2]"), p.in("f32[3,3,2,7]"), []int{1, 2}, builder.Same, nhwc)
	}},
	{"ConvGeneral", func(p *prog) builder.Op {
		return builder.ConvGeneral(p.in("f32[4,4,5,2]"), p.in("f32[3,3,2,8]"), nil, [][2]int{{1, 0}, {2, 0}}, nhwc,
			builder.ConvOptions{BatchGroups: 2})
	}},
	{"ConvGeneralDilated", func(p *prog) builder.Op {
		return builder.ConvGeneralDilated(p.in("f32[1,4,5,2]"), p.in("f32[3,3,2,7]"), []int{2, 1}, [][2]int{{1, -1}, {2, 1}},
			[]int{3, 2}, []int{1, 2}, nhwc, builder.ConvOptions{Reversal: []bool{true, false}})
	}},
	{"Cholesky", func(p *prog) builder.Op { return builder.Cholesky(p.in("f32[2,3,3]"), true) }},
	{"TriangularSolve", func(p *prog) builder.Op {
		return builder.TriangularSolve(p.in("f32[3,3]"), p.in("f32[3,2]"), op.TriangularSolveAttrs{
			LeftSide: true, Lower: true, TransposeA: op.Adjoint})
	}},
	{"Fft", func(p *prog) builder.Op { return builder.Fft(p.in("f32[2,17]"), op.RFFT, 17) }},
	{"BatchNormTraining", func(p *prog) builder.Op {
		y, mean, variance := builder.BatchNormTraining(p.in("f32[4,3]"), p.in("f32[3]"), p.in("f32[3]"), 1e-3, 1)
		return p.Tuple(y, mean, variance)
	}},
	{"BatchNormInference", func(p *prog) builder.Op {
		f := p.ins("f32[4,3]", "f32[3]", "f32[3]", "f32[3]", "f32[3]")
		return builder.BatchNormInference(f[0], f[1], f[2], f[3], f[4], 1e-3, 1)
	}},
	{"BatchNormGrad", func(p *prog) builder.Op {
		f := p.ins("f32[4,3]", "f32[3]", "f32[3]", "f32[3]", "f32[4,3]")
		x, scale, offset := builder.BatchNormGrad(f[0], f[1], f[2], f[3], f[4], 1e-3, 1)
		return p.Tuple(x, scale, offset)
	}},
	{"RngUniform", func(p *prog) builder.Op {
		return builder.RngUniform(p.in("f32[]"), p.in("f32[]"), shapeOf("f32[8]"))
	}},
	{"RngNormal", func(p *prog) builder.Op {
		return builder.RngNormal(p.in("f32[]"), p.in("f32[]"), shapeOf("f32[8]"))
	}},
	{"RngBernoulli", func(p *prog) builder.Op { return builder.RngBernoulli(p.in("f32[]"), shapeOf("u32[8]")) }},
	{"RngBitGenerator", func(p *prog) builder.Op {
		state, bits := builder.RngBitGenerator(op.RngPhilox, p.in("u64[3]"), shapeOf("f32[8]"))
		return p.Tuple(state, bits)
	}},
	{"RngGetAndUpdateState", func(p *prog) builder.Op { return p.RngGetAndUpdateState(8) }},
}
