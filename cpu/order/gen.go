package order

import (
	"encoding/binary"
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
)

// args is the argument block of every kernel. What a kernel makes of a field stands at its emitter.
type args struct {
	a, b, c unsafe.Pointer
	n       int
	x       [4]uint64 // given to each lane
	count   int
	at      int
	limit   int
}

// Offsets of its fields.
const (
	argA = 8 * iota
	argB
	argC
	argN
	argX
	argCount = argX + 32
	argAt    = argCount + 8
	argLimit = argAt + 8
)

// gen emits code for lanes of size bytes.
type gen struct {
	*asm.Assembler
	wide  bool // AVX-512, else AVX2
	size  int
	lanes int
	vl    asm.Size
}

func newGen(a *asm.Assembler, wide bool, size int) gen {
	g := gen{Assembler: a, wide: wide, size: size, vl: asm.VL256}
	if wide {
		g.vl = asm.VL512
	}
	g.lanes = int(g.vl) / 8 / size
	return g
}

// bytes is the size of a vector.
func (g *gen) bytes() int { return int(g.vl) / 8 }

// by returns the instruction for lanes of 4 bytes or the one for 8.
func (g *gen) by(dword, qword asm.Op) asm.Op {
	if g.size == 4 {
		return dword
	}
	return qword
}

func (g *gen) arg(at int) asm.Mem { return asm.M(asm.RDI, int32(at)) }

// load sets a general register to an argument.
func (g *gen) load(r asm.Reg, at int) { g.RM(asm.MOV, asm.W64, r, g.arg(at)) }

// spread sets the lanes of v to an argument.
func (g *gen) spread(v asm.Vec, at int) {
	g.V2M(g.by(asm.VPBROADCASTD, asm.VPBROADCASTQ), g.vl, v, g.arg(at))
}

// move is the instruction that loads and stores vectors; under an opmask its elements are lanes.
func (g *gen) move() asm.Op { return g.by(asm.VMOVDQU32, asm.VMOVDQU64) }

// lanesConst is a constant vector.
func (g *gen) lanesConst(f func(lane int) int) asm.Mem {
	var b []byte
	for i := range g.lanes {
		if g.size == 4 {
			b = binary.LittleEndian.AppendUint32(b, uint32(f(i)))
		} else {
			b = binary.LittleEndian.AppendUint64(b, uint64(f(i)))
		}
	}
	return g.Const(b)
}

// negate flips the bits that are set in negative of the lanes of v that are below zero. t is changed; zero, which is
// needed for AVX2 and 8 bytes, holds zeros.
func (g *gen) negate(v, t, negative, zero asm.Vec) {
	switch {
	case g.wide:
		const xorAnd = 0x78 // A ^ B&C
		g.V2I(g.by(asm.VPSRADI, asm.VPSRAQI), g.vl, t, v, uint8(8*g.size-1))
		g.V3I(asm.VPTERNLOGD, g.vl, v, t, negative, xorAnd)
		return
	case g.size == 4:
		g.V2I(asm.VPSRADI, g.vl, t, v, 31)
	default:
		g.V3(asm.VPCMPGTQ, g.vl, t, zero, v)
	}
	g.V3(asm.VPANDD, g.vl, t, t, negative)
	g.V3(asm.VPXORD, g.vl, v, v, t)
}

// end emits the way out of a kernel.
func (g *gen) end() {
	g.Zero0(asm.VZEROUPPER)
	g.Ret()
}

// aligned is what loops begin at a multiple of.
const aligned = 32
