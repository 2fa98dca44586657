package asm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

var regNames = [4][17]string{
	{"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"},
	{"ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"},
	{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi",
		"r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d", "r15d"},
	{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip"},
}

// Name returns the name of r at a width.
func (r Reg) Name(w Size) string {
	i := 3
	switch w {
	case W8:
		i = 0
	case W16:
		i = 1
	case W32:
		i = 2
	}
	if int(r) >= len(regNames[i]) {
		return "reg" + strconv.Itoa(int(r))
	}
	return regNames[i][r]
}

// String returns the 64-bit name of r.
func (r Reg) String() string { return r.Name(W64) }

var condNames = [16]string{"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"}

// String returns the suffix of the condition: "ne" of JNE.
func (c Cond) String() string { return condNames[c&15] }

// String returns in in Intel's syntax, as GNU as reads it.
func (in *Inst) String() string {
	b := append([]byte(nil), in.mnemonic()...)
	sep := " "
	kinds, mem := in.Kinds(), in.MemAt()
	for i := range int(in.N) {
		b = append(b, sep...)
		sep = ", "
		if i == mem {
			b = in.appendMem(b)
		} else {
			b = append(b, in.operand(i, kinds[i])...)
		}
		if i == 0 {
			b = in.appendMask(b)
		}
	}
	return string(in.appendTail(b, sep))
}

func (in *Inst) mnemonic() string {
	r := in.Op.row()
	switch in.Op {
	case JCC, CMOV, SET:
		return r.name + in.Cond.String()
	case CQO:
		if in.Size == W32 {
			return "cdq"
		}
	case MOVSXD:
		return "movsxd"
	}
	if r.vname != "" && (in.VEX || in.fitsVEX(r)) {
		return r.vname
	}
	return r.name
}

func (in *Inst) operand(i int, k Kind) string {
	n := in.Reg[i]
	switch k {
	case Opmask:
		return "k" + strconv.Itoa(int(n))
	case TileReg:
		return "tmm" + strconv.Itoa(int(n))
	case GP32:
		return Reg(n).Name(W32)
	case GP64:
		return Reg(n).Name(W64)
	case GP:
		return Reg(n).Name(in.operandWidth(i))
	}
	return vecName(k.bytes(in.vecSize()), n)
}

// operandWidth is the width of general operand i: the sources of MOVZX and MOVSX are narrower.
func (in *Inst) operandWidth(i int) Size {
	if d := in.Op.row().d; i == 1 && d.form() == gRM && d&memMask >= mem1 && d&memMask <= mem8 {
		return Size(8 << ((d&memMask - mem1) >> 39))
	}
	return in.Size
}

func (in *Inst) vecSize() Size {
	if in.Size < VL128 || in.Op.Scalar() {
		return VL128
	}
	return in.Size
}

func vecName(bytes int, n uint8) string {
	return [...]string{"xmm", "ymm", "zmm"}[Size(bytes*8).l()] + strconv.Itoa(int(n))
}

func (in *Inst) appendMask(b []byte) []byte {
	if k := in.Opt & 7; k != 0 {
		b = append(b, "{k"+strconv.Itoa(int(k))+"}"...)
	}
	if in.Opt&Zero != 0 {
		b = append(b, "{z}"...)
	}
	return b
}

var roundNames = [4]string{"{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}"}

// appendTail appends rounding, immediate, label and the register CL.
func (in *Inst) appendTail(b []byte, sep string) []byte {
	round := ""
	switch {
	case in.Opt&RN != 0:
		round = roundNames[in.Opt>>7&3]
	case in.Opt&SAE != 0:
		round = "{sae}"
	}
	if round != "" {
		b = append(b, sep+round...)
		sep = ", "
	}
	if in.HasImm {
		b = strconv.AppendInt(append(b, sep...), in.Imm, 10)
	}
	if in.Label != 0 {
		b = append(b, sep+".L"+strconv.Itoa(int(in.Label))...)
	}
	if f := in.Op.row().d; f.form() == gUnary && uint8(f) == 0xD2 {
		b = append(b, ", cl"...)
	}
	return b
}

var sizeNames = map[int]string{1: "byte", 2: "word", 4: "dword", 8: "qword", 16: "xmmword", 32: "ymmword",
	64: "zmmword"}

func (in *Inst) appendMem(b []byte) []byte {
	r := in.Op.row()
	if n := in.MemBytes(); !r.d.has(memOnly) || r.d.form() < gALU {
		if r.d.rm() != TileReg && r.d.form() != fM && r.d.form() != gMem {
			b = append(b, sizeNames[n]+" ptr "...)
		}
	}
	b = in.Mem.appendText(b, in.indexed(r), in.indexBytes(r))
	if in.Opt&Bcst != 0 {
		b = append(b, "{1to"+strconv.Itoa(in.bcstLanes(r))+"}"...)
	}
	return b
}

func (in *Inst) indexBytes(r *row) int { return r.d.rm().bytes(in.vecSize()) }

func (in *Inst) bcstLanes(r *row) int {
	_, full := r.d.memBytes(in.Size)
	return full / r.elem()
}

func (m Mem) appendText(b []byte, vsib bool, indexBytes int) []byte {
	b = append(b, '[')
	plus := false
	if m.Base != NoReg {
		b, plus = append(b, m.Base.String()...), true
	}
	if m.Scale != 0 {
		if plus {
			b = append(b, '+')
		}
		index := m.Index.String()
		if vsib {
			index = vecName(indexBytes, uint8(m.Index))
		}
		b, plus = append(b, index+"*"+strconv.Itoa(int(m.Scale))...), true
	}
	if m.Label != 0 {
		b = append(b, "+.L"+strconv.Itoa(int(m.Label))...)
	}
	if m.Disp != 0 || !plus {
		b = append(b, fmt.Sprintf("%+d", m.Disp)...)
	}
	return append(b, ']')
}

// List returns the instructions of code as text, one a line, with the places of jumps as labels, and the notes.
// It is meant for the result of Finish; notes may be nil.
func (a *Assembler) List() string {
	insts, at := decodeAll(a.code[:a.text])
	targets := jumpTargets(insts, at)
	var b strings.Builder
	notes := a.notes
	for i := range insts {
		for len(notes) > 0 && int(notes[0].at) <= at[i] {
			fmt.Fprintf(&b, "; %s\n", notes[0].text)
			notes = notes[1:]
		}
		if k, ok := slices.BinarySearch(targets, at[i]); ok {
			fmt.Fprintf(&b, ".L%d:\n", k+1)
		}
		in := insts[i]
		text := ""
		if in.Op == JCC || in.Op == JMP {
			k, _ := slices.BinarySearch(targets, at[i+1]+int(in.Imm))
			text = fmt.Sprintf("%s .L%d", in.mnemonic(), k+1)
		} else {
			text = in.String()
		}
		if in.hasMem() && in.Mem.Base == RIP {
			text += fmt.Sprintf(" ; at %#x", at[i+1]+int(in.Mem.Disp))
		}
		fmt.Fprintf(&b, "%6x  %s\n", at[i], text)
	}
	return b.String()
}

// decodeAll decodes code and gives the offset of each instruction and of the end. It stops at bytes it cannot read.
func decodeAll(code []byte) (insts []Inst, at []int) {
	pos := 0
	for pos < len(code) {
		in, n, err := Decode(code[pos:])
		if err != nil {
			break
		}
		insts, at = append(insts, in), append(at, pos)
		pos += n
	}
	return insts, append(at, pos)
}

func jumpTargets(insts []Inst, at []int) (targets []int) {
	for i, in := range insts {
		if in.Op == JCC || in.Op == JMP {
			targets = append(targets, at[i+1]+int(in.Imm))
		}
	}
	slices.Sort(targets)
	return slices.Compact(targets)
}
