package dense

import (
	"unsafe"

	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/exec"
)

// triangleArgs is the argument block of the kernels of Triangles; distances are bytes.
type triangleArgs struct {
	blocks, depth    int            // blocks of rows, and the rows in front of them
	a, in            unsafe.Pointer // where the blocks begin
	b                unsafe.Pointer // row 0 of the solution
	inverse          unsafe.Pointer
	rowA, colA       int
	rowIn, rowB      int
	isOne, conjugate int // the diagonal is of ones; the matrix is the conjugate of a
}

// Offsets of its fields.
const (
	argBlocks = 8 * iota
	argDeep
	argL
	argIn
	argX
	argInverses
	argRowL
	argColL
	argRowIn
	argRowX
	argIsOne
	argConjugate
)

// Registers beside those of step.
const (
	regIn     = asm.RSI
	regBlocks = asm.R15
	regThree  = asm.R11 // three rows of the triangle
)

// triangleRows is the most rows of a block.
const triangleRows = 4

// triangles emits kernels that solve triangular systems of complex numbers, whose vectors are pairs of parts. Products
// with the real part of a factor are subtracted at once. Those with the imaginary part are added up, and change places
// within the pairs when the sum is complete.
type triangles struct {
	*asm.Assembler
	vl                                              asm.Size
	vector, size, rows, nv                          int
	move, spread, less, more, times, minus, altered asm.Op
}

func newTriangles(a *asm.Assembler, size int) *triangles {
	if size == 8 {
		return &triangles{Assembler: a, size: size, move: asm.VMOVUPD, spread: asm.VBROADCASTSD,
			less: asm.VFNMADD231PD, more: asm.VFMADD231PD, times: asm.VMULPD, minus: asm.VSUBPD,
			altered: asm.VFMADDSUB213PD}
	}
	return &triangles{Assembler: a, size: size, move: asm.VMOVUPS, spread: asm.VBROADCASTSS,
		less: asm.VFNMADD231PS, more: asm.VFMADD231PS, times: asm.VMULPS, minus: asm.VSUBPS,
		altered: asm.VFMADDSUB213PS}
}

// of sets how large blocks are: nv vectors, or half a vector for 0. As many rows as there are registers for.
func (s *triangles) of(tier exec.Tier, nv int) {
	s.vector, s.rows, s.nv = tier.VectorBytes(), triangleRows, nv
	if tier < exec.AVX512 && nv > 1 {
		s.rows = triangleRows / 2
	}
	if nv == 0 {
		s.vector, s.nv = s.vector/2, 1
	}
	s.vl = asm.Size(8 * s.vector)
}

// sum is the register of row i and vector j of the block, cross that of the sum of products with imaginary parts.
func (s *triangles) sum(i, j int) asm.Vec   { return asm.Vec(i*s.nv + j) }
func (s *triangles) cross(i, j int) asm.Vec { return asm.Vec((s.rows+i)*s.nv + j) }

// free is a register behind those.
func (s *triangles) free(i int) asm.Vec { return asm.Vec(2*s.rows*s.nv + i) }

// Registers: parts of a factor, something turned, and the signs.
func (s *triangles) re() asm.Vec     { return s.free(s.nv) }
func (s *triangles) im() asm.Vec     { return s.free(s.nv + 1) }
func (s *triangles) turned() asm.Vec { return s.free(s.nv + 2) }
func (s *triangles) signs() asm.Vec  { return s.free(s.nv + 3) }

// emit emits the kernels of a width: at[n] begins with n rows, which have none in front of them.
func (s *triangles) emit() (at [triangleRows]int) {
	next, done := s.NewLabel(), s.NewLabel()
	for head := s.rows - 1; head >= 0; head-- {
		s.Align(align)
		at[head] = s.Len()
		for _, load := range []struct {
			reg asm.Reg
			at  int32
		}{{regBlocks, argBlocks}, {regDepth, argDeep}, {regA, argL}, {regIn, argIn}, {regInverse, argInverses},
			{regRowC, argRowL}, {regDepthA, argColL}, {regRowB, argRowX}} {
			s.RM(asm.MOV, asm.W64, load.reg, asm.M(asm.RDI, load.at))
		}
		s.loadSigns()
		s.RR(asm.MOV, asm.W64, regThree, regRowC)
		s.RR(asm.ADD, asm.W64, regThree, regRowC)
		s.RR(asm.ADD, asm.W64, regThree, regRowC)
		if head > 0 {
			s.block(head, false)
			s.RR(asm.TEST, asm.W64, regBlocks, regBlocks)
			s.Jcc(asm.E, done)
			s.Jmp(next)
		}
	}
	s.Align(align)
	s.Bind(next)
	s.block(s.rows, true)
	s.RI(asm.SUB, asm.W64, regBlocks, 1)
	s.Jcc(asm.NE, next)
	s.Bind(done)
	s.Zero0(asm.VZEROUPPER)
	s.Ret()
	return at
}

// loadSigns loads what changes the sign of the first part of each number, or of the second for a conjugate: the same, a
// part further.
func (s *triangles) loadSigns() {
	signs := make([]byte, s.vector+s.size)
	for at := s.size - 1; at < len(signs); at += 2 * s.size {
		signs[at] = 0x80
	}
	first, done := s.Data(signs), s.NewLabel()
	s.V2M(s.move, s.vl, s.signs(), first)
	s.MI(asm.CMP, asm.W64, asm.M(asm.RDI, argConjugate), 0)
	s.Jcc(asm.E, done)
	s.V2M(s.move, s.vl, s.signs(), first.Add(int32(s.size)))
	s.Bind(done)
}

// block solves for so many rows.
func (s *triangles) block(rows int, deep bool) {
	for i := range rows {
		for j := range s.nv {
			s.V2M(s.move, s.vl, s.sum(i, j), asm.M(regIn, int32(j*s.vector)))
			s.V3(asm.VPXORD, s.vl, s.cross(i, j), s.cross(i, j), s.cross(i, j))
		}
		s.RM(asm.ADD, asm.W64, regIn, asm.M(asm.RDI, argRowIn))
	}
	s.RR(asm.MOV, asm.W64, regANow, regA)
	s.RM(asm.MOV, asm.W64, regBNow, asm.M(asm.RDI, argX))
	if deep {
		s.products(rows)
	}
	for i := range rows {
		s.finish(i)
		for j := range s.nv {
			s.MV(s.move, s.vl, asm.M(regBNow, int32(j*s.vector)), s.sum(i, j))
		}
		for r := i + 1; r < rows; r++ {
			s.subtract(r, func(j int) asm.Vec { return s.sum(i, j) })
		}
		s.RR(asm.ADD, asm.W64, regBNow, regRowB)
		s.RR(asm.ADD, asm.W64, regANow, regDepthA)
		s.RR(asm.ADD, asm.W64, regA, regRowC)
	}
	s.RI(asm.ADD, asm.W64, regInverse, int64(2*rows*s.size))
	s.RI(asm.ADD, asm.W64, regDepth, int64(rows))
}

// products walks along the depth.
func (s *triangles) products(rows int) {
	next, done := s.NewLabel(), s.NewLabel()
	s.RR(asm.MOV, asm.W64, regDepthNow, regDepth)
	s.RR(asm.TEST, asm.W64, regDepthNow, regDepthNow)
	s.Jcc(asm.E, done)
	s.Align(align)
	s.Bind(next)
	for j := range s.nv {
		s.V2M(s.move, s.vl, s.free(j), asm.M(regBNow, int32(j*s.vector)))
	}
	for i := range rows {
		s.subtract(i, s.free)
	}
	s.RR(asm.ADD, asm.W64, regANow, regDepthA)
	s.RR(asm.ADD, asm.W64, regBNow, regRowB)
	s.RI(asm.SUB, asm.W64, regDepthNow, 1)
	s.Jcc(asm.NE, next)
	s.Bind(done)
}

// subtract subtracts from row i its factor, in the column of regANow, times x.
func (s *triangles) subtract(i int, x func(j int) asm.Vec) {
	at := []asm.Mem{asm.M(regANow, 0), asm.MX(regANow, regRowC, 1, 0), asm.MX(regANow, regRowC, 2, 0),
		asm.MX(regANow, regThree, 1, 0)}[i]
	s.factor(at)
	for j := range s.nv {
		s.V3(s.less, s.vl, s.sum(i, j), x(j), s.re())
		s.V3(s.more, s.vl, s.cross(i, j), x(j), s.im())
	}
}

// factor loads the two parts of a number, each into all lanes.
func (s *triangles) factor(at asm.Mem) {
	if s.size == 8 && s.vl == asm.VL128 { // there is no VBROADCASTSD
		s.V2M(s.move, s.vl, s.re(), at)
		s.V2I(asm.VPERMILPDI, s.vl, s.im(), s.re(), 3)
		s.V2I(asm.VPERMILPDI, s.vl, s.re(), s.re(), 0)
		return
	}
	s.V2M(s.spread, s.vl, s.re(), at)
	s.V2M(s.spread, s.vl, s.im(), at.Add(int32(s.size)))
}

// finish completes the sums of row i and divides them by the diagonal.
func (s *triangles) finish(i int) {
	for j := range s.nv {
		s.turn(s.cross(i, j), s.cross(i, j))
		s.V3(asm.VPXORD, s.vl, s.cross(i, j), s.cross(i, j), s.signs())
		s.V3(s.minus, s.vl, s.sum(i, j), s.sum(i, j), s.cross(i, j))
	}
	one := s.NewLabel()
	s.MI(asm.CMP, asm.W64, asm.M(asm.RDI, argIsOne), 0)
	s.Jcc(asm.NE, one)
	s.factor(asm.M(regInverse, int32(2*i*s.size)))
	for j := range s.nv {
		s.turn(s.turned(), s.sum(i, j))
		s.V3(s.times, s.vl, s.turned(), s.turned(), s.im())
		s.V3(s.altered, s.vl, s.sum(i, j), s.re(), s.turned())
	}
	s.Bind(one)
}

// turn lets the two parts of each number change places.
func (s *triangles) turn(to, from asm.Vec) {
	if s.size == 8 {
		s.V2I(asm.VPERMILPDI, s.vl, to, from, 0x55)
		return
	}
	s.V2I(asm.VPERMILPSI, s.vl, to, from, 0xB1)
}
