package emu

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// lived is code as a program: in place, as [Machine.Run] wants it.
func lived(t *testing.T, refuses func(*asm.Inst) bool, emit func(a *asm.Assembler)) *Program {
	t.Helper()
	return NewProgram(assemble(t, emit), refuses)
}

// TestRun: code works on memory of the process, with a constant of its own, scratch memory and a jump by a table.
func TestRun(t *testing.T) {
	p := lived(t, nil, func(a *asm.Assembler) {
		a.RM(asm.MOV, asm.W64, asm.RAX, asm.M(asm.RDI, 0))
		a.V2M(asm.VMOVUPS, asm.VL512, 1, asm.M(asm.RAX, 4))
		a.MV(asm.VMOVAPS, asm.VL512, asm.M(asm.RSI, 64), 1)
		skip := a.NewLabel()
		a.RM(asm.LEA, asm.W64, asm.RCX, asm.At(skip, 0))
		a.JmpR(asm.RCX)
		a.Zero0(asm.UD2)
		a.Bind(skip)
		a.V2M(asm.VMOVUPS, asm.VL512, 2, asm.M(asm.RSI, 64))
		a.V3M(asm.VMULPS, asm.VL512, 2, 2, a.Const32(math.Float32bits(2)), asm.Bcst)
		a.RM(asm.MOV, asm.W64, asm.RDX, asm.M(asm.RDI, 8))
		a.MV(asm.VMOVUPS, asm.VL512, asm.M(asm.RDX, 0), 2)
		a.Zero0(asm.VZEROUPPER)
		a.Ret()
	})
	from, to := make([]float32, 17), make([]float32, 16)
	for i := range from {
		from[i] = float32(i)
	}
	args := &[2]unsafe.Pointer{unsafe.Pointer(&from[0]), unsafe.Pointer(&to[0])}
	if err := New().Run(p, p.Base(), unsafe.Pointer(args), false); err != nil {
		t.Fatal(err)
	}
	for i, x := range to {
		if want := 2 * from[i+1]; x != want {
			t.Errorf("element %d: expected %v, got %v", i, want, x)
		}
	}
}

// TestRunRefuses: an instruction that the processor lacks is an error, once it is reached.
func TestRunRefuses(t *testing.T) {
	lacks := func(in *asm.Inst) bool { return in.Op == asm.VPOPCNTD }
	for _, reached := range []bool{false, true} {
		p := lived(t, lacks, func(a *asm.Assembler) {
			end := a.NewLabel()
			if !reached {
				a.Jmp(end)
			}
			a.V2(asm.VPOPCNTD, asm.VL512, 0, 0)
			a.Bind(end)
			a.Zero0(asm.VZEROUPPER)
			a.Ret()
		})
		err := New().Run(p, p.Base(), nil, false)
		if !reached && err != nil || reached && (err == nil || !strings.Contains(err.Error(), "vpopcntd zmm0, zmm0")) {
			t.Errorf("reached %v: got %v", reached, err)
		}
	}
}

// TestRunFlushes: denormal operands and results are zeros where they are to be, of f32 and of f64, and only of numbers.
func TestRunFlushes(t *testing.T) {
	const tiny32, least32, tiny64 = 0x80000123, 0x00800000, 0x0000000000000123
	p := lived(t, nil, func(a *asm.Assembler) {
		load := func(v asm.Vec, at int32) { a.V2M(asm.VMOVUPS, asm.VL128, v, asm.M(asm.RDI, at)) }
		store := func(at int32, v asm.Vec) { a.MV(asm.VMOVUPS, asm.VL128, asm.M(asm.RDI, at), v) }
		load(0, 0)  // tiny32
		load(1, 16) // least32
		load(2, 32) // a half
		load(3, 48) // tiny64
		load(4, 64) // 2^200
		a.V3(asm.VADDPS, asm.VL128, 5, 0, 0)
		store(80, 5)
		a.V3(asm.VMULPS, asm.VL128, 5, 1, 2)
		store(96, 5)
		a.V3(asm.VANDPS, asm.VL128, 5, 0, 0)
		store(112, 5)
		a.V3(asm.VMULPD, asm.VL128, 5, 3, 4)
		store(128, 5)
		a.V2(asm.VCVTPS2PD, asm.VL128, 5, 0)
		store(144, 5)
		a.Zero0(asm.VZEROUPPER)
		a.Ret()
	})
	for _, flush := range []bool{false, true} {
		state := new([160]byte)
		put := func(at int, x uint64) { binary.LittleEndian.PutUint64(state[at:], x) }
		put(0, tiny32)
		put(16, least32)
		put(32, uint64(math.Float32bits(0.5)))
		put(48, tiny64)
		put(64, math.Float64bits(math.Ldexp(1, 200)))
		if err := New().Run(p, p.Base(), unsafe.Pointer(state), flush); err != nil {
			t.Fatal(err)
		}
		want := [5]uint64{0x80000246, 0x00400000, tiny32, math.Float64bits(math.Ldexp(0x123, 200-1074)),
			math.Float64bits(-math.Ldexp(0x123, -149))}
		if flush {
			want = [5]uint64{1 << 31, 0, tiny32, 0, 1 << 63}
		}
		for i, w := range want {
			if got := binary.LittleEndian.Uint64(state[80+16*i:]); got != w {
				t.Errorf("flush %v: result %d: expected %#x, got %#x", flush, i, w, got)
			}
		}
	}
}

// BenchmarkRun is a loop of products and sums as kernels have them, in instructions.
func BenchmarkRun(b *testing.B) {
	var a asm.Assembler
	a.RI(asm.MOV, asm.W64, asm.RCX, 1000)
	loop := a.Here()
	for v := range asm.Vec(4) {
		a.V2M(asm.VMOVUPS, asm.VL512, v, asm.M(asm.RDI, 64*int32(v)))
		a.V3M(asm.VFMADD231PS, asm.VL512, 8+v, v, asm.M(asm.RDI, 0), asm.Bcst)
		a.V3(asm.VADDPS, asm.VL512, 16, v, v)
	}
	a.RI(asm.ADD, asm.W64, asm.RAX, 64)
	a.RI(asm.SUB, asm.W64, asm.RCX, 1)
	a.Jcc(asm.NE, loop)
	a.Zero0(asm.VZEROUPPER)
	a.Ret()
	code, err := a.Finish()
	if err != nil {
		b.Fatal(err)
	}
	state := new([64]float32)
	for i := range state {
		state[i] = 1 + float32(i)/3
	}
	p, m := NewProgram(code, nil), New()
	for steps := 0; b.Loop(); {
		if err := m.Run(p, p.Base(), unsafe.Pointer(state), false); err != nil {
			b.Fatal(err)
		}
		steps += m.Steps
		b.ReportMetric(float64(steps)/float64(b.Elapsed().Microseconds()+1), "M/s")
	}
}

// TestRunScratch: a store beside the scratch memory is an error.
func TestRunScratch(t *testing.T) {
	for at, fits := range map[int32]bool{-4: false, 0: true, scratchSize - 4: true, scratchSize: false} {
		p := lived(t, nil, func(a *asm.Assembler) {
			a.MI(asm.MOV, asm.W32, asm.M(asm.RSI, at), 1)
			a.Zero0(asm.VZEROUPPER)
			a.Ret()
		})
		if err := New().Run(p, p.Base(), nil, false); (err == nil) != fits {
			t.Errorf("store at %d: got %v", at, err)
		}
	}
}
