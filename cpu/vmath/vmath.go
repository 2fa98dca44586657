package vmath

import "github.com/goxla/xla/cpu/loop"

// All functions take values of kind k, F32 or F64, and return one. NaN gives NaN; the results of special
// values, denormal numbers and the signs of zeros are those of C (ISO/IEC 9899, Annex F).

// Exp is e^x.
func Exp(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return exp(calcOf(b, k), x) }

// Exp2 is 2^x.
func Exp2(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return exp2(calcOf(b, k), x) }

// Expm1 is e^x - 1.
func Expm1(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return expm1(calcOf(b, k), x) }

// Log is the natural logarithm of x: -Inf for zeros, NaN for negative numbers.
func Log(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return log(calcOf(b, k), x) }

// Log2 is the logarithm of x to base 2, with the special values of Log.
func Log2(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return log2(calcOf(b, k), x) }

// Log1p is log(1+x): -Inf for -1, NaN below.
func Log1p(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return log1p(calcOf(b, k), x) }

// Tanh is the hyperbolic tangent of x.
func Tanh(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return tanh(calcOf(b, k), x) }

// Logistic is 1/(1+e^-x).
func Logistic(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value {
	return logistic(calcOf(b, k), x)
}

// Sinh is the hyperbolic sine of x.
func Sinh(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return sinh(calcOf(b, k), x) }

// Cosh is the hyperbolic cosine of x.
func Cosh(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return cosh(calcOf(b, k), x) }

// Asinh is the inverse hyperbolic sine of x.
func Asinh(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return asinh(calcOf(b, k), x) }

// Acosh is the inverse hyperbolic cosine of x: NaN below 1.
func Acosh(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value {
	if k == loop.F32 { // in f32 alone it is up to 1.82 ULP off
		return b.Op(loop.Narrow, k, acosh(calcOf(b, loop.F64), b.Op(loop.Widen, loop.F64, x)))
	}
	return acosh(calcOf(b, k), x)
}

// Atanh is the inverse hyperbolic tangent of x: infinite for 1 and -1, NaN beyond.
func Atanh(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return atanh(calcOf(b, k), x) }

// Erf is the error function of x.
func Erf(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return erf(calcOf(b, k), x) }

// Erfc is 1 - erf(x), exact for large x too.
func Erfc(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return erfc(calcOf(b, k), x) }

// Sin is the sine of x, of any size; NaN for infinities.
func Sin(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return sin(calcOf(b, k), x) }

// Cos is the cosine of x, of any size; NaN for infinities.
func Cos(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return cos(calcOf(b, k), x) }

// Tan is the tangent of x, of any size; NaN for infinities.
func Tan(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return tan(calcOf(b, k), x) }

// Asin is the inverse sine of x: NaN beyond 1 and -1.
func Asin(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return asin(calcOf(b, k), x) }

// Acos is the inverse cosine of x: NaN beyond 1 and -1.
func Acos(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return acos(calcOf(b, k), x) }

// Atan is the inverse tangent of x.
func Atan(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return atan(calcOf(b, k), x) }

// Rsqrt is 1/sqrt(x): infinite, with the sign of x, for zeros, NaN for negative numbers.
func Rsqrt(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return rsqrt(calcOf(b, k), x) }

// Cbrt is the cube root of x, which may be negative.
func Cbrt(b *loop.Builder, k loop.Kind, x loop.Value) loop.Value { return cbrt(calcOf(b, k), x) }

// Atan2 is the angle of the point (x, y), in [-pi, pi], with the signs of zeros of C.
func Atan2(b *loop.Builder, k loop.Kind, y, x loop.Value) loop.Value {
	return atan2(calcOf(b, k), y, x)
}

// Pow is x^y: 1 for x = 1 or y = 0 even with NaN; for negative x NaN unless y is integral.
func Pow(b *loop.Builder, k loop.Kind, x, y loop.Value) loop.Value {
	if z, ok := powConstant(calcOf(b, k), x, y); ok {
		return z
	}
	return pow(calcOf(b, k), x, y)
}

// Rem is x - y*trunc(x/y), exactly, with the sign of x: NaN for infinite x and zero y.
func Rem(b *loop.Builder, k loop.Kind, x, y loop.Value) loop.Value { return rem(calcOf(b, k), x, y) }
