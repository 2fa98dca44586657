package elem

import (
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/vmath"
	"github.com/goxla/xla/op"
)

// rules is the meaning of each operation. The integer and float forms say in their names what becomes of
// a result that leaves its type: wrap cuts it or rounds it, keep is for those that cannot.
// What makes the forms is not inlined: each closure is there once.
var rules = [op.NumCodes]rule{
	// Arithmetic.
	op.Abs: {signed: wrap(loop.Abs), unsigned: operand(0), float: keep(loop.Abs), complex: modulus, fits: toComponent},
	op.Add: {pred: keep(loop.Or), signed: wrap(loop.Add), unsigned: wrap(loop.Add), float: wrap(loop.Add),
		complex: wrap(loop.Add), mixes: true},
	op.Subtract: {signed: wrap(loop.Sub), unsigned: wrap(loop.Sub), float: wrap(loop.Sub),
		complex: wrap(loop.Sub), mixes: true},
	op.Multiply: {pred: keep(loop.And), signed: wrap(loop.Mul), unsigned: wrap(loop.Mul), float: wrap(loop.Mul),
		complex: product, mixes: true},
	op.Divide: {signed: wrap(loop.SDiv), unsigned: wrap(loop.UDiv), float: wrap(loop.Div), complex: ratio,
		mixes: true},
	op.Remainder: {signed: keep(loop.SRem), unsigned: keep(loop.URem), float: elementary2(vmath.Rem), mixes: true},
	op.Maximum: {pred: keep(loop.Or), signed: keep(loop.Max), unsigned: keep(loop.UMax), float: keep(loop.Max),
		mixes: true},
	op.Minimum: {pred: keep(loop.And), signed: keep(loop.Min), unsigned: keep(loop.UMin), float: keep(loop.Min),
		mixes: true},
	op.Negate: {signed: wrap(loop.Neg), unsigned: wrap(loop.Neg), float: negate, complex: keep(loop.Neg)},
	op.Sign:   {signed: signOfSigned, unsigned: signOfUnsigned, float: signOfFloat, complex: inDouble(complexSign)},
	op.Power: {pred: powerOfPred, signed: powerOfInteger, unsigned: powerOfInteger, float: partial2(vmath.Pow),
		complex: inDouble(complexPow), mixes: true},
	op.Mulhi: {signed: mulhi(loop.MulHiS, loop.Sar), unsigned: mulhi(loop.MulHiU, loop.Shr)},

	// Bits.
	op.And: {pred: keep(loop.And), signed: keep(loop.And), unsigned: keep(loop.And)},
	op.Or:  {pred: keep(loop.Or), signed: keep(loop.Or), unsigned: keep(loop.Or)},
	op.Xor: {pred: keep(loop.Xor), signed: keep(loop.Xor), unsigned: keep(loop.Xor)},
	op.Not: {pred: keep(loop.Not), signed: keep(loop.Not), unsigned: wrap(loop.Not)},

	op.ShiftLeft:            {signed: wrap(loop.Shl), unsigned: wrap(loop.Shl)},
	op.ShiftRightArithmetic: {signed: keep(loop.Sar), unsigned: shiftSignOfUnsigned},
	op.ShiftRightLogical:    {signed: shiftZerosIntoSigned, unsigned: keep(loop.Shr)},
	op.CountLeadingZeros:    {signed: leadingZeros, unsigned: leadingZeros},
	op.Popcnt:               {signed: populationCount, unsigned: populationCount},

	// Comparisons and choices.
	op.Compare: {pred: comparePred, signed: compareSigned, unsigned: compareUnsigned, float: compareFloat,
		complex: compareComplex, fits: comparable},
	op.Select: withFits(everywhere(selectOf), selects),
	op.Clamp: {pred: clamp(loop.Or, loop.And), signed: clamp(loop.Max, loop.Min),
		unsigned: clamp(loop.UMax, loop.UMin), float: clamp(loop.Max, loop.Min), mixes: true},

	// Floats.
	op.IsFinite:         {float: finite, fits: toPred},
	op.Floor:            {float: rounding(loop.ToFloor)},
	op.Ceil:             {float: rounding(loop.ToCeil)},
	op.RoundNearestEven: {float: rounding(loop.ToNearestEven)},
	op.RoundNearestAfz:  {float: roundAwayFromZero},
	op.Sqrt:             {float: wrap(loop.Sqrt), complex: inDouble(complexSqrt)},
	op.ReducePrecision:  {float: reducePrecision},

	// Elementary functions.
	op.Acos:                {float: partial(vmath.Acos), complex: inDouble(complexAcos)},
	op.Acosh:               {float: partial(vmath.Acosh), complex: inDouble(complexAcosh)},
	op.Asin:                {float: partial(vmath.Asin), complex: inDouble(complexAsin)},
	op.Asinh:               {float: elementary(vmath.Asinh), complex: inDouble(complexAsinh)},
	op.Atan2:               {float: elementary2(vmath.Atan2), complex: inDouble(complexAtan2), mixes: true},
	op.Atanh:               {float: partial(vmath.Atanh), complex: inDouble(complexAtanh)},
	op.Cbrt:                {float: elementary(vmath.Cbrt), complex: inDouble(complexCbrt)},
	op.Cosh:                {float: elementary(vmath.Cosh), complex: inDouble(complexCosh)},
	op.Cosine:              {float: periodic(vmath.Cos), complex: inDouble(complexCos)},
	op.Erf:                 {float: elementary(vmath.Erf)},
	op.Exponential:         {float: elementary(vmath.Exp), complex: inDouble(complexExp)},
	op.ExponentialMinusOne: {float: elementary(vmath.Expm1), complex: inDouble(complexExpm1)},
	op.Log:                 {float: partial(vmath.Log), complex: inDouble(complexLog)},
	op.LogPlusOne:          {float: partial(vmath.Log1p), complex: inDouble(complexLog1p)},
	op.Logistic:            {float: elementary(vmath.Logistic), complex: inDouble(complexLogistic)},
	op.Rsqrt:               {float: elementary(vmath.Rsqrt), complex: inDouble(complexRsqrt)},
	op.Sine:                {float: periodic(vmath.Sin), complex: inDouble(complexSin)},
	op.Sinh:                {float: elementary(vmath.Sinh), complex: inDouble(complexSinh)},
	op.Tan:                 {float: periodic(vmath.Tan), complex: inDouble(complexTan)},
	op.Tanh:                {float: elementary(vmath.Tanh), complex: inDouble(complexTanh)},

	// Complex numbers.
	op.Real:    {float: operand(0), complex: realPart, fits: toComponent},
	op.Imag:    {float: noImaginaryPart, complex: imaginaryPart, fits: toComponent},
	op.Complex: {float: join, fits: joins},

	// Conversions.
	op.Copy:              everywhere(operand(0)),
	op.Convert:           withFits(everywhere(convertTo), anyTypes),
	op.BitcastConvert:    withFits(everywhere(bitcast), sameBits),
	op.StochasticConvert: {unsigned: stochasticConvert, fits: drawsIntegers},
}
