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
