package literal

import (
	"fmt"
	"math"

	"github.com/goxla/xla/shape"
)

// Format describes a binary floating-point type: how many bits its fields have,
// and which codes do not stand for an ordinary number.
type Format struct {
	Type shape.ElementType
	// ExponentBits and MantissaBits are the widths of the stored fields; the leading
	// bit of the significand is not stored.
	ExponentBits, MantissaBits int
	// Bias is subtracted from the exponent field to give the exponent.
	Bias int
	// HasSign is false for f8e8m0fnu, which has positive values only.
	HasSign bool
	// HasZero is false for f8e8m0fnu, which has no zero and no subnormal numbers.
	HasZero bool
	// HasNegZero, HasInf and HasNaN tell which special values have codes.
	HasNegZero, HasInf, HasNaN bool
	// MaxFinite, MinNormal and MinPositive are the largest finite value, the smallest
	// positive normal one, and the smallest positive one.
	MaxFinite, MinNormal, MinPositive float64
	// NaN is the code of the default NaN. In a type without NaN it is the code that a
	// NaN is converted to, negative zero.
	NaN uint64

	maxCode  uint64 // of MaxFinite
	overCode uint64 // what a number too large becomes, without sign: infinity, NaN or MaxFinite
	signBit  uint64 // 0 if there is no sign
	mask     uint64 // all bits of the type
	minExp   int    // exponent field of the smallest normal number: 1, or 0 if there is no zero
}

// special says which codes of a format are set apart.
type special uint8

const (
	ieee   special = iota // the top exponent holds infinities and NaNs
	fn                    // only the codes that are all ones are NaN; no infinities
	fnuz                  // the code of -0 is the one NaN; no infinities
	finite                // every code is a number
	fnu                   // no sign, no zero; all ones is NaN
)

// formatRow is what tells one format from another; Format follows from it.
type formatRow struct {
	exponent, mantissa, bias int
	special                  special
}

var formatRows = [shape.NumElementTypes]formatRow{
	shape.F64:           {11, 52, 1023, ieee},
	shape.F32:           {8, 23, 127, ieee},
	shape.BF16:          {8, 7, 127, ieee},
	shape.F16:           {5, 10, 15, ieee},
	shape.F8E5M2:        {5, 2, 15, ieee},
	shape.F8E4M3:        {4, 3, 7, ieee},
	shape.F8E3M4:        {3, 4, 3, ieee},
	shape.F8E4M3FN:      {4, 3, 7, fn},
	shape.F8E5M2FNUZ:    {5, 2, 16, fnuz},
	shape.F8E4M3FNUZ:    {4, 3, 8, fnuz},
	shape.F8E4M3B11FNUZ: {4, 3, 11, fnuz},
	shape.F8E8M0FNU:     {8, 0, 127, fnu},
	shape.F6E3M2FN:      {3, 2, 3, finite},
	shape.F6E2M3FN:      {2, 3, 1, finite},
	shape.F4E2M1FN:      {2, 1, 1, finite},
}

var formats = expandFormats()

func expandFormats() (all [shape.NumElementTypes]Format) {
	for i, row := range formatRows {
		if row.exponent > 0 {
			all[i] = row.expand(shape.ElementType(i))
		}
	}
	return all
}

// expand derives the whole description from a row.
func (r formatRow) expand(t shape.ElementType) Format {
	f := Format{
		Type: t, ExponentBits: r.exponent, MantissaBits: r.mantissa, Bias: r.bias,
		HasSign: r.special != fnu, HasZero: r.special != fnu,
		HasNegZero: r.special != fnuz && r.special != fnu,
		HasInf:     r.special == ieee, HasNaN: r.special != finite,
	}
	width := r.exponent + r.mantissa
	ones := uint64(1)<<width - 1 // the largest code without sign
	if f.HasSign {
		f.signBit = ones + 1
	}
	f.mask = ones | f.signBit
	if f.HasZero {
		f.minExp = 1
	}
	top := uint64(1)<<r.mantissa - 1 // all mantissa bits
	switch r.special {
	case ieee:
		f.overCode = ones - top
		f.maxCode = f.overCode - 1
		f.NaN = f.overCode | (top+1)>>1
	case fn, fnu:
		f.maxCode, f.overCode, f.NaN = ones-1, ones, ones
	case fnuz:
		f.maxCode, f.overCode, f.NaN = ones, f.signBit, f.signBit
	case finite:
		f.maxCode, f.overCode, f.NaN = ones, ones, f.signBit
	}
	f.MaxFinite = f.Decode(f.maxCode)
	f.MinNormal = f.Decode(uint64(f.minExp) << r.mantissa)
	f.MinPositive = f.Decode(uint64(f.minExp) & 1)
	return f
}

// FloatFormat returns the format of t; ok is false if t is not a real
// floating-point type.
func FloatFormat(t shape.ElementType) (f Format, ok bool) {
	if !t.IsFloat() {
		return Format{}, false
	}
	return formats[t], true
}

// formatOf is FloatFormat for a type that the caller knows to be a float.
func formatOf(t shape.ElementType) *Format {
	if !t.IsFloat() {
		panic(fmt.Sprintf("literal: %v is not a floating-point type", t))
	}
	return &formats[t]
}

// DecodeFloat returns the value of the code bits of the floating-point type t;
// higher bits are ignored. Every value of every type is exact in a float64. It
// panics if t is not a real floating-point type.
func DecodeFloat(t shape.ElementType, bits uint64) float64 { return formatOf(t).Decode(bits) }

// EncodeFloat returns the code of v in the floating-point type t, rounded once, to
// nearest even. What is too large becomes infinity, or NaN in a type without
// infinities, or the largest value in a type without NaN. It panics if t is not a
// real floating-point type.
func EncodeFloat(t shape.ElementType, v float64) (bits uint64) { return formatOf(t).Encode(v) }

// IsNaN reports whether the code bits is a NaN.
func (f *Format) IsNaN(bits uint64) bool {
	bits &= f.mask
	if !f.HasNaN {
		return false
	}
	if f.NaN == f.signBit {
		return bits == f.signBit
	}
	return bits&^f.signBit > f.maxCode && (!f.HasInf || bits&^f.signBit != f.overCode)
}

// Decode returns the value of the code bits; higher bits are ignored. The sign and
// the payload of a NaN are kept.
func (f *Format) Decode(bits uint64) float64 {
	const f64Mantissa, f64Bias, f64Inf = 52, 1023, 0x7ff << 52
	if f.Type == shape.F64 {
		return math.Float64frombits(bits)
	}
	bits &= f.mask
	code := bits &^ f.signBit
	var sign uint64
	if bits != code {
		sign = 1 << 63
	}
	mantissa := code & (1<<f.MantissaBits - 1) << (f64Mantissa - f.MantissaBits)
	switch {
	case f.IsNaN(bits):
		if f.HasInf {
			return math.Float64frombits(sign | f64Inf | mantissa)
		}
		return math.Float64frombits(sign | f64Inf | 1<<(f64Mantissa-1))
	case code == f.overCode && f.HasInf:
		return math.Float64frombits(sign | f64Inf)
	}
	exp := int(code >> f.MantissaBits)
	if exp < f.minExp { // zero and subnormal: the leading bit is absent
		v := math.Ldexp(float64(code), 1-f.Bias-f.MantissaBits)
		return math.Float64frombits(sign | math.Float64bits(v))
	}
	return math.Float64frombits(sign | uint64(exp-f.Bias+f64Bias)<<f64Mantissa | mantissa)
}

// Encode returns the code of v as EncodeFloat does.
func (f *Format) Encode(v float64) uint64 {
	if f.Type == shape.F64 {
		return math.Float64bits(v)
	}
	const f64Mantissa, f64Bias = 52, 1023
	b := math.Float64bits(v)
	code := b &^ (1 << 63)
	sign := f.signBit & -(b >> 63)
	if code>>f64Mantissa == 0x7ff || code == 0 || b != code && !f.HasSign {
		return f.encodeSpecial(v, sign)
	}
	exp := int(code >> f64Mantissa)
	significand := code & (1<<f64Mantissa - 1)
	if exp == 0 {
		exp = 1
	} else {
		significand |= 1 << f64Mantissa
	}
	// Below the smallest normal number the last place stays where it is, so more
	// bits are dropped; a carry out of the rounding moves into the exponent by itself.
	exp += f.Bias - f64Bias
	drop := f64Mantissa - f.MantissaBits
	if exp < f.minExp {
		if !f.HasZero {
			return 0 // the smallest value is nearest
		}
		drop, exp = min(drop+f.minExp-exp, 63), f.minExp
	}
	out := int64(roundShift(significand, drop)) + int64(exp-1)<<f.MantissaBits
	if uint64(out) > f.maxCode {
		return f.withSign(f.overCode, sign)
	}
	return f.withSign(uint64(out), sign)
}

// encodeSpecial encodes zero, infinities, NaN, and numbers whose sign f cannot hold.
func (f *Format) encodeSpecial(v float64, sign uint64) uint64 {
	switch {
	case v != v && f.HasInf: // the top bits of the payload are kept, and it is made quiet
		payload := math.Float64bits(v) & (1<<52 - 1) >> (52 - f.MantissaBits)
		return sign | f.NaN | payload
	case v != v && f.HasNaN:
		return f.NaN | sign
	case v != v || !f.HasSign:
		return f.NaN
	case v == 0:
		return f.withSign(0, sign)
	}
	return f.withSign(f.overCode, sign)
}

// withSign puts sign on code, where there is such a number.
func (f *Format) withSign(code, sign uint64) uint64 {
	if code == 0 && !f.HasNegZero {
		return 0
	}
	return code | sign
}

// roundShift returns x >> n rounded to nearest even; n is in [0, 63].
func roundShift(x uint64, n int) uint64 {
	if n == 0 {
		return x
	}
	half := uint64(1)<<(n-1) - 1
	return (x + half + x>>n&1) >> n
}
