package vmath

import (
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/internal/angle"
)

// Arguments of any size are reduced by an exact product with as many bits of 2/pi as matter. A number is
// m*2^e with an integer m. Bits of 2/pi that contribute multiples of 4 to the product do not matter, as the
// quadrant is taken modulo 4; so there is a window of three words, which begins e-1 bits behind the point,
// and the product of m and the window, modulo its size, has the quadrant in its two upper bits and its
// fraction below.

// reduceHuge is reduceTrig for a >= trig.small.
func (c calc) reduceHuge(a value) (h, l, q value) {
	m, window := c.windowOf(c.bits(a))
	high, low := c.productTop(m, window)
	word := c.kind.Bits()
	q = c.shr(c.iop(loop.Add, high, c.int(1<<(word-3))), word-2)
	fraction := c.iop(loop.Or, c.shl(high, 2), c.shr(low, word-2))
	h, l = c.turnToAngle(c.fractionParts(fraction, c.shl(low, 2)))
	return c.pick(c.b.Cmp(loop.LT, a, c.inf()), h, c.nan()), l, q
}

// windowOf returns the mantissa of a number, given by its bits, and its window of 2/pi.
func (c calc) windowOf(bits value) (m value, window [3]value) {
	word := c.kind.Bits()
	wordLog := 5 + word/64
	m = c.iop(loop.Or, c.iop(loop.And, bits, c.int(1<<c.fraction-1)), c.int(1<<c.fraction))
	// The table begins with one word in front of the point. The exponent is at least that of trig.small.
	start := int64(word) - 2 - c.bias - int64(c.fraction)
	at := c.iop(loop.Add, c.shr(bits, c.fraction), c.int(start))
	shift := c.iop(loop.And, at, c.int(int64(word-1)))
	back := c.iop(loop.Sub, c.int(int64(word)), shift)
	first := c.iop(loop.UMin, c.shr(at, wordLog), c.int(int64(len(c.trig.twoOverPi)-4)))
	var words [4]value
	for k := range words {
		words[k] = c.b.Table(c.ints, c.trig.twoOverPi, c.iop(loop.Add, first, c.int(int64(k))))
	}
	for k := range window {
		window[k] = c.iop(loop.Or, c.iop(loop.Shl, words[k], shift), c.iop(loop.Shr, words[k+1], back))
	}
	return m, window
}

// productTop is m times the window modulo its size, without the lowest word.
func (c calc) productTop(m value, w [3]value) (high, low value) {
	middle := c.iop(loop.Mul, m, w[1])
	low = c.iop(loop.Add, middle, c.iop(loop.MulHiU, m, w[2]))
	carry := c.iop(loop.Select, c.b.Cmp(loop.ULT, low, middle), c.int(1), c.int(0))
	high = c.iop(loop.Add, c.iop(loop.Mul, m, w[0]), c.iop(loop.MulHiU, m, w[1]))
	return c.iop(loop.Add, high, carry), low
}

// fractionParts makes floats of a signed fixed-point fraction of two words: the upper bits, the next ones
// and the rest, all exact.
func (c calc) fractionParts(high, low value) (x, y, z value) {
	word := c.kind.Bits()
	below := word - c.fraction - 1 // bits of a word that a float has no place for
	part := func(bits value, scale float64) value {
		return c.times(c.b.Op(loop.SToF, c.kind, bits), scale)
	}
	unit := 1.0
	for range word {
		unit /= 2
	}
	mask := c.int(1<<below - 1)
	rest := c.iop(loop.And, high, mask)
	x = part(c.iop(loop.Xor, high, rest), unit)
	keep := c.fraction + 1 - below
	y = part(c.iop(loop.Or, c.shl(rest, keep), c.shr(low, word-keep)), unit/float64(int64(1)<<keep))
	z = part(c.iop(loop.And, low, c.int(1<<(word-keep)-1)), unit*unit)
	return x, y, z
}

// turnToAngle multiplies x+y+z, in quarters of a turn, by pi/2.
func (c calc) turnToAngle(x, y, z value) (h, l value) {
	high := c.add(x, y)
	low := c.add(c.rest(high, x, y), z)
	pi := c.num(c.halfPi.high)
	r := c.mul(high, pi)
	e := c.add(c.fms(high, pi, r), c.fma(high, c.num(c.halfPi.low), c.mul(low, pi)))
	h = c.add(r, e)
	return h, c.rest(h, r, e)
}

// twoOverPi32 is 2/pi in words of 32 bits, after one for the bits in front of the point; as many as
// the largest numbers need.
var twoOverPi32 = []uint64{
	0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab,
}

// twoOverPi64 is the same in words of 64 bits.
var twoOverPi64 = angle.TwoOverPi[:20]
