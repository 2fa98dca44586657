package vmath

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// pair is a constant in two parts, each a number of the format.
type pair struct{ high, low float64 }

// format is what the functions need to know of a kind of floats.
type format struct {
	kind, ints loop.Kind
	// fraction is the number of stored bits, bias that of the exponent, minNormal the least normal number.
	fraction  int
	bias      int64
	minNormal float64
	// magic makes integers of numbers; see the package comment.
	magic float64
	// split is the number of coefficients from which on poly splits.
	split int

	ln2, log2e, halfPi pair
	exp                expConstants
	log                logConstants
	trig               trigConstants
	inverse            inverseConstants
	hyper              hyperConstants
}

// expConstants are those of exp, exp2, expm1, and what is made of them.
type expConstants struct {
	// low and high are where exp is 0 and infinite for sure, low2 and high2 those of exp2, lowM1 where expm1 is -1.
	low, high, low2, high2, lowM1 float64
	// coefficients of x^2 and up, of exp2 of x and up; of expm1 of x^2 and up.
	exp, exp2, expm1 []float64
}

// logConstants are those of the logarithms.
type logConstants struct {
	// lowest is the least 1+f that numbers are split into, f and a power of two; denormal scales
	// subnormal numbers up.
	lowest, denormal float64
	// tiny is the magnitude below which log1p(x) and expm1(x) are x.
	tiny float64
	// atanh are the coefficients of s^2 and up of (log((1+s)/(1-s)) - 2s)/s.
	atanh []float64
	// powHigh, the coefficient 2/3, and those of s^5 and up of the same for pow.
	twoThirds pair
	pow       []float64
	// limit is a magnitude beyond which 2^x is 0 or infinite.
	limit float64
}

// trigConstants are those of sin, cos, tan.
type trigConstants struct {
	// small is where reduction by halfPi and halfPiRest, its third part, still is exact enough.
	small, halfPiRest float64
	// coefficients in x^2; those of sin and cos of f32 are eitherF32.
	sin, cos, tan []float64
	// twoOverPi is 2/pi in words of integers; see reduceHuge.
	twoOverPi []uint64
}

// inverseConstants are those of asin, acos, atan.
type inverseConstants struct{ asin, atan []float64 }

// hyperConstants are those of the hyperbolic functions and their inverses.
type hyperConstants struct {
	// one is where tanh of f64 is 1, overflow where sinh and cosh are infinite.
	one, overflow float64
	sinh          []float64
	// huge is where x^2+1 is x^2 by far, tiny where asinh(x) and atanh(x) are x.
	huge, tiny float64
}

var single = format{
	kind: loop.F32, ints: loop.I32, fraction: 23, bias: 127, minNormal: 0x1p-126, magic: 0x1.8p23, split: math.MaxInt,
	ln2: pair{0x1.62e43p-1, -0x1.05c61p-29}, log2e: pair{0x1.715476p0, 0x1.4ae0cp-26},
	halfPi: pair{0x1.921fb6p0, -0x1.777a5cp-25},
	exp: expConstants{low: -104.5, high: 89, low2: -151, high2: 129, lowM1: -18,
		exp: expF32, exp2: exp2F32, expm1: expm1F32},
	log: logConstants{lowest: 0x1.555556p-1, denormal: 23, tiny: 0x1p-25, atanh: atanhF32,
		twoThirds: pair{0x1.555556p-1, -0x1.555556p-26}, pow: powF32, limit: 160},
	trig:    trigConstants{small: 0x1p18, halfPiRest: -0x1.ee59dap-50, tan: tanF32, twoOverPi: twoOverPi32},
	inverse: inverseConstants{asin: asinF32, atan: atanF32},
	hyper: hyperConstants{overflow: 89.5, sinh: sinhF32,
		huge: 0x1p30, tiny: 0x1p-13},
}

var double = format{
	kind: loop.F64, ints: loop.I64, fraction: 52, bias: 1023, minNormal: 0x1p-1022, magic: 0x1.8p52, split: 9,
	ln2:   pair{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56},
	log2e: pair{0x1.71547652b82fep0, 0x1.777d0ffda0d24p-56}, halfPi: pair{0x1.921fb54442d18p0, 0x1.1a62633145c07p-54},
	exp: expConstants{low: -746, high: 710, low2: -1076, high2: 1025, lowM1: -40,
		exp: expF64, exp2: exp2F64, expm1: expm1F64},
	log: logConstants{lowest: 0x1.6a09e667f3bcdp-1, denormal: 52, tiny: 0x1p-54, atanh: atanhF64,
		twoThirds: pair{0x1.5555555555555p-1, 0x1.5555555555555p-55}, pow: powF64, limit: 1100},
	trig: trigConstants{small: 0x1p30, halfPiRest: -0x1.f1976b7ed8fbcp-110,
		sin: sinF64, cos: cosF64, tan: tanF64, twoOverPi: twoOverPi64},
	inverse: inverseConstants{asin: asinF64, atan: atanF64},
	hyper: hyperConstants{one: 20, overflow: 711, sinh: sinhF64,
		huge: 0x1p60, tiny: 0x1p-27},
}
