package asm

// This file holds the typed methods of instructions on general registers: R register, M memory, I immediate. w is
// the width: W8, W16, W32 or W64; writing 32 bits clears the upper half.

func (a *Assembler) general(in Inst) {
	if !in.Op.General() && !in.Op.bmi() {
		a.fail(&in, "is not an instruction on general registers")
		return
	}
	a.Emit(in)
}

// bmi reports whether op is a VEX-encoded instruction on general registers.
func (op Op) bmi() bool {
	return op.valid() && op.row().d&(vex|wReg) == vex|wReg && op.row().d.rm() == GP
}

// RR is op dst, src.
//
//go:noinline
func (a *Assembler) RR(op Op, w Size, dst, src Reg) {
	a.general(Inst{Op: op, Size: w, N: 2, Reg: regs(uint8(dst), uint8(src))})
}

// RI is op dst, imm. The immediate is extended by its sign; MOV takes all 64 bits.
//
//go:noinline
func (a *Assembler) RI(op Op, w Size, dst Reg, imm int64) {
	a.general(Inst{Op: op, Size: w, N: 1, Reg: regs(uint8(dst)), Imm: imm, HasImm: true})
}

// RM is op dst, [src]: a load, LEA, an operation on memory.
//
//go:noinline
func (a *Assembler) RM(op Op, w Size, dst Reg, src Mem) {
	a.general(Inst{Op: op, Size: w, N: 2, Reg: regs(uint8(dst)), Place: InLoad, Mem: src})
}

// MR is op [dst], src: a store, an operation onto memory, XADD.
//
//go:noinline
func (a *Assembler) MR(op Op, w Size, dst Mem, src Reg) {
	a.general(Inst{Op: op, Size: w, N: 2, Reg: regs(0, uint8(src)), Place: InStore, Mem: dst})
}

// MI is op [dst], imm.
//
//go:noinline
func (a *Assembler) MI(op Op, w Size, dst Mem, imm int32) {
	a.general(Inst{Op: op, Size: w, N: 1, Place: InStore, Mem: dst, Imm: int64(imm), HasImm: true})
}

// R is op dst: NEG, INC, DIV, SHLCL.
func (a *Assembler) R(op Op, w Size, dst Reg) {
	a.general(Inst{Op: op, Size: w, N: 1, Reg: regs(uint8(dst))})
}

// Mem is op [dst].
func (a *Assembler) Mem(op Op, w Size, dst Mem) {
	a.general(Inst{Op: op, Size: w, N: 1, Place: InStore, Mem: dst})
}

// RRI is op dst, src, imm: IMUL, RORX.
func (a *Assembler) RRI(op Op, w Size, dst, src Reg, imm int64) {
	a.general(Inst{Op: op, Size: w, N: 2, Reg: regs(uint8(dst), uint8(src)), Imm: imm, HasImm: true})
}

// RRR is op dst, src1, src2: SHLX, BZHI, PDEP, ANDN, MULX.
func (a *Assembler) RRR(op Op, w Size, dst, src1, src2 Reg) {
	a.general(Inst{Op: op, Size: w, N: 3, Reg: regs(uint8(dst), uint8(src1), uint8(src2))})
}

// RMR is op dst, [src1], src2: SHLX, BZHI.
func (a *Assembler) RMR(op Op, w Size, dst Reg, src1 Mem, src2 Reg) {
	a.general(Inst{Op: op, Size: w, N: 3, Reg: regs(uint8(dst), 0, uint8(src2)), Place: InLoad, Mem: src1})
}

// RRM is op dst, src1, [src2]: PDEP, PEXT, ANDN.
func (a *Assembler) RRM(op Op, w Size, dst, src1 Reg, src2 Mem) {
	a.general(Inst{Op: op, Size: w, N: 3, Reg: regs(uint8(dst), uint8(src1)), Place: InLoad, Mem: src2})
}

// Cmov is CMOVcc dst, src.
func (a *Assembler) Cmov(c Cond, w Size, dst, src Reg) {
	a.Emit(Inst{Op: CMOV, Cond: c, Size: w, N: 2, Reg: regs(uint8(dst), uint8(src))})
}

// CmovM is CMOVcc dst, [src]; the memory is read in any case.
func (a *Assembler) CmovM(c Cond, w Size, dst Reg, src Mem) {
	a.Emit(Inst{Op: CMOV, Cond: c, Size: w, N: 2, Reg: regs(uint8(dst)), Place: InLoad, Mem: src})
}

// Set is SETcc dst: its low byte becomes 0 or 1.
func (a *Assembler) Set(c Cond, dst Reg) {
	a.Emit(Inst{Op: SET, Cond: c, Size: W8, N: 1, Reg: regs(uint8(dst))})
}

// Jcc jumps to l if c holds.
//
//go:noinline
func (a *Assembler) Jcc(c Cond, l Label) { a.Emit(Inst{Op: JCC, Cond: c, Label: l}) }

// Jmp jumps to l.
//
//go:noinline
func (a *Assembler) Jmp(l Label) { a.Emit(Inst{Op: JMP, Label: l}) }

// JmpR jumps to the address in r.
func (a *Assembler) JmpR(r Reg) { a.Emit(Inst{Op: JMPR, Size: W64, N: 1, Reg: regs(uint8(r))}) }

// Cqo extends RAX by its sign into RDX: CDQ at W32, CQO at W64.
func (a *Assembler) Cqo(w Size) { a.Emit(Inst{Op: CQO, Size: w}) }

// Ret is RET.
//
//go:noinline
func (a *Assembler) Ret() { a.Emit(Inst{Op: RET}) }

// Prefetch is op [m]: PREFETCHT0 and its kin.
//
//go:noinline
func (a *Assembler) Prefetch(op Op, m Mem) {
	a.Emit(Inst{Op: op, Size: W8, N: 1, Place: InLoad, Mem: m})
}
