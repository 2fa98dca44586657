package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// avx2Rows holds the operations that AVX2 has no instruction for, most of all those of 64-bit integers.
func avx2Rows(t *table) {
	maskRow(t, loop.And, asm.VPANDD, asm.VL256)
	maskRow(t, loop.Or, asm.VPORD, asm.VL256)
	maskRow(t, loop.Xor, asm.VPXORD, asm.VL256)
	maskRow(t, loop.AndNot, asm.VPANDND, asm.VL256)
	t.set(loop.Not, loop.Mask, func(g *gen, i *loop.Inst, x [3]reg) reg {
		return g.c.v(asm.VPXORD, asm.VL256, x[0], g.t.maskConst(true))
	})
	for _, k := range [2]loop.Kind{loop.F32, loop.F64} {
		t.set(loop.Scale, k, scaleSteps)
		t.set(loop.Div, k, byInverse(byConstant(plainOp(by64(k, asm.VDIVPS, asm.VDIVPD)))))
	}
	t.set(loop.Mul, loop.I64, mul64)
	t.set(loop.Min, loop.I64, choose64(loop.LT))
	t.set(loop.Max, loop.I64, choose64(loop.GT))
	t.set(loop.UMin, loop.I64, choose64(loop.ULT))
	t.set(loop.UMax, loop.I64, choose64(loop.UGT))
	t.set(loop.Abs, loop.I64, abs64)
	t.set(loop.Sar, loop.I64, sar64)
	t.set(loop.Clz, loop.I32, func(g *gen, i *loop.Inst, x [3]reg) reg { return g.clz32(g.size(loop.I32), x[0]) })
	t.set(loop.Clz, loop.I64, clz64)
	t.set(loop.Popcnt, loop.I32, popcountNibbles)
	t.set(loop.Popcnt, loop.I64, popcountNibbles)

	t.conv(loop.UToF, loop.F32, loop.I32, u32ToF32)
	t.conv(loop.UToF, loop.F64, loop.I32, func(g *gen, i *loop.Inst, x [3]reg) reg { return g.u32ToF64(asm.VL256, x[0]) })
	t.conv(loop.SToF, loop.F64, loop.I64, int64ToF64(signedBias))
	t.conv(loop.UToF, loop.F64, loop.I64, int64ToF64(unsignedBias))
	t.conv(loop.SToF, loop.F32, loop.I64, int64ToF32(signedBias))
	t.conv(loop.UToF, loop.F32, loop.I64, int64ToF32(unsignedBias))
	t.conv(loop.FToS, loop.I64, loop.F64, f64ToInt64)
	t.conv(loop.FToS, loop.I64, loop.F32, func(g *gen, i *loop.Inst, x [3]reg) reg {
		x[0] = g.c.v(asm.VCVTPS2PD, asm.VL256, x[0])
		return f64ToInt64(g, i, x)
	})
	t.conv(loop.Trunc, loop.I32, loop.I64, func(g *gen, i *loop.Inst, x [3]reg) reg { return g.refill(g.lowHalves(x[0])) })
	t.set(loop.UDiv, loop.I32, divideUnsigned(false))
	t.set(loop.URem, loop.I32, divideUnsigned(true))
}

// mul64 is the low half of a product: of the low halves, plus the cross products in the upper half.
func mul64(g *gen, i *loop.Inst, x [3]reg) reg {
	c, size := g.c, g.size(loop.I64)
	cross := c.v(asm.VPMULLD, size, x[0], c.vi(asm.VPSHUFD, size, 0xB1, x[1]))
	sum := c.v(asm.VPADDQ, size, cross, c.vi(asm.VPSRLQI, size, 32, cross))
	return c.v(asm.VPADDQ, size, c.v(asm.VPMULUDQ, size, x[0], x[1]), c.vi(asm.VPSLLQI, size, 32, sum))
}

// choose64 takes the first operand where it compares so to the second.
func choose64(p loop.Pred) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		return g.t.pick(loop.I64, g.t.cmpInt(loop.I64, p, x[0], x[1]), x[0], x[1])
	}
}

// signs64 is all ones in the lanes that are negative.
func (g *gen) signs64(x reg) reg { return g.c.v(asm.VPCMPGTQ, g.size(loop.I64), g.c.splat32(0), x) }

func abs64(g *gen, i *loop.Inst, x [3]reg) reg {
	size, s := g.size(loop.I64), g.signs64(x[0])
	return g.c.v(asm.VPSUBQ, size, g.c.v(asm.VPXORD, size, x[0], s), s)
}

// sar64 shifts what is left when the sign is taken away, which zeros may come into.
func sar64(g *gen, i *loop.Inst, x [3]reg) reg {
	c, size, s := g.c, g.size(loop.I64), g.signs64(x[0])
	rest := c.v(asm.VPXORD, size, x[0], s)
	if n, ok := g.shiftCount(i); ok {
		rest = c.vi(asm.VPSRLQI, size, n, rest)
	} else {
		rest = c.v(asm.VPSRLVQ, size, rest, x[1])
	}
	return c.v(asm.VPXORD, size, rest, s)
}

// clz32 reads the exponent of the number as a float; clearing bits below a one keeps it from rounding up.
func (g *gen) clz32(size asm.Size, x reg) reg {
	c := g.c
	top := c.v(asm.VPANDND, size, c.vi(asm.VPSRLDI, size, 1, x), x)
	e := c.vi(asm.VPSRLDI, size, 23, c.v(asm.VCVTDQ2PS, size, top))
	return c.v(asm.VPMINSW, size, c.v(asm.VPSUBUSW, size, c.splat32(158), e), c.splat32(32))
}

// clz64 is that of the upper half, plus that of the lower if the upper is zero.
func clz64(g *gen, i *loop.Inst, x [3]reg) reg {
	c, size := g.c, g.size(loop.I64)
	both := g.clz32(size, x[0])
	high := c.vi(asm.VPSRLQI, size, 32, both)
	none := c.v(asm.VPCMPEQQ, size, high, c.splat64(32))
	low := c.v(asm.VPANDD, size, c.v(asm.VPANDD, size, both, c.splat64(1<<32-1)), none)
	return c.v(asm.VPADDQ, size, high, low)
}

// popcountNibbles looks each half of a byte up and adds.
func popcountNibbles(g *gen, i *loop.Inst, x [3]reg) reg {
	c, size := g.c, g.size(i.Kind)
	counts := c.repeat16([16]byte{0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4})
	nibble := c.splat32(0x0f0f0f0f)
	low := c.v(asm.VPSHUFB, size, counts, c.v(asm.VPANDD, size, x[0], nibble))
	high := c.v(asm.VPSHUFB, size, counts, c.v(asm.VPANDD, size, c.vi(asm.VPSRLWI, size, 4, x[0]), nibble))
	bytes := c.v(asm.VPADDB, size, low, high)
	if i.Kind == loop.I64 {
		return c.v(asm.VPSADBW, size, bytes, c.splat32(0))
	}
	words := c.v(asm.VPMADDUBSW, size, bytes, c.splat32(0x01010101))
	return c.v(asm.VPMADDWD, size, words, c.splat32(0x00010001))
}

// u32ToF32 converts the halves, which is exact, and rounds their sum once.
func u32ToF32(g *gen, i *loop.Inst, x [3]reg) reg {
	c, size := g.c, g.size(loop.F32)
	high := c.v(asm.VCVTDQ2PS, size, c.vi(asm.VPSRLDI, size, 16, x[0]))
	low := c.v(asm.VCVTDQ2PS, size, c.v(asm.VPANDD, size, x[0], c.splat32(0xffff)))
	return c.fused(loop.FMA, loop.F32, size, high, g.splatFloat(loop.F32, 65536), low)
}

// u32ToF64 puts the number into the mantissa of 2^52.
func (g *gen) u32ToF64(size asm.Size, x reg) reg {
	wide := g.c.v(asm.VPMOVZXDQ, size, x)
	biased := g.c.v(asm.VPORD, size, wide, g.splatFloat(loop.F64, 1<<52))
	return g.c.v(asm.VSUBPD, size, biased, g.splatFloat(loop.F64, 1<<52))
}

// bias is how the upper half of a 64-bit integer becomes a double: xor with high and less less.
type bias struct {
	high uint64
	less float64
}

var (
	signedBias   = bias{0x4530000080000000, 0x1p84 + 0x1p63 + 0x1p52}
	unsignedBias = bias{0x4530000000000000, 0x1p84 + 0x1p52}
)

// halves64 gives two doubles whose exact sum is x.
func (g *gen) halves64(b bias, x reg) (high, low reg) {
	c, size := g.c, asm.VL256
	high = c.v(asm.VPXORD, size, c.vi(asm.VPSRLQI, size, 32, x), c.splat64(b.high))
	high = c.v(asm.VSUBPD, size, high, g.splatFloat(loop.F64, b.less))
	return high, c.vi(asm.VPBLENDD, size, 0x55, g.splatFloat(loop.F64, 1<<52), x)
}

func int64ToF64(b bias) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		high, low := g.halves64(b, x[0])
		return g.c.v(asm.VADDPD, asm.VL256, high, low)
	}
}

// int64ToF32 takes what has few digits, as most integers have, from the mantissa of a double, which holds it exactly.
func int64ToF32(b bias) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		c, size := g.c, asm.VL256
		digits, zero := x[0], float64(1<<52)
		if b == signedBias {
			digits, zero = c.v(asm.VPADDQ, size, digits, c.splat64(1<<51)), 1<<52+1<<51
		}
		whole := c.v(asm.VPORD, size, digits, g.splatFloat(loop.F64, 1<<52))
		r := c.copyOf(c.v(asm.VCVTPD2PS, size, c.v(asm.VSUBPD, size, whole, g.splatFloat(loop.F64, zero))))
		c.flags(asm.VPTEST, size, digits, c.splat64(^uint64(1<<52-1)))
		c.cold(asm.NE, func() { c.move(r, g.longToF32(b, x[0])) })
		return g.refill(r)
	}
}

// longToF32 rounds the sum of the halves to odd, so that rounding it again to F32 is as if it were exact.
func (g *gen) longToF32(b bias, x reg) reg {
	c, size := g.c, asm.VL256
	high, low := g.halves64(b, x)
	sum := c.v(asm.VADDPD, size, high, low)
	rest := c.v(asm.VSUBPD, size, low, c.v(asm.VSUBPD, size, sum, high))
	zero := c.splat32(0)
	down := c.v(asm.VPCMPGTQ, size, zero, c.v(asm.VXORPD, size, rest, sum))
	odd := c.v(asm.VPORD, size, c.v(asm.VPADDQ, size, sum, down), c.splat64(1))
	inexact := c.vi(asm.VCMPPD, size, asm.CmpNEQ_UQ, rest, zero)
	return c.v(asm.VCVTPD2PS, size, c.v(asm.VBLENDVPD, size, sum, odd, inexact))
}

// f64ToInt64 cuts the number in two halves of 32 bits, each of which a sum leaves in a mantissa.
func f64ToInt64(g *gen, i *loop.Inst, x [3]reg) reg {
	c, size := g.c, asm.VL256
	f := func(v float64) reg { return g.splatFloat(loop.F64, v) }
	whole := c.vi(asm.VRNDSCALEPD, size, asm.RoundZero, x[0])
	high := c.vi(asm.VRNDSCALEPD, size, asm.RoundDown, c.v(asm.VMULPD, size, whole, f(0x1p-32)))
	low := c.fused(loop.FNMA, loop.F64, size, high, f(0x1p32), whole)
	upper := c.vi(asm.VPSLLQI, size, 32, c.v(asm.VADDPD, size, high, f(0x1.8p52)))
	r := c.vi(asm.VPBLENDD, size, 0x55, upper, c.v(asm.VADDPD, size, low, f(0x1p52)))
	fits := c.v(asm.VANDPD, size, c.vi(asm.VCMPPD, size, asm.CmpGE_OQ, x[0], f(-0x1p63)),
		c.vi(asm.VCMPPD, size, asm.CmpLT_OQ, x[0], f(0x1p63)))
	return c.v(asm.VBLENDVPD, size, c.splat64(1<<63), r, fits)
}

// lowHalves brings the low halves of four 64-bit elements together.
func (g *gen) lowHalves(x reg) reg {
	return g.c.vi(asm.VSHUFPS, asm.VL128, 0x88, x, g.c.vi(asm.VEXTRACTF32X4, asm.VL256, 1, x))
}

// divideUnsigned is divide for numbers without a sign, which need their own conversions.
func divideUnsigned(remainder bool) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		c, size := g.c, g.size(loop.I32)
		q := g.inDoubles(size, x[0], x[1], func(size asm.Size, a, b reg) reg {
			q := c.v(asm.VDIVPD, size, g.u32ToF64(size, a), g.u32ToF64(size, b))
			q = c.vi(asm.VRNDSCALEPD, size, asm.RoundZero, q)
			return g.lowHalves(c.v(asm.VADDPD, size, q, g.splatFloat(loop.F64, 1<<52)))
		})
		q = g.orIfZero(q, x[1])
		if !remainder {
			return q
		}
		return c.v(asm.VPSUBD, size, x[0], c.v(asm.VPMULLD, size, q, x[1]))
	}
}
