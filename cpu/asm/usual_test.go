package asm

import (
	"bytes"
	"testing"
)

// TestUsual: instructions on three whole vectors of 512 bits have the bytes that they have by the way of all others,
// and only these are taken for such.
func TestUsual(t *testing.T) {
	found := 0
	for op := range Op(NumOps) {
		r := op.row()
		if !r.usual.is {
			continue
		}
		found++
		for n := range 1 << 15 {
			in := Inst{Op: op, Size: VL512, N: 3, Reg: regs(uint8(n&31), uint8(n>>5&31), uint8(n>>10))}
			if n%7 != 0 && in.Reg[0] != in.Reg[1]^1 {
				continue
			}
			var a, b, c Assembler
			if err := in.check(r); err != nil {
				t.Fatalf("%s: %v", in.String(), err)
			}
			a.emitVector(&in, r)
			b.Emit(in)
			c.V3(op, VL512, Vec(in.Reg[0]), Vec(in.Reg[1]), Vec(in.Reg[2]))
			if !bytes.Equal(a.code, b.code) || !bytes.Equal(a.code, c.code) {
				t.Fatalf("%s: expected % x, got % x and % x", in.String(), a.code, b.code, c.code)
			}
		}
	}
	if found < 50 {
		t.Errorf("expected most operations on three vectors, got %d", found)
	}
}

// TestUnusual: what has more than three vectors goes the way of all others, errors too.
func TestUnusual(t *testing.T) {
	plain := Inst{Op: VADDPS, Size: VL512, N: 3, Reg: regs(1, 2, 3)}
	for name, change := range map[string]func(*Inst, *Assembler){
		"256 bits":  func(in *Inst, _ *Assembler) { in.Size = VL256 },
		"mask":      func(in *Inst, _ *Assembler) { in.Opt = Mask(1) },
		"memory":    func(in *Inst, _ *Assembler) { in.Place = InLoad },
		"immediate": func(in *Inst, _ *Assembler) { in.HasImm = true },
		"operands":  func(in *Inst, _ *Assembler) { in.N = 2 },
		"register":  func(in *Inst, _ *Assembler) { in.Reg[1] = 32 },
		"VEX only":  func(_ *Inst, a *Assembler) { a.VEXOnly = true },
		"scalar":    func(in *Inst, _ *Assembler) { in.Op = VADDSS },
		"shuffle":   func(in *Inst, _ *Assembler) { in.Op = VSHUFPS },
	} {
		in, a := plain, Assembler{}
		if !a.isUsual(&in, in.Op.row()) {
			t.Fatal("vaddps of three vectors is not usual")
		}
		if change(&in, &a); a.isUsual(&in, in.Op.row()) {
			t.Errorf("%s: %s is taken for usual", name, in.String())
		}
	}
}

// TestInMemory: instructions on vectors of 512 bits of which one is in memory have the bytes that they have by the way
// of all others, and what that refuses is refused.
func TestInMemory(t *testing.T) {
	mems := []Mem{{Base: RAX}, {Base: RBP}, {Base: RSP, Disp: 64}, {Base: R13, Disp: -8}, {Base: R12, Disp: 8192},
		{Base: RDI, Index: R9, Scale: 4, Disp: 3}, {Base: R15, Index: RBP, Scale: 8, Disp: -8192},
		{Base: RDI, Index: RSP, Scale: 4}, {Base: RDI, Index: RAX, Scale: 3}, {Base: NoReg, Disp: 64}, {Base: RIP}}
	quick := 0
	for op := range Op(NumOps) {
		r := op.row()
		for k := range len(mems) * 32 * 16 {
			in := Inst{Op: op, Size: VL512, Mem: mems[k%len(mems)], Place: InLoad + Place(k>>4&1), N: uint8(2 + k>>5&1),
				Reg: regs(uint8(k), uint8(k*7), uint8(k*11))}
			for n := range in.Reg[:in.N] {
				in.Reg[n] %= 33 - uint8(k>>6&1)
			}
			if k>>7&3 == 1 {
				in.Opt = []Opt{Bcst, Mask(3), Zero | Mask(2)}[k%3]
			}
			if r.d.form() >= gALU || in.Mem.Base >= RIP && in.check(r) == nil {
				continue
			}
			var a, b Assembler
			if !b.emitInMemory(&in) {
				continue
			}
			quick++
			if err := in.check(r); err != nil {
				t.Fatalf("%s: expected %v", in.String(), err)
			}
			a.emitVector(&in, r)
			if !bytes.Equal(a.code, b.code) || len(a.past) > 0 {
				t.Fatalf("%s: expected % x, got % x", in.String(), a.code, b.code)
			}
		}
		in := Inst{Op: op, Size: VL512, N: 3, Reg: regs(1, 2), Place: InLoad, Mem: Mem{Base: RAX}}
		if a := new(Assembler); r.usual.is && op != VPERMI2PS && !a.emitInMemory(&in) && in.check(r) == nil {
			t.Errorf("%s is not quick", in.String())
		}
	}
	if quick < 10000 {
		t.Errorf("expected most of what is read or written, got %d", quick)
	}
	a := new(Assembler)
	if a.Emit(Inst{Op: Op(NumOps) + 5, Size: VL512, Place: InStore, Mem: Mem{Base: RAX}}); a.Err() == nil {
		t.Error("what is no instruction is no error")
	}
	if a.Reset(); a.emitInMemory(&Inst{Op: VZEROUPPER, Size: VL512, Place: InLoad, Mem: Mem{Base: RAX}}) {
		t.Error("vzeroupper has memory")
	}
}
