package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// avx2 is the tier whose masks are vectors.
type avx2 struct{ *gen }

func (t avx2) table() *table { return avx2Table }

func (t avx2) maskConst(on bool) reg {
	if on {
		return t.c.splat32(^uint32(0))
	}
	return t.c.splat32(0)
}

func (t avx2) and(m, n reg) reg {
	switch {
	case m == 0:
		return n
	case n == 0:
		return m
	}
	return t.c.v(asm.VPANDD, t.c.vl, m, n)
}

// blends and compares by the bits of an element.
func by64(k loop.Kind, op32, op64 asm.Op) asm.Op {
	if k.Bits() == 64 {
		return op64
	}
	return op32
}

func (t avx2) pick(k loop.Kind, m, x, y reg) reg {
	if k == loop.Mask {
		return t.c.v(asm.VBLENDVPS, t.c.vl, y, x, m)
	}
	return t.c.v(by64(k, asm.VBLENDVPS, asm.VBLENDVPD), t.size(k), y, x, m)
}

func (t avx2) cmpFloat(k loop.Kind, p loop.Pred, x, y reg) reg {
	return t.c.vi(by64(k, asm.VCMPPS, asm.VCMPPD), t.size(k), floatPreds[p], x, y)
}

// cmpInt has equal and greater; the rest are these with operands exchanged or negated. Integers without a sign are
// compared with the sign bit turned.
func (t avx2) cmpInt(k loop.Kind, p loop.Pred, x, y reg) reg {
	size := t.size(k)
	eq, gt := by64(k, asm.VPCMPEQD, asm.VPCMPEQQ), by64(k, asm.VPCMPGTD, asm.VPCMPGTQ)
	if p >= loop.ULT {
		sign := t.signBit(k)
		x, y = t.c.v(asm.VPXORD, size, x, sign), t.c.v(asm.VPXORD, size, y, sign)
		p -= loop.ULT - loop.LT
	}
	not := func(m reg) reg { return t.c.v(asm.VPXORD, size, m, t.maskConst(true)) }
	switch p {
	case loop.EQ:
		return t.c.v(eq, size, x, y)
	case loop.NE:
		return not(t.c.v(eq, size, x, y))
	case loop.LT:
		return t.c.v(gt, size, y, x)
	case loop.LE:
		return not(t.c.v(gt, size, x, y))
	case loop.GT:
		return t.c.v(gt, size, x, y)
	}
	return not(t.c.v(gt, size, y, x))
}

// signBit is the vector of sign bits of kind k.
func (g *gen) signBit(k loop.Kind) reg {
	if k.Bits() == 64 {
		return g.c.splat64(1 << 63)
	}
	return g.c.splat32(1 << 31)
}

// halved reports whether elements of kind k are half as wide as those of a mask.
func (t avx2) halved(k loop.Kind) bool { return t.laneCount() == 4 && k.Bits() == 32 && t.width == 0 }

func (t avx2) lanesOfElements(k loop.Kind, m reg) reg {
	if t.halved(k) {
		return t.c.v(asm.VPMOVSXDQ, asm.VL256, m)
	}
	return m
}

func (t avx2) elementsOfLanes(k loop.Kind, m reg) reg {
	if !t.halved(k) {
		return m
	}
	return t.c.vi(asm.VSHUFPS, asm.VL128, 0x88, m, t.c.vi(asm.VEXTRACTF32X4, asm.VL256, 1, m))
}

// rotate is a shuffle of bytes where whole bytes move.
func (t avx2) rotate(k loop.Kind, x reg, left uint8) reg {
	if left%8 != 0 {
		return 0
	}
	var order [16]byte
	size := k.Bits() / 8
	for at := range order {
		from := (at%size - int(left)/8 + size) % size
		order[at] = byte(at/size*size + from)
	}
	return t.c.v(asm.VPSHUFB, t.size(k), x, t.c.repeat16(order))
}

func (t avx2) zeroOff(k loop.Kind, m, x reg) reg {
	switch {
	case m == 0:
		return x
	case k == loop.Mask:
		return t.and(m, x)
	}
	return t.c.v(asm.VANDPS, t.size(k), x, t.elementsOfLanes(k, m))
}

func (t avx2) maskBits(m reg, lanes int) reg {
	if lanes == 4 {
		return t.c.v(asm.VMOVMSKPD, asm.VL256, m)
	}
	return t.c.v(asm.VMOVMSKPS, asm.VL256, m)
}

func (t avx2) maskOf(x reg) reg { return t.spreadGeneral(x, loop.I32) }

func (t avx2) jumpIfNone(m reg, to asm.Label) {
	t.c.flags(asm.VPTEST, asm.VL256, m, m)
	t.c.jcc(asm.E, to)
}

func (t avx2) foldMask(o loop.Op, m reg, lanes int) reg {
	return t.foldedMask(t.foldBits(o, t.maskBits(m, lanes), lanes))
}

func (t avx2) masksNarrow() bool { return false }

func (t avx2) tailOf(lanes, n int, count reg) *tail {
	r := &tail{n: n}
	if n != 0 {
		r.bits = t.c.imm(1<<n - 1)
	} else {
		i := ins{in: inst(asm.BZHI, asm.W64, 3)}
		i.r[1], i.r[2] = t.c.imm(-1), count
		r.bits = t.c.define(i)
	}
	r.mask = t.tailMask(lanes, n, count)
	return r
}

func (t avx2) tailMask(lanes, n int, count reg) reg {
	wide := lanes == 4
	switch {
	case n != 0 && wide:
		return t.c.lanes64(func(lane int) uint64 { return uint64(int64(lane-n) >> 63) })
	case n != 0:
		return t.c.lanes32(func(lane int) uint32 { return uint32(int32(lane-n) >> 31) })
	case wide:
		ramp := t.c.lanes64(func(lane int) uint64 { return uint64(lane) })
		return t.c.v(asm.VPCMPGTQ, asm.VL256, t.spreadGeneral(count, loop.I64), ramp)
	}
	ramp := t.c.lanes32(func(lane int) uint32 { return uint32(lane) })
	return t.c.v(asm.VPCMPGTD, asm.VL256, t.spreadGeneral(count, loop.I32), ramp)
}

func (t avx2) spreadGeneral(x reg, k loop.Kind) reg {
	if k == loop.I64 {
		return t.c.v(asm.VPBROADCASTQ, asm.VL256, t.c.v(asm.VMOVQ, asm.VL128, x))
	}
	return t.c.v(asm.VPBROADCASTD, asm.VL256, t.c.v(asm.VMOVD, asm.VL128, x))
}

func (t avx2) loadUnit(m loop.Mem, at mem, on reg) reg {
	k := m.Kind()
	switch {
	case m == loop.MemPred && t.laneCount() == 4:
		return t.predLanes(t.c.vm(asm.VPMOVZXBQ, asm.VL256, at))
	case m == loop.MemPred:
		return t.predLanes(t.c.vm(asm.VPMOVZXBD, asm.VL256, at))
	case on != 0:
		return t.c.vm(by64(k, asm.VPMASKMOVD, asm.VPMASKMOVQ), t.size(k), at, t.elementsOfLanes(k, on))
	}
	x := t.c.vm(loads512[m], t.size(k), at)
	if m == loop.MemBF16 {
		x = t.c.vi(asm.VPSLLDI, t.size(k), 16, x)
	}
	return x
}

// predLanes makes a mask of bytes that were extended to lanes.
func (t avx2) predLanes(x reg) reg {
	op := asm.VPCMPGTD
	if t.laneCount() == 4 {
		op = asm.VPCMPGTQ
	}
	return t.c.v(op, asm.VL256, x, t.maskConst(false))
}

func (t avx2) widen(m loop.Mem, raw reg) reg {
	switch m {
	case loop.MemPred:
		return t.widenPred(raw)
	case loop.MemI32, loop.MemI64, loop.MemF32, loop.MemF64:
		return raw
	}
	x := t.c.v(loads512[m], t.size(m.Kind()), raw)
	if m == loop.MemBF16 {
		x = t.c.vi(asm.VPSLLDI, t.size(loop.F32), 16, x)
	}
	return x
}

func (t avx2) widenPred(raw reg) reg {
	switch t.laneCount() {
	case 0:
		off := t.c.v(asm.VPCMPEQB, asm.VL256, raw, t.maskConst(false))
		return t.c.v(asm.VPXORD, asm.VL256, off, t.maskConst(true))
	case 4:
		return t.predLanes(t.c.v(asm.VPMOVZXBQ, asm.VL256, raw))
	}
	return t.predLanes(t.c.v(asm.VPMOVZXBD, asm.VL256, raw))
}

func (t avx2) storeUnit(m loop.Mem, at mem, x, on reg) {
	k := m.Kind()
	if on != 0 {
		t.c.store(by64(k, asm.VPMASKMOVD, asm.VPMASKMOVQ), t.size(k), at, -1, t.elementsOfLanes(k, on), x)
		return
	}
	raw := t.pack(m, x)
	switch n := t.laneCount() * int(m.Bytes()); n {
	case 4:
		t.c.store(asm.VMOVD, asm.VL128, at, -1, raw)
	case 8:
		t.c.store(asm.VMOVQ, asm.VL128, at, -1, raw)
	default:
		t.c.store(asm.VMOVUPS, asm.Size(8*n), at, -1, raw)
	}
}

// pack brings the low bytes of lanes together.
func (t avx2) pack(m loop.Mem, x reg) reg {
	size := t.size(m.Kind())
	switch m {
	case loop.MemI32, loop.MemI64, loop.MemF32, loop.MemF64:
		return x
	case loop.MemF16:
		return t.c.vi(asm.VCVTPS2PH, size, 0, x)
	case loop.MemPred:
		size = t.size(loop.I32)
		x = t.c.vi(asm.VPSRLDI, size, 31, t.elementsOfLanes(loop.I32, x))
	case loop.MemBF16:
		x = t.bf16Bits(x)
	}
	join := asm.VPUNPCKLDQ
	order := [16]byte{0, 4, 8, 12}
	if m.Bytes() == 2 {
		order, join = [16]byte{0, 1, 4, 5, 8, 9, 12, 13}, asm.VPUNPCKLQDQ
	}
	for k := 4 * int(m.Bytes()); k < 16; k++ {
		order[k] = 0x80
	}
	x = t.c.v(asm.VPSHUFB, size, x, t.c.repeat16(order))
	if size == asm.VL128 {
		return x
	}
	return t.c.v(join, asm.VL128, x, t.c.vi(asm.VEXTRACTI32X4, asm.VL256, 1, x))
}

func (t avx2) gather(m loop.Mem, at mem, index reg, of loop.Kind, on reg) reg {
	k := m.Kind()
	if on == 0 {
		on = t.maskConst(true)
	} else {
		on = t.elementsOfLanes(k, on)
	}
	i := ins{in: inst(gathers[[2]int{of.Bits(), k.Bits()}], t.sparse(of, k), 3), late: true}
	i.tie = t.c.zeroVec()
	i.r[2] = t.c.copyOf(on)
	at.index, at.scale = index, uint8(m.Bytes())
	t.c.place(&i, at, asm.InLoad)
	return t.c.define(i)
}

func (t avx2) scatter(loop.Mem, mem, reg, loop.Kind, reg, reg) bool { return false }
