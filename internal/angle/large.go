package angle

import (
	"math"
	"math/bits"
)

// TwoOverPi is 2/π in words after one for the bits in front of the point; as many as any float64 can make use of. It is
// not to be changed.
var TwoOverPi = [21]uint64{
	0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
	0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
	0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d,
}

// quarterPi is π/4 in words behind the point.
var quarterPi = [3]uint64{0xc90fdaa22168c234, 0xc4c6628b80dc1cd1, 0x29024e088a67cc74}

// ReduceLarge returns hi+lo = x - q*π/2 in [-π/4, π/4], and q modulo 4, for |x| of at least 2^30 that is finite.
//
// |x| is m*2^e with an integer m. Bits of 2/π that make multiples of 4 of it do not matter. So the product of m and the
// four words that begin e-1 bits behind the point, modulo their size, has the quadrant in its two upper bits and the
// fraction of a quarter turn below: at least 130 right bits of it, as no float64 is nearer than 2^-62 to a multiple of
// π/2.
func ReduceLarge(x float64) (hi, lo float64, q int) {
	pattern := math.Float64bits(x)
	m := pattern&(1<<52-1) | 1<<52
	start := int(pattern>>52&0x7ff) - 1075 + 62 // e-1 bits behind the point, which is behind the first word
	at, shift := start/64, uint(start%64)
	var turn [4]uint64 // the first is the highest
	var carry uint64
	for k := 3; k >= 0; k-- {
		word := TwoOverPi[at+k]<<shift | TwoOverPi[at+k+1]>>(64-shift)
		high, low := bits.Mul64(m, word)
		var c uint64
		turn[k], c = bits.Add64(low, carry, 0)
		carry = high + c
	}
	q = int((turn[0] + 1<<61) >> 62) // the nearest
	var fraction [3]uint64
	for k := range fraction {
		fraction[k] = turn[k]<<2 | turn[k+1]>>62
	}
	negative := fraction[0]>>63 != 0 // in two's complement
	if negative {
		for k := range fraction {
			fraction[k] = ^fraction[k]
		}
	}
	hi, lo = radians(fraction)
	if negative != (x < 0) {
		hi, lo = -hi, -lo
	}
	if x < 0 {
		q = -q & 3
	}
	return hi, lo, q
}

// radians returns a fraction of a quarter turn, of at least 2^-63, in radians: the nearest float64, and what is left.
func radians(fraction [3]uint64) (hi, lo float64) {
	scale := 1 - bits.LeadingZeros64(fraction[0]) // π/2 is twice π/4
	for k := range fraction {
		fraction[k] <<= 1 - scale
		if k < 2 {
			fraction[k] |= fraction[k+1] >> (63 + scale)
		}
	}
	var product [6]uint64
	for i := 2; i >= 0; i-- {
		var carry uint64
		for j := 2; j >= 0; j-- {
			high, low := bits.Mul64(fraction[i], quarterPi[j])
			var c, d uint64
			low, c = bits.Add64(low, carry, 0)
			product[i+j+1], d = bits.Add64(product[i+j+1], low, 0)
			carry = high + c + d
		}
		product[i] = carry
	}
	first := math.Ldexp(float64(product[0]>>11), scale-53)
	second := math.Ldexp(float64(product[0]&(1<<11-1)<<42|product[1]>>22), scale-106)
	third := math.Ldexp(float64(product[1]&(1<<22-1)<<31|product[2]>>33), scale-159)
	hi = first + second
	return hi, first - hi + second + third
}
