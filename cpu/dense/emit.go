package dense

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
)

// stepArgs is the argument block of a kernel; distances are bytes.
type stepArgs struct {
	depth, steps              int
	a, b, c, inverse          unsafe.Pointer
	depthA, stepA, rowB, rowC int
}

// Offsets of its fields.
const (
	argDepth = 8 * iota
	argSteps
	argA
	argB
	argC
	argInverse
	argDepthA
	argStepA
	argRowB
	argRowC
)

// Registers of a kernel. What starts with reg and ends with Now walks along the depth, or down the rows of a block.
const (
	regDepthNow = asm.RCX
	regANow     = asm.RAX
	regBNow     = asm.RBX
	regCNow     = asm.RDX
	regA        = asm.R12
	regC        = asm.RSI
	regDepth    = asm.R13
	regInverse  = asm.R14
	regSteps    = asm.R11
	regDepthA   = asm.R8
	regRowB     = asm.R9
	regRowC     = asm.R10
)

// unroll is the depths of one turn of the innermost loop.
const unroll = 4

// step emits a kernel: blocks of mr rows and nv vectors, one below the other.
type step struct {
	*asm.Assembler
	vl                     asm.Size
	vector, size, mr, nv   int
	solves                 bool
	move, spread, fma, mul asm.Op
	firstB, firstBc, count int // registers: of B, of what is broadcast, and how many those are
}

func newStep(tier exec.Tier, size int) *step {
	s := &step{vector: tier.VectorBytes(), size: size, mr: 4, move: asm.VMOVUPS, spread: asm.VBROADCASTSS,
		fma: asm.VFNMADD231PS, mul: asm.VMULPS}
	if size == 8 {
		s.move, s.spread, s.fma, s.mul = asm.VMOVUPD, asm.VBROADCASTSD, asm.VFNMADD231PD, asm.VMULPD
	}
	s.vl, s.count = asm.Size(8*s.vector), 1
	if s.vector == 64 {
		s.mr, s.count = 8, 4
	}
	s.firstB = s.mr * MostVectors
	s.firstBc = s.firstB + MostVectors
	return s
}

func (s *step) sum(i, j int) asm.Vec { return asm.Vec(i*s.nv + j) }

func (s *step) emit() {
	for _, load := range []struct {
		reg asm.Reg
		at  int32
	}{{regA, argA}, {regC, argC}, {regDepth, argDepth}, {regSteps, argSteps}, {regDepthA, argDepthA},
		{regRowB, argRowB}, {regRowC, argRowC}, {regInverse, argInverse}} {
		s.RM(asm.MOV, asm.W64, load.reg, asm.M(asm.RDI, load.at))
	}
	next := s.Here()
	s.begin()
	s.loop()
	if s.solves {
		s.triangle()
	}
	s.end()
	s.RI(asm.SUB, asm.W64, regSteps, 1)
	s.Jcc(asm.NE, next)
	s.Zero0(asm.VZEROUPPER)
	s.Ret()
}

// begin loads a block.
func (s *step) begin() {
	s.RR(asm.MOV, asm.W64, regDepthNow, regDepth)
	s.RR(asm.MOV, asm.W64, regANow, regA)
	s.RM(asm.MOV, asm.W64, regBNow, asm.M(asm.RDI, argB))
	s.RR(asm.MOV, asm.W64, regCNow, regC)
	for i := range s.mr {
		for j := range s.nv {
			s.V2M(s.move, s.vl, s.sum(i, j), asm.M(regCNow, int32(j*s.vector)))
		}
		s.RR(asm.ADD, asm.W64, regCNow, regRowC)
	}
}

// loop walks along the depth.
func (s *step) loop() {
	turn, rest, one, done := s.NewLabel(), s.NewLabel(), s.NewLabel(), s.NewLabel()
	s.RI(asm.SUB, asm.W64, regDepthNow, unroll)
	s.Jcc(asm.L, rest)
	s.Align(align)
	s.Bind(turn)
	for range unroll {
		s.depth()
	}
	s.RI(asm.SUB, asm.W64, regDepthNow, unroll)
	s.Jcc(asm.GE, turn)
	s.Bind(rest)
	s.RI(asm.ADD, asm.W64, regDepthNow, unroll)
	s.Jcc(asm.E, done)
	s.Bind(one)
	s.depth()
	s.RI(asm.SUB, asm.W64, regDepthNow, 1)
	s.Jcc(asm.NE, one)
	s.Bind(done)
}

// depth subtracts the products of one depth.
func (s *step) depth() {
	for j := range s.nv {
		s.V2M(s.move, s.vl, asm.Vec(s.firstB+j), asm.M(regBNow, int32(j*s.vector)))
	}
	for i := range s.mr {
		x := s.broadcast(i, regANow)
		for j := range s.nv {
			s.V3(s.fma, s.vl, s.sum(i, j), asm.Vec(s.firstB+j), x)
		}
	}
	s.RR(asm.ADD, asm.W64, regANow, regDepthA)
	s.RR(asm.ADD, asm.W64, regBNow, regRowB)
}

// broadcast returns a register that holds number i behind reg in all lanes.
func (s *step) broadcast(i int, reg asm.Reg) asm.Vec {
	v := asm.Vec(s.firstBc + i%s.count)
	s.V2M(s.spread, s.vl, v, asm.M(reg, int32(i*s.size)))
	return v
}

// triangle solves for the block: A has come to the first of its columns.
func (s *step) triangle() {
	for i := range s.mr {
		x := s.broadcast(i, regInverse)
		for j := range s.nv {
			s.V3(s.mul, s.vl, s.sum(i, j), s.sum(i, j), x)
		}
		for r := i + 1; r < s.mr; r++ {
			x := s.broadcast(r, regANow)
			for j := range s.nv {
				s.V3(s.fma, s.vl, s.sum(r, j), s.sum(i, j), x)
			}
		}
		s.RR(asm.ADD, asm.W64, regANow, regDepthA)
	}
	s.RI(asm.ADD, asm.W64, regDepth, int64(s.mr))
	s.RI(asm.ADD, asm.W64, regInverse, int64(s.mr*s.size))
}

// end stores the block and goes to the next one.
func (s *step) end() {
	for i := range s.mr {
		for j := range s.nv {
			s.MV(s.move, s.vl, asm.M(regC, int32(j*s.vector)), s.sum(i, j))
		}
		s.RR(asm.ADD, asm.W64, regC, regRowC)
	}
	s.RM(asm.ADD, asm.W64, regA, asm.M(asm.RDI, argStepA))
}
