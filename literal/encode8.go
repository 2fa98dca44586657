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
	drop0, width := uint32(mantissa-f.MantissaBits), uint32(f.MantissaBits)
	rebias, minExp := int32(f.Bias-bias), int32(f.minExp)
	maxCode, overCode, signBit := uint32(f.maxCode), uint32(f.overCode), uint32(f.signBit)
	keepZero := uint32(0) // what -0 keeps of its sign
	if f.HasNegZero {
		keepZero = signBit
	}
	dst = dst[:len(src)]
	for i, v := range src {
		bits := math.Float32bits(v)
		exp := int32(bits>>mantissa&0xff) + rebias
		// Zero and subnormal numbers, which have no leading bit, are shifted out anyway.
		significand := bits&(1<<mantissa-1) | 1<<mantissa
		below := uint32(max(minExp-exp, 0))
		drop := min(drop0+below, 31)
		odd := significand >> (drop & 31) & 1
		code := (significand + 1<<((drop-1)&31) - 1 + odd) >> (drop & 31)
		code += uint32(max(exp, minExp)-1) << (width & 31)
		sign := signBit & -(bits >> 31)
		switch {
		case code == 0:
			sign &= keepZero
		case v != v:
			code, sign = uint32(f.Encode(float64(v))), 0
		case code > maxCode:
			code = overCode
		}
		dst[i] = uint8(code | sign)
	}
}
