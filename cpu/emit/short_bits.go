package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// Bits in short lanes are counted by nibbles: two lookups among 16 bytes for each byte, and for lanes of 16 bits what
// the two bytes have together.

// onesOf are the bits that are on in a nibble. leadingHigh and leadingLow are the zeros in front of the first bit of
// a byte that is on, where it is in the upper nibble and where in the lower one, and at least 8 where it is not.
var (
	onesOf      = [16]byte{0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4}
	leadingHigh = [16]byte{8, 3, 2, 2, 1, 1, 1, 1}
	leadingLow  = [16]byte{8, 7, 6, 6, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4}
)

// countBits makes i, Popcnt or Clz, of a number that fits the lanes without a sign.
func (s *shorts) countBits(i *loop.Inst) reg {
	x := s.value(i.Args[0])
	if i.Op == loop.Clz {
		return s.leadingZeros(x)
	}
	c, size := s.g.c, s.g.c.vl
	low, high := s.nibbles(x, onesOf, onesOf)
	ones := c.v(asm.VPADDB, size, low, high)
	if s.width == 16 {
		return c.v(asm.VPMADDUBSW, size, ones, c.splat32(0x01010101))
	}
	return ones
}

// nibbles looks the lower and the upper half of each byte of x up.
func (s *shorts) nibbles(x reg, lows, highs [16]byte) (low, high reg) {
	c, size := s.g.c, s.g.c.vl
	nibble := c.splat32(0x0f0f0f0f)
	low = c.v(asm.VPSHUFB, size, c.repeat16(lows), c.v(asm.VPANDD, size, x, nibble))
	upper := c.v(asm.VPANDD, size, c.vi(asm.VPSRLWI, size, 4, x), nibble)
	return low, c.v(asm.VPSHUFB, size, c.repeat16(highs), upper)
}

// leadingZeros counts them as of 32 bits.
func (s *shorts) leadingZeros(x reg) reg {
	c, size := s.g.c, s.g.c.vl
	low, high := s.nibbles(x, leadingLow, leadingHigh)
	zeros := c.v(asm.VPMINUB, size, low, high)
	if s.width == 8 {
		return c.v(asm.VPADDB, size, zeros, s.constant(32-8))
	}
	upper := c.vi(asm.VPSRLWI, size, 8, zeros)
	// The lower byte counts if the upper one has no bits: 8 zeros, and only 8, have that bit.
	none := c.vi(asm.VPSRAWI, size, 15, c.vi(asm.VPSLLWI, size, 4, zeros))
	lower := c.v(asm.VPANDD, size, c.v(asm.VPANDD, size, zeros, none), s.constant(0xFF))
	return c.v(asm.VPADDW, size, c.v(asm.VPADDW, size, upper, lower), s.constant(32-16))
}
