package interp

import (
	"math"
	"math/bits"
	"math/cmplx"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// unarySpec is the meaning of a unary operation whose result has the operand's
// type; a nil function says that it is not defined for those types. Integers are
// widened to 64 bits and cut to their width afterwards. f32 and narrower floats
// without a function of their own are computed in float64 and rounded once.
type unarySpec struct {
	pred     func(bool) bool
	signed   func(x int64, bits int) int64
	unsigned func(x uint64, bits int) uint64
	f32      func(float32) float32
	f64      func(float64) float64
	cplx     func(complex128) complex128
}

//go:noinline
func unaryKernel(s unarySpec) kernelFunc {
	if s.f32 == nil && s.f64 != nil {
		f64 := s.f64
		s.f32 = func(x float32) float32 { return float32(f64(float64(x))) }
	}
	return func(_ *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
		t, x := dst.Type(), args[0]
		var run func()
		switch {
		case t == shape.Pred && s.pred != nil:
			run = mapUnary(dst, x, s.pred)
		case t.IsSigned() && s.signed != nil:
			run = s.runSigned(dst, x)
		case t.IsUnsigned() && s.unsigned != nil:
			run = s.runUnsigned(dst, x)
		case t.IsFloat() && s.f32 != nil:
			run = s.runFloat(dst, x)
		case t.IsComplex() && s.cplx != nil:
			run = s.runComplex(dst, x)
		default:
			return nil, noKernel(t)
		}
		return run, nil
	}
}

// mapUnary returns a closure that applies f to each element.
func mapUnary[T, R literal.Native](dst, x literal.Literal, f func(T) R) func() {
	d, a := literal.Values[R](dst), literal.Values[T](x)
	return func() {
		for i, v := range a {
			d[i] = f(v)
		}
	}
}

func (s *unarySpec) runSigned(dst, x literal.Literal) func() {
	switch t := dst.Type(); t.ByteSize() {
	case 1:
		return unarySigned[int8](dst, x, t, s.signed)
	case 2:
		return unarySigned[int16](dst, x, t, s.signed)
	case 4:
		return unarySigned[int32](dst, x, t, s.signed)
	default:
		return unarySigned[int64](dst, x, t, s.signed)
	}
}

func unarySigned[T signedNative](dst, x literal.Literal, t shape.ElementType, f func(int64, int) int64) func() {
	width, k := t.Bits(), narrow(t)
	return mapUnary(dst, x, func(v T) T { return T(f(int64(v), width)) << k >> k })
}

func (s *unarySpec) runUnsigned(dst, x literal.Literal) func() {
	switch t := dst.Type(); t.ByteSize() {
	case 1:
		return unaryUnsigned[uint8](dst, x, t, s.unsigned)
	case 2:
		return unaryUnsigned[uint16](dst, x, t, s.unsigned)
	case 4:
		return unaryUnsigned[uint32](dst, x, t, s.unsigned)
	default:
		return unaryUnsigned[uint64](dst, x, t, s.unsigned)
	}
}

func unaryUnsigned[T unsignedNative](dst, x literal.Literal, t shape.ElementType,
	f func(uint64, int) uint64) func() {
	width, k := t.Bits(), narrow(t)
	return mapUnary(dst, x, func(v T) T { return T(f(uint64(v), width)) << k >> k })
}

func (s *unarySpec) runFloat(dst, x literal.Literal) func() {
	switch dst.Type() {
	case shape.F32:
		return mapUnary(dst, x, s.f32)
	case shape.F64:
		return mapUnary(dst, x, s.f64)
	}
	d, a, n, f := newCodec(dst), newCodec(x), dst.Len(), s.f32
	return func() {
		for i := range n {
			d.store(i, f(a.load(i)))
		}
	}
}

func (s *unarySpec) runComplex(dst, x literal.Literal) func() {
	if dst.Type() == shape.C128 {
		return mapUnary(dst, x, s.cplx)
	}
	f := s.cplx
	return mapUnary(dst, x, func(v complex64) complex64 { return complex64(f(complex128(v))) })
}

// The unary operations. Spec: OPS.md section 2; facts on element semantics: XLA's HloEvaluator.
var (
	acosSpec        = unarySpec{f64: arccosine, cplx: complexAcos}
	acoshSpec       = unarySpec{f64: math.Acosh, cplx: complexAcosh}
	asinSpec        = unarySpec{f64: arcsine, cplx: complexAsin}
	asinhSpec       = unarySpec{f64: math.Asinh, cplx: complexAsinh}
	atanhSpec       = unarySpec{f64: math.Atanh, cplx: complexAtanh}
	cbrtSpec        = unarySpec{f64: math.Cbrt, cplx: complexCbrt}
	ceilSpec        = unarySpec{f64: math.Ceil}
	coshSpec        = unarySpec{f64: cosh, cplx: cmplx.Cosh}
	cosineSpec      = unarySpec{f64: cosine, cplx: cmplx.Cos}
	erfSpec         = unarySpec{f64: math.Erf}
	exponentialSpec = unarySpec{f64: exponential, cplx: complexExp}
	expm1Spec       = unarySpec{f64: math.Expm1, cplx: complexExpm1}
	floorSpec       = unarySpec{f64: math.Floor}
	logSpec         = unarySpec{f64: naturalLog, cplx: complexLog}
	log1pSpec       = unarySpec{f64: math.Log1p, cplx: complexLog1p}
	logisticSpec    = unarySpec{f64: logistic, cplx: complexLogistic}
	roundAfzSpec    = unarySpec{f64: math.Round}
	roundEvenSpec   = unarySpec{f64: math.RoundToEven}
	rsqrtSpec       = unarySpec{f64: func(x float64) float64 { return 1 / math.Sqrt(x) }, cplx: complexRsqrt}
	sineSpec        = unarySpec{f64: sine, cplx: cmplx.Sin}
	sinhSpec        = unarySpec{f64: sinh, cplx: cmplx.Sinh}
	sqrtSpec        = unarySpec{f64: math.Sqrt, cplx: complexSqrt}
	tanSpec         = unarySpec{f64: tangent, cplx: complexTan}
	tanhSpec        = unarySpec{f64: math.Tanh, cplx: complexTanh}

	negateSpec = unarySpec{
		signed:   func(x int64, _ int) int64 { return -x },
		unsigned: func(x uint64, _ int) uint64 { return -x },
		f32:      func(x float32) float32 { return -x },
		f64:      func(x float64) float64 { return -x },
		cplx:     func(x complex128) complex128 { return -x },
	}
	notSpec = unarySpec{
		pred:     func(x bool) bool { return !x },
		signed:   func(x int64, _ int) int64 { return ^x },
		unsigned: func(x uint64, _ int) uint64 { return ^x },
	}
	clzSpec = unarySpec{
		signed: func(x int64, width int) int64 { return int64(leadingZeros(uint64(x), width)) },
		unsigned: func(x uint64, width int) uint64 {
			return uint64(leadingZeros(x, width))
		},
	}
	popcntSpec = unarySpec{
		signed: func(x int64, width int) int64 {
			return int64(bits.OnesCount64(uint64(x) & lowBits(width)))
		},
		unsigned: func(x uint64, _ int) uint64 { return uint64(bits.OnesCount64(x)) },
	}
	signSpec = unarySpec{
		signed:   func(x int64, _ int) int64 { return x>>63 | int64(uint64(-x)>>63) },
		unsigned: func(x uint64, _ int) uint64 { return min(x, 1) },
		f32:      sign32,
		f64:      sign,
		cplx:     complexSign,
	}
)

// leadingZeros counts the zero bits above the highest one bit of the low width bits of x.
func leadingZeros(x uint64, width int) int {
	return bits.LeadingZeros64(x&lowBits(width)) - (64 - width)
}

// lowBits has the low width bits set.
func lowBits(width int) uint64 { return ^uint64(0) >> (64 - width) }

// The least normal numbers.
const (
	minNormal32 = 0x1p-126
	minNormal64 = 0x1p-1022
)

// sign returns -1 or 1, and zeros and NaN as they are. A subnormal number counts as
// a zero of its sign, as in XLA, whose comparison with zero flushes it.
func sign(x float64) float64 {
	switch {
	case x >= minNormal64:
		return 1
	case x <= -minNormal64:
		return -1
	case x != x:
		return x
	}
	return math.Copysign(0, x)
}

func sign32(x float32) float32 {
	if x > -minNormal32 && x < minNormal32 {
		return float32(math.Copysign(0, float64(x)))
	}
	return float32(sign(float64(x)))
}

// logistic returns 1/(1+exp(-x)), which is exp(x) where exp(-x) is beyond all numbers.
func logistic(x float64) float64 {
	e := math.Exp(-x)
	if math.IsInf(e, 1) {
		return math.Exp(x)
	}
	return 1 / (1 + e)
}
