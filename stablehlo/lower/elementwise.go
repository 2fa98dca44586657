package lower

import (
	"math"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// The forms of the builder's functions of one and two operands.
type (
	unaryFunc      = func(x builder.Op) builder.Op
	elementaryFunc = func(x builder.Op, accuracy ...op.ResultAccuracy) builder.Op
	binaryFunc     = func(lhs, rhs builder.Op, broadcastDims ...int) builder.Op
)

func elementwiseRules() map[string]rule {
	r := map[string]rule{
		"stablehlo.clamp":            clamp,
		"stablehlo.compare":          compare,
		"stablehlo.convert":          convert,
		"stablehlo.map":              mapElements,
		"stablehlo.not":              unary(builder.Not),
		"stablehlo.reduce_precision": reducePrecision,
		"stablehlo.select":           selectElements,
	}
	for name, f := range map[string]unaryFunc{
		"abs": builder.Abs, "ceil": builder.Ceil, "count_leading_zeros": builder.Clz, "floor": builder.Floor,
		"is_finite": builder.IsFinite, "imag": imag, "negate": builder.Neg, "popcnt": builder.PopulationCount,
		"real": real, "round_nearest_afz": builder.RoundNearestAfz, "round_nearest_even": builder.RoundNearestEven,
		"sign": sign,
	} {
		r["stablehlo."+name] = unary(f)
	}
	for name, f := range map[string]elementaryFunc{
		"cbrt": builder.Cbrt, "cosine": builder.Cos, "exponential": builder.Exp, "exponential_minus_one": builder.Expm1,
		"log": builder.Log, "log_plus_one": builder.Log1p, "logistic": builder.Logistic, "rsqrt": builder.Rsqrt,
		"sine": builder.Sin, "sqrt": builder.Sqrt, "tan": builder.Tan, "tanh": builder.Tanh,
	} {
		r["stablehlo."+name] = elementary(f)
	}
	for name, f := range map[string]binaryFunc{
		"add": builder.Add, "and": builder.And, "atan2": builder.Atan2, "complex": builder.Complex, "divide": builder.Div,
		"maximum": builder.Max, "minimum": builder.Min, "multiply": builder.Mul, "or": builder.Or, "power": builder.Pow,
		"remainder": builder.Rem, "shift_left": builder.ShiftLeft,
		"shift_right_arithmetic": builder.ShiftRightArithmetic, "shift_right_logical": builder.ShiftRightLogical,
		"subtract": builder.Sub, "xor": builder.Xor,
	} {
		r["stablehlo."+name] = binary(f)
	}
	return r
}

// unary is the rule of a function of one array.
func unary(f unaryFunc) rule {
	return func(c *call) []builder.Op { return one(f(c.arg(0))) }
}

// elementary is the rule of a function of one array that may have a result accuracy.
func elementary(f elementaryFunc) rule {
	return func(c *call) []builder.Op { return one(f(c.arg(0), c.accuracy()...)) }
}

// binary is the rule of a function of two arrays of equal sizes, which HLO's builder
// would broadcast.
func binary(f binaryFunc) rule {
	return func(c *call) []builder.Op {
		lhs, rhs := c.arg(0), c.arg(1)
		if !c.failed() && !lhs.Shape().SameDims(rhs.Shape()) {
			c.fail("", "", "expected operands of equal shapes, got %v and %v", lhs.Shape(), rhs.Shape())
			return nil
		}
		return one(f(lhs, rhs))
	}
}

// accuracy returns the accuracy that the operation asks for, none for the default.
func (c *call) accuracy() []op.ResultAccuracy {
	a, _ := c.op.Attr("result_accuracy").(*stablehlo.ResultAccuracy)
	if a == nil {
		return nil
	}
	switch a.Mode.Word() {
	case "HIGHEST":
		return []op.ResultAccuracy{{Mode: "highest"}}
	case "TOLERANCE":
		return []op.ResultAccuracy{{HasTolerance: true, ATol: a.Atol, RTol: a.Rtol, ULPs: int(a.Ulps)}}
	}
	return nil
}

// real returns the real part; a number that is real is its own.
func real(x builder.Op) builder.Op {
	if x.Type().IsFloat() {
		return x
	}
	return builder.Real(x)
}

// sign of a complex number that is not one is NaN in both parts.
func sign(x builder.Op) builder.Op {
	y := builder.Sign(x)
	if !x.Type().IsComplex() {
		return y
	}
	nan := builder.FullLike(builder.Real(x), math.NaN())
	return builder.Select(builder.Ne(x, x), builder.Complex(nan, nan), y)
}

// imag returns the imaginary part, 0 of a number that is real.
func imag(x builder.Op) builder.Op {
	if x.Type().IsFloat() {
		return builder.FullLike(x, 0)
	}
	return builder.Imag(x)
}

func clamp(c *call) []builder.Op { return one(builder.Clamp(c.arg(0), c.arg(1), c.arg(2))) }

func selectElements(c *call) []builder.Op {
	return one(builder.Select(c.arg(0), c.arg(1), c.arg(2)))
}

func convert(c *call) []builder.Op {
	return one(builder.ConvertElementType(c.arg(0), c.result(0).Type))
}

func reducePrecision(c *call) []builder.Op {
	return one(builder.ReducePrecision(c.arg(0), c.int("exponent_bits"), c.int("mantissa_bits")))
}

// comparisonTypes are the orders by their words. NOTYPE is the default of the type.
var comparisonTypes = map[string]op.ComparisonType{
	"FLOAT": op.ComparisonFloat, "TOTALORDER": op.ComparisonTotalOrder, "SIGNED": op.ComparisonSigned,
	"UNSIGNED": op.ComparisonUnsigned,
}

func compare(c *call) []builder.Op {
	direction, ok := op.ParseDirection(c.word("comparison_direction"))
	if !ok {
		c.fail("comparison_direction", "", "expected a direction, got %v", c.op.Attr("comparison_direction"))
		return nil
	}
	kind := comparisonTypes[c.word("compare_type")]
	return binary(func(lhs, rhs builder.Op, _ ...int) builder.Op {
		return builder.Compare(lhs, rhs, direction, kind)
	})(c)
}

// mapElements: the region may be any function of scalars.
func mapElements(c *call) []builder.Op {
	f, more := c.element(0)
	if c.failed() || len(c.args) == 0 {
		c.fail("", "map_i1", "expected operands, got %d", len(c.args))
		return nil
	}
	dims := c.ints("dimensions")
	for i, d := range dims {
		if d != i || len(dims) != c.arg(0).Rank() {
			c.fail("dimensions", "map_c3", "expected all dimensions of %v in order, got %v", c.arg(0).Shape(), dims)
			return nil
		}
	}
	all := append(c.args[:len(c.args):len(c.args)], spread(more, c.args[0])...)
	return one(builder.Map(all, f, nil))
}

// scalarType returns the element type of argument i of a block.
func (c *call) scalarType(block *stablehlo.Block, i int) shape.ElementType {
	if i >= len(block.Args) {
		c.fail("", "", "expected a region of at least %d arguments, got %d", i+1, len(block.Args))
		return shape.Invalid
	}
	s, err := shapeOf(block.Args[i].Type)
	if err != nil {
		c.fail("", "", "%w", err)
	}
	return s.Type
}
