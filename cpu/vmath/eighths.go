package vmath

import "github.com/goxla/xla/cpu/loop"

// Eight numbers of f32 are a table in one register of 32 bytes, which machines without wide ones look up in the time
// of an addition, and beside those. So functions that have no wide form may still be cut into eight parts.

// tanhEighths is a polynomial in each of eight parts, two to an octave of a shifted and scaled so that they begin where
// the errors of all polynomials are about equal.
func (c calc) tanhEighths(x value) value {
	const one, scale, first = 9.1, 1.85, 1.125
	a := c.atMost(one, c.abs(x))
	t := c.bits(c.fma(a, c.num(scale), c.num(first)))
	index := c.shr(c.iop(loop.Sub, t, c.int(c.bitsOf(first)-c.bitsOf(1))), c.fraction-1)
	return c.withSign(c.eighth(a, index, tanhEighthsF32), x)
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

// eighth is the polynomial of a's part at a's distance from its middle. Each number is looked up where it is used:
// that takes few registers, so several vectors go side by side.
func (c calc) eighth(a, index value, tables [][]float64) value {
	y, p := c.slope(a, index, tables)
	return c.fma(p, y, c.find(index, tables[1])[0])
}

// slope is a's distance y from the middle of its part and what y is multiplied with, at last, in its polynomial.
func (c calc) slope(a, index value, tables [][]float64) (y, p value) {
	coef := func(k int) value { return c.find(index, tables[k])[0] }
	last := len(tables) - 1
	y, p = c.sub(a, coef(0)), coef(last)
	for k := last - 1; k > 1; k-- {
		p = c.fma(p, y, coef(k))
	}
	return y, p
}

// tanhEighthsF32: the middles m, then y^0 and up for tanh(m+y), with a relative error of 2^-24.6; the part next to 0 is
// the seventh.
var tanhEighthsF32 = [][]float64{
	{
		0x1.c271c2p-1, 0x1.81bdbap0, 0x1.2d8c6ap1, 0x1.c7031ap1,
		0x1.552ca4p2, 0x1.fe2804p2, 0, 0x1.c7c59ep-2,
	},
	{
		0x1.69a0f6p-1, 0x1.d00fb2p-1, 0x1.f6e072p-1, 0x1.ff29fp-1,
		0x1.fff9dcp-1, 0x1.fffff8p-1, 0, 0x1.abe20ap-2,
	},
	{
		0x1.00946p-1, 0x1.6d8df4p-3, 0x1.2157dp-5, 0x1.abd2c8p-9,
		0x1.89e40ep-14, 0x1.007ddp-21, 0x1p0, 0x1.a69a86p-1,
	},
	{
		-0x1.6a72f8p-2, -0x1.4b52acp-3, -0x1.1c2eb8p-5, -0x1.ab0da8p-9,
		-0x1.898a32p-14, -0x1.07a3c2p-21, -0x1.a647a4p-20, -0x1.612c86p-2,
	},
	{
		0x1.539628p-4, 0x1.65103ep-4, 0x1.6d5e9p-6, 0x1.1aeb28p-9,
		0x1.ff1912p-15, 0x1.4ec12p-22, -0x1.553f52p-2, -0x1.0c5822p-3,
	},
	{
		0x1.e771a8p-5, -0x1.9bfd36p-6, -0x1.53233cp-7, -0x1.1a3052p-10,
		-0x1.010d2ep-15, -0x1.09f30cp-23, -0x1.7f041p-10, 0x1.5ba556p-3,
	},
	{
		-0x1.d3d69cp-5, -0x1.9589e8p-9, 0x1.cac0a8p-9, 0x1.dc2fb8p-12,
		0x1.fa36bap-17, 0x1.431f9p-24, 0x1.27f7fcp-3, -0x1.028bc4p-7,
	},
	{
		0x1.807efap-7, 0x1.fa491ap-8, -0x1.7325e4p-11, -0x1.246962p-13,
		-0x1.498bbap-18, -0x1.694a56p-25, -0x1.4385dep-5, -0x1.f5508cp-5,
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
