package literal

import "math"

// encode32s writes the codes of src in f, a type of at most 8 bits, to dst. It does
// what Encode does, in 32-bit arithmetic.
func (f *Format) encode32s(dst []uint8, src []float32) {
	if !f.HasZero {
		for i, v := range src {
			dst[i] = uint8(f.Encode(float64(v)))
		}
		return
	}
	const mantissa, bias = 23, 127
	drop0, rebias, minExp, width := mantissa-f.MantissaBits, f.Bias-bias, f.minExp, f.MantissaBits
	maxCode, signBit, negZero := uint32(f.maxCode), uint32(f.signBit), uint32(0)
	if f.HasNegZero {
		negZero = signBit
	}
	dst = dst[:len(src)]
	for i, v := range src {
		bits := math.Float32bits(v)
		drop, exp := drop0, int(bits>>mantissa&0xff)+rebias
		// Zero and subnormal numbers, which have no leading bit, are shifted out anyway.
		significand := bits&(1<<mantissa-1) | 1<<mantissa
		if exp < minExp {
			drop, exp = min(drop+minExp-exp, 31), minExp
		}
		odd := significand >> drop & 1
		code := (significand+1<<(drop-1)-1+odd)>>drop + uint32(exp-1)<<width
		sign := signBit & -(bits >> 31)
		switch {
		case code > maxCode: // too large, infinite or NaN
			code = uint32(f.Encode(float64(v)))
		case code == 0:
			code = sign & negZero
		default:
			code |= sign
		}
		dst[i] = uint8(code)
	}
}
