package interp

import (
	"math"
	"math/bits"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// binarySpec is the meaning of a binary operation on two operands of the result's
// type; the rules are those of unarySpec.
type binarySpec struct {
	pred     func(x, y bool) bool
	signed   func(x, y int64, bits int) int64
	unsigned func(x, y uint64, bits int) uint64
	f32      func(x, y float32) float32
	f64      func(x, y float64) float64
	cplx     func(x, y complex128) complex128
	cplx32   func(x, y complex64) complex64 // nil: cplx, rounded once
	rows     func(d, x, y []float32)        // f32 of each element, without a call; may be nil
}

//go:noinline
func binaryKernel(s binarySpec) kernelFunc {
	if s.f32 == nil && s.f64 != nil {
		f64 := s.f64
		s.f32 = func(x, y float32) float32 { return float32(f64(float64(x), float64(y))) }
	}
	return func(_ *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
		t, x, y := dst.Type(), args[0], args[1]
		if x.Type() != t || y.Type() != t {
			return mixedKernel(s, dst, x, y)
		}
		var run func()
		switch {
		case t == shape.Pred && s.pred != nil:
			run = mapBinary(dst, x, y, s.pred)
		case t.IsSigned() && s.signed != nil:
			run = s.runSigned(dst, x, y)
		case t.IsUnsigned() && s.unsigned != nil:
			run = s.runUnsigned(dst, x, y)
		case t.IsFloat() && s.f32 != nil:
			run = s.runFloat(dst, x, y)
		case t.IsComplex() && s.cplx != nil:
			run = s.runComplex(dst, x, y)
		default:
			return nil, noKernel(t)
		}
		return run, nil
	}
}

// mixedKernel computes an operation on floats of different precision, which HLO
// lets pass, in float64.
func mixedKernel(s binarySpec, dst, x, y literal.Literal) (func(), error) {
	if !dst.Type().IsFloat() || !x.Type().IsFloat() || !y.Type().IsFloat() || s.f64 == nil {
		return nil, noKernel(y.Type())
	}
	a, b := make([]float64, x.Len()), make([]float64, y.Len())
	return func() {
		literal.ToFloat64s(a, x)
		literal.ToFloat64s(b, y)
		for i := range a {
			a[i] = s.f64(a[i], b[i])
		}
		literal.FromFloat64s(dst, a)
	}, nil
}

// mapBinary returns a closure that applies f to each pair of elements.
func mapBinary[T, R literal.Native](dst, x, y literal.Literal, f func(x, y T) R) func() {
	d, a, b := literal.View[R](dst), literal.View[T](x), literal.View[T](y)
	return func() {
		for i, v := range a {
			d[i] = f(v, b[i])
		}
	}
}

func (s *binarySpec) runSigned(dst, x, y literal.Literal) func() {
	switch t := dst.Type(); t.ByteSize() {
	case 1:
		return binarySigned[int8](dst, x, y, t, s.signed)
	case 2:
		return binarySigned[int16](dst, x, y, t, s.signed)
	case 4:
		return binarySigned[int32](dst, x, y, t, s.signed)
	default:
		return binarySigned[int64](dst, x, y, t, s.signed)
	}
}

func binarySigned[T signedNative](dst, x, y literal.Literal, t shape.ElementType,
	f func(x, y int64, bits int) int64) func() {
	width, k := t.Bits(), narrow(t)
	return mapBinary(dst, x, y, func(v, w T) T { return T(f(int64(v), int64(w), width)) << k >> k })
}

func (s *binarySpec) runUnsigned(dst, x, y literal.Literal) func() {
	switch t := dst.Type(); t.ByteSize() {
	case 1:
		return binaryUnsigned[uint8](dst, x, y, t, s.unsigned)
	case 2:
		return binaryUnsigned[uint16](dst, x, y, t, s.unsigned)
	case 4:
		return binaryUnsigned[uint32](dst, x, y, t, s.unsigned)
	default:
		return binaryUnsigned[uint64](dst, x, y, t, s.unsigned)
	}
}

func binaryUnsigned[T unsignedNative](dst, x, y literal.Literal, t shape.ElementType,
	f func(x, y uint64, bits int) uint64) func() {
	width, k := t.Bits(), narrow(t)
	return mapBinary(dst, x, y, func(v, w T) T { return T(f(uint64(v), uint64(w), width)) << k >> k })
}

func (s *binarySpec) runFloat(dst, x, y literal.Literal) func() {
	switch dst.Type() {
	case shape.F32:
		if s.rows != nil {
			d, a, b := literal.Values[float32](dst), literal.Values[float32](x), literal.Values[float32](y)
			return func() { s.rows(d, a[:len(d)], b[:len(d)]) }
		}
		return mapBinary(dst, x, y, s.f32)
	case shape.F64:
		return mapBinary(dst, x, y, s.f64)
	}
	d, a, b, n, f := newCodec(dst), newCodec(x), newCodec(y), dst.Len(), s.f32
	return func() {
		for i := range n {
			d.store(i, f(a.load(i), b.load(i)))
		}
	}
}

func (s *binarySpec) runComplex(dst, x, y literal.Literal) func() {
	if dst.Type() == shape.C128 {
		return mapBinary(dst, x, y, s.cplx)
	}
	f := s.cplx
	if s.cplx32 != nil {
		return mapBinary(dst, x, y, s.cplx32)
	}
	return mapBinary(dst, x, y, func(v, w complex64) complex64 {
		return complex64(f(complex128(v), complex128(w)))
	})
}

// The binary operations. Spec: OPS.md section 1; XLA's HloEvaluator.
var (
	addSpec = binarySpec{
		pred:     func(x, y bool) bool { return x || y },
		signed:   func(x, y int64, _ int) int64 { return x + y },
		unsigned: func(x, y uint64, _ int) uint64 { return x + y },
		f32:      func(x, y float32) float32 { return x + y },
		f64:      func(x, y float64) float64 { return x + y },
		cplx:     func(x, y complex128) complex128 { return x + y },
		rows: func(d, x, y []float32) {
			for i := range d {
				d[i] = x[i] + y[i]
			}
		},
	}
	subtractSpec = binarySpec{
		signed:   func(x, y int64, _ int) int64 { return x - y },
		unsigned: func(x, y uint64, _ int) uint64 { return x - y },
		f32:      func(x, y float32) float32 { return x - y },
		f64:      func(x, y float64) float64 { return x - y },
		cplx:     func(x, y complex128) complex128 { return x - y },
		rows: func(d, x, y []float32) {
			for i := range d {
				d[i] = x[i] - y[i]
			}
		},
	}
	multiplySpec = binarySpec{
		pred:     func(x, y bool) bool { return x && y },
		signed:   func(x, y int64, _ int) int64 { return x * y },
		unsigned: func(x, y uint64, _ int) uint64 { return x * y },
		f32:      func(x, y float32) float32 { return x * y },
		f64:      func(x, y float64) float64 { return x * y },
		cplx:     complexMul,
		cplx32:   complexMul32,
		rows: func(d, x, y []float32) {
			for i := range d {
				d[i] = x[i] * y[i]
			}
		},
	}
	divideSpec = binarySpec{
		signed:   divideSigned,
		unsigned: divideUnsigned,
		f32:      func(x, y float32) float32 { return x / y },
		f64:      func(x, y float64) float64 { return x / y },
		cplx:     func(x, y complex128) complex128 { return x / y },
		cplx32:   complexDiv32,
		rows: func(d, x, y []float32) {
			for i := range d {
				d[i] = x[i] / y[i]
			}
		},
	}
	remainderSpec = binarySpec{
		signed: func(x, y int64, _ int) int64 {
			if y == 0 {
				return x
			}
			if y == -1 {
				return 0
			}
			return x % y
		},
		unsigned: func(x, y uint64, _ int) uint64 {
			if y == 0 {
				return x
			}
			return x % y
		},
		f64: math.Mod,
	}
	maximumSpec = binarySpec{
		pred:     func(x, y bool) bool { return x || y },
		signed:   func(x, y int64, _ int) int64 { return max(x, y) },
		unsigned: func(x, y uint64, _ int) uint64 { return max(x, y) },
		f32:      func(x, y float32) float32 { return max(x, y) },
		f64:      func(x, y float64) float64 { return max(x, y) },
	}
	minimumSpec = binarySpec{
		pred:     func(x, y bool) bool { return x && y },
		signed:   func(x, y int64, _ int) int64 { return min(x, y) },
		unsigned: func(x, y uint64, _ int) uint64 { return min(x, y) },
		f32:      func(x, y float32) float32 { return min(x, y) },
		f64:      func(x, y float64) float64 { return min(x, y) },
	}
	powerSpec = binarySpec{
		pred:     func(x, y bool) bool { return x || !y },
		signed:   powSigned,
		unsigned: func(x, y uint64, _ int) uint64 { return powUint(x, y) },
		f32:      func(x, y float32) float32 { return float32(math.Pow(float64(x), float64(y))) },
		f64:      power,
		cplx:     complexPow,
	}
	atan2Spec = binarySpec{f64: arg, cplx: complexAtan2}
	andSpec   = binarySpec{
		pred:     func(x, y bool) bool { return x && y },
		signed:   func(x, y int64, _ int) int64 { return x & y },
		unsigned: func(x, y uint64, _ int) uint64 { return x & y },
	}
	orSpec = binarySpec{
		pred:     func(x, y bool) bool { return x || y },
		signed:   func(x, y int64, _ int) int64 { return x | y },
		unsigned: func(x, y uint64, _ int) uint64 { return x | y },
	}
	xorSpec = binarySpec{
		pred:     func(x, y bool) bool { return x != y },
		signed:   func(x, y int64, _ int) int64 { return x ^ y },
		unsigned: func(x, y uint64, _ int) uint64 { return x ^ y },
	}
	shiftLeftSpec = binarySpec{
		signed: func(x, y int64, width int) int64 {
			return x << shiftAmount(y, width)
		},
		unsigned: func(x, y uint64, width int) uint64 { return x << min(y, 64) },
	}
	shiftRightArithmeticSpec = binarySpec{
		signed: func(x, y int64, width int) int64 { return x >> shiftAmount(y, width) },
		unsigned: func(x, y uint64, width int) uint64 { // the top bit counts as a sign
			k := 64 - width
			return uint64(int64(x<<k)>>k>>min(y, 63)) & lowBits(width)
		},
	}
	shiftRightLogicalSpec = binarySpec{
		signed: func(x, y int64, width int) int64 {
			return int64(uint64(x) & lowBits(width) >> shiftAmount(y, width))
		},
		unsigned: func(x, y uint64, width int) uint64 { return x >> min(y, 64) },
	}
	mulhiSpec = binarySpec{
		signed:   mulhiSigned,
		unsigned: mulhiUnsigned,
	}
)

// shiftAmount returns y, or 64, which shifts everything out, where y is not in [0, width).
func shiftAmount(y int64, width int) uint64 {
	if y < 0 || y >= int64(width) {
		return 64
	}
	return uint64(y)
}

// divideSigned returns x/y; x/0 is -1, and the least integer divided by -1 is itself.
func divideSigned(x, y int64, _ int) int64 {
	switch y {
	case 0:
		return -1
	case -1:
		return -x
	}
	return x / y
}

// divideUnsigned returns x/y; x/0 has all bits set.
func divideUnsigned(x, y uint64, _ int) uint64 {
	if y == 0 {
		return ^uint64(0)
	}
	return x / y
}

// powSigned returns x^y modulo 2^64. A negative power is 0, but 1 for the base 1.
func powSigned(x, y int64, _ int) int64 {
	if y < 0 {
		if x == 1 {
			return 1
		}
		return 0
	}
	return int64(powUint(uint64(x), uint64(y)))
}

func powUint(x, y uint64) uint64 {
	r := uint64(1)
	for ; y > 0; y >>= 1 {
		if y&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r
}

// mulhiSigned returns the high width bits of the double-width product.
func mulhiSigned(x, y int64, width int) int64 {
	if width < 64 {
		return x * y >> width
	}
	hi, _ := bits.Mul64(uint64(x), uint64(y))
	return int64(hi) - (x >> 63 & y) - (y >> 63 & x)
}

func mulhiUnsigned(x, y uint64, width int) uint64 {
	if width < 64 {
		return x * y >> width
	}
	hi, _ := bits.Mul64(x, y)
	return hi
}

// complexMul multiplies without fusing.
func complexMul(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	return complex(float64(a*c)-float64(b*d), float64(a*d)+float64(b*c))
}

// complexMul32 is the product on pairs of float32 with one rounding fewer, as XLA's
// CPU code has it: the first product of each sum is not rounded.
func complexMul32(x, y complex64) complex64 {
	a, b, c, d := float64(real(x)), float64(imag(x)), float64(real(y)), float64(imag(y))
	return complex(float32(float64(a*c)-float64(float32(b*d))), float32(float64(a*d)+float64(float32(b*c))))
}

// complexDiv32 is x times the conjugate of y, by the square of |y|, which float64 holds. All three have the sign of the
// larger part of y, as in the division of complex128: zeros are signed so.
func complexDiv32(x, y complex64) complex64 {
	a, b, c, d := float64(real(x)), float64(imag(x)), float64(real(y)), float64(imag(y))
	sign := math.Copysign(1, c)
	if math.Abs(c) < math.Abs(d) {
		sign = math.Copysign(1, d)
	}
	c, d = sign*c, sign*d
	per := 1 / (sign * (float64(c*c) + float64(d*d)))
	re, im := (float64(a*c)+float64(b*d))*per, (float64(b*c)-float64(a*d))*per
	if re != re && im != im { // infinities, or by zero
		return complex64(complex128(x) / complex128(y))
	}
	return complex(float32(re), float32(im))
}

// arg is math.Atan2 with the sign of y, which that one loses where y/x underflows.
func arg(y, x float64) float64 { return math.Copysign(math.Atan2(math.Abs(y), x), y) }

// complexAtan2 returns -i log((x + iy) / sqrt(x² + y²)) for y, x in that order of operands.
func complexAtan2(y, x complex128) complex128 {
	i := complex(0, 1)
	return complexMul(-i, complexLog((x+complexMul(i, y))/complexSqrt(complexMul(x, x)+complexMul(y, y))))
}
