package vmath

import "github.com/goxla/xla/cpu/loop"

// Eight numbers of f32 are a table in one register of 32 bytes, which machines without wide ones look up in the time
// of an addition, and beside those. So functions that have no wide form may still be cut into eight parts.

// tanhEighths is a polynomial in each of eight parts, two to an octave of a shifted and scaled so that they begin where
// the errors of all polynomials are about equal. A lookup keeps the multipliers busy for as long as two products, a
// shift does not: so the middle of a part, and the coefficient of y^6, are the low halves of two others, which are near
// enough for these.
func (c calc) tanhEighths(x value) value {
	const one, scale, first = 8.59, 1.999, 1.145
	a := c.atMost(one, c.abs(x))
	t := c.bits(c.fma(a, c.num(scale), c.num(first)))
	index := c.shr(c.iop(loop.Sub, t, c.int(c.bitsOf(first)-c.bitsOf(1))), c.fraction-1)
	low := func(v value) value { return c.float(c.shl(c.bits(v), 16)) }
	fifth, fourth := c.find(index, tanhEighthsF32[0])[0], c.find(index, tanhEighthsF32[1])[0]
	y := c.sub(a, low(fourth))
	p := c.fma(c.fma(low(fifth), y, fifth), y, fourth)
	for _, t := range tanhEighthsF32[2:] {
		p = c.fma(p, y, c.find(index, t)[0])
	}
	return c.withSign(p, x)
}

// erfEighths is a polynomial in each of eight equal parts of [0, 3.98], beyond which the result is 1. Next to 0 it is
// that of erf(a)-a, so that the last addition of all is the only one that rounds much.
func (c calc) erfEighths(x value) value {
	const one, width = 3.98, 17. / 32
	a := c.atMost(one, c.abs(x))
	index := c.bits(c.fma(a, c.num(1/width), c.num(c.magic))) // its low bits are those of the nearest integer
	first := c.fma(c.find(index, erfFirstEighth)[0], a, c.find(index, erfEighthsF32[1])[0])
	y, p := c.slope(a, index, erfEighthsF32)
	return c.withSign(c.fma(p, y, first), x)
}

// slope is a's distance y from the middle of its part and what y is multiplied with, at last, in its polynomial. Each
// number is looked up where it is used: that takes few registers, so several vectors go side by side.
func (c calc) slope(a, index value, tables [][]float64) (y, p value) {
	coef := func(k int) value { return c.find(index, tables[k])[0] }
	last := len(tables) - 1
	y, p = c.sub(a, coef(0)), coef(last)
	for k := last - 1; k > 1; k-- {
		p = c.fma(p, y, coef(k))
	}
	return y, p
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

// erfFirstEighth is 1 for the part next to 0.
var erfFirstEighth = []float64{1, 0, 0, 0, 0, 0, 0, 0}

// erfEighthsF32: the middles m, at which erf is nearly a number of f32, then y^0 and up for erf(m+y), in the first part
// for erf(y)-y, with an error of 2^-25.3 of erf.
var erfEighthsF32 = [][]float64{
	{
		0, 0x1.0ff75ap-1, 0x1.102c5ap0, 0x1.97d4c2p0,
		0x1.0ffaa8p1, 0x1.540f9ap1, 0x1.97fb3ap1, 0x1.d8788p1,
	},
	{
		0, 0x1.184e4ap-1, 0x1.bc0f68p-1, 0x1.f3940ep-1,
		0x1.fea3dep-1, 0x1.ffe97ap-1, 0x1.ffff24p-1, 0x1.fffffap-1,
	},
	{
		0x1.06eba8p-3, 0x1.b3b2d8p-1, 0x1.751fb6p-2, 0x1.6d4294p-4,
		0x1.94a982p-7, 0x1.fcfb34p-11, 0x1.6e8bb4p-15, 0x1.6eb222p-20,
	},
	{
		-0x1.8015eap-21, -0x1.cedf34p-2, -0x1.8cb274p-2, -0x1.22f27p-3,
		-0x1.adeba6p-6, -0x1.520c24p-9, -0x1.240bb8p-13, -0x1.51ff8ep-18,
	},
	{
		-0x1.811c7cp-2, -0x1.fa578ep-4, 0x1.397d02p-3, 0x1.f05afep-4,
		0x1.0ed96cp-5, 0x1.15f804p-8, 0x1.260394p-12, 0x1.8e5bfcp-17,
	},
	{
		-0x1.8228e8p-11, 0x1.77bc48p-3, 0x1.878508p-5, -0x1.9295bap-5,
		-0x1.b03a64p-6, -0x1.392564p-8, -0x1.a4b59ap-12, -0x1.58fc2ep-16,
	},
	{
		0x1.e58f6p-4, -0x1.001cfp-10, -0x1.091c1ap-4, -0x1.789816p-8,
		0x1.91ead6p-7, 0x1.fd8d7ep-9, 0x1.dcc05p-12, 0x1.e55716p-16,
	},
	{
		-0x1.49e1bap-6, -0x1.8552b6p-5, 0x1.3dd13ep-7, 0x1.ffaa3ep-7,
		-0x1.a5bd64p-10, -0x1.12d4dap-9, -0x1.7becfcp-12, -0x1.ae04d8p-16,
	},
}
