package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// avx512 is the tier with opmasks.
type avx512 struct{ *gen }

func (t avx512) table() *table { return avx512Table }

func (t avx512) maskConst(on bool) reg {
	if on {
		return t.c.k(asm.KXNORW)
	}
	return t.c.k(asm.KXORW)
}

// k is an operation on opmasks; without operands on one that has any content.
func (c *code) k(op asm.Op, x ...reg) reg {
	if len(x) == 0 {
		i := ins{kind: plain, in: inst(op, 0, 3)}
		i.r = [4]reg{c.newReg(maskClass), k0, k0}
		c.add(i)
		return i.r[0]
	}
	return c.v(op, 0, x...)
}

// k0 is an opmask that is never allocated; its content does not matter.
const k0 = reg(-1)

func (t avx512) and(m, n reg) reg {
	switch {
	case m == 0:
		return n
	case n == 0:
		return m
	}
	return t.c.k(asm.KANDW, m, n)
}

func (t avx512) pick(k loop.Kind, m, x, y reg) reg {
	if k == loop.Mask {
		return t.c.k(asm.KORW, t.c.k(asm.KANDW, m, x), t.c.k(asm.KANDNW, m, y))
	}
	op := asm.VBLENDMPS
	if k.Bits() == 64 {
		op = asm.VBLENDMPD
	}
	r := t.c.v(op, t.size(k), y, x)
	t.c.last().mask = m
	return r
}

// floatPreds holds the immediates of float compares by loop.Pred.
var floatPreds = [...]uint8{asm.CmpEQ_OQ, asm.CmpNEQ_UQ, asm.CmpLT_OQ, asm.CmpLE_OQ, asm.CmpGT_OQ, asm.CmpGE_OQ,
	asm.CmpFALSE_OQ, asm.CmpFALSE_OQ, asm.CmpFALSE_OQ, asm.CmpFALSE_OQ, asm.CmpUNORD_Q}

func (t avx512) cmpFloat(k loop.Kind, p loop.Pred, x, y reg) reg {
	op := asm.VCMPPSK
	if k == loop.F64 {
		op = asm.VCMPPDK
	}
	return t.c.vi(op, t.size(k), floatPreds[p], x, y)
}

// intPreds holds the immediates of integer compares by loop.Pred; the forms without sign follow those with.
var intPreds = [...]uint8{asm.CmpEQ, asm.CmpNE, asm.CmpLT, asm.CmpLE, asm.CmpGT, asm.CmpGE,
	asm.CmpLT, asm.CmpLE, asm.CmpGT, asm.CmpGE}

func (t avx512) cmpInt(k loop.Kind, p loop.Pred, x, y reg) reg {
	op := asm.VPCMPD
	switch {
	case k == loop.I64 && p >= loop.ULT:
		op = asm.VPCMPUQ
	case k == loop.I64:
		op = asm.VPCMPQ
	case p >= loop.ULT:
		op = asm.VPCMPUD
	}
	return t.c.vi(op, t.size(k), intPreds[p], x, y)
}

// lanesOfElements fills the upper half of the mask, where all lanes are the same but there are only 8 elements.
func (t avx512) lanesOfElements(k loop.Kind, m reg) reg {
	if k.Bits() == 64 && t.laneCount() == 0 {
		return t.c.k(asm.KUNPCKBW, m, m)
	}
	return m
}

func (t avx512) elementsOfLanes(_ loop.Kind, m reg) reg { return m }

func (t avx512) masksNarrow() bool { return true }

func (t avx512) rotate(k loop.Kind, x reg, left uint8) reg {
	return t.c.vi(by64(k, asm.VPROLDI, asm.VPROLQI), t.size(k), left, x)
}

func (t avx512) zeroOff(k loop.Kind, m, x reg) reg {
	switch {
	case m == 0:
		return x
	case k == loop.Mask:
		return t.c.k(asm.KANDW, m, x)
	}
	op := asm.VMOVAPS
	if k.Bits() == 64 {
		op = asm.VMOVAPD
	}
	r := t.c.v(op, t.size(k), x)
	t.c.zeroing(m)
	return r
}

func (t avx512) maskBits(m reg, lanes int) reg {
	x := t.c.v(asm.KMOVWRK, 0, m)
	if lanes < 16 {
		t.c.gopi(asm.AND, x, 1<<lanes-1)
	}
	return x
}

func (t avx512) maskOf(x reg) reg { return t.c.v(asm.KMOVWKR, 0, x) }

func (t avx512) jumpIfNone(m reg, to asm.Label) {
	switch t.laneCount() {
	case 8:
		t.c.flags(asm.KORTESTB, 0, m, m)
	case 16:
		t.c.flags(asm.KORTESTW, 0, m, m)
	case 0: // of one lane: what was turned around has ones behind the lanes
		t.c.gcmpi(asm.CMP, t.maskBits(m, 1), 0)
	default:
		t.c.gcmpi(asm.CMP, t.maskBits(m, t.laneCount()), 0)
	}
	t.c.jcc(asm.E, to)
}

func (t avx512) foldMask(o loop.Op, m reg, lanes int) reg {
	return t.foldedMask(t.foldBits(o, t.maskBits(m, lanes), lanes))
}

// foldBits combines bits by And, Or or Xor, and gives 0 or -1.
func (g *gen) foldBits(o loop.Op, bits reg, lanes int) reg {
	r := g.c.imm(0)
	cond := asm.NE
	switch o {
	case loop.And:
		g.c.gcmpi(asm.CMP, bits, 1<<lanes-1)
		cond = asm.E
	case loop.Or:
		g.c.gcmpi(asm.CMP, bits, 0)
	default:
		odd := g.c.grr(asm.POPCNT, asm.W64, bits)
		g.c.gcmpi(asm.TEST, odd, 1)
	}
	i := ins{in: inst(asm.CMOV, asm.W64, 2), tie: r, late: true}
	i.in.Cond = cond
	i.r[0], i.r[1] = r, g.minusOne()
	g.c.add(i)
	return r
}

// foldedMask is the mask that x, 0 or -1, says.
func (g *gen) foldedMask(x reg) reg {
	m := g.t.maskOf(x)
	if g.wordOf == nil {
		g.wordOf = map[reg]reg{}
	}
	g.wordOf[m] = x
	return m
}

// minusOne returns a general register with -1, made without touching flags.
func (g *gen) minusOne() reg { return g.c.imm(-1) }

func (t avx512) tailOf(lanes, n int, count reg) *tail {
	r := &tail{n: n}
	if n != 0 {
		r.bits = t.c.imm(1<<n - 1)
	} else {
		i := ins{in: inst(asm.BZHI, asm.W64, 3)}
		i.r[1], i.r[2] = t.c.imm(-1), count
		r.bits = t.c.define(i)
	}
	r.mask = t.c.v(asm.KMOVWKR, 0, r.bits)
	return r
}

func (t avx512) spreadGeneral(x reg, k loop.Kind) reg {
	if k == loop.I64 {
		return t.c.v(asm.VPBROADCASTQR, t.c.vl, x)
	}
	return t.c.v(asm.VPBROADCASTDR, t.c.vl, x)
}

// loads512 holds, by memory type, the load that widens to lanes.
var loads512 = [...]asm.Op{
	loop.MemS8: asm.VPMOVSXBD, loop.MemU8: asm.VPMOVZXBD, loop.MemS16: asm.VPMOVSXWD, loop.MemU16: asm.VPMOVZXWD,
	loop.MemI32: asm.VMOVDQU32, loop.MemI64: asm.VMOVDQU64, loop.MemF16: asm.VCVTPH2PS, loop.MemBF16: asm.VPMOVZXWD,
	loop.MemF32: asm.VMOVUPS, loop.MemF64: asm.VMOVUPD,
}

func (t avx512) loadUnit(m loop.Mem, at mem, on reg) reg {
	if m == loop.MemPred {
		return t.loadPred(at, on)
	}
	x := t.c.vm(loads512[m], t.size(m.Kind()), at)
	t.c.zeroing(on)
	if m == loop.MemBF16 {
		x = t.c.vi(asm.VPSLLDI, t.size(loop.F32), 16, x)
	}
	return x
}

// loadPred reads a byte a lane: 16 bytes, or 8 and zeros.
func (t avx512) loadPred(at mem, on reg) reg {
	if on == 0 && t.lanes.lanes == 8 {
		return t.widen(loop.MemPred, t.c.vm(asm.VMOVQX, asm.VL128, at))
	}
	on = t.onlyLanes(on)
	x := t.c.vm(asm.VMOVDQU8, asm.VL128, at)
	t.c.zeroing(on)
	return t.widen(loop.MemPred, x)
}

// onlyLanes clears the bits of an opmask that belong to no lane: where the elements are bytes, lanes can be fewer than
// the elements of a vector.
func (t avx512) onlyLanes(m reg) reg {
	if m == 0 || t.laneCount() != 8 {
		return m
	}
	return t.c.k(asm.KMOVB, m)
}

func (t avx512) widen(m loop.Mem, raw reg) reg {
	switch m {
	case loop.MemPred:
		return t.c.v(asm.VPTESTMB, asm.VL128, raw, raw)
	case loop.MemI32, loop.MemI64, loop.MemF32, loop.MemF64:
		return raw
	}
	x := t.c.v(loads512[m], t.size(m.Kind()), raw)
	if m == loop.MemBF16 {
		x = t.c.vi(asm.VPSLLDI, t.size(loop.F32), 16, x)
	}
	return x
}

// stores512 holds the instruction that narrows lanes to memory.
var stores512 = [...]asm.Op{
	loop.MemS8: asm.VPMOVDB, loop.MemU8: asm.VPMOVDB, loop.MemS16: asm.VPMOVDW, loop.MemU16: asm.VPMOVDW,
	loop.MemI32: asm.VMOVDQU32, loop.MemI64: asm.VMOVDQU64, loop.MemF16: asm.VCVTPS2PH, loop.MemBF16: asm.VPMOVDW,
	loop.MemF32: asm.VMOVUPS, loop.MemF64: asm.VMOVUPD,
}

func (t avx512) storeUnit(m loop.Mem, at mem, x, on reg) {
	size, imm := t.size(m.Kind()), -1
	switch m {
	case loop.MemPred:
		t.storePred(at, x, on)
		return
	case loop.MemBF16:
		x = t.bf16Bits(x)
	case loop.MemF16:
		imm = 0
	}
	t.c.store(stores512[m], size, at, imm, x)
	t.c.last().mask = on
}

// storePred writes a byte, 0 or 1, a lane.
func (t avx512) storePred(at mem, x, on reg) {
	bytes := t.pack(loop.MemPred, x)
	if on == 0 && t.lanes.lanes == 8 {
		t.c.store(asm.VMOVQ, asm.VL128, at, -1, bytes)
		return
	}
	on = t.onlyLanes(on)
	t.c.store(asm.VMOVDQU8, asm.VL128, at, -1, bytes)
	t.c.last().mask = on
}

func (t avx512) pack(m loop.Mem, x reg) reg {
	size := t.size(m.Kind())
	switch m {
	case loop.MemPred:
		r := t.c.v(asm.VMOVDQU8, asm.VL128, t.c.splat32(0x01010101))
		t.c.zeroing(x)
		return r
	case loop.MemI32, loop.MemI64, loop.MemF32, loop.MemF64:
		return x
	case loop.MemF16:
		return t.c.vi(asm.VCVTPS2PH, size, 0, x)
	case loop.MemBF16:
		x = t.bf16Bits(x)
	}
	return t.c.v(stores512[m], size, x)
}

// Gathers and scatters by the bits of index and element.
var (
	gathers = map[[2]int]asm.Op{{32, 32}: asm.VPGATHERDD, {32, 64}: asm.VPGATHERDQ,
		{64, 32}: asm.VPGATHERQD, {64, 64}: asm.VPGATHERQQ}
	scatters = map[[2]int]asm.Op{{32, 32}: asm.VPSCATTERDD, {32, 64}: asm.VPSCATTERDQ,
		{64, 32}: asm.VPSCATTERQD, {64, 64}: asm.VPSCATTERQQ}
)

// sparse is the size that a gather or scatter of these kinds has: that of the larger.
func (g *gen) sparse(index, elem loop.Kind) asm.Size { return g.sizeOf(max(index.Bits(), elem.Bits())) }

func (t avx512) gather(m loop.Mem, at mem, index reg, of loop.Kind, on reg) reg {
	k := m.Kind()
	on = t.copyMask(on)
	i := ins{in: inst(gathers[[2]int{of.Bits(), k.Bits()}], t.sparse(of, k), 2), late: true, mask: on}
	i.tie = t.c.zeroVec()
	at.index, at.scale = index, uint8(m.Bytes())
	t.c.place(&i, at, asm.InLoad)
	return t.c.define(i)
}

// copyMask is a copy of m that may be changed; of all lanes if m is 0.
func (t avx512) copyMask(m reg) reg {
	if m == 0 {
		return t.maskConst(true)
	}
	return t.c.copyOf(m)
}

func (t avx512) scatter(m loop.Mem, at mem, index reg, of loop.Kind, x, on reg) bool {
	k := m.Kind()
	i := ins{in: inst(scatters[[2]int{of.Bits(), k.Bits()}], t.sparse(of, k), 2), def: -1, mask: t.copyMask(on)}
	i.r[1] = x
	at.index, at.scale = index, uint8(m.Bytes())
	t.c.place(&i, at, asm.InStore)
	t.c.add(i)
	return true
}
