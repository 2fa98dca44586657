package asm

import "fmt"

// check reports what the table does not allow in a vector instruction.
func (in *Inst) check(r *row) error {
	d := r.d
	if err := in.checkOperands(r); err != nil {
		return err
	}
	if err := in.checkSize(d); err != nil {
		return err
	}
	if in.HasImm != d.has(imm8) {
		return fmt.Errorf("immediate: expected %t, got %t", d.has(imm8), in.HasImm)
	}
	if in.HasImm && (in.Imm < -128 || in.Imm > 255) {
		return fmt.Errorf("immediate %d does not fit 8 bits", in.Imm)
	}
	if in.Opt != 0 {
		return in.checkOptions(r)
	}
	if d.has(needMask) && !d.has(vex) {
		return fmt.Errorf("expected a mask")
	}
	return nil
}

// registers of each kind.
var registers = [...]uint8{NoOperand: 255, Full: 32, Half: 32, Quarter: 32, Eighth: 32, Xmm: 32, Ymm: 32, Opmask: 8,
	GP32: 16, GP64: 16, GP: 16, TileReg: 8}

func (in *Inst) checkOperands(r *row) error {
	d, l := r.d, in.layout(r)
	n := l.n
	if d.form() == fGather && in.Opt&7 != 0 {
		n = 2
	}
	if in.N != n {
		return fmt.Errorf("expected %d operands, got %d", n, in.N)
	}
	mem := -1
	if in.hasMem() {
		mem = int(l.rm)
	}
	for i := range int(n) {
		if k := l.kinds[i]; i != mem && in.Reg[i] >= registers[k] {
			return fmt.Errorf("operand %d: register %d is not below %d", i, in.Reg[i], registers[k])
		}
	}
	switch {
	case mem < 0 && (d.has(memOnly)):
		return fmt.Errorf("expected a memory operand")
	case mem >= 0 && (d.has(regOnly) || d&memMask == 0):
		return fmt.Errorf("has no memory operand")
	case mem >= 0 && (in.Place == InStore) != (mem == 0 && d.form() != fM):
		return fmt.Errorf("has no such direction between memory and register")
	case mem >= 0:
		return in.checkMem(in.indexed(r))
	}
	return nil
}

func (in *Inst) checkSize(d desc) error {
	s := in.Size
	switch {
	case d.has(wReg):
		if s != W32 && s != W64 {
			return fmt.Errorf("size: expected 32 or 64, got %d", s)
		}
	case s == 0 || d.has(lig):
	case s != VL128 && s != VL256 && s != VL512, d.has(min256) && s < VL256, d.has(only512) && s < VL512:
		return fmt.Errorf("size: %d bits", s)
	}
	return nil
}

func (in *Inst) checkOptions(r *row) error {
	d, o := r.d, in.Opt
	switch {
	case !d.has(evex):
		return fmt.Errorf("has no EVEX form for masks and other options")
	case o&7 != 0 && d.has(noMask), o&7 == 0 && d.has(needMask):
		return fmt.Errorf("mask k%d", o&7)
	case o&Zero != 0 && (o&7 == 0 || d.has(noZero) || in.Place == InStore):
		return fmt.Errorf("zeroing without a mask or into memory")
	case o&Bcst != 0 && (in.Place != InLoad || d.bcst() == 0):
		return fmt.Errorf("has no broadcast operand here")
	case o&optRC != 0 && (!d.has(rc) || in.Place != InReg || !d.has(lig) && in.Size != VL512):
		return fmt.Errorf("has no embedded rounding here")
	case o&SAE != 0 && (!d.has(sae) || in.Place != InReg || !d.has(lig) && in.Size != VL512):
		return fmt.Errorf("has no exception suppression here")
	}
	return nil
}
