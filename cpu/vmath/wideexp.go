package vmath

import "github.com/goxla/xla/cpu/loop"

// The wide form of exp has the powers of two in sixteenths in a table, so that what is left is small and its series
// short. The table need not begin with 1: all its numbers may have one factor e^d, and what is left is less by d then.
// Of many d one was taken with which they are all numbers but for a quarter of their last place. It costs nothing:
// with t = n+magic in the place of n in the last step of the reduction d is magic*low, and magic is what is chosen.

// shiftedPowers are that table, the magic that belongs to it, and the coefficients of x^2 and up.
type shiftedPowers struct {
	magic        float64
	powers, coef []float64
}

// expShifted is e^z as a number near 1 and the power of two that it is multiplied with, whose fraction does not count.
func (c calc) expShifted(z value) (y, n value) {
	s := &shiftedPowersF32
	if c.kind == loop.F64 {
		s = &shiftedPowersF64
	}
	t := c.fma(z, c.num(c.log2e.high), c.num(s.magic))
	n = c.sub(t, c.num(s.magic))
	r := c.fnma(t, c.num(c.ln2.low), c.fnma(n, c.num(c.ln2.high), z))
	power := c.find(c.bits(t), s.powers)[0]
	u := c.fma(c.mul(r, r), c.horner(r, s.coef), r)
	return c.fma(power, u, power), n
}

// shiftedPowersF32: on [-0.0206, 0.0228], with a relative error of 2^-29.0.
var shiftedPowersF32 = shiftedPowers{
	magic: 592453,
	coef:  []float64{0x1.00020cp-1, 0x1.55927cp-3},
	powers: []float64{
		0x1.ff6c2ep-1, 0x1.0b0858p0, 0x1.16daeap0, 0x1.23337cp0,
		0x1.3017fcp0, 0x1.3d8e9cp0, 0x1.4b9dd4p0, 0x1.5a4c66p0,
		0x1.69a16p0, 0x1.79a42p0, 0x1.8a5c58p0, 0x1.9bd21p0,
		0x1.ae0dacp0, 0x1.c117fp0, 0x1.d4fap0, 0x1.e9bd6cp0,
	},
}

// shiftedPowersF64: on [-0.0284, 0.0151], with a relative error of 2^-56.5.
var shiftedPowersF64 = shiftedPowers{
	magic: 287479014770643,
	coef: []float64{
		0x1.ffffffffff0adp-2, 0x1.55555555af9eep-3, 0x1.555556d66277ap-5, 0x1.1111000bca65ep-7, 0x1.69d81c98c6ebfp-10,
	},
	powers: []float64{
		0x1.01b65f8eefcd8p0, 0x1.0d1f4eee40a34p0, 0x1.19099070528a4p0, 0x1.257addd10335p0,
		0x1.327931b0f21a4p0, 0x1.400aca7502e91p0, 0x1.4e362d467051ap0, 0x1.5d022934e0375p0,
		0x1.6c75da7bfab81p0, 0x1.7c98adee16852p0, 0x1.8d7264859edbcp0, 0x1.9f0b171eea072p0,
		0x1.b16b3a5c4ac4ap0, 0x1.c49ba2b63b2d8p0, 0x1.d8a588b994facp0, 0x1.ed928d75e118ap0,
	},
}
