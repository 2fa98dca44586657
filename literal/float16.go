package literal

import "math"

// Float32 returns the value of h, which is exact.
func (h F16) Float32() float32 {
	const inf = 0x7c00 << 13 // the exponent field of infinity, moved to its place in a float32
	bits := uint32(h&0x7fff) << 13
	sign := uint32(h&0x8000) << 16
	switch exp := bits & inf; {
	case exp == inf:
		return math.Float32frombits(sign | bits | 0x7f800000)
	case exp == 0: // zero and subnormal: put a leading bit in front, and subtract its value
		const leading = 113 << 23
		v := math.Float32frombits(bits|leading) - math.Float32frombits(leading)
		return math.Float32frombits(sign | math.Float32bits(v))
	}
	return math.Float32frombits(sign | bits + (127-15)<<23)
}

// F16From32 returns v rounded to nearest even; what is too large becomes infinity.
func F16From32(v float32) F16 {
	const (
		tooLarge  = (127 + 16) << 23 // 2^16
		minNormal = (127 - 14) << 23 // 2^-14
		inf       = 0x7f800000
	)
	bits := math.Float32bits(v)
	sign := F16(bits >> 16 & 0x8000)
	bits &= 0x7fffffff
	switch {
	case bits > inf:
		return sign | 0x7e00 | F16(bits>>13&0x3ff)
	case bits >= tooLarge:
		return sign | 0x7c00
	case bits < minNormal: // the addition puts the last place where a float16 has it, and rounds
		sum := math.Float32frombits(bits) + 0.5
		return sign | F16(math.Float32bits(sum)-math.Float32bits(0.5))
	}
	odd := bits >> 13 & 1
	return sign | F16((bits-(127-15)<<23+0xfff+odd)>>13)
}

// F16From64 returns v rounded once, to nearest even.
func F16From64(v float64) F16 { return F16From32(roundToOdd(v)) }

// Float32 returns the value of h, which is exact.
func (h BF16) Float32() float32 { return math.Float32frombits(uint32(h) << 16) }

// BF16From32 returns v rounded to nearest even; what is too large becomes infinity.
func BF16From32(v float32) BF16 {
	bits := math.Float32bits(v)
	if v != v {
		return BF16(bits>>16 | 0x40)
	}
	return BF16((bits + 0x7fff + bits>>16&1) >> 16)
}

// BF16From64 returns v rounded once, to nearest even.
func BF16From64(v float64) BF16 { return BF16From32(roundToOdd(v)) }

// roundToOdd returns v as a float32: of the two neighbours of an inexact v it takes
// the one whose last bit is set. Rounding that to a type with at least two bits
// fewer gives what rounding v itself would give (Boldo and Melquiond).
func roundToOdd(v float64) float32 {
	near := float32(v)
	back := float64(near)
	bits := math.Float32bits(near)
	if back == v || v != v || bits&1 == 1 {
		return near
	}
	if math.Abs(back) < math.Abs(v) {
		return math.Float32frombits(bits + 1)
	}
	return math.Float32frombits(bits - 1)
}
