package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

func convertRows(t *table) {
	same := func(g *gen, i *loop.Inst, x [3]reg) reg { return x[0] }
	for _, p := range [2][2]loop.Kind{{loop.I32, loop.F32}, {loop.I64, loop.F64}} {
		t.conv(loop.Bitcast, p[0], p[1], same)
		t.conv(loop.Bitcast, p[1], p[0], same)
		t.conv(loop.Bitcast, p[0], p[0], same)
		t.conv(loop.Bitcast, p[1], p[1], same)
	}
	t.conv(loop.SExt, loop.I64, loop.I32, plainOp(asm.VPMOVSXDQ))
	t.conv(loop.ZExt, loop.I64, loop.I32, plainOp(asm.VPMOVZXDQ))
	t.conv(loop.Widen, loop.F64, loop.F32, plainOp(asm.VCVTPS2PD))
	t.conv(loop.Narrow, loop.F32, loop.F64, narrowing(asm.VCVTPD2PS))
	t.conv(loop.SToF, loop.F32, loop.I32, plainOp(asm.VCVTDQ2PS))
	t.conv(loop.SToF, loop.F64, loop.I32, plainOp(asm.VCVTDQ2PD))
	t.conv(loop.FToS, loop.I32, loop.F32, plainOp(asm.VCVTTPS2DQ))
	t.conv(loop.FToS, loop.I32, loop.F64, narrowing(asm.VCVTTPD2DQ))
}

// narrowing is a conversion from 64 to 32 bits. Where all lanes are the same the upper half of the result is filled.
func narrowing(op asm.Op) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		return g.refill(g.c.v(op, g.sizeOf(64), x[0]))
	}
}

// refill gives 32-bit elements that were made of 64-bit ones in the whole vector, where all lanes are the same.
func (g *gen) refill(x reg) reg {
	if g.laneCount() != 0 {
		return x
	}
	return g.spread(x, loop.I32)
}
