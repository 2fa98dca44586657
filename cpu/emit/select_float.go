package emit

import (
	"math"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// fusedOps holds the fused multiply-adds, in the order FMA, FMS, FNMA, FNMS, each for F32 and F64.
var fusedOps = [...]fusedOp{
	{asm.VFMADD132PS, asm.VFMADD213PS, asm.VFMADD231PS}, {asm.VFMADD132PD, asm.VFMADD213PD, asm.VFMADD231PD},
	{asm.VFMSUB132PS, asm.VFMSUB213PS, asm.VFMSUB231PS}, {asm.VFMSUB132PD, asm.VFMSUB213PD, asm.VFMSUB231PD},
	{asm.VFNMADD132PS, asm.VFNMADD213PS, asm.VFNMADD231PS}, {asm.VFNMADD132PD, asm.VFNMADD213PD, asm.VFNMADD231PD},
	{asm.VFNMSUB132PS, asm.VFNMSUB213PS, asm.VFNMSUB231PS}, {asm.VFNMSUB132PD, asm.VFNMSUB213PD, asm.VFNMSUB231PD},
}

// fused is ±a*b ± c; which form it takes is decided when registers are known.
func (c *code) fused(o loop.Op, k loop.Kind, size asm.Size, x, y, z reg) reg {
	n := 2 * int(o-loop.FMA)
	if k == loop.F64 {
		n++
	}
	i := c.next(fusedOps[n].f213, size, 3, nil)
	i.kind, i.in.Imm = fused, int64(n)
	i.r = [4]reg{c.newReg(vecClass), x, y, z}
	return i.r[0]
}

func floatRows(t *table) {
	pairs := []struct {
		op   loop.Op
		p, d asm.Op
		swap bool
	}{
		{loop.Add, asm.VADDPS, asm.VADDPD, true}, {loop.Sub, asm.VSUBPS, asm.VSUBPD, false},
		{loop.Mul, asm.VMULPS, asm.VMULPD, true}, {loop.Div, asm.VDIVPS, asm.VDIVPD, false},
		{loop.Sqrt, asm.VSQRTPS, asm.VSQRTPD, false}, {loop.MinX, asm.VMINPS, asm.VMINPD, false},
		{loop.MaxX, asm.VMAXPS, asm.VMAXPD, false},
	}
	for _, p := range pairs {
		form := plainOp
		if p.swap {
			form = commuting
		}
		t.set(p.op, loop.F32, form(p.p))
		t.set(p.op, loop.F64, form(p.d))
	}
	for _, k := range [2]loop.Kind{loop.F32, loop.F64} {
		for o := loop.FMA; o <= loop.FNMS; o++ {
			t.set(o, k, func(g *gen, i *loop.Inst, x [3]reg) reg {
				return g.c.fused(o, k, g.size(k), x[0], x[1], x[2])
			})
		}
		t.set(loop.RsqrtNear, k, func(g *gen, i *loop.Inst, x [3]reg) reg {
			root := g.c.v(by64(k, asm.VSQRTPS, asm.VSQRTPD), g.size(k), x[0])
			return g.c.v(by64(k, asm.VDIVPS, asm.VDIVPD), g.size(k), g.splatFloat(k, 1), root)
		})
		t.set(loop.Min, k, floatMin)
		t.set(loop.Max, k, floatMax)
		t.set(loop.Neg, k, func(g *gen, i *loop.Inst, x [3]reg) reg {
			return g.c.v(by64(k, asm.VXORPS, asm.VXORPD), g.size(k), x[0], g.signBit(k))
		})
		t.set(loop.Abs, k, func(g *gen, i *loop.Inst, x [3]reg) reg {
			rest := g.c.splat32(1<<31 - 1)
			if k == loop.F64 {
				rest = g.c.splat64(1<<63 - 1)
			}
			return g.c.v(by64(k, asm.VANDPS, asm.VANDPD), g.size(k), x[0], rest)
		})
	}
}

// floatMin joins the minima both ways round: they differ where x86 gives its second operand, which is for a NaN and
// for zeros. There or gives NaN and -0.
func floatMin(g *gen, i *loop.Inst, x [3]reg) reg {
	k := i.Kind
	op, or, size := by64(k, asm.VMINPS, asm.VMINPD), by64(k, asm.VORPS, asm.VORPD), g.size(k)
	return g.c.v(or, size, g.c.v(op, size, x[0], x[1]), g.c.v(op, size, x[1], x[0]))
}

// quiet32 and quiet64 are the bits of NaNs of f32 and f64 that say nothing else.
const (
	quiet32 = 0x7fc00000
	quiet64 = 0x7ff8 << 48
)

// floatMax joins the maxima both ways round: and gives +0 for zeros that differ, and what is not ordered is NaN, which
// has a sign only if both have, and a payload only of what NaNs have. A chain of maxima waits for one of them and two
// operations on bits, or for a comparison and two.
func floatMax(g *gen, i *loop.Inst, x [3]reg) reg {
	k := i.Kind
	op, size := by64(k, asm.VMAXPS, asm.VMAXPD), g.size(k)
	m, n := g.c.v(op, size, x[0], x[1]), g.c.v(op, size, x[1], x[0])
	least := g.c.v(by64(k, asm.VANDPS, asm.VANDPD), size, m, n)
	unordered := g.t.cmpFloat(k, loop.Unordered, x[0], x[1])
	quiet := uint64(quiet32)
	if k == loop.F64 {
		quiet = quiet64
	}
	nan := g.c.v(by64(k, asm.VANDPS, asm.VANDPD), size, unordered, g.constant(k, quiet))
	return g.c.v(by64(k, asm.VORPS, asm.VORPD), size, least, nan)
}

func roundRows(t *table) {
	for _, k := range [2]loop.Kind{loop.F32, loop.F64} {
		t.set(loop.Round, k, func(g *gen, i *loop.Inst, x [3]reg) reg {
			return g.c.vi(by64(k, asm.VRNDSCALEPS, asm.VRNDSCALEPD), g.size(k), asm.RoundNearest+uint8(i.Imm), x[0])
		})
	}
	t.set(loop.RoundF16, loop.F32, func(g *gen, i *loop.Inst, x [3]reg) reg {
		size := g.size(loop.F32)
		return g.c.v(asm.VCVTPH2PS, size, g.c.vi(asm.VCVTPS2PH, size, 0, x[0]))
	})
	t.set(loop.RoundBF16, loop.F32, func(g *gen, i *loop.Inst, x [3]reg) reg {
		if g.lanes != nil && g.lanes.half != nil {
			return g.roundHalf(x[0], g.nansOf(i.Args[0]))
		}
		bits := g.roundedBits(x[0], g.nansOf(i.Args[0]))
		r := g.c.vi(asm.VPSLLDI, g.size(loop.F32), 16, bits)
		g.rememberBits(r, bits)
		return r
	})
}

// rememberBits notes that bits are those of x rounded to bf16.
func (g *gen) rememberBits(x, bits reg) {
	if g.rounded == nil {
		g.rounded = map[reg]reg{}
	}
	g.rounded[x] = bits
}

// bf16Bits rounds F32 lanes to bf16, to nearest, ties to even, in the low half of each.
func (g *gen) bf16Bits(x reg) reg {
	if bits := g.rounded[x]; bits != 0 {
		return bits
	}
	return g.roundedBits(x, anyNaNs)
}

// roundedBits does so for lanes that can be such NaNs.
func (g *gen) roundedBits(x reg, n nans) reg {
	if bits := g.rounded[x]; bits != 0 {
		return bits
	}
	size, c := g.size(loop.F32), g.c
	high := c.vi(asm.VPSRLDI, size, 16, x)
	rounded := c.vi(asm.VPSRLDI, size, 16, g.roundedSum(x, high))
	if n == quietNaNs {
		return rounded
	}
	quiet := c.v(asm.VPORD, size, high, c.splat32(0x40))
	return g.t.pick(loop.I32, g.t.cmpFloat(loop.F32, loop.Unordered, x, x), quiet, rounded)
}

// roundedSum has x, whose upper halves are high, rounded in the upper half of each lane, unless it is a NaN.
func (g *gen) roundedSum(x, high reg) reg {
	size, c := g.size(loop.F32), g.c
	odd := c.v(asm.VPANDD, size, high, c.splat32(1))
	return c.v(asm.VPADDD, size, c.v(asm.VPADDD, size, x, c.splat32(0x7fff)), odd)
}

// floatLayout is what scaling needs to know of a float kind.
type floatLayout struct {
	mantissa uint8
	bias     int
	// small is the exponent of a factor far below 1: two of it and one more reach everything, and the last step alone
	// rounds.
	small int
}

var layouts = map[loop.Kind]floatLayout{
	loop.F32: {mantissa: 23, bias: 127, small: -102},
	loop.F64: {mantissa: 52, bias: 1023, small: -969},
}

// splatFloat is f in all lanes.
func (g *gen) splatFloat(k loop.Kind, f float64) reg {
	if k == loop.F32 {
		return g.c.splat32(math.Float32bits(float32(f)))
	}
	return g.c.splat64(math.Float64bits(f))
}

// scaleSteps is a * 2^n in multiplications: one where all |n| are small, else three, of which the first two are exact
// unless the result is an infinity or zero in any case.
func scaleSteps(g *gen, i *loop.Inst, x [3]reg) reg {
	k, c := i.Kind, g.c
	size, lay := g.size(k), layouts[k]
	mul := by64(k, asm.VMULPS, asm.VMULPD)
	n := x[1]
	r := c.copyOf(c.v(mul, size, x[0], g.power(k, n)))
	abs := c.v(by64(k, asm.VANDNPS, asm.VANDNPD), size, g.signBit(k), n)
	big := c.vi(by64(k, asm.VCMPPS, asm.VCMPPD), size, asm.CmpNLE_UQ, abs, g.splatFloat(k, float64(lay.bias-1)))
	c.flags(asm.VPTEST, size, big, big)
	c.cold(asm.NE, func() { c.move(r, g.scaleAny(k, x[0], x[1])) })
	return r
}

// scaleAny is a * 2^n for any n. What becomes zero is so before the last multiplication: processors take hundreds of
// cycles for one whose result falls below their least number.
func (g *gen) scaleAny(k loop.Kind, a, n reg) reg {
	c, size, lay := g.c, g.size(k), layouts[k]
	y, m := a, n
	for range 2 {
		y, m = g.scaleStep(k, y, m)
	}
	half := g.splatFloat(k, float64(-lay.bias-int(lay.mantissa))) // of the least number
	bound := g.power(k, g.within(k, -lay.bias, c.v(by64(k, asm.VSUBPS, asm.VSUBPD), size, half, m)))
	abs := c.v(by64(k, asm.VANDNPS, asm.VANDNPD), size, g.signBit(k), y)
	zero := c.v(by64(k, asm.VANDPS, asm.VANDPD), size, g.signBit(k), y)
	y = g.t.pick(k, g.t.cmpFloat(k, loop.LT, abs, bound), zero, y)
	y = c.v(by64(k, asm.VMULPS, asm.VMULPD), size, y, g.power(k, g.within(k, 1-lay.bias, m)))
	return g.t.pick(k, g.t.cmpFloat(k, loop.Unordered, n, n), n, y)
}

// within is n, or the nearest number that is at least low and whose power of 2 is no infinity.
func (g *gen) within(k loop.Kind, low int, n reg) reg {
	size := g.size(k)
	n = g.c.v(by64(k, asm.VMAXPS, asm.VMAXPD), size, g.splatFloat(k, float64(low)), n)
	return g.c.v(by64(k, asm.VMINPS, asm.VMINPD), size, g.splatFloat(k, float64(layouts[k].bias)), n)
}

// power is 2^n for an integral float n whose power is a normal number, and 0 for the next smaller one.
func (g *gen) power(k loop.Kind, n reg) reg {
	lay := layouts[k]
	magic := 1.5*math.Ldexp(1, int(lay.mantissa)) + float64(lay.bias)
	size := g.size(k)
	sum := g.c.v(by64(k, asm.VADDPS, asm.VADDPD), size, n, g.splatFloat(k, magic))
	return g.c.vi(by64(k, asm.VPSLLDI, asm.VPSLLQI), size, lay.mantissa, sum)
}

// scaleStep takes a factor out of 2^n where n is too large or too small for one.
func (g *gen) scaleStep(k loop.Kind, y, n reg) (y2, n2 reg) {
	c, size, lay := g.c, g.size(k), layouts[k]
	sub, mul := by64(k, asm.VSUBPS, asm.VSUBPD), by64(k, asm.VMULPS, asm.VMULPD)
	one := g.splatFloat(k, 1)
	over := g.t.cmpFloat(k, loop.GT, n, g.splatFloat(k, float64(lay.bias)))
	under := g.t.cmpFloat(k, loop.LT, n, g.splatFloat(k, float64(1-lay.bias)))
	factor := g.t.pick(k, over, g.splatFloat(k, math.Ldexp(1, lay.bias)), one)
	factor = g.t.pick(k, under, g.splatFloat(k, math.Ldexp(1, lay.small)), factor)
	none := g.splatFloat(k, 0)
	step := g.t.pick(k, over, g.splatFloat(k, float64(lay.bias)), none)
	step = g.t.pick(k, under, g.splatFloat(k, float64(lay.small)), step)
	return c.v(mul, size, y, factor), c.v(sub, size, n, step)
}

// rangeMax is the maximum of AVX-512: VRANGE orders zeros, and a NaN comes from the sum.
func rangeMax(g *gen, i *loop.Inst, x [3]reg) reg {
	k := i.Kind
	size := g.size(k)
	m := g.c.vi(by64(k, asm.VRANGEPS, asm.VRANGEPD), size, 5, x[0], x[1])
	nan := g.t.cmpFloat(k, loop.Unordered, x[0], x[1])
	r := g.c.v(by64(k, asm.VADDPS, asm.VADDPD), size, x[0], x[1])
	g.c.merge(nan, m)
	return r
}
