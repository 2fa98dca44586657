package emit

import (
	"math"
	"math/bits"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

func intRows(t *table) {
	set := func(o loop.Op, d, q asm.Op) {
		form := plainOp
		if o.Info().Commutes {
			form = commuting
		}
		if d != 0 {
			t.set(o, loop.I32, form(d))
		}
		if q != 0 {
			t.set(o, loop.I64, form(q))
		}
	}
	set(loop.Add, asm.VPADDD, asm.VPADDQ)
	set(loop.Sub, asm.VPSUBD, asm.VPSUBQ)
	t.set(loop.Mul, loop.I32, mulWords)
	set(loop.Min, asm.VPMINSD, 0)
	set(loop.Max, asm.VPMAXSD, 0)
	set(loop.UMin, asm.VPMINUD, 0)
	set(loop.UMax, asm.VPMAXUD, 0)
	set(loop.Abs, asm.VPABSD, 0)
	for _, k := range [2]loop.Kind{loop.I32, loop.I64} {
		t.set(loop.Neg, k, func(g *gen, i *loop.Inst, x [3]reg) reg {
			return g.c.v(by64(k, asm.VPSUBD, asm.VPSUBQ), g.size(k), g.c.splat32(0), x[0])
		})
	}
	t.set(loop.MulHiU, loop.I32, mulHigh(asm.VPMULUDQ))
	t.set(loop.MulHiS, loop.I32, mulHigh(asm.VPMULDQ))
	set(loop.MulU32, 0, asm.VPMULUDQ)
}

// mulWords multiplies; what fits 16 bits, by -1 and by powers of two, as strides often are, at a fraction of the time.
func mulWords(g *gen, i *loop.Inst, x [3]reg) reg {
	c, size := g.c, g.size(loop.I32)
	for k, a := range i.Args[:2] {
		if a == 0 || g.nest.Inst(a).Op != loop.Const {
			continue
		}
		switch by := uint32(g.nest.Inst(a).Imm); {
		case by == math.MaxUint32:
			return c.v(asm.VPSUBD, size, c.splat32(0), x[1-k])
		case bits.OnesCount32(by) == 1:
			return c.vi(asm.VPSLLDI, size, uint8(bits.TrailingZeros32(by)), x[1-k])
		}
	}
	if g.fitHalves(i.Args[0], i.Args[1]) {
		return commuting(asm.VPMADDWD)(g, i, x)
	}
	return commuting(asm.VPMULLD)(g, i, x)
}

// fitHalves reports whether v and w fit 16 bits with a sign, and one of them has none, so that the product of their
// upper halves is 0, and they can be multiplied as pairs of halves, in half the time.
func (g *gen) fitHalves(v, w loop.Value) bool {
	lo, hi := g.span(v)
	least, most := g.span(w)
	return max(lo, least) >= 0 && min(lo, least) >= math.MinInt16 && max(hi, most) <= math.MaxInt16
}

// mulHigh multiplies the even and the odd elements to 64 bits each and takes the upper halves.
func mulHigh(op asm.Op) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		c, size := g.c, g.size(loop.I32)
		odd := func(r reg) reg {
			if k := c.constantOf(r); k != nil && k.size == 4 {
				return r
			}
			return c.vi(asm.VPSRLQI, size, 32, r)
		}
		even := odd(c.v(op, size, x[0], x[1]))
		high := c.v(op, size, odd(x[0]), odd(x[1]))
		if !c.target.AVX512 {
			return c.vi(asm.VPBLENDD, size, 0xAA, even, high)
		}
		const orAnd = 0xF8
		return g.logic3(loop.I32, orAnd, even, high, c.splat64(0xffffffff<<32))
	}
}

func bitRows(t *table) {
	rows := []struct {
		op           loop.Op
		d, q, ps, pd asm.Op
	}{
		{loop.And, asm.VPANDD, asm.VPANDQ, asm.VANDPS, asm.VANDPD},
		{loop.Or, asm.VPORD, asm.VPORQ, asm.VORPS, asm.VORPD},
		{loop.Xor, asm.VPXORD, asm.VPXORQ, asm.VXORPS, asm.VXORPD},
		{loop.AndNot, asm.VPANDND, asm.VPANDNQ, asm.VANDNPS, asm.VANDNPD},
	}
	for _, r := range rows {
		form := plainOp
		if r.op.Info().Commutes {
			form = commuting
		}
		t.set(r.op, loop.I32, form(r.d))
		t.set(r.op, loop.I64, form(r.q))
		t.set(r.op, loop.F32, form(r.ps))
		t.set(r.op, loop.F64, form(r.pd))
	}
	for k := loop.I32; k <= loop.F64; k++ {
		t.set(loop.Not, k, func(g *gen, i *loop.Inst, x [3]reg) reg {
			return g.c.v(asm.VPXORD, g.size(k), x[0], g.c.splat32(^uint32(0)))
		})
	}
	for k := loop.Mask; k <= loop.F64; k++ {
		t.set(loop.Select, k, func(g *gen, i *loop.Inst, x [3]reg) reg {
			switch by := g.stepOf(i); {
			case k != loop.I32 || by == 0:
				return g.blend(k, x[0], x[1], x[2])
			case by > 0:
				return g.c.v(asm.VPSUBD, g.size(k), x[2], g.t.elementsOfLanes(k, x[0]))
			}
			return g.c.v(asm.VPADDD, g.size(k), x[2], g.t.elementsOfLanes(k, x[0]))
		})
		compare := (*gen).compareInt
		if k.IsFloat() {
			compare = (*gen).compareFloat
		}
		if k != loop.Mask {
			t.conv(loop.Cmp, loop.Mask, k, func(g *gen, i *loop.Inst, x [3]reg) reg {
				return g.t.lanesOfElements(k, compare(g, k, i.Imm, x[0], x[1]))
			})
		}
	}
}

// stepOf is what Select i adds to its second choice where its mask is on, if that is 1 or -1 and masks are integers;
// else it is 0.
func (g *gen) stepOf(i *loop.Inst) int32 {
	x := g.nest.Inst(i.Args[1])
	if g.c.target.AVX512 || x.Op != loop.Add && x.Op != loop.Sub || x.Args[0] != i.Args[2] {
		return 0
	}
	by := g.nest.Inst(x.Args[1])
	n := int32(by.Imm)
	switch {
	case by.Op != loop.Const || n != 1 && n != -1:
		return 0
	case x.Op == loop.Sub:
		return -n
	}
	return n
}

func (g *gen) compareInt(k loop.Kind, p loop.Pred, x, y reg) reg { return g.t.cmpInt(k, p, x, y) }

func (g *gen) compareFloat(k loop.Kind, p loop.Pred, x, y reg) reg { return g.t.cmpFloat(k, p, x, y) }

// maskRow is an operation on masks that is one instruction of size size.
func maskRow(t *table, o loop.Op, op asm.Op, size asm.Size) {
	t.set(o, loop.Mask, func(g *gen, i *loop.Inst, x [3]reg) reg {
		if x[1] == 0 {
			return g.c.v(op, size, x[0])
		}
		return g.c.v(op, size, x[0], x[1])
	})
}

// shiftForms holds the instructions of a shift of a kind: by an immediate, and lane by lane. Of a shift by the width
// or more they give what package loop says.
type shiftForms struct{ imm, each asm.Op }

func shiftRows(t *table) {
	t.set(loop.Shl, loop.I32, shift(shiftForms{asm.VPSLLDI, asm.VPSLLVD}))
	t.set(loop.Shl, loop.I64, shift(shiftForms{asm.VPSLLQI, asm.VPSLLVQ}))
	t.set(loop.Shr, loop.I32, shift(shiftForms{asm.VPSRLDI, asm.VPSRLVD}))
	t.set(loop.Shr, loop.I64, shift(shiftForms{asm.VPSRLQI, asm.VPSRLVQ}))
	t.set(loop.Sar, loop.I32, shift(shiftForms{asm.VPSRADI, asm.VPSRAVD}))
}

func shift(f shiftForms) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		if n, ok := g.shiftCount(i); ok {
			return g.c.vi(f.imm, g.size(i.Kind), n, x[0])
		}
		return g.c.v(f.each, g.size(i.Kind), x[0], x[1])
	}
}

// shiftCount is the count of a shift by a constant, at most 255.
func (g *gen) shiftCount(i *loop.Inst) (uint8, bool) {
	n := g.nest.Inst(i.Args[1])
	if n.Op != loop.Const {
		return 0, false
	}
	return uint8(min(n.Imm, 255)), true
}

// rotation reports whether i joins the two parts of a rotated integer, and by how many bits to the left it is. Where
// the tier has one instruction for that the shifts are left without a use.
func (g *gen) rotation(i *loop.Inst) (v loop.Value, left uint8) {
	if i.Op != loop.Or || !i.Kind.IsInt() {
		return 0, 0
	}
	a, b := g.nest.Inst(i.Args[0]), g.nest.Inst(i.Args[1])
	if a.Op == loop.Shr {
		a, b = b, a
	}
	if a.Op != loop.Shl || b.Op != loop.Shr || a.Args[0] != b.Args[0] {
		return 0, 0
	}
	m, n := g.nest.Inst(a.Args[1]), g.nest.Inst(b.Args[1])
	bits := uint64(i.Kind.Bits())
	if m.Op != loop.Const || n.Op != loop.Const || m.Imm >= bits || n.Imm >= bits || m.Imm+n.Imm != bits {
		return 0, 0
	}
	return a.Args[0], uint8(m.Imm)
}
