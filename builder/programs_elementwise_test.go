package builder_test

import (
	"slices"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// binaryProgram shows a function of two operands on arrays of type t, with a broadcast.
func binaryProgram(name, t string, f func(lhs, rhs builder.Op, dims ...int) builder.Op) program {
	return program{name, func(p *prog) builder.Op { return f(p.in(t+"[2,3]"), p.in(t+"[3]"), 1) }}
}

// unaryProgram shows a function of one operand on an array of type t.
func unaryProgram(name, t string, f func(x builder.Op) builder.Op) program {
	return program{name, func(p *prog) builder.Op { return f(p.in(t + "[2,3]")) }}
}

// elementaryProgram shows an elementary function with an accuracy.
func elementaryProgram(name string, f func(builder.Op, ...op.ResultAccuracy) builder.Op) program {
	return program{name, func(p *prog) builder.Op {
		return builder.Tuple(f(p.in("f32[2,3]")), f(p.in("f32[]"), op.ResultAccuracy{Mode: "highest"}))
	}}
}

var programsElementwise = slices.Concat([]program{
	binaryProgram("Add", "f32", builder.Add),
	binaryProgram("Sub", "s32", builder.Sub),
	binaryProgram("Mul", "f32", builder.Mul),
	binaryProgram("Div", "f32", builder.Div),
	binaryProgram("Rem", "s32", builder.Rem),
	binaryProgram("Max", "f32", builder.Max),
	binaryProgram("Min", "f32", builder.Min),
	binaryProgram("Pow", "f32", builder.Pow),
	binaryProgram("Atan2", "f32", builder.Atan2),
	binaryProgram("And", "s32", builder.And),
	binaryProgram("Or", "pred", builder.Or),
	binaryProgram("Xor", "u8", builder.Xor),
	binaryProgram("LogicalAnd", "pred", builder.LogicalAnd),
	binaryProgram("LogicalOr", "pred", builder.LogicalOr),
	binaryProgram("ShiftLeft", "s32", builder.ShiftLeft),
	binaryProgram("ShiftRightArithmetic", "s32", builder.ShiftRightArithmetic),
	binaryProgram("ShiftRightLogical", "s32", builder.ShiftRightLogical),
	binaryProgram("Complex", "f32", builder.Complex),
	binaryProgram("Mulhi", "s32", builder.Mulhi),
	binaryProgram("Eq", "f32", builder.Eq),
	binaryProgram("Ne", "f32", builder.Ne),
	binaryProgram("Ge", "f32", builder.Ge),
	binaryProgram("Gt", "s32", builder.Gt),
	binaryProgram("Le", "u32", builder.Le),
	binaryProgram("Lt", "pred", builder.Lt),
	binaryProgram("EqTotalOrder", "f32", builder.EqTotalOrder),
	binaryProgram("NeTotalOrder", "f32", builder.NeTotalOrder),
	binaryProgram("GeTotalOrder", "f32", builder.GeTotalOrder),
	binaryProgram("GtTotalOrder", "f32", builder.GtTotalOrder),
	binaryProgram("LeTotalOrder", "f32", builder.LeTotalOrder),
	binaryProgram("LtTotalOrder", "f32", builder.LtTotalOrder),
	binaryProgram("LtTotalOrder of integers", "s32", builder.LtTotalOrder),
	{"Compare", func(p *prog) builder.Op {
		return builder.Compare(p.in("f32[2,3]"), p.in("f32[2]"), op.GE, op.ComparisonTotalOrder, 0)
	}},

	unaryProgram("Abs", "c64", builder.Abs),
	unaryProgram("Ceil", "f32", builder.Ceil),
	unaryProgram("Floor", "f32", builder.Floor),
	unaryProgram("Round", "f32", builder.Round),
	unaryProgram("RoundNearestAfz", "f32", builder.RoundNearestAfz),
	unaryProgram("RoundNearestEven", "f32", builder.RoundNearestEven),
	unaryProgram("Neg", "s32", builder.Neg),
	unaryProgram("Sign", "f32", builder.Sign),
	unaryProgram("IsFinite", "f32", builder.IsFinite),
	unaryProgram("Not", "s32", builder.Not),
	unaryProgram("LogicalNot", "pred", builder.LogicalNot),
	unaryProgram("Clz", "s32", builder.Clz),
	unaryProgram("PopulationCount", "u8", builder.PopulationCount),
	unaryProgram("Real", "c64", builder.Real),
	unaryProgram("Imag", "c64", builder.Imag),
	unaryProgram("Conj", "c64", builder.Conj),
	unaryProgram("Copy", "f32", builder.Copy),

	elementaryProgram("Acos", builder.Acos),
	elementaryProgram("Acosh", builder.Acosh),
	elementaryProgram("Asin", builder.Asin),
	elementaryProgram("Asinh", builder.Asinh),
	elementaryProgram("Atanh", builder.Atanh),
	elementaryProgram("Cbrt", builder.Cbrt),
	elementaryProgram("Cos", builder.Cos),
	elementaryProgram("Cosh", builder.Cosh),
	elementaryProgram("Erf", builder.Erf),
	elementaryProgram("Exp", builder.Exp),
	elementaryProgram("Expm1", builder.Expm1),
	elementaryProgram("Log", builder.Log),
	elementaryProgram("Log1p", builder.Log1p),
	elementaryProgram("Logistic", builder.Logistic),
	elementaryProgram("Rsqrt", builder.Rsqrt),
	elementaryProgram("Sin", builder.Sin),
	elementaryProgram("Sinh", builder.Sinh),
	elementaryProgram("Sqrt", builder.Sqrt),
	elementaryProgram("Tan", builder.Tan),
	elementaryProgram("Tanh", builder.Tanh),

	{"ConvertElementType", func(p *prog) builder.Op { return builder.ConvertElementType(p.in("s32[3]"), shape.F32) }},
	{"ConvertElementType of complex", func(p *prog) builder.Op {
		return builder.ConvertElementType(p.in("c64[3]"), shape.S32)
	}},
	{"BitcastConvertType", func(p *prog) builder.Op {
		x := p.in("f32[10]")
		return builder.Tuple(builder.BitcastConvertType(x, shape.F16), builder.BitcastConvertType(x, shape.U32))
	}},
	{"Bitcast", func(p *prog) builder.Op { return builder.Bitcast(p.in("f32[2,3]"), shapeOf("f32[3,2]{0,1}")) }},
	{"ReducePrecision", func(p *prog) builder.Op { return builder.ReducePrecision(p.in("f32[3]"), 5, 10) }},
	{"StochasticConvert", func(p *prog) builder.Op {
		return builder.StochasticConvert(p.in("f32[3]"), p.in("u32[3]"), shape.S8)
	}},
	{"Clamp", func(p *prog) builder.Op { return builder.Clamp(p.in("s32[]"), p.in("s32[3]"), p.in("s32[3]")) }},
	{"Select", func(p *prog) builder.Op { return builder.Select(p.in("pred[3]"), p.in("f32[3]"), p.in("f32[3]")) }},
	{"Select by a scalar", func(p *prog) builder.Op {
		return builder.Select(p.in("pred[]"), p.in("f32[3]"), p.in("f32[3]"))
	}},
	{"Select of tuples", func(p *prog) builder.Op {
		return builder.Select(p.in("pred[]"), p.in("(f32[3], s32[])"), p.in("(f32[3], s32[])"))
	}},
}, programsBroadcast)

var programsBroadcast = []program{
	{"Add of a scalar", func(p *prog) builder.Op { return builder.Add(p.in("f32[2,3]"), p.Const(float32(2))) }},
	{"Add to a scalar", func(p *prog) builder.Op { return builder.Add(p.in("f32[]"), p.in("f32[2,3]")) }},
	{"Add of degenerate dimensions", func(p *prog) builder.Op {
		return builder.Add(p.in("f32[2,1]"), p.in("f32[1,3]"))
	}},
	{"Add in dimension 0", func(p *prog) builder.Op { return builder.Add(p.in("f32[2,3]"), p.in("f32[2]"), 0) }},
	{"Add to a lower rank", func(p *prog) builder.Op { return builder.Add(p.in("f32[2]"), p.in("f32[2,3]"), 0) }},
	{"Add in both ways", func(p *prog) builder.Op { return builder.Add(p.in("f32[2,4,3]"), p.in("f32[4,1]"), 1, 2) }},
	{"Add that stretches both", func(p *prog) builder.Op { return builder.Add(p.in("f32[2,1]"), p.in("f32[5]"), 1) }},
	{"Add of bounded dimensions", func(p *prog) builder.Op {
		return builder.Add(p.in("f32[<=4,3]"), p.in("f32[3]"), 1)
	}},
	{"Add of unbounded dimensions", func(p *prog) builder.Op {
		return builder.Add(p.in("f32[?,3]"), p.in("f32[1,3]"))
	}},
	{"Add of an unbounded and a scalar", func(p *prog) builder.Op {
		return builder.Add(p.in("f32[]"), p.in("f32[?,3]"))
	}},
}
