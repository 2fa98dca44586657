package builder

import "github.com/goxla/xla/op"

// The elementary functions take an array of floating-point or complex numbers and return
// one of the same shape. They fail for other types. The accuracy that is asked for, one at
// most, is carried through the program; without it, it is the usual one. Spec: OPS.md
// section 2.

// elementary adds the elementary function code of x.
func elementary(code op.Code, x Op, accuracy []op.ResultAccuracy) Op {
	b, ok := enter(code, x)
	if !ok {
		return b.invalid()
	}
	a, ok := option(b, code, accuracy)
	if !ok {
		return b.invalid()
	}
	return apply(code, &op.UnaryAttrs{ResultAccuracy: a}, x)
}

// option returns the only one of options, or the zero value if there is none.
func option[T any](b *Builder, code op.Code, options []T) (o T, ok bool) {
	if len(options) > 1 {
		b.errorf(code, "", "", "expected one option value at most, got %d", len(options))
		return o, false
	}
	if len(options) == 1 {
		o = options[0]
	}
	return o, true
}

// Acos returns the inverse cosine of each element of x, in x's shape. It fails if x is not
// floating-point or complex. Spec: HLO acos.
func Acos(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Acos, x, accuracy) }

// Acosh returns the inverse hyperbolic cosine of each element of x, in x's shape. It fails if
// x is not floating-point or complex. Spec: HLO acosh.
func Acosh(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Acosh, x, accuracy) }

// Asin returns the inverse sine of each element of x, in x's shape. It fails if x is not
// floating-point or complex. Spec: HLO asin.
func Asin(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Asin, x, accuracy) }

// Asinh returns the inverse hyperbolic sine of each element of x, in x's shape. It fails if x
// is not floating-point or complex. Spec: HLO asinh.
func Asinh(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Asinh, x, accuracy) }

// Atanh returns the inverse hyperbolic tangent of each element of x, in x's shape. It fails if
// x is not floating-point or complex. Spec: HLO atanh.
func Atanh(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Atanh, x, accuracy) }

// Cbrt returns the cube root of each element of x, in x's shape. It fails if x is not
// floating-point or complex. Spec: OPS.md section 2.
func Cbrt(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Cbrt, x, accuracy) }

// Cos returns the cosine of each element of x, in x's shape. It fails if x is not
// floating-point or complex. Spec: OPS.md section 2.
func Cos(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Cosine, x, accuracy) }

// Cosh returns the hyperbolic cosine of each element of x, in x's shape. It fails if x is not
// floating-point or complex. Spec: OPS.md section 2.
func Cosh(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Cosh, x, accuracy) }

// Erf returns the error function of each element of x, in x's shape. It fails if x is not
// floating-point. Spec: OPS.md section 2.
func Erf(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Erf, x, accuracy) }

// Exp returns e to the power of each element of x, in x's shape. It fails if x is not
// floating-point or complex. Spec: OPS.md section 2.
func Exp(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Exponential, x, accuracy) }

// Expm1 returns exp(x) - 1 for each element of x, exact also near 0, in x's shape. It fails if
// x is not floating-point or complex. Spec: OPS.md section 2.
func Expm1(x Op, accuracy ...op.ResultAccuracy) Op {
	return elementary(op.ExponentialMinusOne, x, accuracy)
}

// Log returns the natural logarithm of each element of x, in x's shape. It fails if x is not
// floating-point or complex. Spec: OPS.md section 2.
func Log(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Log, x, accuracy) }

// Log1p returns log(1 + x) for each element of x, exact also near 0, in x's shape. It fails if
// x is not floating-point or complex. Spec: OPS.md section 2.
func Log1p(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.LogPlusOne, x, accuracy) }

// Logistic returns 1 / (1 + exp(-x)) for each element of x, in x's shape. It fails if x is not
// floating-point or complex. Spec: OPS.md section 2.
func Logistic(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Logistic, x, accuracy) }

// Rsqrt returns 1 / sqrt(x) for each element of x, in x's shape. It fails if x is not
// floating-point or complex. Spec: OPS.md section 2.
func Rsqrt(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Rsqrt, x, accuracy) }

// Sin returns the sine of each element of x, in x's shape. It fails if x is not
// floating-point or complex. Spec: OPS.md section 2.
func Sin(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Sine, x, accuracy) }

// Sinh returns the hyperbolic sine of each element of x, in x's shape. It fails if x is not
// floating-point or complex. Spec: HLO sinh.
func Sinh(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Sinh, x, accuracy) }

// Sqrt returns the square root of each element of x, in x's shape. It fails if x is not
// floating-point or complex. Spec: OPS.md section 2.
func Sqrt(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Sqrt, x, accuracy) }

// Tan returns the tangent of each element of x, in x's shape. It fails if x is not
// floating-point or complex. Spec: OPS.md section 2.
func Tan(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Tan, x, accuracy) }

// Tanh returns the hyperbolic tangent of each element of x, in x's shape. It fails if x is not
// floating-point or complex. Spec: OPS.md section 2.
func Tanh(x Op, accuracy ...op.ResultAccuracy) Op { return elementary(op.Tanh, x, accuracy) }
