package asm_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/asm/emu"
	"github.com/goxla/xla/cpu/exec"
)

// The state that a test program loads before its instruction and stores after it: offsets from RDI.
const (
	offVec   = 0
	offMask  = 32 * 64
	offGP    = offMask + 64
	offFlags = offGP + 128
	offMem   = 2304
	memSize  = 768
	state    = offMem + memSize
)

// TestNative executes random instructions of every form that this CPU has, both natively and in the emulator, from the
// same random state, and compares all registers, flags and memory bit for bit.
func TestNative(t *testing.T) {
	host := exec.Host()
	if host.Tier() == exec.Portable {
		t.Skip("no executable memory, or no AVX2")
	}
	per := 24
	if testing.Short() {
		per = 8
	}
	for op := asm.Op(1); int(op) < asm.NumOps; op++ {
		if !runnable(op, &host) {
			continue
		}
		t.Run(fmt.Sprintf("%s_%d", op, op), func(t *testing.T) { compareNative(t, op, per, host.AVX512) })
	}
}

// runnable leaves out what ends or leaves the program, and what the CPU lacks.
func runnable(op asm.Op, f *exec.Features) bool {
	switch op {
	case asm.JCC, asm.JMP, asm.JMPR, asm.RET, asm.UD2:
		return false
	}
	name := op.String()
	switch {
	case op.HasEVEX() && !op.HasVEX() && !f.AVX512, strings.HasPrefix(name, "tile"), strings.HasPrefix(name, "tdp"),
		strings.HasSuffix(name, "tilecfg"):
		return false
	case strings.HasPrefix(name, "k") && !f.AVX512:
		return false
	case strings.HasPrefix(name, "vpdp"):
		return f.AVX512VNNI
	case strings.Contains(name, "bf16"):
		return f.AVX512BF16
	case op == asm.VPERMB, op == asm.VPERMI2B, op == asm.VPERMT2B:
		return f.AVX512VBMI
	case op == asm.VPCOMPRESSB, op == asm.VPCOMPRESSW, op == asm.VPEXPANDB, op == asm.VPEXPANDW:
		return f.AVX512VBMI2
	case op == asm.VPOPCNTB, op == asm.VPOPCNTW:
		return f.AVX512BITALG
	case op == asm.VPOPCNTD, op == asm.VPOPCNTQ:
		return f.AVX512VPOPCNTDQ
	}
	return true
}

func compareNative(t *testing.T, op asm.Op, per int, avx512 bool) {
	r := rand.New(rand.NewPCG(uint64(op), 5))
	buf := aligned(state)
	insts := make([]asm.Inst, 0, per)
	var a asm.Assembler
	var at []int
	var states [][]byte
	for len(insts) < per {
		in := asm.RandomInst(r, op)
		if !avx512 && !asm.IsVEX(&in) {
			if op.HasVEX() {
				continue
			}
			return
		}
		init := make([]byte, state)
		prepare(r, &in, init, uint64(uintptr(unsafe.Pointer(&buf[0]))))
		a.Align(64)
		at = append(at, a.Len())
		program(&a, in, r, avx512)
		insts, states = append(insts, in), append(states, init)
	}
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	native, err := exec.NewCode(code)
	if err != nil {
		t.Skip(err)
	}
	defer native.Close()
	m := emu.New()
	m.Map(uint64(uintptr(unsafe.Pointer(&buf[0]))), buf, true)
	live := emu.NewProgram(code, nil)
	bad := 0
	for j := range 2 * len(insts) {
		i, flush := j/2, exec.Denormals(j%2)
		copy(buf, states[i])
		flush.Call(native.Entry(at[i]), unsafe.Pointer(&buf[0]))
		want := bytes.Clone(buf)
		copy(buf, states[i])
		if flush == exec.KeepDenormals {
			err = m.Call(code[at[i]:], uint64(uintptr(unsafe.Pointer(&buf[0]))))
		} else {
			err = m.Run(live, live.Base()+uintptr(at[i]), unsafe.Pointer(&buf[0]), true)
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := difference(&insts[i], want, buf, states[i]); diff != "" {
			if bad++; bad <= 4 {
				t.Errorf("%s: %s", insts[i].String(), diff)
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d differ", bad, 2*per)
	}
}

func aligned(n int) []byte {
	b := make([]byte, n+64)
	off := -uintptr(unsafe.Pointer(&b[0])) & 63
	return b[off : off+uintptr(n)]
}

var loadable = []asm.Reg{asm.RAX, asm.RCX, asm.RDX, asm.RBX, asm.R8, asm.R9, asm.R10, asm.R11, asm.R12, asm.R13,
	asm.R14, asm.R15}

// program loads the state, executes in, and stores the state.
func program(a *asm.Assembler, in asm.Inst, r *rand.Rand, avx512 bool) {
	vectors, vl := 16, asm.VL256
	if avx512 {
		vectors, vl = 32, asm.VL512
		for k := range asm.K(8) {
			a.KM(asm.KMOVQ, k, asm.M(asm.RDI, offMask+8*int32(k)))
		}
	}
	for v := range vectors {
		a.V2M(asm.VMOVDQU32, vl, asm.Vec(v), asm.M(asm.RDI, offVec+64*int32(v)))
	}
	a.RI(asm.MOV, asm.W64, asm.RAX, int64(r.Uint64()))
	a.RI(asm.ADD, asm.W64, asm.RAX, int64(int32(r.Uint32()))) // random flags
	for _, g := range loadable {
		a.RM(asm.MOV, asm.W64, g, asm.M(asm.RDI, offGP+8*int32(g)))
	}
	a.Emit(in)
	for c := range asm.Cond(16) {
		if c < 12 && c&1 == 0 {
			a.Emit(asm.Inst{Op: asm.SET, Cond: c, Size: asm.W8, N: 1, Place: asm.InStore,
				Mem: asm.M(asm.RDI, offFlags+int32(c))})
		}
	}
	for _, g := range loadable {
		a.MR(asm.MOV, asm.W64, asm.M(asm.RDI, offGP+8*int32(g)), g)
	}
	for v := range vectors {
		a.MV(asm.VMOVDQU32, vl, asm.M(asm.RDI, offVec+64*int32(v)), asm.Vec(v))
	}
	if avx512 {
		for k := range asm.K(8) {
			a.MK(asm.KMOVQ, asm.M(asm.RDI, offMask+8*int32(k)), k)
		}
	}
	a.Zero0(asm.VZEROUPPER)
	a.Ret()
}

// prepare fills the state with random values and makes in fit for execution: no register that the program needs, the
// memory operand within the memory of the state.
func prepare(r *rand.Rand, in *asm.Inst, init []byte, addr uint64) {
	for i := 0; i < state; i += 8 {
		binary.LittleEndian.PutUint64(init[i:], randomWord(r))
	}
	kinds, mem := in.Kinds(), in.MemAt()
	for i := range int(in.N) {
		if i != mem && kinds[i].IsGeneral() && in.Reg[i] >= 4 && in.Reg[i] < 8 {
			in.Reg[i] += 8
		}
	}
	setGP := func(g asm.Reg, x uint64) { binary.LittleEndian.PutUint64(init[offGP+8*int(g):], x) }
	getGP := func(g asm.Reg) uint64 { return binary.LittleEndian.Uint64(init[offGP+8*int(g):]) }
	if in.Op == asm.DIV || in.Op == asm.IDIV {
		setGP(asm.RDX, 0)
		setGP(asm.RAX, getGP(asm.RAX)&0x3FFF3FFF3FFF003F)
		if mem < 0 && (in.Reg[0] == 0 || in.Reg[0] == 2) {
			in.Reg[0] = 9
		}
		if mem < 0 {
			setGP(asm.Reg(in.Reg[0]), getGP(asm.Reg(in.Reg[0]))|0x0101010101010141)
		}
		for i := offMem; i < state; i++ {
			init[i] |= 1
		}
	}
	if mem < 0 && in.Op != asm.LEA {
		return
	}
	pool := loadable
	if in.Op == asm.DIV || in.Op == asm.IDIV {
		pool = loadable[3:] // RAX and RDX are set
	}
	in.Mem.Base = pool[r.IntN(len(pool))]
	in.Mem.Disp = int32(r.IntN(64)-32) * int32(max(in.MemBytes(), 1))
	target := addr + offMem + 256 + uint64(r.IntN(3))*64
	if !strings.HasPrefix(in.Op.String(), "vmova") && !strings.HasPrefix(in.Op.String(), "vmovnt") &&
		!strings.HasPrefix(in.Op.String(), "vmovdqa") {
		target += uint64(r.IntN(64))
	}
	base := target - uint64(int64(in.Mem.Disp))
	switch {
	case asm.Indexed(in):
		w := in.IndexBytes()
		for i := range 64 / w {
			x := uint64(int64(r.IntN(40) - 20))
			b := init[offVec+64*int(in.Mem.Index)+i*w:]
			for j := range w {
				b[j] = byte(x >> (8 * j))
			}
		}
	case in.Mem.Scale != 0:
		for in.Mem.Index = in.Mem.Base; in.Mem.Index == in.Mem.Base; {
			in.Mem.Index = pool[r.IntN(len(pool))]
		}
		x := uint64(r.IntN(1000))
		setGP(in.Mem.Index, x)
		base -= x * uint64(in.Mem.Scale)
	}
	setGP(in.Mem.Base, base)
}

// randomWord returns bits with many special values of both floating-point widths and of integers.
func randomWord(r *rand.Rand) uint64 {
	special32 := []uint32{0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00001, 0xFFC12345, 0x7F800001, 0xFFA00000, 1,
		0x807FFFFF, 0x7F7FFFFF, 0x3F800000, 0xBF800000, 0x3F000000, 0x40490FDB, 0x4B000001, 0xCF000000, 0x4F000000,
		0x5F000000, 0x7FFFFFFF, 0xFFFFFFFF, 0x80808080, 0x33000000, 0x477FE000, 0x42B40000, 0xC1200000}
	special64 := []uint64{0, 1 << 63, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000123, 0x7FF4000000000000,
		0xFFF0000000000001, 1, 0x800FFFFFFFFFFFFF, 0x7FEFFFFFFFFFFFFF, 0x3FF0000000000000, 0xBFE0000000000000,
		0x43E0000000000000, 0xC3E0000000000000, 0x41DFFFFFFFC00000, 0x41E0000000000000, 0x4330000000000001,
		0x36A0000000000000, 0x47EFFFFFF0000000, 0x3810000000000000, ^uint64(0), 63, 64, 5, 31}
	switch r.IntN(8) {
	case 0:
		return special64[r.IntN(len(special64))]
	case 1, 2:
		return uint64(special32[r.IntN(len(special32))])<<32 | uint64(special32[r.IntN(len(special32))])
	case 3:
		return uint64(math.Float32bits(float32(r.NormFloat64()*100)))<<32 | uint64(math.Float32bits(float32(r.NormFloat64())))
	case 4:
		return math.Float64bits(r.NormFloat64() * 1000)
	case 5:
		return uint64(r.IntN(70))<<32 | uint64(r.IntN(70))
	}
	return r.Uint64()
}

// Flags that an instruction leaves undefined, as the conditions O, B, E, S, P (bits 0, 2, 4, 8, 10 of the stored
// flags); BE follows from B and E.
var undefined = map[asm.Op]string{
	asm.MUL: "esp", asm.IMUL: "esp", asm.IMUL1: "esp", asm.DIV: "obesp", asm.IDIV: "obesp",
	asm.SHL: "ob", asm.SHR: "ob", asm.SAR: "ob", asm.SHLCL: "ob", asm.SHRCL: "ob", asm.SARCL: "ob",
	asm.ROL: "o", asm.ROR: "o", asm.ROLCL: "o", asm.RORCL: "o",
	asm.BSF: "obsp", asm.BSR: "obsp", asm.TZCNT: "osp", asm.LZCNT: "osp", asm.BEXTR: "sp", asm.ANDN: "p",
	asm.BZHI: "p", asm.BLSR: "p", asm.BLSI: "p", asm.BLSMSK: "p",
}

// difference says what differs between the two results, or nothing.
func difference(in *asm.Inst, want, got, before []byte) string {
	skip := undefined[in.Op]
	for i, f := range map[int]string{0: "o", 2: "b", 4: "e", 8: "s", 10: "p"} {
		if want[offFlags+i] != got[offFlags+i] && !strings.Contains(skip, f) {
			return fmt.Sprintf("flag %s: expected %d, got %d", f, want[offFlags+i], got[offFlags+i])
		}
	}
	copy(got[offFlags:offFlags+16], want[offFlags:offFlags+16])
	name := in.Op.String()
	approximate := strings.HasPrefix(name, "vrcp14") || strings.HasPrefix(name, "vrsqrt14")
	for i := 0; i < state; i += 8 {
		w, g := binary.LittleEndian.Uint64(want[i:]), binary.LittleEndian.Uint64(got[i:])
		if w != g && !(approximate && near(name, w, g)) {
			return fmt.Sprintf("%s: expected %016x, got %016x\nbefore: %s", place(i), w, g, operands(in, before, i))
		}
	}
	return ""
}

func place(i int) string {
	switch {
	case i < offMask:
		return fmt.Sprintf("v%d word %d", i/64, i%64/8)
	case i < offGP:
		return fmt.Sprintf("k%d", (i-offMask)/8)
	case i < offMem:
		return fmt.Sprintf("r%d", (i-offGP)/8)
	}
	return fmt.Sprintf("memory byte %d", i-offMem)
}

func operands(in *asm.Inst, before []byte, at int) string {
	var b strings.Builder
	kinds := in.Kinds()
	for i := range int(in.N) {
		switch {
		case i == in.MemAt():
			fmt.Fprintf(&b, "memory ")
		case kinds[i].IsGeneral():
			fmt.Fprintf(&b, "r%d=%x ", in.Reg[i], binary.LittleEndian.Uint64(before[offGP+8*int(in.Reg[i]):]))
		case kinds[i] == asm.Opmask:
			fmt.Fprintf(&b, "k%d=%x ", in.Reg[i], binary.LittleEndian.Uint64(before[offMask+8*int(in.Reg[i]):]))
		default:
			word := offVec + 64*int(in.Reg[i]) + at%64
			fmt.Fprintf(&b, "v%d=%x ", in.Reg[i], binary.LittleEndian.Uint64(before[word:]))
		}
	}
	return b.String()
}

// near allows the relative error of 2^-14 that the approximations have.
func near(name string, w, g uint64) bool {
	if strings.HasSuffix(name, "d") {
		return close14(math.Float64frombits(w), math.Float64frombits(g))
	}
	return close14(float64(math.Float32frombits(uint32(w))), float64(math.Float32frombits(uint32(g)))) &&
		close14(float64(math.Float32frombits(uint32(w>>32))), float64(math.Float32frombits(uint32(g>>32))))
}

func close14(x, y float64) bool {
	return math.Float64bits(x) == math.Float64bits(y) || math.Abs(x-y) <= math.Abs(x)*0x1p-13+0x1p-1074*4 ||
		math.IsNaN(x) && math.IsNaN(y)
}
