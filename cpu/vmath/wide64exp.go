package vmath

import "github.com/goxla/xla/cpu/loop"

// sixteenths splits z = n*ln2/16 + r, |r| <= ln2/32; t has n in its low bits.
func (c calc) sixteenths(z value) (t, r value) {
	t, n := c.integral(z, 16*c.log2e.high)
	r = c.fnma(n, c.num(c.ln2.high/16), z)
	return t, c.fnma(n, c.num(c.ln2.low/16), r)
}

// powers is scale * p[n&15] * 2^(n>>4), p[k] about 2^(k/16), for a power of two scale and the integer n in the low bits
// of t; what n adds to the bits beside the exponent is taken from those of the table.
func (c calc) powers(t value, scale float64, p []float64) value {
	bits := make([]uint64, len(p))
	for n, x := range p {
		bits[n] = uint64(c.bitsOf(scale*x) - int64(n)<<(c.fraction-4))
	}
	return c.float(c.iop(loop.Add, c.sixteen(t, bits), c.shl(c.bits(t), c.fraction-4)))
}

// reciprocals is powers of -n, with p[k] about 2^(-k/16).
func (c calc) reciprocals(t value, scale float64, p []float64) value {
	bits := make([]uint64, len(p))
	for n, x := range p {
		bits[n] = uint64(c.bitsOf(scale*x) + int64(n)<<(c.fraction-4))
	}
	return c.float(c.iop(loop.Sub, c.sixteen(t, bits), c.shl(c.bits(t), c.fraction-4)))
}

// sixteen looks up bits by the low four of t.
func (c calc) sixteen(t value, bits []uint64) value {
	return c.b.Table(c.ints, bits, c.iop(loop.And, c.bits(t), c.int(15)))
}

// halfHyper is half of cosh(a) and half of sinh(a) for a >= 0, the latter not for small a. Of a = k + r, k about
// n*ln2/16, they are sums of products of cosh(k) and sinh(k), which two powers make, with short series of r.
func (c calc) halfHyper(a value) (ch, sh value) {
	const more = 0x1p64 // e^-k alone would be too small for its type
	t, r := c.sixteenths(c.atMost(c.hyper.overflow, a))
	up, down := c.powers(t, 0.25, upF64), c.reciprocals(t, 0.25*more, downF64)
	r = c.sub(r, c.find(c.bits(t), shiftF64)[0])
	s := c.mul(r, r)
	even := c.mul(s, c.horner(s, []float64{1.0 / 2, 1.0 / 24, 1.0 / 720}))
	odd := c.fma(c.mul(r, s), c.horner(s, []float64{1.0 / 6, 1.0 / 120, 1.0 / 5040}), r)
	chK, shK := c.fma(down, c.num(1/more), up), c.fnma(down, c.num(1/more), up)
	ch = c.add(chK, c.fma(chK, even, c.mul(shK, odd)))
	return ch, c.add(shK, c.fma(shK, even, c.mul(chK, odd)))
}

// upF64 are numbers near 2^(n/16), and downF64 their reciprocals, which are numbers but for a fifth of their
// last place;
// shiftF64 is log(u) - n*ln2/16 of the first.
var upF64 = []float64{
	0x1p+0, 0x1.0b5586c2676d7p+0, 0x1.172b83c491c45p+0, 0x1.2387a6dfa78ddp+0,
	0x1.306fe09c310fdp+0, 0x1.3dea64c245fe4p+0, 0x1.4bfdad4c37931p+0, 0x1.5ab07dcd06ce4p+0,
	0x1.6a09e667f3d3cp+0, 0x1.7a114736d1af0p+0, 0x1.8ace542c4bed3p+0, 0x1.9c491836700fep+0,
	0x1.ae89f99babbaep+0, 0x1.c199bdcb23b8ap+0, 0x1.d5818ddbeab41p+0, 0x1.ea4afa37212c0p+0,
}

// downF64: see upF64.
var downF64 = []float64{
	0x1p+0, 0x1.ea4afa427ac0cp-1, 0x1.d5818dd53720bp-1, 0x1.c199bde42e0d3p-1,
	0x1.ae89f99f74ed3p-1, 0x1.9c491828c5ffbp-1, 0x1.8ace542b3051fp-1, 0x1.7a114746dc2f5p-1,
	0x1.6a09e667f3a5dp-1, 0x1.5ab07ddbbc7bep-1, 0x1.4bfdad4b49174p-1, 0x1.3dea64b7bc9e2p-1,
	0x1.306fe09ede632p-1, 0x1.2387a6efe4239p-1, 0x1.172b83c095adfp-1, 0x1.0b5586c897b4fp-1,
}

// shiftF64: see upF64.
var shiftF64 = []float64{
	0, -0x1.943eb17da6734p-29, -0x1.7eff9da812a99p-31, -0x1.afba33dfb1f5ep-30,
	-0x1.742d3ec4d398cp-30, 0x1.d439c12e15313p-33, -0x1.61c195c52dba8p-30, -0x1.622728423d3f1p-30,
	0x1.03d0e86680a62p-44, -0x1.5500e89699772p-30, 0x1.8fbaee4a7d92dp-30, 0x1.e47be3b258b71p-30,
	0x1.c835a9fd5709ep-31, -0x1.e0c628d53190cp-30, 0x1.a95af61fc3e99p-30, 0x1.ad3647721f238p-30,
}

// expPartF64: x^2 and up for exp(x) on [-0.02168, 0.02168], with a relative error of 2^-56.2.
var expPartF64 = []float64{
	0x1p-1, 0x1.555555548e813p-3, 0x1.5555555525f49p-5, 0x1.11123b6c7defap-7, 0x1.6c17ac61b0562p-10,
}

// powersF64 is 2^(n/16).
var powersF64 = []float64{
	0x1p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
	0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0,
	0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f09p+0,
	0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0,
}
