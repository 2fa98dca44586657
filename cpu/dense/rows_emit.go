package dense

import "github.com/goxla/xla/cpu/asm"

// This file has the machine code of rows.go.

// Registers of the kernels of rows.
const (
	regCount = asm.RCX
	regAt    = asm.RAX
	regRow   = asm.R8
	regLeft  = asm.RBX
	regOut   = asm.RDX
	regSide  = asm.RSI
	regWide  = asm.R9
	regLane  = asm.R10
	regAbove = asm.R11
	regNext  = asm.R12 // and those behind: the other rows of a block
	// These are where others were that are not in use any more, or not there.
	regBeside = asm.R12
	regAlong  = asm.RDI
)

// rowsCode is where the kernels of rows are, by the vectors of a row.
type rowsCode struct {
	combines [group + 1]int
	turns    [rotated + 1]int
	update   int
	three    int
}

// emitRows emits the kernels of rows.
func (s *step) emitRows() (c rowsCode) {
	for nv := 1; nv <= rotated; nv++ {
		s.nv = nv
		s.Assembler.Align(align)
		c.turns[nv] = s.Len()
		s.rotations()
		if nv <= group {
			s.Assembler.Align(align)
			c.combines[nv] = s.Len()
			s.combination()
		}
	}
	s.Assembler.Align(align)
	c.update = s.Len()
	s.update()
	s.Assembler.Align(align)
	c.three = s.Len()
	s.three()
	return c
}

// load fills registers with arguments.
func (s *step) load(from map[asm.Reg]int32, order ...asm.Reg) {
	for _, reg := range order {
		s.RM(asm.MOV, asm.W64, reg, asm.M(asm.RDI, from[reg]))
	}
}

// finish ends a loop over count, and the kernel; end is what comes between.
func (s *step) finish(next asm.Label, by int64, end func()) {
	s.RI(asm.SUB, asm.W64, regCount, by)
	s.Jcc(asm.NE, next)
	end()
	s.Zero0(asm.VZEROUPPER)
	s.Ret()
}

// add is the instruction that adds a product.
func (s *step) add() asm.Op {
	if s.size == 8 {
		return asm.VFMADD231PD
	}
	return asm.VFMADD231PS
}

// combination emits the kernel that adds rows, each times a number, to s.nv vectors: two rows in a turn, each with
// sums of its own.
func (s *step) combination() {
	s.load(map[asm.Reg]int32{regCount: argCount, regAt: argAt, regRow: argRow, regLeft: argLeft, regOut: argOut},
		regCount, regAt, regRow, regLeft, regOut)
	sum := func(row, j int) asm.Vec { return asm.Vec(row*group + j) }
	for j := range s.nv {
		s.V2M(s.move, s.vl, sum(0, j), asm.M(regOut, int32(j*s.vector)))
		s.V3(asm.VPXORD, s.vl, sum(1, j), sum(1, j), sum(1, j))
	}
	s.Align(align)
	next := s.Here()
	for row := range 2 {
		x := asm.Vec(2*group + row)
		s.V2M(s.spread, s.vl, x, asm.M(regLeft, int32(row*s.size)))
		for j := range s.nv {
			s.V3M(s.add(), s.vl, sum(row, j), x, asm.M(regAt, int32(j*s.vector)))
		}
		s.RR(asm.ADD, asm.W64, regAt, regRow)
	}
	s.RI(asm.ADD, asm.W64, regLeft, int64(2*s.size))
	s.finish(next, 2, func() {
		for j := range s.nv {
			s.V3(s.plus(), s.vl, sum(0, j), sum(0, j), sum(1, j))
			s.MV(s.move, s.vl, asm.M(regOut, int32(j*s.vector)), sum(0, j))
		}
	})
}

func (s *step) plus() asm.Op {
	if s.size == 8 {
		return asm.VADDPD
	}
	return asm.VADDPS
}

// abreast is the rows of a block that an update walks along at once: what registers and pointers there are for.
func (s *step) abreast() int {
	if s.vector == 64 {
		return 4
	}
	return 2
}

// update emits the kernel of Update: the rows of a block, some side by side.
func (s *step) update() {
	s.load(map[asm.Reg]int32{regCount: argCount, regAt: argAt, regRow: argRow, regLeft: argLeft, regOut: argOut,
		regSide: argSide, regWide: argWidth, regAbove: argAbove, regBeside: argBeside, regAlong: argAlong},
		regCount, regAt, regRow, regLeft, regOut, regSide, regWide, regAbove, regBeside, regAlong)
	s.Align(align)
	next := s.Here()
	for first := 0; first < s.mr; first += s.abreast() {
		s.updateRows(first)
	}
	s.RI(asm.ADD, asm.W64, regLeft, int64(s.mr*s.size))
	s.RI(asm.ADD, asm.W64, regSide, int64(s.mr*s.size))
	s.RI(asm.ADD, asm.W64, regOut, int64(s.mr*s.size))
	s.finish(next, 1, func() {})
}

// updateRows updates the rows of a block from first on, as many as go side by side.
func (s *step) updateRows(first int) {
	rows := s.abreast()
	left := func(r int) asm.Vec { return asm.Vec(r) }
	side := func(r int) asm.Vec { return asm.Vec(rows + r) }
	sum := func(r int) asm.Vec { return asm.Vec(2*rows + r) }
	number := func(r int) asm.Vec { return asm.Vec(3*rows + r) }
	above := asm.Vec(4 * rows)
	beside, along := above+1, above+2
	place := func(r int) asm.Reg {
		if r == 0 {
			return regAt
		}
		return regNext + asm.Reg(r)
	}
	for r := range rows {
		s.V2M(s.spread, s.vl, left(r), asm.M(regLeft, int32((first+r)*s.size)))
		s.V2M(s.spread, s.vl, side(r), asm.M(regSide, int32((first+r)*s.size)))
		s.V3(asm.VPXORD, s.vl, sum(r), sum(r), sum(r))
		if r > 0 {
			s.RR(asm.MOV, asm.W64, place(r), place(r-1))
			s.RR(asm.ADD, asm.W64, place(r), regRow)
		}
	}
	s.RR(asm.XOR, asm.W32, regLane, regLane)
	s.Align(align)
	turn := s.Here()
	s.V2M(s.move, s.vl, above, asm.MX(regAbove, regLane, 1, 0))
	s.V2M(s.move, s.vl, beside, asm.MX(regBeside, regLane, 1, 0))
	s.V2M(s.move, s.vl, along, asm.MX(regAlong, regLane, 1, 0))
	for r := range rows {
		s.V2M(s.move, s.vl, number(r), asm.MX(place(r), regLane, 1, 0))
		s.V3(s.fma, s.vl, number(r), above, left(r))
		s.V3(s.fma, s.vl, number(r), beside, side(r))
		s.MV(s.move, s.vl, asm.MX(place(r), regLane, 1, 0), number(r))
		s.V3(s.add(), s.vl, sum(r), number(r), along)
	}
	s.RI(asm.ADD, asm.W64, regLane, int64(s.vector))
	s.RR(asm.CMP, asm.W64, regLane, regWide)
	s.Jcc(asm.NE, turn)
	for r := range rows {
		s.sumLanes(sum(r), number(r))
		s.MV(s.moveOne(), asm.VL128, asm.M(regOut, int32((first+r)*s.size)), sum(r))
		s.RR(asm.ADD, asm.W64, regAt, regRow)
	}
}

// sumLanes makes the first lane of v the sum of all.
func (s *step) sumLanes(v, free asm.Vec) {
	if s.vl == asm.VL512 {
		s.V2I(asm.VEXTRACTF64X4, s.vl, free, v, 1)
		s.V3(s.plus(), asm.VL256, v, v, free)
	}
	s.V2I(asm.VEXTRACTF32X4, asm.VL256, free, v, 1)
	s.V3(s.plus(), asm.VL128, v, v, free)
	s.V3I(asm.VSHUFPD, asm.VL128, free, v, v, 1)
	s.V3(s.plus(), asm.VL128, v, v, free)
	if s.size == 4 {
		s.V3I(asm.VSHUFPS, asm.VL128, free, v, v, 1)
		s.V3(s.plus(), asm.VL128, v, v, free)
	}
}

// three emits the kernel of ReflectThree, a vector of each row in a turn.
func (s *step) three() {
	s.load(map[asm.Reg]int32{regCount: argCount, regAt: argAt, regRow: argRow, regLeft: argLeft},
		regCount, regAt, regRow, regLeft)
	const factors, row, sum = 0, 5, 8
	for i := range 5 {
		s.V2M(s.spread, s.vl, asm.Vec(factors+i), asm.M(regLeft, int32(i*s.size)))
	}
	places := []asm.Reg{regAt, regOut, regSide}
	for r := 1; r < len(places); r++ {
		s.RR(asm.MOV, asm.W64, places[r], places[r-1])
		s.RR(asm.ADD, asm.W64, places[r], regRow)
	}
	s.Align(align)
	next := s.Here()
	for r, at := range places {
		s.V2M(s.move, s.vl, asm.Vec(row+r), asm.M(at, 0))
	}
	s.V2(s.move, s.vl, sum, row)
	for r := 1; r < len(places); r++ {
		s.V3(s.add(), s.vl, sum, asm.Vec(row+r), asm.Vec(factors+r-1))
	}
	for r, at := range places {
		s.V3(s.fma, s.vl, asm.Vec(row+r), sum, asm.Vec(factors+2+r))
		s.MV(s.move, s.vl, asm.M(at, 0), asm.Vec(row+r))
		s.RI(asm.ADD, asm.W64, at, int64(s.vector))
	}
	s.finish(next, 1, func() {})
}

func (s *step) moveOne() asm.Op {
	if s.size == 8 {
		return asm.VMOVSD
	}
	return asm.VMOVSS
}

// rotations emits the kernel of a sweep over s.nv vectors: the row that two rotations have in common stays in
// registers.
func (s *step) rotations() {
	s.load(map[asm.Reg]int32{regCount: argCount, regAt: argAt, regRow: argRow, regLeft: argLeft},
		regCount, regAt, regRow, regLeft)
	kept := func(j int) asm.Vec { return asm.Vec(j) }
	const c, f, x, y, more = rotated, rotated + 1, rotated + 2, rotated + 3, 3
	for j := range s.nv {
		s.V2M(s.move, s.vl, kept(j), asm.M(regAt, int32(j*s.vector)))
	}
	s.Align(align)
	next := s.Here()
	s.V2M(s.spread, s.vl, c, asm.M(regLeft, 0))
	s.V2M(s.spread, s.vl, f, asm.M(regLeft, int32(s.size)))
	s.RR(asm.MOV, asm.W64, regNext, regAt)
	s.RR(asm.ADD, asm.W64, regAt, regRow)
	for j := range s.nv {
		x, y, other := asm.Vec(x+j%2*more), asm.Vec(y+j%2*more), kept(j)
		s.V2M(s.move, s.vl, y, asm.M(regAt, int32(j*s.vector)))
		s.V3(s.mul, s.vl, x, other, c)
		s.V3(s.add(), s.vl, x, y, f)
		s.V3(s.mul, s.vl, y, y, c)
		s.V3(s.fma, s.vl, y, other, f)
		s.MV(s.move, s.vl, asm.M(regNext, int32(j*s.vector)), x)
		s.V2(s.move, s.vl, other, y)
	}
	s.RI(asm.ADD, asm.W64, regLeft, int64(2*s.size))
	s.finish(next, 1, func() {
		for j := range s.nv {
			s.MV(s.move, s.vl, asm.M(regAt, int32(j*s.vector)), kept(j))
		}
	})
}
