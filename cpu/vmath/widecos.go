package vmath

import "github.com/goxla/xla/cpu/loop"

// The wide forms of acos turn the point (x, sqrt(1-x*x)) of the upper half of the circle back by the angle of its part:
// cosine*(root - x*tangent) is the sine of what is left, also where the angle is more than pi/2, so that nothing asks
// for the sign of x. x*(unit - bend*root) falls about as the angle grows, and so numbers the parts, from the one of
// x = 1, which is turned by nothing, down to that of x = -1. Root is no number beyond 1.

// belowSquare has no digit beside the least 1-x*x but 0, and else there would be no digit in the reciprocal root of 0.
const belowSquare = 0x1p-90

// acosWide64 rounds the root twice, into q and lack, as asinWide64 does.
func (c calc) acosWide64(x value) value {
	w := c.fnma(x, x, c.num(1))
	y := c.op(loop.RsqrtNear, c.add(w, c.num(belowSquare)))
	near := c.mul(w, y)
	tangent, cosine, base := acosPartsF64.find(c, x, near)
	q, half := c.nearer(near, c.times(y, 0.5))
	lack := c.mul(c.fnma(q, q, w), half)
	d := c.add(lack, c.fnma(x, tangent, q))
	small := c.mul(cosine, d)
	s := c.mul(small, small)
	rest := c.mul(c.mul(small, s), c.horner(s, acosPartF64))
	return c.add(base, c.fma(cosine, d, rest))
}

// acosWide rounds the root once. The first part ends where results have one more digit than smaller ones.
func (c calc) acosWide(x value) value {
	w := c.fnma(x, x, c.num(1))
	y := c.op(loop.RsqrtNear, c.add(w, c.num(belowSquare)))
	q := c.mul(w, y)
	twice := c.mul(c.fnma(q, q, w), y)
	tangent, cosine, base := acosPartsF32.find(c, x, q)
	d := c.fnma(x, tangent, c.fma(twice, c.num(0.5), q))
	small := c.mul(cosine, d)
	s := c.mul(small, small)
	return c.add(base, c.fma(c.mul(small, s), c.horner(s, acosPartF32), small))
}

// acosPartF64: x^3 and every second up for asin(x) on [0, 0.1525], with a relative error of 2^-56.9.
var acosPartF64 = []float64{
	0x1.555555555528ep-3, 0x1.333333345487p-4, 0x1.6db6d8fad333ap-5, 0x1.f1c98c251373p-6,
	0x1.6def3064ce88bp-6, 0x1.2f7b522b15558p-6,
}

// acosPartF32: the same on [0, 0.1296], with a relative error of 2^-26.8.
var acosPartF32 = []float64{
	0x1.55526ep-3, 0x1.3789c6p-4,
}

// acosPartsF64 are 15 parts from 0 to pi, with angles as those of asinPartsF64; number -8 does not occur.
var acosPartsF64 = arcParts{
	unit: 7.0, bend: 2.8,
	tangent: []float64{
		-0x1.c768ae0181ed4p9, 0x1.0d2174d09871fp2, 0x1.02a398f38a216p1, 0x1.41e72e5038b47p0,
		0x1.ab880f9524f08p-1, 0x1.11e7665b5bd3p-1, 0x1.1c331a067cf76p-2, 0,
		0, -0x1.38e85f4dd2c56p-4, -0x1.1bd22194d649fp-2, -0x1.122f665296444p-1,
		-0x1.ab0fb03168253p-1, -0x1.42509c1138705p0, -0x1.02404f2d87e73p1, -0x1.0d2feb4263fd6p2,
	},
	cosine: []float64{
		-0x1.1fcfbe982b504p-10, 0x1.d9cea467dc62bp-3, 0x1.c63275d52f117p-2, 0x1.3eafd83c247ccp-1,
		0x1.8900ac5e0099cp-1, 0x1.c37532ba7db0fp-1, 0x1.ed5a00e16277fp-1, 0x1p0,
		0x1p0, -0x1.fe83333ff6e03p-1, -0x1.ed66094475bbcp-1, -0x1.c35ac9a80e69ep-1,
		-0x1.892e22e2c0fb7p-1, -0x1.3e6ff0f64d1ap-1, -0x1.c6beaa5cd987fp-2, -0x1.d9b68c484aec7p-3,
	},
	base: []float64{
		0x1.9267a934db625p0, 0x1.565b42abdd2e8p0, 0x1.1c7a201b7d8e5p0, 0x1.cc42a29d919dcp-1,
		0x1.64374924e44dep-1, 0x1.f704e22acbb74p-2, 0x1.1538e6b023256p-2, 0,
		0, 0x1.885d4c924266p1, 0x1.6f83d9d57a6e5p1, 0x1.53311b2680388p1,
		0x1.3923a0041a9e1p1, 0x1.1efaa471dfd75p1, 0x1.03f633e43d255p1, 0x1.cde10f59aadf9p0,
	},
}

// acosPartsF32 are 31 parts in f32.
var acosPartsF32 = arcParts{
	unit: 15.46, bend: 6.5,
	tangent: []float64{
		0x1.0b456ap12, 0x1.1f9bcp3, 0x1.1d6c38p2, 0x1.78238ap1,
		0x1.161828p1, 0x1.b358dep0, 0x1.6047b4p0, 0x1.22bef8p0,
		0x1.e3b072p-1, 0x1.928362p-1, 0x1.4c1d14p-1, 0x1.0d55bap-1,
		0x1.a569e4p-2, 0x1.343ba8p-2, 0x1.807964p-3, 0,
		0, -0x1.073fb8p-4, -0x1.802dcep-3, -0x1.33cb8p-2,
		-0x1.a56acep-2, -0x1.0d6644p-1, -0x1.4c7982p-1, -0x1.924104p-1,
		-0x1.e36b16p-1, -0x1.2283dp0, -0x1.606656p0, -0x1.b37c18p0,
		-0x1.15deccp1, -0x1.78ce0ep1, -0x1.1dcdf2p2, -0x1.1df97ep3,
	},
	cosine: []float64{
		0x1.ea6888p-13, 0x1.c4ef96p-4, 0x1.c0181p-3, 0x1.49e394p-2,
		0x1.ac2594p-2, 0x1.038774p-1, 0x1.2cfcbcp-1, 0x1.52593p-1,
		0x1.742ea6p-1, 0x1.928212p-1, 0x1.ad8bccp-1, 0x1.c520f6p-1,
		0x1.d97922p-1, 0x1.ea454ep-1, 0x1.f7359ep-1, 0x1p0,
		0x1p0, -0x1.fef222p-1, -0x1.f738fcp-1, -0x1.ea541ep-1,
		-0x1.d978fcp-1, -0x1.c51aeep-1, -0x1.ad6864p-1, -0x1.929b6cp-1,
		-0x1.7447d2p-1, -0x1.527ffap-1, -0x1.2ceb9cp-1, -0x1.0377dap-1,
		-0x1.ac6e7ep-2, -0x1.495dcp-2, -0x1.bf862ap-3, -0x1.c77ddep-4,
	},
	base: []float64{
		0x1.921062p0, 0x1.75c1e2p0, 0x1.59a7c2p0, 0x1.3e276cp0,
		0x1.23b1b4p0, 0x1.0a0a52p0, 0x1.e27f6ap-1, 0x1.b29e36p-1,
		0x1.8391e6p-1, 0x1.551decp-1, 0x1.269f0cp-1, 0x1.efe352p-2,
		0x1.8fc832p-2, 0x1.2b6634p-2, 0x1.7c0cf8p-3, 0,
		0, 0x1.89e89cp1, 0x1.7a6376p1, 0x1.6cbfcap1,
		0x1.602696p1, 0x1.54200ep1, 0x1.4867bp1, 0x1.3ce27cp1,
		0x1.314466p1, 0x1.258514p1, 0x1.197a9p1, 0x1.0d1606p1,
		0x1.0050e4p1, 0x1.e5f4a8p0, 0x1.ca84f8p0, 0x1.aea6aep0,
	},
}
