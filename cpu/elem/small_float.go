package elem

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
)

// This file turns the codes of floats that are narrower than f32 into F32 and back, by integer
// operations. What they do is literal.Format's Decode and Encode.

// The fields of F32.
const (
	f32Mantissa = 23
	f32Bias     = 127
	f32Inf      = 0x7f800000
	f32NaN      = 0x7fc00000
	f32Sign     = 1 << 31
)

// smallFloat builds conversions of one format; values are I32.
type smallFloat struct {
	calc
	literal.Format
	// width is that of a code without its sign, over the code of what is too large.
	width, over uint64
	drop        loop.Value // how many digits F32 has more
	// exact: what is encoded is a value of the format, and need not be rounded.
	exact bool
}

func smallFloatOf(b *loop.Builder, t shape.ElementType) smallFloat {
	f, _ := literal.FloatFormat(t)
	s := smallFloat{calc: calc{b, loop.I32}, Format: f, width: uint64(f.ExponentBits + f.MantissaBits)}
	s.over = f.Encode(f.MaxFinite) + 1
	if !f.HasNaN {
		s.over--
	}
	s.drop = s.num(float64(f32Mantissa - f.MantissaBits))
	return s
}

// decode turns the code of a float of type t, narrower than f32, into F32; bits above the code
// are ignored.
func decode(b *loop.Builder, t shape.ElementType, bits loop.Value) loop.Value {
	s := smallFloatOf(b, t)
	if !s.HasZero {
		return s.decodePower(bits)
	}
	code := s.op(loop.And, bits, s.raw(1<<s.width-1))
	shifted := s.op(loop.Shl, code, s.drop)
	normal := s.op(loop.Add, shifted, s.raw(uint64(f32Bias-s.Bias)<<f32Mantissa))
	subnormal := b.Op(loop.Mul, loop.F32, b.Op(loop.SToF, loop.F32, code), b.Float(loop.F32, s.MinPositive))
	isNormal := b.Cmp(loop.GE, code, s.raw(1<<s.MantissaBits))
	v := s.pick(isNormal, normal, s.cast(subnormal))
	v = s.decodeSpecial(v, code, shifted)
	sign := s.op(loop.Shl, s.op(loop.And, bits, s.raw(1<<s.width)), s.raw(31-s.width))
	v = s.op(loop.Or, v, sign)
	if s.HasNaN && !s.HasNegZero {
		v = s.pick(b.Cmp(loop.EQ, v, s.raw(f32Sign)), s.raw(f32NaN|f32Sign), v)
	}
	return calc{b, loop.F32}.cast(v)
}

// decodeSpecial sets infinities and the NaNs with the largest codes; the payload of a NaN is kept.
func (s *smallFloat) decodeSpecial(v, code, shifted loop.Value) loop.Value {
	switch {
	case s.HasInf:
		return s.pick(s.Cmp(loop.GE, code, s.raw(s.over)), s.op(loop.Or, shifted, s.raw(f32Inf)), v)
	case s.HasNaN && s.HasNegZero:
		return s.pick(s.Cmp(loop.EQ, code, s.raw(s.NaN)), s.raw(f32NaN), v)
	}
	return v
}

// decodePower is decode of a format of powers of two without a zero: the exponent of F32, whose
// least power is subnormal there.
func (s *smallFloat) decodePower(bits loop.Value) loop.Value {
	code := s.op(loop.And, bits, s.raw(1<<s.width-1))
	v := s.op(loop.Shl, code, s.drop)
	v = s.pick(s.Cmp(loop.EQ, code, s.num(0)), s.raw(1<<(f32Mantissa-1)), v)
	v = s.pick(s.Cmp(loop.EQ, code, s.raw(s.NaN)), s.raw(f32NaN), v)
	return calc{s.Builder, loop.F32}.cast(v)
}

// encode turns an F32 into the code of type t, narrower than f32, rounded to nearest, ties to even.
func encode(b *loop.Builder, t shape.ElementType, x loop.Value) loop.Value {
	s := smallFloatOf(b, t)
	return s.encode(x)
}

// pack is encode for x that is a value of t. Unlike encode it lets a signalling NaN be.
func pack(b *loop.Builder, t shape.ElementType, x loop.Value) loop.Value {
	s := smallFloatOf(b, t)
	s.exact = true
	return s.encode(x)
}

func (s *smallFloat) encode(x loop.Value) loop.Value {
	bits := s.cast(x)
	if !s.HasZero {
		return s.encodePower(bits)
	}
	size := s.op(loop.And, bits, s.raw(f32Sign-1))
	minNormal := s.raw(uint64(f32Bias-s.Bias+1) << f32Mantissa)
	code := s.pick(s.Cmp(loop.LT, size, minNormal), s.encodeSubnormal(size), s.encodeNormal(size))
	code = s.op(loop.UMin, code, s.raw(s.over))
	sign := s.op(loop.Shl, s.op(loop.Shr, bits, s.num(31)), s.raw(s.width))
	signed := s.op(loop.Or, code, sign)
	if !s.HasNegZero {
		signed = s.pick(s.Cmp(loop.EQ, code, s.num(0)), code, signed)
	}
	return s.pick(s.isNaN(x), s.encodeNaN(size, sign), signed)
}

// encodeNormal rounds the digits below the last place; a carry moves into the exponent by itself.
func (s *smallFloat) encodeNormal(size loop.Value) loop.Value {
	drop := f32Mantissa - s.MantissaBits
	if s.exact {
		return s.op(loop.Shr, s.op(loop.Sub, size, s.raw(uint64(f32Bias-s.Bias)<<f32Mantissa)), s.drop)
	}
	odd := s.op(loop.And, s.op(loop.Shr, size, s.drop), s.num(1))
	rebias := int64(1)<<(drop-1) - 1 - int64(f32Bias-s.Bias)<<f32Mantissa
	sum := s.op(loop.Add, s.op(loop.Add, size, odd), s.raw(uint64(rebias)))
	return s.op(loop.Shr, sum, s.drop)
}

// encodeSubnormal adds a number whose last place is that of the subnormal numbers, so that the
// addition rounds.
func (s *smallFloat) encodeSubnormal(size loop.Value) loop.Value {
	f := calc{s.Builder, loop.F32}
	magic := f.num(math.Ldexp(s.MinPositive, f32Mantissa))
	return s.op(loop.Sub, s.cast(f.op(loop.Add, f.cast(size), magic)), s.cast(magic))
}

// encodeNaN keeps the top bits of the payload where the format has room for one.
func (s *smallFloat) encodeNaN(size, sign loop.Value) loop.Value {
	code := s.raw(s.NaN)
	switch {
	case s.HasInf:
		payload := s.op(loop.And, s.op(loop.Shr, size, s.drop), s.raw(1<<s.MantissaBits-1))
		if s.exact {
			code = s.raw(s.over)
		}
		code = s.op(loop.Or, code, payload)
	case !s.HasNaN:
		return code
	}
	return s.op(loop.Or, code, sign)
}

// encodePower is encode to a format of powers of two. Halves go up, as every power has an odd
// significand; zeros and what is negative are NaN, which is also what is too large.
func (s *smallFloat) encodePower(bits loop.Value) loop.Value {
	subnormal := s.Cmp(loop.LT, bits, s.raw(1<<f32Mantissa))
	half := s.pick(subnormal, s.raw(1<<(f32Mantissa-2)), s.raw(1<<(f32Mantissa-1)))
	code := s.op(loop.Shr, s.op(loop.Add, bits, half), s.drop)
	code = s.op(loop.UMin, code, s.raw(s.NaN))
	return s.pick(s.Cmp(loop.LE, bits, s.num(0)), s.raw(s.NaN), code)
}
