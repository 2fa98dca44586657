package vmath

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// exponent finds k with x = m*2^k for a normal x > 0 and m in [lowest, 2*lowest): k as a float, and in the
// place of the exponent bits, where in f64 the bias is added; m is that of fractionBits.
func (c calc) exponent(x value) (k, shifted, fractionBits value) {
	lowest := c.bitsOf(c.log.lowest)
	if c.kind == loop.F32 {
		bits := c.iop(loop.Sub, c.bits(x), c.int(lowest))
		n := c.iop(loop.Sar, bits, c.int(int64(c.fraction)))
		return c.b.Op(loop.SToF, c.kind, n), c.shl(n, c.fraction), bits
	}
	// With the bias the exponent is positive: put into a float 2^52 it is a number.
	const large = 0x1p52
	bits := c.iop(loop.Add, c.bits(x), c.int(c.bitsOf(1)-lowest))
	n := c.shr(bits, c.fraction)
	f := c.float(c.iop(loop.Or, n, c.int(c.bitsOf(large))))
	return c.sub(f, c.num(large+float64(c.bias))), c.shl(n, c.fraction), bits
}

// scaleDown is top/2^k for a power of two top and the shifted of exponent.
func (c calc) scaleDown(top float64, shifted value) value {
	bits := c.bitsOf(top)
	if c.kind == loop.F64 {
		bits += c.bitsOf(1)
	}
	return c.float(c.iop(loop.Sub, c.int(bits), shifted))
}

// splitNumber makes x = (1+f)*2^k with 1+f in [lowest, 2*lowest), for x > 0.
func (c calc) splitNumber(x value) (f, k value) {
	small := c.less(x, c.minNormal)
	f, k = c.splitNormal(c.pick(small, c.times(x, math.Ldexp(1, int(c.log.denormal))), x))
	return f, c.sub(k, c.where(small, c.log.denormal))
}

// splitNormal is splitNumber of a normal number.
func (c calc) splitNormal(x value) (f, k value) {
	k, _, bits := c.exponent(x)
	mantissa := c.iop(loop.And, bits, c.int(1<<c.fraction-1))
	m := c.float(c.iop(loop.Add, mantissa, c.int(c.bitsOf(c.log.lowest))))
	return c.sub(m, c.num(1)), k
}

// logOf is a logarithm of x by near, that of (1+f)*2^k: at once for normal numbers, and with more care for others,
// which few lanes hold.
func (c calc) logOf(x value, near func(f, k value) value) value {
	normal := c.isNormal(x)
	other := c.logSpecials(near(c.splitNumber(x)), x, 0)
	return c.b.OpImm(loop.Select, c.kind, loop.Seldom, normal, near(c.splitNormal(x)), other)
}

// logSpecials puts in the logarithms y of infinity, zero, negative numbers and NaN; low is the x whose
// logarithm is -Inf.
func (c calc) logSpecials(y, x value, low float64) value {
	y = c.pick(c.b.Cmp(loop.LT, x, c.inf()), y, x)
	y = c.pick(c.equal(x, low), c.num(math.Inf(-1)), y)
	return c.pick(c.less(x, low), c.nan(), y)
}

// atanhOf returns s and r with log(1+f) = f - f*f/2 + s*(f*f/2+r).
func (c calc) atanhOf(f value) (s, r, half value) {
	s = c.div(f, c.add(f, c.num(2)))
	z := c.mul(s, s)
	return s, c.mul(z, c.poly(z, c.log.atanh)), c.times(c.mul(f, f), 0.5)
}

// logTail is log(1+f) - f + more.
func (c calc) logTail(f, more value) value {
	if c.kind == loop.F32 {
		return c.fma(c.mul(f, f), c.horner(f, logF32), more)
	}
	s, r, half := c.atanhOf(f)
	return c.sub(c.fma(s, c.add(half, r), more), half)
}

func log(c calc, x value) value {
	return c.logOf(x, func(f, k value) value {
		low := c.logTail(f, c.times(k, c.ln2.low))
		return c.fma(k, c.num(c.ln2.high), c.add(f, low))
	})
}

func log2(c calc, x value) value { return c.logOf(x, c.log2Near) }

// log2Near is k + f*log2(e) + the rest, with what the product and the sum lack.
func (c calc) log2Near(f, k value) value {
	log2e := c.num(c.log2e.high)
	if c.kind == loop.F32 {
		p := c.horner(f, log2F32)
		g := c.mul(f, log2e)
		h := c.add(k, g)
		low := c.add(c.rest(h, k, g), c.fms(f, log2e, g))
		return c.add(h, c.fma(f, p, low))
	}
	s, r, half := c.atanhOf(f)
	halfLow := c.fms(c.times(f, 0.5), f, half)
	high := c.sub(f, half)
	low := c.add(c.sub(c.sub(c.sub(f, high), half), halfLow), c.mul(s, c.add(half, r)))
	g := c.mul(high, log2e)
	gl := c.fma(high, c.num(c.log2e.low), c.fma(low, log2e, c.fms(high, log2e, g)))
	h := c.add(k, g)
	return c.add(h, c.add(c.rest(h, k, g), gl))
}

// log1pOf is log(1+x+xl) for x > -1; xl may be 0. f+fl is exactly (1+x)/2^k - 1.
func (c calc) log1pOf(x, xl value) value {
	k, shifted, _ := c.exponent(c.add(x, c.num(1)))
	s := c.scaleDown(4, shifted)
	quarter := c.times(x, 0.25)
	one := c.fma(s, c.num(0.25), c.num(-1))
	f := c.fma(s, quarter, one)
	fl := c.fma(s, quarter, c.sub(one, f))
	if xl != 0 {
		fl = c.fma(s, c.times(xl, 0.25), fl)
	}
	return c.logOfParts(k, f, fl)
}

// logOfParts is log((1+f+fl)*2^k), fl being what f lacks.
func (c calc) logOfParts(k, f, fl value) value {
	h := c.fma(k, c.num(c.ln2.high), f)
	hl := c.add(c.fms(k, c.num(c.ln2.high), h), f)
	fl = c.fnma(fl, f, fl)
	return c.add(h, c.logTail(f, c.add(hl, c.fma(k, c.num(c.ln2.low), fl))))
}

func log1p(c calc, x value) value {
	if c.wide64() {
		return c.log1pWide64(x)
	}
	y := c.logSpecials(c.log1pOf(x, 0), x, -1)
	y = c.pick(c.less(c.abs(x), c.log.tiny), x, y)
	if !c.wide() {
		return y
	}
	const huge = 0x1p100
	ordinary := c.both(c.greater(x, -1), c.less(x, huge))
	return c.b.OpImm(loop.Select, c.kind, loop.Seldom, ordinary, c.withSign(c.log1pWide(x), x), y)
}

// log1pWide64 is log1p, at once for numbers above -1 that are not huge; there 2^-k is a normal number, and what is tiny
// passes unchanged but for the sign of zero.
func (c calc) log1pWide64(x value) value {
	const huge = 0x1p1000
	k, shifted, _ := c.exponent(c.add(x, c.num(1)))
	s := c.scaleDown(1, shifted)
	one := c.sub(s, c.num(1))
	f := c.fma(s, x, one)
	y := c.withSign(c.logOfParts(k, f, c.fma(s, x, c.sub(one, f))), x)
	ordinary := c.both(c.greater(x, -1), c.less(x, huge))
	return c.b.OpImm(loop.Select, c.kind, loop.Seldom, ordinary, y, c.logSpecials(c.log1pOf(x, 0), x, -1))
}
