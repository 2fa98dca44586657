package gemm

import "github.com/goxla/xla/cpu/asm"

// Registers of a sweep, beside those of others: the places in a row of B and of C.
const (
	regAtB = asm.R10
	regAtC = asm.R11
)

// sweep emits a kernel. Its vector registers are, from 0: what is broadcast of A, depth by depth, the sums of a vector,
// and a vector of B; or, where nothing of A is held, the sums of several vectors, so many of B, and what is broadcast.
// The last one of 16 holds the lane mask where there are no opmasks.
type sweep struct {
	loader
	sweepKey
	ins numeric
}

func emitSweep(a *asm.Assembler, k sweepKey) {
	s := &sweep{loader: newLoader(a, k.kind, k.vector), sweepKey: k, ins: numerics[k.kind]}
	s.mask = 15
	s.RM(asm.MOV, asm.W64, regDepth, asm.M(asm.RDI, sweepDepth))
	s.RM(asm.MOV, asm.W64, regA, asm.M(asm.RDI, sweepA))
	s.RM(asm.MOV, asm.W64, regB, asm.M(asm.RDI, sweepB))
	if k.tail > 0 {
		s.setMask(k.tail)
	}
	s.clear()
	s.turns(regDepth, k.depths, func() { s.pass(k.depths) })
	if k.rest > 0 { // which the last call has
		s.turns(regDepth, k.rest, func() { s.pass(k.rest) })
	}
	s.Zero0(asm.VZEROUPPER)
	s.Ret()
}

// turns calls do for so many of what a register counts, as long as there are so many, and leaves what remains there.
func (s *sweep) turns(left asm.Reg, step int, do func()) {
	rest := s.NewLabel()
	s.RI(asm.SUB, asm.W64, left, int64(step))
	s.Jcc(asm.L, rest)
	s.Align(align / 2)
	turn := s.Here()
	do()
	s.RI(asm.SUB, asm.W64, left, int64(step))
	s.Jcc(asm.GE, turn)
	s.Bind(rest)
	s.RI(asm.ADD, asm.W64, left, int64(step))
}

// along calls do for each vector of a row of C, several at a time, then one by one, then for the part at the end.
func (s *sweep) along(do func(vectors int, part bool)) {
	s.RM(asm.MOV, asm.W64, regAtC, asm.M(asm.RDI, sweepC))
	s.RM(asm.MOV, asm.W64, regSteps, asm.M(asm.RDI, sweepVectors))
	if s.vectors > 1 {
		s.turns(regSteps, s.vectors, func() { do(s.vectors, false) })
	}
	s.turns(regSteps, 1, func() { do(1, false) })
	if s.tail > 0 {
		done := s.NewLabel()
		s.MI(asm.CMP, asm.W64, asm.M(asm.RDI, sweepTail), 0)
		s.Jcc(asm.E, done)
		do(1, true)
		s.Bind(done)
	}
}

// clear sets C to zero, unless its sums go on.
func (s *sweep) clear() {
	keep := s.NewLabel()
	s.MI(asm.CMP, asm.W64, asm.M(asm.RDI, sweepAdd), 0)
	s.Jcc(asm.NE, keep)
	s.V3(asm.VPXORD, s.vl, 0, 0, 0)
	s.along(func(vectors int, part bool) {
		for i := range s.rows {
			for j := range vectors {
				s.store(0, s.atC(i, j), part)
			}
		}
		s.RI(asm.ADD, asm.W64, regAtC, int64(vectors*s.vector))
	})
	s.Bind(keep)
}

func (s *sweep) atC(row, vector int) asm.Mem {
	return asm.M(regAtC, int32(row*s.ldc+vector*s.vector))
}

func (s *sweep) store(v asm.Vec, to asm.Mem, part bool) {
	switch {
	case !part:
		s.MV(move[s.sweepKey.kind], s.vl, to, v)
	case s.wide:
		s.MV(move[s.sweepKey.kind], s.vl, to, v, asm.Mask(1))
	default:
		s.MV2(s.ins.masked, s.vl, to, s.mask, v)
	}
}

// pass adds the products of so many depths, and goes on to the next.
func (s *sweep) pass(depths int) {
	if s.held {
		for i := range s.rows {
			for d := range depths {
				s.V2M(s.ins.broadcast, s.vl, s.factor(i, d), s.inA(i, d))
			}
		}
	}
	s.RR(asm.MOV, asm.W64, regAtB, regB)
	width := s.vector / s.sweepKey.kind.size() * s.typeB.ByteSize()
	s.along(func(vectors int, part bool) {
		if !s.held {
			s.block(depths, vectors, width, part)
		}
		for j := 0; s.held && j < vectors; j++ {
			s.vectorOf(depths, j, j*width, part)
		}
		s.RI(asm.ADD, asm.W64, regAtB, int64(vectors*width))
		s.RI(asm.ADD, asm.W64, regAtC, int64(vectors*s.vector))
	})
	s.RI(asm.ADD, asm.W64, regA, int64(depths*s.stepA))
	s.RI(asm.ADD, asm.W64, regB, int64(depths*s.ldb))
}

// askFor asks for what is read after a vector.
func (s *sweep) askFor(from asm.Mem, part bool) {
	if s.ask > 0 && !part {
		s.Prefetch(asm.PREFETCHT1, from.Add(int32(s.ask)))
	}
}

func (s *sweep) inA(row, depth int) asm.Mem { return asm.M(regA, int32(row*s.lda+depth*s.stepA)) }

// block adds the products of vectors that B has so many bytes apart, of some rows of A at a time.
func (s *sweep) block(depths, vectors, width int, part bool) {
	for row := 0; row < s.rows; {
		high := parts(s.rows-row, parts(s.rows-row, s.high))
		s.rowsOfBlock(row, high, depths, vectors, width, part)
		row += high
	}
}

// rowsOfBlock does so of rows from first on. Their sums are in registers meanwhile.
func (s *sweep) rowsOfBlock(first, rows, depths, vectors, width int, part bool) {
	b := asm.Vec(rows * vectors)
	factor := b + asm.Vec(vectors)
	for i := range rows {
		for j := range vectors {
			s.load(s.sweepKey.kind.elementType(), asm.Vec(i*vectors+j), s.atC(first+i, j), part)
		}
	}
	for d := range depths {
		for j := range vectors {
			from := asm.M(regAtB, int32(d*s.ldb+j*width))
			if first == 0 && (s.wide || j*s.vector%line == 0) {
				s.askFor(from, part)
			}
			s.load(s.typeB, b+asm.Vec(j), from, part)
		}
		for i := range rows {
			s.V2M(s.ins.broadcast, s.vl, factor, s.inA(first+i, d))
			for j := range vectors {
				s.V3(s.ins.fma, s.vl, asm.Vec(i*vectors+j), factor, b+asm.Vec(j))
			}
		}
	}
	for i := range rows {
		for j := range vectors {
			s.store(asm.Vec(i*vectors+j), s.atC(first+i, j), part)
		}
	}
}

func (s *sweep) factor(row, depth int) asm.Vec { return asm.Vec(row*s.depths + depth) }

// vectorOf adds the products of vector j, that B has at so many bytes.
func (s *sweep) vectorOf(depths, j, at int, part bool) {
	first := asm.Vec(s.rows * s.depths)
	b := first + asm.Vec(s.rows)
	for i := range s.rows {
		s.load(s.sweepKey.kind.elementType(), first+asm.Vec(i), s.atC(i, j), part)
	}
	for d := range depths {
		from := asm.M(regAtB, int32(d*s.ldb+at))
		s.askFor(from, part)
		if s.rows == 1 && !part && s.ins.fma != 0 && loadings[s.sweepKey.kind][s.typeB].plain(s.sweepKey.kind) {
			s.V3M(s.ins.fma, s.vl, first, s.factor(0, d), from)
			continue
		}
		s.load(s.typeB, b, from, part)
		for i := range s.rows {
			s.multiply(first+asm.Vec(i), s.factor(i, d), b)
		}
	}
	for i := range s.rows {
		s.store(first+asm.Vec(i), s.atC(i, j), part)
	}
}

// multiply adds x times y to a sum. Where that is two instructions, what is next to y holds the product.
func (s *sweep) multiply(sum, x, y asm.Vec) {
	if s.ins.fma != 0 {
		s.V3(s.ins.fma, s.vl, sum, x, y)
		return
	}
	s.V3(s.ins.mul, s.vl, y+1, x, y)
	s.V3(s.ins.add, s.vl, sum, sum, y+1)
}
