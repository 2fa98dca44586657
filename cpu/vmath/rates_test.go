package vmath

import "github.com/goxla/xla/cpu/loop"

// rate is how many elements of f32 and f64 a function is to do in a nanosecond on AVX2, with blocks in the first cache.
// They are what C with intrinsics of AVX2 reached with about the same algorithms on a core of Zen 3. AVX-512, whose
// vectors hold twice as many, is to do twice as much.
type rate struct{ f32, f64 float64 }

// aims has no rate of functions that were not measured there.
var aims = map[string]rate{
	"exp": {2.73, 0.98}, "exp2": {3.15, 1.10}, "expm1": {2.02, 0.80},
	"log": {1.66, 0.59}, "log2": {1.49, 0.45}, "log1p": {1.41, 0.49},
	"sin": {1.71, 0.70}, "cos": {1.79, 0.72}, "tan": {1.29, 0.51},
	"asin": {2.28, 0.73}, "acos": {2.38, 0.77}, "atan": {1.99, 0.57},
	"sinh": {1.35, 0.50}, "cosh": {1.94, 0.87}, "tanh": {1.46, 0.48},
	"asinh": {0.23, 0.26}, "acosh": {0.27, 0.31}, "atanh": {0.35, 0.40},
	"logistic": {1.50, 0.55}, "erf": {1.19, 0.27}, "erfc": {0.45, 0.26},
	"rsqrt": {2.69, 0.90}, "cbrt": {1.05, 0.46}, "atan2": {1.24, 0.42}, "pow": {0.37, 0.14},
}

// aim is the rate that function f is to reach on a target, 0 if there is none.
func aim(f, target string, m loop.Mem) float64 {
	r := aims[f].f32
	if m == loop.MemF64 {
		r = aims[f].f64
	}
	if target == "avx512" {
		r *= 2
	}
	return r
}
