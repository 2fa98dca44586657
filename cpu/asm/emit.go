package asm

import (
	"fmt"
	"math/bits"
)

// This file holds the typed methods of vector, opmask and tile instructions. A letter stands for each operand in
// Intel's order: V vector, M memory, K opmask, G general register, T tile, and I at the end for an immediate;
// V2, V3, V4 count vectors. Each builds an Inst and emits it.

// class of operand, for the check that a method fits its Op.
const (
	clsVec = iota + 1
	clsMask
	clsReg
	clsTile
)

// Signatures of the methods: the class of operand i in bits 4i.
const (
	sigGK   = clsReg | clsMask<<4
	sigGV   = clsReg | clsVec<<4
	sigKG   = clsMask | clsReg<<4
	sigKK   = clsMask | clsMask<<4
	sigKKK  = clsMask | clsMask<<4 | clsMask<<8
	sigKV   = clsMask | clsVec<<4
	sigKVV  = clsMask | clsVec<<4 | clsVec<<8
	sigT    = clsTile
	sigTT   = clsTile | clsTile<<4
	sigTTT  = clsTile | clsTile<<4 | clsTile<<8
	sigVG   = clsVec | clsReg<<4
	sigVK   = clsVec | clsMask<<4
	sigVV   = clsVec | clsVec<<4
	sigVVG  = clsVec | clsVec<<4 | clsReg<<8
	sigVVV  = clsVec | clsVec<<4 | clsVec<<8
	sigVVVV = clsVec | clsVec<<4 | clsVec<<8 | clsVec<<12
)

var classes = [...]uint8{Full: clsVec, Half: clsVec, Quarter: clsVec, Eighth: clsVec, Xmm: clsVec, Ymm: clsVec,
	Opmask: clsMask, GP32: clsReg, GP64: clsReg, GP: clsReg, TileReg: clsTile}

func (a *Assembler) typed(inst Inst, want uint16) {
	a.cur = inst
	in := &a.cur
	r := in.Op.row()
	if r.d.form() >= gALU || !in.Op.valid() {
		a.fail(in, "is not a vector instruction")
		return
	}
	l := in.layout(r)
	differ := want ^ l.sig
	if in.hasMem() {
		differ &^= 15 << (4 * l.rm)
	}
	if differ &= 1<<(4*in.N) - 1; differ != 0 {
		i := bits.TrailingZeros16(differ) / 4
		a.fail(in, "operand %d: expected %s, got %s", i, className[l.sig>>(4*i)&15], className[want>>(4*i)&15])
		return
	}
	a.emit(in)
}

var className = [...]string{"none", "a vector", "an opmask", "a general register", "a tile"}

func join(opts []Opt) (o Opt) {
	for _, x := range opts {
		o |= x
	}
	return o
}

func regs(r ...uint8) (list [4]uint8) {
	copy(list[:], r)
	return list
}

// V2 is op dst, src.
func (a *Assembler) V2(op Op, vl Size, dst, src Vec, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 2, Reg: regs(uint8(dst), uint8(src))}, sigVV)
}

// V2I is op dst, src, imm.
func (a *Assembler) V2I(op Op, vl Size, dst, src Vec, imm uint8, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 2, Reg: regs(uint8(dst), uint8(src)),
		Imm: int64(imm), HasImm: true}, sigVV)
}

// V2M is op dst, [src]: a load, or an operation on memory.
func (a *Assembler) V2M(op Op, vl Size, dst Vec, src Mem, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 2, Reg: regs(uint8(dst)), Place: InLoad, Mem: src}, sigVV)
}

// V2MI is op dst, [src], imm.
func (a *Assembler) V2MI(op Op, vl Size, dst Vec, src Mem, imm uint8, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 2, Reg: regs(uint8(dst)), Place: InLoad, Mem: src,
		Imm: int64(imm), HasImm: true}, sigVV)
}

// MV is op [dst], src: a store, a truncation into memory.
func (a *Assembler) MV(op Op, vl Size, dst Mem, src Vec, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 2, Reg: regs(0, uint8(src)), Place: InStore, Mem: dst}, sigVV)
}

// MVI is op [dst], src, imm.
func (a *Assembler) MVI(op Op, vl Size, dst Mem, src Vec, imm uint8, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 2, Reg: regs(0, uint8(src)), Place: InStore, Mem: dst,
		Imm: int64(imm), HasImm: true}, sigVV)
}

// MV2 is op [dst], mask, src: a store masked by the signs of a vector (VMASKMOVPS).
func (a *Assembler) MV2(op Op, vl Size, dst Mem, mask, src Vec) {
	a.typed(Inst{Op: op, Size: vl, N: 3, Reg: regs(0, uint8(mask), uint8(src)), Place: InStore, Mem: dst}, sigVVV)
}

// V3 is op dst, src1, src2.
func (a *Assembler) V3(op Op, vl Size, dst, src1, src2 Vec, opts ...Opt) {
	if r := op.row(); r.usual.is && vl == VL512 && len(opts) == 0 && dst|src1|src2 < 32 && !a.VEXOnly {
		a.emitUsual(&r.usual, uint8(dst), uint8(src1), uint8(src2))
		return
	}
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 3, Reg: regs(uint8(dst), uint8(src1), uint8(src2))}, sigVVV)
}

// V3I is op dst, src1, src2, imm.
func (a *Assembler) V3I(op Op, vl Size, dst, src1, src2 Vec, imm uint8, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 3, Reg: regs(uint8(dst), uint8(src1), uint8(src2)),
		Imm: int64(imm), HasImm: true}, sigVVV)
}

// V3M is op dst, src1, [src2].
func (a *Assembler) V3M(op Op, vl Size, dst, src1 Vec, src2 Mem, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 3, Reg: regs(uint8(dst), uint8(src1)), Place: InLoad,
		Mem: src2}, sigVVV)
}

// V3MI is op dst, src1, [src2], imm.
func (a *Assembler) V3MI(op Op, vl Size, dst, src1 Vec, src2 Mem, imm uint8, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 3, Reg: regs(uint8(dst), uint8(src1)), Place: InLoad,
		Mem: src2, Imm: int64(imm), HasImm: true}, sigVVV)
}

// V4 is op dst, src1, src2, src3: the blends by sign, where src3 selects src2.
func (a *Assembler) V4(op Op, vl Size, dst, src1, src2, src3 Vec) {
	a.typed(Inst{Op: op, Size: vl, N: 4, Reg: regs(uint8(dst), uint8(src1), uint8(src2), uint8(src3))}, sigVVVV)
}

// V4M is op dst, src1, [src2], src3.
func (a *Assembler) V4M(op Op, vl Size, dst, src1 Vec, src2 Mem, src3 Vec) {
	a.typed(Inst{Op: op, Size: vl, N: 4, Reg: regs(uint8(dst), uint8(src1), 0, uint8(src3)), Place: InLoad,
		Mem: src2}, sigVVVV)
}

// KV2 is op dst, src1, src2 with an opmask as the result: VPTESTMD. A mask option limits the lanes tested.
func (a *Assembler) KV2(op Op, vl Size, dst K, src1, src2 Vec, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 3, Reg: regs(uint8(dst), uint8(src1), uint8(src2))}, sigKVV)
}

// KV2I is op dst, src1, src2, imm: VCMPPSK, VPCMPD.
func (a *Assembler) KV2I(op Op, vl Size, dst K, src1, src2 Vec, imm uint8, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 3, Reg: regs(uint8(dst), uint8(src1), uint8(src2)),
		Imm: int64(imm), HasImm: true}, sigKVV)
}

// KVM is op dst, src1, [src2].
func (a *Assembler) KVM(op Op, vl Size, dst K, src1 Vec, src2 Mem, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 3, Reg: regs(uint8(dst), uint8(src1)), Place: InLoad,
		Mem: src2}, sigKVV)
}

// KVMI is op dst, src1, [src2], imm.
func (a *Assembler) KVMI(op Op, vl Size, dst K, src1 Vec, src2 Mem, imm uint8, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 3, Reg: regs(uint8(dst), uint8(src1)), Place: InLoad,
		Mem: src2, Imm: int64(imm), HasImm: true}, sigKVV)
}

// KV is op dst, src: VPMOVD2M.
func (a *Assembler) KV(op Op, vl Size, dst K, src Vec) {
	a.typed(Inst{Op: op, Size: vl, N: 2, Reg: regs(uint8(dst), uint8(src))}, sigKV)
}

// KVI is op dst, src, imm: VFPCLASSPS.
func (a *Assembler) KVI(op Op, vl Size, dst K, src Vec, imm uint8, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 2, Reg: regs(uint8(dst), uint8(src)),
		Imm: int64(imm), HasImm: true}, sigKV)
}

// VK is op dst, src: VPMOVM2D.
func (a *Assembler) VK(op Op, vl Size, dst Vec, src K) {
	a.typed(Inst{Op: op, Size: vl, N: 2, Reg: regs(uint8(dst), uint8(src))}, sigVK)
}

// VG is op dst, src: VMOVD, VPBROADCASTDR.
func (a *Assembler) VG(op Op, vl Size, dst Vec, src Reg, opts ...Opt) {
	a.typed(Inst{Op: op, Size: vl, Opt: join(opts), N: 2, Reg: regs(uint8(dst), uint8(src))}, sigVG)
}

// V2G is op dst, src1, src2 from a general register of width w: VCVTSI2SD.
func (a *Assembler) V2G(op Op, w Size, dst, src1 Vec, src2 Reg) {
	a.typed(Inst{Op: op, Size: w, N: 3, Reg: regs(uint8(dst), uint8(src1), uint8(src2))}, sigVVG)
}

// V2GI is op dst, src1, src2, imm: VPINSRD.
func (a *Assembler) V2GI(op Op, dst, src1 Vec, src2 Reg, imm uint8) {
	a.typed(Inst{Op: op, Size: VL128, N: 3, Reg: regs(uint8(dst), uint8(src1), uint8(src2)),
		Imm: int64(imm), HasImm: true}, sigVVG)
}

// GV is op dst, src: size is the vector's length (VMOVMSKPS, VMOVD) or the register's width (VCVTTSD2SI).
func (a *Assembler) GV(op Op, size Size, dst Reg, src Vec, opts ...Opt) {
	in := Inst{Op: op, Size: size, Opt: join(opts), N: 2, Reg: regs(uint8(dst), uint8(src))}
	if op.valid() && op.row().store != 0 { // VMOVD: the direction of a store between registers
		in.Place = toReg
	}
	a.typed(in, sigGV)
}

// GVI is op dst, src, imm: VPEXTRD.
func (a *Assembler) GVI(op Op, dst Reg, src Vec, imm uint8) {
	a.typed(Inst{Op: op, Size: VL128, N: 2, Reg: regs(uint8(dst), uint8(src)),
		Imm: int64(imm), HasImm: true}, sigGV)
}

// GVM is op dst, [src] into a general register of width w: VCVTTSD2SI.
func (a *Assembler) GVM(op Op, w Size, dst Reg, src Mem) {
	a.typed(Inst{Op: op, Size: w, N: 2, Reg: regs(uint8(dst)), Place: InLoad, Mem: src}, sigGV)
}

// Gather is op dst, [src], mask (AVX2): lanes whose mask has its sign set are loaded, and the mask is cleared.
// dst, mask and the index must be three different registers.
func (a *Assembler) Gather(op Op, vl Size, dst Vec, src Mem, mask Vec) {
	if i := src.Index; Vec(i) == dst || Vec(i) == mask || dst == mask {
		a.fail(&Inst{Op: op}, "destination v%d, index v%d, mask v%d: expected three different registers", dst, i, mask)
		return
	}
	a.typed(Inst{Op: op, Size: vl, N: 3, Reg: regs(uint8(dst), 0, uint8(mask)), Place: InLoad, Mem: src}, sigVVV)
}

// GatherK is op dst {mask}, [src] (AVX-512): lanes in mask are loaded, and mask is cleared.
func (a *Assembler) GatherK(op Op, vl Size, dst Vec, src Mem, mask K) {
	if Vec(src.Index) == dst {
		a.fail(&Inst{Op: op}, "destination and index are both v%d", dst)
		return
	}
	a.typed(Inst{Op: op, Size: vl, Opt: Mask(mask), N: 2, Reg: regs(uint8(dst)), Place: InLoad, Mem: src}, sigVV)
}

// Scatter is op [dst] {mask}, src: lanes in mask are stored from the lowest on, and mask is cleared.
func (a *Assembler) Scatter(op Op, vl Size, dst Mem, src Vec, mask K) {
	a.typed(Inst{Op: op, Size: vl, Opt: Mask(mask), N: 2, Reg: regs(0, uint8(src)), Place: InStore, Mem: dst}, sigVV)
}

// K2 is op dst, src on opmasks.
func (a *Assembler) K2(op Op, dst, src K) {
	a.typed(Inst{Op: op, N: 2, Reg: regs(uint8(dst), uint8(src))}, sigKK)
}

// K2I is op dst, src, imm: KSHIFTLW.
func (a *Assembler) K2I(op Op, dst, src K, imm uint8) {
	a.typed(Inst{Op: op, N: 2, Reg: regs(uint8(dst), uint8(src)), Imm: int64(imm), HasImm: true}, sigKK)
}

// K3 is op dst, src1, src2 on opmasks.
func (a *Assembler) K3(op Op, dst, src1, src2 K) {
	a.typed(Inst{Op: op, N: 3, Reg: regs(uint8(dst), uint8(src1), uint8(src2))}, sigKKK)
}

// KG is op dst, src: KMOVWKR.
//
//go:noinline
func (a *Assembler) KG(op Op, dst K, src Reg) {
	a.typed(Inst{Op: op, N: 2, Reg: regs(uint8(dst), uint8(src))}, sigKG)
}

// GK is op dst, src: KMOVWRK.
func (a *Assembler) GK(op Op, dst Reg, src K) {
	a.typed(Inst{Op: op, N: 2, Reg: regs(uint8(dst), uint8(src))}, sigGK)
}

// KM is op dst, [src]: KMOVW as a load.
func (a *Assembler) KM(op Op, dst K, src Mem) {
	a.typed(Inst{Op: op, N: 2, Reg: regs(uint8(dst)), Place: InLoad, Mem: src}, sigKK)
}

// MK is op [dst], src: KMOVW as a store.
func (a *Assembler) MK(op Op, dst Mem, src K) {
	a.typed(Inst{Op: op, N: 2, Reg: regs(0, uint8(src)), Place: InStore, Mem: dst}, sigKK)
}

// T1 is op dst: TILEZERO.
func (a *Assembler) T1(op Op, dst Tile) { a.typed(Inst{Op: op, N: 1, Reg: regs(uint8(dst))}, sigT) }

// T3 is op dst, src1, src2: dst += src1 * src2 (TDPBF16PS).
func (a *Assembler) T3(op Op, dst, src1, src2 Tile) {
	a.typed(Inst{Op: op, N: 3, Reg: regs(uint8(dst), uint8(src1), uint8(src2))}, sigTTT)
}

// TM is op dst, [src]: TILELOADD. The index register holds the bytes from row to row.
func (a *Assembler) TM(op Op, dst Tile, src Mem) {
	a.typed(Inst{Op: op, N: 2, Reg: regs(uint8(dst)), Place: InLoad, Mem: src}, sigTT)
}

// MT is op [dst], src: TILESTORED.
func (a *Assembler) MT(op Op, dst Mem, src Tile) {
	a.typed(Inst{Op: op, N: 2, Reg: regs(0, uint8(src)), Place: InStore, Mem: dst}, sigTT)
}

// TileConfig is LDTILECFG [src]: 64 bytes, palette 1, rows and bytes a row of each tile.
func (a *Assembler) TileConfig(src Mem) { a.Emit(Inst{Op: LDTILECFG, N: 1, Place: InLoad, Mem: src}) }

// Zero0 is an instruction without operands: VZEROUPPER, TILERELEASE, RET, PAUSE, SFENCE, UD2.
func (a *Assembler) Zero0(op Op) {
	if !op.valid() {
		a.err = fmt.Errorf("asm: no instruction %d", op)
		return
	}
	a.Emit(Inst{Op: op})
}
