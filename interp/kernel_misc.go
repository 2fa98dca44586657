package interp

import (
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

var absSpec = unarySpec{
	signed:   func(x int64, _ int) int64 { return max(x, -x) },
	unsigned: func(x uint64, _ int) uint64 { return x },
	f32:      func(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) },
	f64:      math.Abs,
}

var kernelAbsReal = unaryKernel(absSpec)

// kernelAbs returns the modulus; of a complex number it is real.
func kernelAbs(n *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
	modulus := func(x complex128) float64 { return math.Hypot(real(x), imag(x)) }
	switch args[0].Type() {
	case shape.C64:
		return mapUnary(dst, args[0], func(x complex64) float32 { return float32(modulus(complex128(x))) }), nil
	case shape.C128:
		return mapUnary(dst, args[0], modulus), nil
	}
	return kernelAbsReal(n, dst, args)
}

// kernelComplex joins real and imaginary parts.
func kernelComplex(_ *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
	switch args[0].Type() {
	case shape.F32:
		return mapBinary(dst, args[0], args[1], func(x, y float32) complex64 { return complex(x, y) }), nil
	case shape.F64:
		return mapBinary(dst, args[0], args[1], func(x, y float64) complex128 { return complex(x, y) }), nil
	}
	return nil, noKernel(args[0].Type())
}

// kernelReal takes the real part; a real number is its own.
func kernelReal(n *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
	switch args[0].Type() {
	case shape.C64:
		return mapUnary(dst, args[0], func(x complex64) float32 { return real(x) }), nil
	case shape.C128:
		return mapUnary(dst, args[0], func(x complex128) float64 { return real(x) }), nil
	}
	return kernelCopy(n, dst, args)
}

// kernelImag takes the imaginary part, 0 for a real number.
func kernelImag(_ *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
	switch args[0].Type() {
	case shape.C64:
		return mapUnary(dst, args[0], func(x complex64) float32 { return imag(x) }), nil
	case shape.C128:
		return mapUnary(dst, args[0], func(x complex128) float64 { return imag(x) }), nil
	}
	return func() { clear(dst.Bytes()) }, nil
}

// kernelIsFinite is true for what is neither an infinity nor NaN.
func kernelIsFinite(_ *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
	x := args[0]
	if !x.Type().IsFloat() {
		return nil, noKernel(x.Type())
	}
	wide, r := make([]float64, x.Len()), literal.Values[bool](dst)
	return func() {
		literal.ToFloat64s(wide, x)
		for i, v := range wide {
			r[i] = v-v == 0
		}
	}, nil
}

// kernelConvert changes the element type; the rules are literal.Convert's.
func kernelConvert(_ *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
	x, t := args[0], dst.Type()
	if !x.Type().IsArray() || !t.IsArray() {
		return nil, noKernel(x.Type())
	}
	return func() {
		if v, err := literal.Convert(x, t); err == nil { // fails only for what is not an array
			copy(dst.Bytes(), v.Bytes())
		}
	}, nil
}

// kernelReducePrecision rounds to fewer exponent and mantissa bits.
func kernelReducePrecision(n *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
	a, x := n.Attrs().(*op.ReducePrecisionAttrs), args[0]
	switch t := x.Type(); {
	case t == shape.F32:
		r := newPrecision(t, a)
		return mapUnary(dst, x, func(v float32) float32 {
			return math.Float32frombits(uint32(r.reduce(uint64(math.Float32bits(v)))))
		}), nil
	case t == shape.F64:
		r := newPrecision(t, a)
		return mapUnary(dst, x, func(v float64) float64 {
			return math.Float64frombits(r.reduce(math.Float64bits(v)))
		}), nil
	case t == shape.F16 || t == shape.BF16:
		r := newPrecision(t, a)
		return mapUnary(dst, x, func(v uint16) uint16 { return uint16(r.reduce(uint64(v))) }), nil
	case t.IsFloat():
		r := newPrecision(t, a)
		return mapUnary(dst, x, func(v uint8) uint8 { return uint8(r.reduce(uint64(v))) }), nil
	default:
		return nil, noKernel(t)
	}
}

// precision reduces bit patterns of a format with exponent and mantissa bits to
// fewer of each.
type precision struct {
	exponent, mantissa         int // of the format
	keepExponent, keepMantissa int
}

func newPrecision(t shape.ElementType, a *op.ReducePrecisionAttrs) precision {
	f, _ := literal.FloatFormat(t)
	return precision{f.ExponentBits, f.MantissaBits, a.ExponentBits, a.MantissaBits}
}

// reduce rounds the mantissa to nearest even; what the smaller exponent cannot
// hold becomes an infinity, or zero where it is below the least normal number.
func (p precision) reduce(x uint64) uint64 {
	exponents := lowBits(p.exponent) << p.mantissa
	sign := x & (1 << (p.exponent + p.mantissa))
	if x&^sign > exponents { // NaN
		return x
	}
	if cut := p.mantissa - p.keepMantissa; cut > 0 {
		x += x>>cut&1 + 1<<(cut-1) - 1
		x &^= lowBits(cut)
	}
	if p.keepExponent < p.exponent {
		bias, keepBias := uint64(1)<<(p.exponent-1)-1, uint64(1)<<(p.keepExponent-1)-1
		switch e := x & exponents; {
		case e > (bias+keepBias)<<p.mantissa:
			x = sign | exponents
		case e <= (bias-keepBias)<<p.mantissa:
			x = sign
		}
	}
	return x
}

// kernelStochasticConvert rounds a float to an integer, away from zero with a
// probability that is its fraction: where the random bits are below the first bits of it.
func kernelStochasticConvert(_ *hlo.Instruction, dst literal.Literal, args []literal.Literal) (func(), error) {
	x, random, t := args[0], args[1], dst.Type()
	if !x.Type().IsFloat() || !t.IsInteger() {
		return nil, noKernel(t)
	}
	wide, n := make([]float64, x.Len()), random.Type().Bits()
	return func() {
		literal.ToFloat64s(wide, x)
		for i, v := range wide {
			whole, fraction := math.Modf(math.Abs(v))
			if fraction > 0 && random.BitsAt(i) < uint64(math.Ldexp(fraction, n)) {
				whole++
			}
			dst.SetFloat(i, math.Copysign(whole, v))
		}
	}, nil
}
