package vmath

import "github.com/goxla/xla/cpu/loop"

// Wide forms are for machines on which 32 numbers of f32 are a table in two registers. The range of a function is cut
// into parts, whose number is some bits of the argument, and what belongs to a part is looked up.

// wide reports whether functions of f32 have their wide forms.
func (c calc) wide() bool { return c.b.Wide && c.kind == loop.F32 }

// wide64 reports whether functions of f64 have their wide forms, with tables of 16 elements.
func (c calc) wide64() bool { return c.b.Wide && c.kind == loop.F64 }

// find looks up elements of tables, of a power of two of elements each, by the low bits of index.
func (c calc) find(index value, tables ...[]float64) []value {
	index = c.iop(loop.And, index, c.int(int64(len(tables[0])-1)))
	found := make([]value, len(tables))
	for k, t := range tables {
		bits := make([]uint64, len(t))
		for n, x := range t {
			bits[n] = uint64(c.bitsOf(x))
		}
		found[k] = c.b.Table(c.kind, bits, index)
	}
	return found
}

// octaves is the index, in its low bits, of one of 32 parts of [low, 256*low), four in each octave, of a number below
// 256*low; what is below low is in the first part.
func (c calc) octaves(a value, low float64) value {
	return c.shr(c.bits(c.atLeast(low, a)), c.fraction-2)
}

// piece is the polynomial of a's part at y, a's distance from the middle of the part.
func (c calc) piece(a, index value, tables [][]float64) (y, constant, p value) {
	t := c.find(index, tables...)
	y = c.sub(a, t[0])
	return y, t[1], c.polynomial(y, t[2:])
}

// tanhWide is a polynomial in each part.
func (c calc) tanhWide(x value) value {
	const low, one = 0x1p-4, 9.2
	a := c.atMost(one, c.abs(x))
	y, constant, p := c.piece(a, c.octaves(a, low), tanhPiecesF32)
	return c.withSign(c.fma(p, y, constant), x)
}

// erfWide is a polynomial in each part; in the first one x is added last, as it is not exactly erf(x).
func (c calc) erfWide(x value) value {
	const low, one = 0x1p-5, 0x1.fffffep1
	a := c.atMost(one, c.abs(x))
	y, constant, p := c.piece(a, c.octaves(a, low), erfPiecesF32)
	constant = c.pick(c.less(a, 1.25*low), a, constant)
	return c.withSign(c.fma(p, y, constant), x)
}

// atanWide turns the point (1, a) back by the angle of its part, which leaves a small one.
func (c calc) atanWide(x value) value {
	const low, high, huge = 0x1p-4, 15, 0x1p100
	a := c.atMost(huge, c.abs(x))
	t := c.find(c.octaves(c.atMost(high, a), low), atanCosineF32, atanSineF32, atanBaseF32)
	r := c.div(c.fms(a, t[0], t[1]), c.fma(a, t[1], t[0]))
	s := c.mul(r, r)
	rest := c.fma(c.mul(r, s), c.horner(s, atanPartF32), r)
	return c.withSign(c.add(t[2], rest), x)
}

// atanWide64 is atanWide with half as many parts, that begin anew at every quarter of an octave of a+1/2.
func (c calc) atanWide64(x value) value {
	const high, huge = 7, 0x1p100
	a := c.atMost(huge, c.abs(x))
	index := c.shr(c.bits(c.add(c.atMost(high, a), c.num(0.5))), c.fraction-2)
	t := c.find(index, atanTangentF64, atanBaseF64)
	r := c.div(c.sub(a, t[0]), c.fma(a, t[0], c.num(1)))
	s := c.mul(r, r)
	rest := c.fma(c.mul(r, s), c.horner(s, atanPartF64), r)
	return c.withSign(c.add(t[1], rest), x)
}

// log1pWide is log(1+r) + high + low + k*ln2, where 1+x = 2^k*m and 1+r = m*w with w looked up. s = w*2^-k has few
// bits: (1+x)*s - 1 is x*s + (s-1). The high parts are multiples of 2^-16, and their sum is exact. It is for numbers
// above -1 that are not huge.
func (c calc) log1pWide(x value) value {
	const least, ln2High, ln2Low = 0x1.f8p-1, 0x1.62e4p-1, 0x1.7f7d1cp-20
	bits := c.iop(loop.Sub, c.bits(c.add(x, c.num(1))), c.int(c.bitsOf(least)))
	part := c.find(c.shr(bits, c.fraction-4), logScaleF32, logBaseF32, logBaseLowF32)
	n := c.iop(loop.Sar, bits, c.int(int64(c.fraction)))
	k := c.b.Op(loop.SToF, c.kind, n)
	s := c.float(c.iop(loop.Sub, c.bits(part[0]), c.shl(n, c.fraction)))
	r := c.fma(x, s, c.sub(s, c.num(1)))
	low := c.fma(c.mul(r, r), c.horner(r, logPartF32), c.fma(k, c.num(ln2Low), part[2]))
	return c.add(c.fma(k, c.num(ln2High), part[1]), c.add(r, low))
}

// twoExps returns p*up, which is e^a/4, and q*down, which is e^-a/4, as factors: up and down are powers of two, and so
// one series, of which the odd terms change sign, does without a division.
func (c calc) twoExps(a value) (p, q, up, down value) {
	const more, less = 0x1p6, 0x1p-6 // 2^-n alone would be too small for its type
	t, _, r := c.reduceExp(c.atMost(c.hyper.overflow, a))
	s := c.mul(r, r)
	even, odd, cube := c.mul(s, c.horner(s, coshPartF32)), c.horner(s, sinhPartF32), c.mul(r, s)
	p = c.add(c.add(c.fma(cube, odd, even), r), c.num(1))
	q = c.fma(c.sub(c.fnma(cube, odd, even), r), c.num(less), c.num(less))
	n := c.shl(c.bits(t), c.fraction)
	up = c.float(c.iop(loop.Add, n, c.int(c.bitsOf(0.25))))
	down = c.float(c.iop(loop.Sub, c.int(c.bitsOf(0.25*more)), n))
	return p, q, up, down
}

// rsqrtWide is a near result, corrected by its remainder: by a series of two terms, which in f64 is not enough.
func (c calc) rsqrtWide(x value) value {
	near := c.op(loop.RsqrtNear, x)
	y := near
	if c.kind == loop.F64 {
		y = c.correct(y, c.fnma(c.mul(x, y), y, c.num(1)))
	}
	z := c.correct(y, c.rsqrtLack(x, y))
	return c.pick(c.b.Cmp(loop.Unordered, z, z), near, z)
}

// rootAboveOne is sqrt(x) within a unit of the last place, for a finite x > 1.
func (c calc) rootAboveOne(x value) value {
	if !c.b.Wide || c.kind == loop.F32 {
		return c.sqrt(x)
	}
	return c.rootBy(x, c.op(loop.RsqrtNear, x))
}

// rootBy is sqrt(x) by a near 1/sqrt(x), y.
func (c calc) rootBy(x, y value) value {
	q, half := c.nearer(c.mul(x, y), c.times(y, 0.5))
	return c.fma(c.fnma(q, q, x), half, q)
}

// nearer is a near root q and half of what is near 1 over it, with twice as many digits.
func (c calc) nearer(q, half value) (value, value) {
	r := c.fnma(q, half, c.num(0.5))
	return c.fma(q, r, q), c.fma(half, r, half)
}

// nearQuotient is x/y, or where registers are wide a number near it, for y >= 0.
func (c calc) nearQuotient(x, y value) value {
	if !c.b.Wide {
		return c.div(x, y)
	}
	r := c.op(loop.RsqrtNear, y)
	return c.mul(x, c.mul(r, r))
}

// correct is y/sqrt(1-h) for small h.
func (c calc) correct(y, h value) value {
	return c.fma(c.mul(y, h), c.fma(h, c.num(0.375), c.num(0.5)), y)
}
