package emu

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/goxla/xla/cpu/asm"
)

func assemble(t *testing.T, emit func(a *asm.Assembler)) []byte {
	t.Helper()
	var a asm.Assembler
	emit(&a)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// TestKernel runs a whole kernel: a sum of f32 with a masked tail.
func TestKernel(t *testing.T) {
	code := assemble(t, func(a *asm.Assembler) {
		a.RM(asm.MOV, asm.W64, asm.RAX, asm.M(asm.RDI, 0))  // data
		a.RM(asm.MOV, asm.W64, asm.RCX, asm.M(asm.RDI, 8))  // count
		a.RM(asm.MOV, asm.W64, asm.RDX, asm.M(asm.RDI, 16)) // result
		a.V3(asm.VXORPS, asm.VL128, 0, 0, 0)
		tail, done := a.NewLabel(), a.NewLabel()
		loop := a.Here()
		a.RI(asm.CMP, asm.W64, asm.RCX, 16)
		a.Jcc(asm.L, tail)
		a.V3M(asm.VADDPS, asm.VL512, 0, 0, asm.M(asm.RAX, 0))
		a.RI(asm.ADD, asm.W64, asm.RAX, 64)
		a.RI(asm.SUB, asm.W64, asm.RCX, 16)
		a.Jmp(loop)
		a.Bind(tail)
		a.RI(asm.MOV, asm.W64, asm.R8, -1)
		a.RRR(asm.BZHI, asm.W64, asm.R8, asm.R8, asm.RCX)
		a.KG(asm.KMOVQKR, 1, asm.R8)
		a.V3M(asm.VADDPS, asm.VL512, 0, 0, asm.M(asm.RAX, 0), asm.Mask(1))
		a.Bind(done)
		a.V3M(asm.VMULPS, asm.VL512, 0, 0, a.Const32(math.Float32bits(2)), asm.Bcst)
		a.MV(asm.VMOVUPS, asm.VL512, asm.M(asm.RDX, 0), 0)
		a.Zero0(asm.VZEROUPPER)
		a.Ret()
	})
	data := make([]byte, 37*4)
	var want [16]float32
	for i := range 37 {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(float32(i)))
		want[i%16] += 2 * float32(i)
	}
	out := make([]byte, 64)
	args := binary.LittleEndian.AppendUint64(nil, 0x10000)
	args = binary.LittleEndian.AppendUint64(args, 37)
	args = binary.LittleEndian.AppendUint64(args, 0x20000)
	m := New()
	m.Map(0x10000, data, false)
	m.Map(0x20000, out, true)
	m.Map(0x30000, args, false)
	if err := m.Call(code, 0x30000); err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(out[4*i:])); got != w {
			t.Errorf("lane %d: expected %v, got %v", i, w, got)
		}
	}
	m.VEXOnly = true
	m.decoded = make([]*inst, len(code))
	if err := m.Call(code, 0x30000); err == nil || !strings.Contains(err.Error(), "needs EVEX") {
		t.Errorf("VEXOnly: expected an error, got %v", err)
	}
}

// TestRules: what a kernel may not do is an error that names place and instruction.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		name string
		emit func(a *asm.Assembler)
		want string
	}{
		{"load outside", func(a *asm.Assembler) { a.RM(asm.MOV, asm.W64, asm.RAX, asm.M(asm.RDI, 60)) },
			"mov rax, qword ptr [rdi+60] at 0x0: load of 8 bytes at 0x103c"},
		{"store to read-only", func(a *asm.Assembler) { a.MI(asm.MOV, asm.W32, asm.M(asm.RDI, 0), 1) }, "read-only"},
		{"wild", func(a *asm.Assembler) { a.V2M(asm.VMOVUPS, asm.VL256, 0, asm.M(asm.R9, 0)) }, "outside the mapped"},
		{"masked lane outside", func(a *asm.Assembler) {
			a.RI(asm.MOV, asm.W32, asm.RAX, 3)
			a.KG(asm.KMOVWKR, 1, asm.RAX)
			a.V2M(asm.VMOVUPS, asm.VL512, 0, asm.M(asm.RDI, 60), asm.MaskZ(1))
		}, "load of 4 bytes at 0x1040"},
		{"unaligned", func(a *asm.Assembler) { a.V2M(asm.VMOVAPS, asm.VL256, 0, asm.M(asm.RDI, 16)) }, "multiple of 32"},
		{"stack pointer", func(a *asm.Assembler) { a.RI(asm.SUB, asm.W64, asm.RSP, 8); a.Ret() }, "RSP or RBP"},
		{"dirty upper", func(a *asm.Assembler) {
			a.V3(asm.VPCMPEQD, asm.VL256, 1, 1, 1)
			a.Ret()
		}, "expected VZEROUPPER"},
		{"endless", func(a *asm.Assembler) { a.Jmp(a.Here()) }, "no return after"},
		{"runs off", func(a *asm.Assembler) { a.Zero0(asm.NOP) }, "outside the code"},
		{"trap", func(a *asm.Assembler) { a.Zero0(asm.UD2) }, "reached"},
		{"division", func(a *asm.Assembler) {
			a.RR(asm.XOR, asm.W32, asm.RCX, asm.RCX)
			a.R(asm.DIV, asm.W64, asm.RCX)
		}, "overflows"},
		{"tile", func(a *asm.Assembler) { a.T1(asm.TILEZERO, 1) }, "no shape"},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			m := New()
			m.Limit = 1000
			m.Map(0x1000, make([]byte, 64), false)
			err := m.Call(assemble(t, c.emit), 0x1000)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("expected an error with %q, got %v", c.want, err)
			}
		})
	}
}

// TestMaskedTail: lanes that a mask leaves out touch no memory.
func TestMaskedTail(t *testing.T) {
	code := assemble(t, func(a *asm.Assembler) {
		a.RI(asm.MOV, asm.W32, asm.RAX, 7)
		a.KG(asm.KMOVWKR, 1, asm.RAX)
		a.V2M(asm.VMOVUPS, asm.VL512, 16, asm.M(asm.RDI, 0), asm.MaskZ(1))
		a.MV(asm.VMOVUPS, asm.VL512, asm.M(asm.RDI, 0), 16, asm.Mask(1))
		a.V2M(asm.VMOVUPS, asm.VL256, 2, asm.At(signMask(a, 7), 0))
		a.V3M(asm.VMASKMOVPS, asm.VL256, 3, 2, asm.M(asm.RDI, 0))
		a.MV2(asm.VMASKMOVPS, asm.VL256, asm.M(asm.RDI, 0), 2, 3)
		a.Zero0(asm.VZEROUPPER)
		a.Ret()
	})
	m := New()
	m.Map(0x1000, make([]byte, 12), true)
	if err := m.Call(code, 0x1000); err != nil {
		t.Error(err)
	}
}

// signMask is a mask for VMASKMOV whose low bits say which lanes take part.
func signMask(a *asm.Assembler, bits int) asm.Label {
	var b [32]byte
	for i := range 8 {
		if bits>>i&1 == 1 {
			b[4*i+3] = 0x80
		}
	}
	return a.Const(b[:]).Label
}

func bf16(x float32) uint16 { return uint16(math.Float32bits(x) >> 16) }

// TestTiles compares products of tiles with their definition, on values for which every order of sums is exact.
func TestTiles(t *testing.T) {
	const rows, depth, cols = 5, 3, 7 // depth counts groups of four bytes
	for _, c := range []struct {
		op           asm.Op
		signA, signB bool
		float, half  bool
	}{
		{op: asm.TDPBSSD, signA: true, signB: true}, {op: asm.TDPBSUD, signA: true}, {op: asm.TDPBUSD, signB: true},
		{op: asm.TDPBUUD}, {op: asm.TDPBF16PS, float: true}, {op: asm.TDPFP16PS, float: true, half: true},
	} {
		t.Run(c.op.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(c.op)))
			mem := make([]byte, 4096)
			mem[0] = 1
			set := func(tile, rows, bytes int) { mem[16+2*tile], mem[48+tile] = byte(bytes), byte(rows) }
			set(0, rows, cols*4)
			set(1, rows, depth*4)
			set(2, depth, cols*4)
			a, b := mem[1024:1024+rows*64], mem[2048:2048+depth*64]
			for _, s := range [][]byte{a, b} {
				for i := 0; i < len(s); i += 2 {
					v := uint16(r.Uint32())
					if c.float {
						v = bf16(float32(r.IntN(33) - 16))
						if c.half {
							v = uint16(singleToHalf(uint64(v)<<16, asm.RN))
						}
					}
					binary.LittleEndian.PutUint16(s[i:], v)
				}
			}
			for i := range rows * 16 {
				v := r.Uint32()
				if c.float {
					v = math.Float32bits(float32(r.IntN(100)))
				}
				binary.LittleEndian.PutUint32(mem[3072+4*i:], v)
			}
			before := append([]byte(nil), mem[3072:]...)
			m := New()
			m.Map(0x4000, mem, true)
			if err := m.Call(assemble(t, func(as *asm.Assembler) { tileKernel(as, c.op) }), 0x4000); err != nil {
				t.Fatal(err)
			}
			single := elementOf(c.float, c.half)
			for i := range rows {
				for j := range cols {
					acc := binary.LittleEndian.Uint32(before[i*64+j*4:])
					want := tileDot(acc, a[i*64:], b[j*4:], depth, c.signA, c.signB, single)
					if got := binary.LittleEndian.Uint32(mem[3072+i*64+j*4:]); got != want {
						t.Fatalf("[%d,%d]: expected %#x, got %#x", i, j, want, got)
					}
				}
			}
		})
	}
}

// elementOf reads one element of a pair, bfloat16 or half; it is nil for bytes.
func elementOf(float, half bool) func(x uint16) float32 {
	switch {
	case half:
		return func(x uint16) float32 { return float32(f32.value(halfToSingle(uint64(x), asm.RN))) }
	case float:
		return func(x uint16) float32 { return math.Float32frombits(uint32(x) << 16) }
	}
	return nil
}

func tileKernel(a *asm.Assembler, op asm.Op) {
	a.TileConfig(asm.M(asm.RDI, 0))
	a.RI(asm.MOV, asm.W64, asm.RAX, 64)
	a.TM(asm.TILELOADD, 1, asm.MX(asm.RDI, asm.RAX, 1, 1024))
	a.TM(asm.TILELOADDT1, 2, asm.MX(asm.RDI, asm.RAX, 1, 2048))
	a.TM(asm.TILELOADD, 0, asm.MX(asm.RDI, asm.RAX, 1, 3072))
	a.T3(op, 0, 1, 2)
	a.MT(asm.TILESTORED, asm.MX(asm.RDI, asm.RAX, 1, 3072), 0)
	a.Zero0(asm.TILERELEASE)
	a.Ret()
}

// tileDot is the definition: a is a row, b starts at a column whose groups lie 64 bytes apart.
func tileDot(acc uint32, a, b []byte, depth int, signA, signB bool, single func(x uint16) float32) uint32 {
	if single != nil {
		sum := math.Float32frombits(acc)
		for k := range depth {
			for j := range 2 {
				x := single(binary.LittleEndian.Uint16(a[4*k+2*j:]))
				y := single(binary.LittleEndian.Uint16(b[64*k+2*j:]))
				sum += float32(x * y)
			}
		}
		return math.Float32bits(sum)
	}
	value := func(x byte, sign bool) int32 {
		if sign {
			return int32(int8(x))
		}
		return int32(x)
	}
	for k := range depth {
		for j := range 4 {
			acc += uint32(value(a[4*k+j], signA) * value(b[64*k+j], signB))
		}
	}
	return acc
}

// TestBF16 holds the bfloat16 instructions, which few CPUs have, to written-out results.
func TestBF16(t *testing.T) {
	for _, c := range []struct{ x, want uint64 }{
		{0x3F800000, 0x3F80}, {0x3F808000, 0x3F80}, {0x3F818000, 0x3F82}, {0x3F808001, 0x3F81}, {0x7F800001, 0x7FC0},
		{0xFFC00000, 0xFFC0}, {0x00000001, 0}, {0x807FFFFF, 0x8000}, {0x7F7FFFFF, 0x7F80}, {0xFF800000, 0xFF80},
	} {
		if got := singleToBF16(c.x); got != c.want {
			t.Errorf("%#x: expected %#x, got %#x", c.x, c.want, got)
		}
	}
	one, two, tiny := uint64(bf16(1)), uint64(bf16(2)), uint64(1)
	for _, c := range []struct{ acc, x, y, want uint64 }{
		{f32.bits(3), two, two, f32.bits(7)},
		{f32.bits(3), tiny, two, f32.bits(3)}, // denormals count as zeros
		{1, one, uint64(bf16(0)), 0},
		{f32.sign | f32.inf, uint64(bf16(float32(math.Inf(1)))), one, f32.indefinite()},
	} {
		if got := bf16Step(c.acc, c.x, c.y); got != c.want {
			t.Errorf("%#x + %#x*%#x: expected %#x, got %#x", c.acc, c.x, c.y, c.want, got)
		}
	}
}

// TestBF16Lanes: which lanes the bfloat16 instructions pair.
func TestBF16Lanes(t *testing.T) {
	code := assemble(t, func(a *asm.Assembler) {
		a.V2M(asm.VMOVUPS, asm.VL128, 1, asm.M(asm.RDI, 0)) // 1 2 3 4
		a.RI(asm.MOV, asm.W32, asm.RAX, 0x9F)
		a.KG(asm.KMOVDKR, 1, asm.RAX)
		a.V3M(asm.VCVTNE2PS2BF16, asm.VL128, 2, 1, asm.M(asm.RDI, 4), asm.Bcst)
		a.V3M(asm.VCVTNE2PS2BF16, asm.VL128, 3, 1, asm.M(asm.RDI, 4), asm.Bcst, asm.MaskZ(1))
		a.V2(asm.VCVTNEPS2BF16, asm.VL128, 4, 1)
		a.V3(asm.VXORPS, asm.VL128, 5, 5, 5)
		a.V3(asm.VDPBF16PS, asm.VL128, 5, 4, 2)
		for i := range asm.Vec(4) {
			a.MV(asm.VMOVUPS, asm.VL128, asm.M(asm.RDI, 16+16*int32(i)), i+2)
		}
		a.Ret()
	})
	mem := make([]byte, 80)
	for i := range 4 {
		binary.LittleEndian.PutUint32(mem[4*i:], math.Float32bits(float32(i+1)))
	}
	m := New()
	m.Map(0x1000, mem, true)
	if err := m.Call(code, 0x1000); err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float32{{2, 2, 2, 2, 1, 2, 3, 4}, {2, 2, 2, 2, 1, 0, 0, 4}, {1, 2, 3, 4, 0, 0, 0, 0}} {
		for j, w := range want {
			if got := binary.LittleEndian.Uint16(mem[16+16*i+2*j:]); got != bf16(w) {
				t.Errorf("result %d, lane %d: expected %#x, got %#x", i, j, bf16(w), got)
			}
		}
	}
	for j, w := range []float32{2*1 + 2*2, 2*3 + 2*4, 0, 0} {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(mem[64+4*j:])); got != w {
			t.Errorf("dot product, lane %d: expected %v, got %v", j, w, got)
		}
	}
}

// TestComplete: every instruction of the encoder is executed.
func TestComplete(t *testing.T) {
	for op := asm.Op(1); int(op) < asm.NumOps; op++ {
		if execs()[op] == nil {
			t.Errorf("%s has no emulation", op)
		}
	}
}

func BenchmarkLoop(b *testing.B) {
	var a asm.Assembler
	a.RI(asm.MOV, asm.W32, asm.RCX, 1000)
	loop := a.Here()
	a.V3(asm.VFMADD231PS, asm.VL256, 0, 1, 2)
	a.V3(asm.VPADDD, asm.VL256, 3, 3, 4)
	a.RI(asm.ADD, asm.W64, asm.RAX, 32)
	a.RI(asm.SUB, asm.W64, asm.RCX, 1)
	a.Jcc(asm.NE, loop)
	a.Zero0(asm.VZEROUPPER)
	a.Ret()
	code, err := a.Finish()
	if err != nil {
		b.Fatal(err)
	}
	m := New()
	for b.Loop() {
		if err := m.Call(code, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(5000*float64(b.N)/b.Elapsed().Seconds()/1e6, "Minst/s")
}
