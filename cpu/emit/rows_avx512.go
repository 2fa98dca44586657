package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// avx512Rows holds the operations for which AVX-512 has an instruction of its own.
func avx512Rows(t *table) {
	maskRow(t, loop.And, asm.KANDW, 0)
	maskRow(t, loop.Or, asm.KORW, 0)
	maskRow(t, loop.Xor, asm.KXORW, 0)
	maskRow(t, loop.AndNot, asm.KANDNW, 0)
	maskRow(t, loop.Not, asm.KNOTW, 0)
	for _, k := range [2]loop.Kind{loop.F32, loop.F64} {
		t.set(loop.Max, k, rangeMax)
		t.set(loop.Div, k, byInverse(byConstant(shortIfAlike(by64(k, asm.VDIVPS, asm.VDIVPD)))))
		t.set(loop.Sqrt, k, shortIfAlike(by64(k, asm.VSQRTPS, asm.VSQRTPD)))
		t.set(loop.RsqrtNear, k, plainOp(by64(k, asm.VRSQRT14PS, asm.VRSQRT14PD)))
		t.set(loop.Scale, k, plainOp(by64(k, asm.VSCALEFPS, asm.VSCALEFPD)))
	}
	t.set(loop.Mul, loop.I64, commuting(asm.VPMULLQ))
	t.set(loop.Min, loop.I64, commuting(asm.VPMINSQ))
	t.set(loop.Max, loop.I64, commuting(asm.VPMAXSQ))
	t.set(loop.UMin, loop.I64, commuting(asm.VPMINUQ))
	t.set(loop.UMax, loop.I64, commuting(asm.VPMAXUQ))
	t.set(loop.Abs, loop.I64, plainOp(asm.VPABSQ))
	t.set(loop.Sar, loop.I64, shift(shiftForms{asm.VPSRAQI, asm.VPSRAVQ}))
	t.set(loop.Clz, loop.I32, plainOp(asm.VPLZCNTD))
	t.set(loop.Clz, loop.I64, plainOp(asm.VPLZCNTQ))
	t.set(loop.Popcnt, loop.I32, popcount(asm.VPOPCNTD))
	t.set(loop.Popcnt, loop.I64, popcount(asm.VPOPCNTQ))

	t.conv(loop.UToF, loop.F32, loop.I32, plainOp(asm.VCVTUDQ2PS))
	t.conv(loop.UToF, loop.F64, loop.I32, plainOp(asm.VCVTUDQ2PD))
	t.conv(loop.SToF, loop.F64, loop.I64, plainOp(asm.VCVTQQ2PD))
	t.conv(loop.UToF, loop.F64, loop.I64, plainOp(asm.VCVTUQQ2PD))
	t.conv(loop.SToF, loop.F32, loop.I64, narrowing(asm.VCVTQQ2PS))
	t.conv(loop.UToF, loop.F32, loop.I64, narrowing(asm.VCVTUQQ2PS))
	t.conv(loop.FToS, loop.I64, loop.F64, plainOp(asm.VCVTTPD2QQ))
	t.conv(loop.FToS, loop.I64, loop.F32, plainOp(asm.VCVTTPS2QQ))
	t.conv(loop.Trunc, loop.I32, loop.I64, narrowing(asm.VPMOVQD))
	t.set(loop.UDiv, loop.I32, divide(asm.VCVTUDQ2PD, asm.VCVTTPD2UDQ, false))
	t.set(loop.URem, loop.I32, divide(asm.VCVTUDQ2PD, asm.VCVTTPD2UDQ, true))
}

// shortIfAlike is op, on a short vector where all lanes are the same: dividing a long one takes longer, by more than it
// takes to spread the result.
func shortIfAlike(op asm.Op) selector {
	whole := plainOp(op)
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		if g.laneCount() != 0 {
			return whole(g, i, x)
		}
		return g.spread(g.c.v(op, asm.VL128, x[:len(i.Operands())]...), i.Kind)
	}
}

// popcount is op where there is that, else the way of AVX2.
func popcount(op asm.Op) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		if g.c.target.VPOPCNT {
			return g.c.v(op, g.size(i.Kind), x[0])
		}
		return popcountNibbles(g, i, x)
	}
}
