package asm

import (
	"math/rand/v2"
	"testing"
)

// randomInst returns an instruction of op that the table allows.
func randomInst(r *rand.Rand, op Op) Inst {
	if op.General() {
		return randomGeneral(r, op)
	}
	row := op.row()
	d := row.d
	in := Inst{Op: op, Size: randomSize(r, d)}
	hasMem, hasReg := d&memMask != 0 && !d.has(regOnly), !d.has(memOnly)
	if hasMem && (!hasReg || r.IntN(2) == 0) {
		in.Place = InLoad
		if f := d.form(); f == fMR || f == fScatter || row.store != 0 && r.IntN(2) == 0 {
			in.Place = InStore
		}
	} else if row.store != 0 && d.rm() >= GP32 && d.rm() <= GP64 && r.IntN(2) == 0 {
		in.Place = toReg
	}
	useEVEX := d.has(evex) && (!d.has(vex) || in.Size == VL512 || r.IntN(2) == 0)
	in.N = in.layout(row).n
	if d.form() == fGather && useEVEX {
		in.N = 2
	}
	if useEVEX {
		randomOptions(r, &in, row)
	}
	kinds := in.Kinds()
	for i := range int(in.N) {
		n := registers[max(kinds[i], Full)]
		if !useEVEX {
			n = min(n, 16)
		}
		in.Reg[i] = uint8(r.IntN(int(n)))
	}
	if in.hasMem() {
		in.Mem = randomMem(r, &in, row, useEVEX)
		in.Reg[in.MemAt()] = 0
	}
	if d.form() == fGather || row.d.rm() == TileReg {
		distinct(&in)
	}
	if d.has(imm8) {
		in.HasImm, in.Imm = true, int64(r.IntN(256))
		if d.has(imm4) && !useEVEX {
			in.Imm &= 15
		}
	}
	return in
}

// distinct makes the registers of a gather or a tile product differ, as the CPU demands.
func distinct(in *Inst) {
	if in.N == 3 && !in.hasMem() {
		in.Reg = [4]uint8{in.Reg[0] & 7, (in.Reg[0] + 1) & 7, (in.Reg[0] + 2) & 7}
		return
	}
	for uint8(in.Mem.Index) == in.Reg[0] {
		in.Reg[0] = (in.Reg[0] + 1) & 7
	}
	for in.N == 3 && (in.Reg[2] == in.Reg[0] || in.Reg[2] == uint8(in.Mem.Index)) {
		in.Reg[2] = (in.Reg[2] + 1) & 7
	}
}

func randomSize(r *rand.Rand, d desc) Size {
	vectors := d.reg() <= Ymm && d.reg() > 0 || d.vvvv() <= Ymm && d.vvvv() > 0 || d.rm() <= Ymm && d.rm() > 0
	switch {
	case d.has(wReg):
		return W32 << r.IntN(2)
	case d.has(lig) || !vectors:
		return VL128
	case d.has(only512):
		return VL512
	}
	s := VL128 << r.IntN(3)
	if !d.has(evex) {
		s = min(s, VL256)
	}
	if d.has(min256) {
		s = max(s, VL256)
	}
	return s
}

func randomOptions(r *rand.Rand, in *Inst, row *row) {
	d := row.d
	if !d.has(noMask) && (d.has(needMask) || r.IntN(2) == 0) {
		in.Opt = Mask(K(1 + r.IntN(7)))
		if !d.has(noZero) && in.Place != InStore && r.IntN(2) == 0 {
			in.Opt |= Zero
		}
	}
	full := in.Size == VL512 || d.has(lig)
	switch {
	case in.Place == InLoad && d.bcst() != 0 && r.IntN(2) == 0:
		in.Opt |= Bcst
	case in.Place == InReg && d.has(rc) && full && r.IntN(2) == 0:
		in.Opt |= RN | Opt(r.IntN(4))<<7
	case in.Place == InReg && d.has(sae) && full && r.IntN(2) == 0:
		in.Opt |= SAE
	}
}

func randomMem(r *rand.Rand, in *Inst, row *row, useEVEX bool) Mem {
	m := Mem{Base: Reg(r.IntN(16))}
	if r.IntN(2) == 0 || row.d.rm() == TileReg {
		m.Scale = 1 << r.IntN(4)
		for m.Index = Reg(r.IntN(16)); m.Index == RSP; {
			m.Index = Reg(r.IntN(16))
		}
	}
	if in.indexed(row) {
		m.Scale = 1 << r.IntN(4)
		m.Index = Reg(r.IntN(16))
		if useEVEX {
			m.Index = Reg(r.IntN(32))
		}
	}
	switch r.IntN(5) {
	case 0:
	case 1:
		m.Disp = int32(r.IntN(256) - 128)
	case 2:
		m.Disp = int32(r.IntN(300)-150) * int32(max(in.MemBytes(), 1))
	case 3:
		m.Disp = int32(r.IntN(300)-150) * 4
	default:
		m.Disp = int32(r.Uint32()) >> r.IntN(16)
	}
	return m
}

func randomGeneral(r *rand.Rand, op Op) Inst {
	f := op.row().d.form()
	in := Inst{Op: op, Size: W8 << r.IntN(4), Cond: Cond(0)}
	reg := func() uint8 { return uint8(r.IntN(16)) }
	in.Reg = [4]uint8{reg(), reg()}
	want := generalOperands[(f-gALU)>>18]
	in.N = uint8(want[0])
	if want[0] < 0 || want[1] >= 0 && r.IntN(3) == 0 && (f != gRM || op == IMUL) {
		in.HasImm, in.N = true, uint8(want[1])
		in.Imm = int64(int32(r.Uint32()) >> r.IntN(32))
	}
	randomPlace(r, &in, f)
	if f == gFixed {
		in.Size = W32 << r.IntN(2)
		if op != CQO {
			in.Size = 0
		}
	}
	if in.HasImm {
		in.Imm = fitImm(r, &in, f)
	}
	if in.N < 2 {
		in.Reg[1] = 0
	}
	if in.N < 1 {
		in.Reg[0] = 0
	}
	return in
}

// randomCode returns random instructions of every Op that is not a jump, each on its own.
func randomCode(t *testing.T, seed uint64, per int) (insts []Inst, code [][]byte) {
	r := rand.New(rand.NewPCG(seed, 1))
	for op := Op(1); op < opGeneralEnd; op++ {
		for range per {
			if op == JCC || op == JMP {
				continue
			}
			in := randomInst(r, op)
			var a Assembler
			a.Emit(in)
			if a.err != nil {
				t.Fatalf("%s: %v", in.String(), a.err)
			}
			insts, code = append(insts, in), append(code, a.code)
		}
	}
	return insts, code
}

// fitImm narrows the immediate to what the instruction holds.
func fitImm(r *rand.Rand, in *Inst, f desc) int64 {
	switch {
	case f == gShift:
		return 2 + int64(r.IntN(int(in.Size)-2)) // by 1 GNU as has a shorter opcode
	case in.Size == W8:
		return int64(int8(in.Imm))
	case in.Size == W16:
		return int64(int16(in.Imm))
	case in.Op == MOV && in.Size == W64 && in.Place == InReg && r.IntN(2) == 0:
		return int64(r.Uint64()) >> r.IntN(64)
	}
	return in.Imm
}

// randomPlace chooses a size and a memory operand that the form has.
func randomPlace(r *rand.Rand, in *Inst, f desc) {
	mem := func(p Place) {
		in.Place = p
		in.Mem = randomMem(r, in, in.Op.row(), false)
		in.Reg[in.MemAt()] = 0
	}
	switch f {
	case gRM:
		in.Size = W16 << r.IntN(3)
		if in.Op == MOVZX16 || in.Op == MOVSX16 || in.Op == MOVSXD || in.Op == LEA {
			in.Size = W32 << r.IntN(2)
		}
		if in.Op == MOVSXD {
			in.Size = W64
		}
		if in.Op == LEA || r.IntN(2) == 0 {
			mem(InLoad)
		}
	case gCmov:
		in.Size, in.Cond = W16<<r.IntN(3), Cond(r.IntN(16))
		if r.IntN(2) == 0 {
			mem(InLoad)
		}
	case gSet:
		in.Size, in.Cond = W8, Cond(r.IntN(16))
	case gMem:
		in.Size = W8
		mem(InLoad)
	case gALU, gMov:
		if p := Place(r.IntN(3)); p != InReg && !(p == InLoad && in.HasImm) {
			mem(p)
		}
	case gTest, gUnary, gShift:
		if in.Op == JMPR {
			in.Size = W64
		} else if r.IntN(2) == 0 {
			mem(InStore)
		}
	case gExchange:
		if in.Op != XCHG || r.IntN(2) == 0 {
			mem(InStore)
		}
	}
}
