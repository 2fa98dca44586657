package vmath

import (
	"math"
	"math/big"

	"github.com/goxla/xla/cpu/loop"
)

// function is a function of one argument, with its value in float64, which is the reference in f32,
// and in arithmetic of many bits, the reference in f64.
type function struct {
	name  string
	make  func(*loop.Builder, loop.Kind, loop.Value) loop.Value
	value func(float64) float64
	exact func(float64) *big.Float
	// limit32 and limit64 are the errors in units of the last place that we promise not to exceed.
	limit32, limit64 float64
	// reach is the magnitude within which f64 is tried most.
	reach float64
}

var functions = []function{
	{"exp", Exp, math.Exp, exact.exp, 0.90, 0.90, 750},
	{"exp2", Exp2, math.Exp2, exact.exp2, 0.90, 0.85, 1080},
	{"expm1", Expm1, math.Expm1, exact.expm1, 1.45, 1.15, 50},
	{"log", Log, math.Log, exact.log, 0.95, 0.85, 10},
	{"log2", Log2, log2Ref, exact.log2, 0.97, 0.75, 10},
	{"log1p", Log1p, math.Log1p, exact.log1p, 1.05, 0.90, 10},
	{"tanh", Tanh, math.Tanh, exact.tanh, 1.20, 1.50, 25},
	{"logistic", Logistic, logisticRef, exact.logistic, 1.50, 1.50, 40},
	{"sinh", Sinh, math.Sinh, exact.sinh, 1.55, 1.55, 30},
	{"cosh", Cosh, math.Cosh, exact.cosh, 1.50, 1.40, 30},
	{"asinh", Asinh, math.Asinh, exact.asinh, 1.80, 1.20, 10},
	{"acosh", Acosh, math.Acosh, exact.acosh, 1.80, 1.70, 10},
	{"atanh", Atanh, math.Atanh, exact.atanh, 1.80, 1.20, 1},
	{"erf", Erf, math.Erf, exact.erf, 1.00, 1.10, 6},
	{"erfc", Erfc, math.Erfc, exact.erfc, 0.60, 5.10, 28},
	{"sin", Sin, math.Sin, exact.sin, 1.20, 0.80, 100},
	{"cos", Cos, math.Cos, exact.cos, 1.20, 0.80, 100},
	{"tan", Tan, math.Tan, exact.tan, 1.27, 1.35, 100},
	{"asin", Asin, math.Asin, exact.asin, 1.20, 1.35, 1},
	{"acos", Acos, math.Acos, exact.acos, 1.60, 1.40, 1},
	{"atan", Atan, math.Atan, exact.atan, 1.25, 1.70, 10},
	{"rsqrt", Rsqrt, rsqrtRef, exact.rsqrt, 0.51, 0.51, 10},
	{"cbrt", Cbrt, math.Cbrt, exact.cbrt, 0.80, 0.80, 10},
}

// log2Ref: near 1 math.Log2 cancels.
func log2Ref(x float64) float64 {
	if math.Abs(x-1) < 0.5 {
		return math.Log1p(x-1) / math.Ln2
	}
	return math.Log2(x)
}

func logisticRef(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func rsqrtRef(x float64) float64 { return 1 / math.Sqrt(x) }
