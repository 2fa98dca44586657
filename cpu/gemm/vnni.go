package gemm

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/shape"
)

// AVX-512 with VNNI multiplies bytes four at once: what is one depth to the micro-kernel are four of the operands, side
// by side in a lane, whose products are added to a sum of s32. One of the two has signs and the other has none. Where
// both are alike, the sign bits of A are flipped when they are loaded, which adds 128 to each element or takes it away,
// and the sums begin with what makes up for that: 128 times the sum of a column of B, negative or not (starter).

// leastVNNI is the least depth that is multiplied so.
const leastVNNI = 32

// canVNNI reports whether the product can go by four bytes at once: A along the depth, in runs of whole fours, or along
// the rows, B in one of the orders that kernels pack.
func (p *Product) canVNNI() bool {
	a, b := &p.spec.A, &p.spec.B
	if !p.config.VNNI || !p.regs.wide() || p.kind != kindS32 || !isByte(a.Type) || !isByte(b.Type) ||
		p.m < fewRows || p.k < leastVNNI {
		return false
	}
	_, ok := p.groupOrder(4)
	return ok && p.groupsOfA(4)
}

// flips reports whether sums begin with what makes up for flipped signs of A.
func (p *Product) flips() bool { return p.kind == kindVNNI && p.spec.A.Type == p.spec.B.Type }

// signBits is the sign bits of bytes.
const signBits = 0x80808080

// startKey is a kernel that makes the beginnings of the sums of a panel.
type startKey struct {
	vector, nv int
	unsigned   bool // B has no signs
}

// chooseStart finds it.
func (p *Product) chooseStart(f *form) {
	if p.flips() {
		f.start = startKey{p.regs.vector, f.nv, p.spec.B.Type == shape.U8}
	}
}

// begin makes the beginnings of the sums of a panel, in the part of the depth that is multiplied next, if they are not
// zeros.
func (w *task) begin(pn *panel) {
	fn := w.p.forms[pn.form].starter
	if fn == 0 {
		return
	}
	w.args.start = unsafe.Add(w.own, w.areas.block+w.areas.sums+w.areas.own)
	invoke(w.p, fn, &w.args)
}

// starter emits a kernel. Its vector registers are, from 0: two sums for each vector of the panel, a row of B, the sign
// bits: 128 to B with signs, -128 to B without.
type starter struct {
	*asm.Assembler
	startKey
	vl asm.Size
}

func emitStart(a *asm.Assembler, k startKey) {
	s := &starter{a, k, asm.Size(k.vector * 8)}
	s.RM(asm.MOV, asm.W64, regDepth, asm.M(asm.RDI, argDepth))
	s.RM(asm.MOV, asm.W64, regB, asm.M(asm.RDI, argB))
	s.RM(asm.MOV, asm.W64, regC, asm.M(asm.RDI, argStart))
	s.V2M(asm.VMOVDQU32, s.vl, s.signs(), s.Splat32(s.vl, signBits))
	for v := range 2 * k.nv {
		s.V3(asm.VPXORD, s.vl, asm.Vec(v), asm.Vec(v), asm.Vec(v))
	}
	turn, rest, done := s.NewLabel(), s.NewLabel(), s.NewLabel()
	s.RI(asm.SUB, asm.W64, regDepth, 2)
	s.Jcc(asm.L, rest)
	s.Bind(turn)
	s.row(0)
	s.row(1)
	s.RI(asm.ADD, asm.W64, regB, int64(2*k.nv*k.vector))
	s.RI(asm.SUB, asm.W64, regDepth, 2)
	s.Jcc(asm.GE, turn)
	s.Bind(rest)
	s.RI(asm.ADD, asm.W64, regDepth, 2)
	s.Jcc(asm.E, done)
	s.row(0)
	s.Bind(done)
	zero := s.signs()
	s.V3(asm.VPXORD, s.vl, zero, zero, zero)
	for j := range k.nv {
		sum := asm.Vec(j)
		s.V3(asm.VPADDD, s.vl, sum, sum, asm.Vec(k.nv+j))
		s.V3(asm.VPSUBD, s.vl, sum, zero, sum)
		s.MV(asm.VMOVDQU32, s.vl, asm.M(regC, int32(j*k.vector)), sum)
	}
	s.Zero0(asm.VZEROUPPER)
	s.Ret()
}

func (s *starter) signs() asm.Vec { return asm.Vec(3*s.nv + 1) }

// row adds row u of B to the sums of that number.
func (s *starter) row(u int) {
	for j := range s.nv {
		sum, b := asm.Vec(u*s.nv+j), asm.Vec(2*s.nv+j)
		s.V2M(asm.VMOVDQU32, s.vl, b, asm.M(regB, int32((u*s.nv+j)*s.vector)))
		if s.unsigned {
			s.V3(asm.VPDPBUSD, s.vl, sum, b, s.signs())
		} else {
			s.V3(asm.VPDPBUSD, s.vl, sum, s.signs(), b)
		}
	}
}

// startSums sets the sums to their beginnings.
func (m *micro) startSums() {
	m.RM(asm.MOV, asm.W64, regDepth, asm.M(asm.RDI, argStart))
	for j := range m.nv {
		m.V2M(asm.VMOVDQU32, m.vl, m.sum(0, j), asm.M(regDepth, int32(j*m.vector)))
	}
	for i := 1; i < m.mr; i++ {
		for j := range m.nv {
			m.V2(asm.VMOVDQU32, m.vl, m.sum(i, j), m.sum(0, j))
		}
	}
}
