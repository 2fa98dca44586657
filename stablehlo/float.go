package stablehlo

import "math"

// special says which bit patterns of a format stand for no finite number.
type special uint8

const (
	ieee      special = iota // exponent all ones: infinities and NaN
	nanOnes                  // FN: all ones is NaN, no infinities
	nanZero                  // FNUZ: the pattern of -0 is NaN, no infinities, no -0
	finite                   // no infinities, no NaN
	powersOf2                // E8M0: no sign, no mantissa; all ones is NaN
)

// format describes a floating-point format of at most 64 bits.
type format struct {
	exponent, mantissa, bias int
	special                  special
}

var formats = [numFloatTypes]format{
	F4E2M1FN:      {2, 1, 1, finite},
	F6E2M3FN:      {2, 3, 1, finite},
	F6E3M2FN:      {3, 2, 3, finite},
	F8E3M4:        {3, 4, 3, ieee},
	F8E4M3:        {4, 3, 7, ieee},
	F8E4M3FN:      {4, 3, 7, nanOnes},
	F8E4M3FNUZ:    {4, 3, 8, nanZero},
	F8E4M3B11FNUZ: {4, 3, 11, nanZero},
	F8E5M2:        {5, 2, 15, ieee},
	F8E5M2FNUZ:    {5, 2, 16, nanZero},
	F8E8M0FNU:     {8, 0, 127, powersOf2},
	BF16:          {8, 7, 127, ieee},
	F16:           {5, 10, 15, ieee},
	TF32:          {8, 10, 127, ieee},
	F32:           {8, 23, 127, ieee},
	F64:           {11, 52, 1023, ieee},
	F80:           {11, 52, 1023, ieee}, // held as f64
	F128:          {11, 52, 1023, ieee}, // held as f64
}

// Float64 returns the number that bits stand for in format t, exactly.
func (t FloatType) Float64(bits uint64) float64 {
	switch t {
	case F64, F80, F128:
		return math.Float64frombits(bits)
	case F32:
		return float64(math.Float32frombits(uint32(bits)))
	}
	if !t.Valid() {
		return math.NaN()
	}
	return formats[t].decode(bits)
}

// FromFloat64 returns the bits of the number of format t nearest to v, ties to even.
// What is too large becomes infinity where the format has one, else NaN, else the
// largest number.
func (t FloatType) FromFloat64(v float64) uint64 {
	switch t {
	case F64, F80, F128:
		return math.Float64bits(v)
	case F32:
		return uint64(math.Float32bits(float32(v)))
	}
	if !t.Valid() {
		return 0
	}
	return formats[t].encode(v)
}

// decode reads the fields of a number.
func (f *format) decode(bits uint64) float64 {
	if f.special == powersOf2 {
		if bits&0xff == 0xff {
			return math.NaN()
		}
		return math.Ldexp(1, int(bits&0xff)-f.bias)
	}
	width := 1 + f.exponent + f.mantissa
	bits &= 1<<width - 1
	m := bits & (1<<f.mantissa - 1)
	e := int(bits >> f.mantissa & (1<<f.exponent - 1))
	ones := 1<<f.exponent - 1
	switch {
	case f.special == ieee && e == ones && m == 0:
		return math.Inf(1 - 2*int(bits>>(width-1)))
	case f.special == ieee && e == ones,
		f.special == nanOnes && e == ones && m == 1<<f.mantissa-1,
		f.special == nanZero && bits == 1<<(width-1):
		return math.NaN()
	}
	v := math.Ldexp(float64(m), 1-f.bias-f.mantissa)
	if e > 0 {
		v = math.Ldexp(float64(m|1<<f.mantissa), e-f.bias-f.mantissa)
	}
	if bits>>(width-1) != 0 {
		return math.Copysign(v, -1)
	}
	return v
}

// encode rounds a number to the format.
func (f *format) encode(v float64) uint64 {
	if f.special == powersOf2 {
		return encodePower(v, f.bias)
	}
	sign := uint64(0)
	if math.Signbit(v) {
		sign = 1 << (f.exponent + f.mantissa)
	}
	top := f.largest()
	switch {
	case math.IsNaN(v):
		return f.nan(sign)
	case math.IsInf(v, 0):
		return f.overflow(sign, top)
	case v == 0:
		if f.special == nanZero {
			return 0
		}
		return sign
	}
	_, e := math.Frexp(math.Abs(v)) // |v| = fraction * 2^e, fraction in [0.5, 1)
	e = max(e-1+f.bias, 1)
	n := uint64(math.RoundToEven(math.Ldexp(math.Abs(v), f.bias+f.mantissa-e)))
	bits := n // a subnormal number, or one that rounded up to the smallest normal one
	if e > 1 || n >= 1<<f.mantissa {
		bits = n + uint64(e-1)<<f.mantissa // the leading one of n counts the exponent up
	}
	if bits > top {
		return f.overflow(sign, top)
	}
	if bits == 0 && f.special == nanZero {
		return 0
	}
	return sign | bits
}

// largest returns the bits of the largest finite number.
func (f *format) largest() uint64 {
	all := uint64(1)<<(f.exponent+f.mantissa) - 1
	switch f.special {
	case ieee:
		return all - 1<<f.mantissa
	case nanOnes:
		return all - 1
	}
	return all
}

// nan returns the bits of a quiet NaN; a format without one has its largest number there.
func (f *format) nan(sign uint64) uint64 {
	switch f.special {
	case nanZero:
		return 1 << (f.exponent + f.mantissa)
	case nanOnes, finite:
		return sign | (1<<(f.exponent+f.mantissa) - 1)
	}
	return sign | (1<<f.exponent-1)<<f.mantissa | 1<<(f.mantissa-1)
}

// overflow returns what stands for a number that is too large.
func (f *format) overflow(sign, top uint64) uint64 {
	switch f.special {
	case ieee:
		return sign | (1<<f.exponent-1)<<f.mantissa
	case finite:
		return sign | top
	}
	return f.nan(sign)
}

// encodePower rounds to a power of two, ties to the even exponent.
func encodePower(v float64, bias int) uint64 {
	if math.IsNaN(v) || math.IsInf(v, 0) || v <= 0 {
		return 0xff
	}
	fraction, e := math.Frexp(v)
	n := e - 1 + bias
	if fraction > 0.75 || (fraction == 0.75 && n&1 == 1) {
		n++
	}
	if n > 254 {
		return 0xff
	}
	return uint64(max(n, 0))
}
