package asm

import (
	"encoding/binary"
	"strings"
	"testing"
)

// TestDecode: what is encoded decodes to the same text and length.
func TestDecode(t *testing.T) {
	insts, code := randomCode(t, 3, 40)
	for i := range insts {
		got, n, err := Decode(code[i])
		if err != nil || n != len(code[i]) {
			t.Fatalf("%s (% x): length %d, %v", insts[i].String(), code[i], n, err)
		}
		// A form with two encodings or names may come back as the other; its bytes may not change.
		var a Assembler
		a.Emit(got)
		if again, _, _ := Decode(a.code); a.err != nil || again.String() != got.String() {
			t.Errorf("%s: decoded %s, again %s (%v)", insts[i].String(), got.String(), again.String(), a.err)
		}
		if want := canonical(insts[i]); canonical(got) != want {
			t.Errorf("% x: expected %s, got %s", code[i], want, canonical(got))
		}
	}
}

// canonical is the text of in with immediates as the CPU sees them and moves of constants at their true width.
func canonical(in Inst) string {
	if in.Op == MOV && in.HasImm && in.Place == InReg && in.Size >= W32 {
		if in.Imm == int64(uint32(in.Imm)) || in.Size == W32 {
			in.Size, in.Imm = W32, int64(uint32(in.Imm))
		}
	}
	if in.HasImm && !in.Op.General() {
		in.Imm &= 0xFF
	}
	if in.Op == TEST && in.Place == InLoad { // symmetric
		in.Place = InStore
		in.Reg[0], in.Reg[1] = 0, in.Reg[0]
	}
	return in.String()
}

// FuzzDecode: no bytes make the decoder panic; what it reads has a length, and a text.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"\x90", "\xC5\xF8\x77", "\x62\xF1\x7C\x48\x58\xC2", "\xF3\x0F\xB8\xC1", "\xC4\xE2"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, code []byte) {
		in, n, err := Decode(code)
		if err == nil && (n <= 0 || n > len(code) || in.String() == "") {
			t.Errorf("% x: %d bytes of %d, %q", code, n, len(code), in.String())
		}
	})
}

func TestLabels(t *testing.T) {
	var a Assembler
	end := a.NewLabel()
	loop := a.Here()
	a.RI(SUB, W64, RCX, 1)
	a.Jcc(E, end)
	a.Jmp(loop)
	a.Bind(end)
	a.Ret()
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	if got := int32(binary.LittleEndian.Uint32(code[6:])); got != 5 {
		t.Errorf("forward jump: expected 5, got %d", got)
	}
	if got := int32(binary.LittleEndian.Uint32(code[11:])); got != -15 {
		t.Errorf("backward jump: expected -15, got %d", got)
	}
	const want = `.L1:
     0  sub rcx, 1
     4  je .L2
     a  jmp .L1
.L2:
     f  ret
`
	if got := a.List(); got != want {
		t.Errorf("expected\n%s\ngot\n%s", want, got)
	}
}

// TestConstants: equal constants share a place, each is aligned to its size, and operands reach it even with an
// immediate behind the displacement.
func TestConstants(t *testing.T) {
	var a Assembler
	a.V2M(VBROADCASTSS, VL256, 0, a.Const32(7))
	a.V3MI(VSHUFPS, VL256, 1, 2, a.Splat32(VL256, 9), 3)
	a.V2M(VBROADCASTSS, VL256, 3, a.Const32(7))
	a.V2M(VBROADCASTSD, VL256, 3, a.Const64(8))
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	text := a.TextLen()
	if len(code)%4 != 0 || len(code)-text > 64+32+8+4 {
		t.Errorf("%d bytes of code, %d with constants", text, len(code))
	}
	want := []uint32{7, 9, 7, 8}
	for i, pos := 0, 0; pos < text; i++ {
		in, n, err := Decode(code[pos:])
		if err != nil {
			t.Fatal(err)
		}
		pos += n
		at := pos + int(in.Mem.Disp)
		if got := binary.LittleEndian.Uint32(code[at:]); got != want[i] || at%in.MemBytes() != 0 {
			t.Errorf("%s: expected %d, got %d at %d", in.String(), want[i], got, at)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		emit func(a *Assembler)
		want string
	}{
		{"vex only", func(a *Assembler) { a.VEXOnly = true; a.V3(VADDPS, VL512, 0, 1, 2) }, "needs EVEX"},
		{"vex only high register", func(a *Assembler) { a.VEXOnly = true; a.V3(VADDPS, VL256, 16, 1, 2) }, "needs EVEX"},
		{"no vex mask", func(a *Assembler) { a.V3(VPCMPEQD, VL256, 0, 1, 2, Mask(1)) }, "no EVEX form"},
		{"operand class", func(a *Assembler) { a.V3(VPCMPD, VL256, 0, 1, 2) }, "expected an opmask"},
		{"missing immediate", func(a *Assembler) { a.V3(VSHUFPS, VL256, 0, 1, 2) }, "immediate"},
		{"count", func(a *Assembler) { a.V2(VADDPS, VL256, 0, 1) }, "expected 3 operands"},
		{"index", func(a *Assembler) { a.RM(MOV, W64, RAX, MX(RDI, RSP, 1, 0)) }, "other than RSP"},
		{"scale", func(a *Assembler) { a.RM(MOV, W64, RAX, MX(RDI, RDX, 3, 0)) }, "scale"},
		{"immediate", func(a *Assembler) { a.RI(ADD, W64, RAX, 1<<40) }, "does not fit 32 bits"},
		{"shift", func(a *Assembler) { a.RI(SHL, W32, RAX, 32) }, "shift by 32"},
		{"broadcast", func(a *Assembler) { a.V3M(VPADDB, VL256, 0, 1, M(RDI, 0), Bcst) }, "no broadcast"},
		{"rounding", func(a *Assembler) { a.V3(VADDPS, VL256, 0, 1, 2, RZ) }, "rounding"},
		{"zero store", func(a *Assembler) { a.MV(VMOVUPS, VL256, M(RDI, 0), 1, MaskZ(1)) }, "zeroing"},
		{"gather alias", func(a *Assembler) { a.Gather(VGATHERDPS, VL256, 1, MV(RDI, 2, 4, 0), 1) }, "different"},
		{"length", func(a *Assembler) { a.V3(VPERMD, VL128, 0, 1, 2) }, "size: 128"},
		{"unbound", func(a *Assembler) { a.Jmp(a.NewLabel()) }, "not bound"},
		{"bound twice", func(a *Assembler) { a.Bind(a.Here()) }, "not bound"},
		{"register", func(a *Assembler) { a.V3(VADDPS, VL256, 32, 1, 2) }, "not below 32"},
		{"constant", func(a *Assembler) { a.Const(make([]byte, 3)) }, "4, 8, 16, 32 or 64"},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			var a Assembler
			c.emit(&a)
			if _, err := a.Finish(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("expected an error with %q, got %v", c.want, err)
			}
		})
	}
}

// emitKernel is a loop as the compiler writes it: what the allocation test and the benchmark run.
func emitKernel(a *Assembler) {
	a.Reset()
	loop := a.Here()
	for i := range Vec(8) {
		a.V2M(VMOVUPS, VL512, i, M(RDI, int32(i)*64), MaskZ(1))
		a.V3(VFMADD231PS, VL512, i+8, i, i+16)
		a.V3M(VADDPS, VL512, i+8, i+8, M(RSI, 4), Bcst)
		a.MV(VMOVUPS, VL512, MX(RDX, RCX, 4, int32(i)*64), i+8, Mask(1))
		a.KV2I(VCMPPSK, VL512, 2, i, i+8, CmpLT_OQ)
	}
	a.RI(ADD, W64, RDI, 512)
	a.RI(SUB, W64, RCX, 128)
	a.Jcc(NE, loop)
	a.Ret()
}

func TestNoAllocation(t *testing.T) {
	var a Assembler
	emitKernel(&a)
	if n := testing.AllocsPerRun(100, func() { emitKernel(&a) }); n != 0 {
		t.Errorf("expected no allocation, got %v", n)
	}
	if _, err := a.Finish(); err != nil {
		t.Error(err)
	}
}

func BenchmarkEmit(b *testing.B) {
	var a Assembler
	for b.Loop() {
		emitKernel(&a)
	}
	b.ReportMetric(44*float64(b.N)/b.Elapsed().Seconds()/1e6, "Minst/s")
}

// TestManyConstants: each of many constants has one place, whatever was asked for in between; one of zeros is not a
// shorter one of zeros.
func TestManyConstants(t *testing.T) {
	var a Assembler
	labels := map[Label]string{}
	all := []string{}
	for n := range 100 {
		for _, size := range []int{4, 8, 16, 32, 64} {
			b := make([]byte, size)
			b[n%size] = byte(n)
			all = append(all, string(b))
		}
	}
	for range 2 {
		for _, b := range all {
			labels[a.Const([]byte(b)).Label] = b
		}
	}
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	different := map[string]bool{}
	for _, b := range all {
		different[b] = true
	}
	if len(labels) != len(different) {
		t.Errorf("expected %d constants, got %d", len(different), len(labels))
	}
	for l, b := range labels {
		if at := a.Offset(l); string(code[at:at+len(b)]) != b || at%len(b) != 0 {
			t.Errorf("label %d: expected % x, got % x at %d", l, b, code[at:at+len(b)], at)
		}
	}
}
