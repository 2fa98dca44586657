package vmath

import "github.com/goxla/xla/cpu/loop"

// Eight numbers of f32 are a table in one register of 32 bytes, which machines without wide ones look up in the time
// of an addition, and beside those. So functions that have no wide form may still be cut into eight parts.

// tanhEighths is a polynomial in each of eight parts, two to an octave of a shifted and scaled so that they begin where
// the errors of all polynomials are about equal.
func (c calc) tanhEighths(x value) value {
	const one, scale, first = 8.59, 1.999, 1.145
	a := c.atMost(one, c.abs(x))
	t := c.bits(c.fma(a, c.num(scale), c.num(first)))
	index := c.shr(c.iop(loop.Sub, t, c.int(c.bitsOf(first)-c.bitsOf(1))), c.fraction-1)
	y, p, last := c.eighth(a, index, tanhEighthsF32)
	return c.withSign(c.fma(p, y, last), x)
}

// erfEighths is a polynomial in each of seven parts of [0, 3.08] and one from there to 3.925, beyond which the result
// is 1. Next to 0 it is that of erf(a)-a, so that the last addition of all is the only one that rounds much.
func (c calc) erfEighths(x value) value {
	const one, width = 3.925, 0.474
	a := c.atMost(one, c.abs(x))
	t := c.fma(a, c.num(1/width), c.num(c.magic)) // its low bits are those of the nearest integer
	y, p, first := c.eighth(a, c.bits(c.atMost(c.magic+7, t)), erfEighthsF32)
	return c.withSign(c.fma(p, y, c.pick(c.equal(first, 0), a, first)), x)
}

// eighth looks up the polynomial of a part: what its last step multiplies and adds, p*y + first, where y is the distance
// of a from the middle. A lookup keeps the multipliers busy for as long as two products, a shift does not: so the middle,
// and the coefficient of y^6, are the low halves of two others, which are near enough for these. Each number is looked up
// where it is used: that takes few registers, so several vectors go side by side.
func (c calc) eighth(a, index value, tables [][]float64) (y, p, first value) {
	low := func(v value) value { return c.float(c.shl(c.bits(v), 16)) }
	find := func(k int) value { return c.find(index, tables[k])[0] }
	fifth, fourth := find(0), find(1)
	y = c.sub(a, low(fourth))
	p = c.fma(c.fma(low(fifth), y, fifth), y, fourth)
	for k := 2; k < len(tables)-1; k++ {
		p = c.fma(p, y, find(k))
	}
	return y, p, find(len(tables) - 1)
}

// tanhEighthsF32: the coefficients of y^5, with that of y^6 in the low halves, of y^4, with the middle m, then of y^3
// and down for tanh(m+y), with an error of 0.7 units of the last place; the part next to 0 is the seventh. The last part
// ends where the result is 1 from there on.
var tanhEighthsF32 = [][]float64{
	{
		-0x1.d877ccp-5, 0x1.047856p-8, 0x1.77743cp-9, 0x1.2f72b2p-12,
		-0x1.036e36p-20, 0x1.6767c4p-21, 0x1.257a3p-3, -0x1.977b08p-9,
	},
	{
		0x1.c67ecap-5, -0x1.967f9ap-6, -0x1.de8046p-8, -0x1.ca80d4p-11,
		-0x1.848162p-16, -0x1.0481bp-19, -0x1.4cp-10, 0x1.5c7dbap-3,
	},
	{
		0x1.61c42ap-4, 0x1.3d8176p-4, 0x1.fea32p-7, 0x1.d2c74ap-10,
		0x1.767222p-15, 0x1.f68c26p-19, -0x1.5541f6p-2, -0x1.1f13acp-3,
	},
	{
		-0x1.669cf6p-2, -0x1.1b6822p-3, -0x1.885ffep-6, -0x1.5cc4e8p-9,
		-0x1.0338b2p-14, -0x1.6e08dap-18, -0x1.85ccaap-20, -0x1.5b924cp-2,
	},
	{
		0x1.f68472p-2, 0x1.33647ap-3, 0x1.8d2aaep-6, 0x1.5d414cp-9,
		0x1.065d2ep-14, 0x1.6f2e9cp-18, 0x1p0, 0x1.ab50f8p-1,
	},
	{
		0x1.6d6034p-1, 0x1.d803bap-1, 0x1.f9c19p-1, 0x1.ff513ap-1,
		0x1.fffbe2p-1, 0x1.ffffa4p-1, 0, 0x1.a073bcp-2,
	},
}

// erfEighthsF32: the same for erf(m+y), with an error of half a unit of the last place; in the first part for erf(y)-y.
var erfEighthsF32 = [][]float64{
	{
		0x1.e17932p-4, 0x1.a77a96p-6, -0x1.1575bep-4, -0x1.a47958p-6,
		0x1.7276d4p-7, 0x1.ff769p-8, 0x1.cb754ep-10, 0x1.cb717cp-14,
	},
	{
		-0x1.04p-11, 0x1.6c7dc2p-3, 0x1.847edap-4, -0x1.267f6ap-5,
		-0x1.527fe4p-5, -0x1.848034p-7, -0x1.ec807p-10, -0x1.3880bep-14,
	},
	{
		-0x1.8122ccp-2, -0x1.85c2fap-3, 0x1.d2bde2p-4, 0x1.38ccc2p-3,
		0x1.099b12p-4, 0x1.8ec736p-7, 0x1.89ab7p-10, 0x1.79f8ep-15,
	},
	{
		0x1.bf3318p-24, -0x1.a29868p-2, -0x1.c5fb8cp-2, -0x1.ba6f92p-3,
		-0x1.e9e154p-5, -0x1.101562p-7, -0x1.b5463cp-11, -0x1.5f1c08p-16,
	},
	{
		0x1.06eba8p-3, 0x1.dc457ap-1, 0x1.ea61bp-2, 0x1.38e1fap-3,
		0x1.031a7ap-5, 0x1.c43fd8p-9, 0x1.3054fp-12, 0x1.961038p-18,
	},
	{
		0, 0x1.dce4cap-2, 0x1.9e7d7cp-1, 0x1.e8b12ap-1,
		0x1.fc28d8p-1, 0x1.ffa8ap-1, 0x1.fff9bap-1, 0x1.ffffe4p-1,
	},
}
