package gemm

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/shape"
)

// packKey is a packing kernel: two with the same key are the same code.
type packKey struct {
	order  order
	block  bool // of A: whole rows
	kind   kind
	vector int
	typ    shape.ElementType
	// grouped: of A, whose rows are neighbours, so many depths together; 0: each alone
	grouped int
	nv      int  // vectors of a panel, or of rows of A that are all as long
	tail    int  // lanes of the last vector
	rest    int  // depths of the last tile, of A that is turned; 0: all
	ld      int  // bytes between rows of the source
	to      int  // bytes between rows of the result
	listed  bool // of A that is turned: where groups of depths are is in a list
	// high: of planes of so many rows, as many bytes apart as gap says besides them
	high, gap int
	// half: of planes whose even and odd columns are apart, from the even elements of a row to the odd ones
	half   int
	lines  bool // of A whose rows are lines of places, gap bytes apart in the result
	along  bool // rows go to several panels
	over   bool // parts of vectors are read whole, and the rest of them is cleared
	column int  // bytes between columns, of which four depths are neighbours, for fours; 0: rows are
}

func emitPack(a *asm.Assembler, k packKey) {
	e := &packer{loader: newLoader(a, k.kind, k.vector), packKey: k}
	e.mask = 15
	e.arguments()
	switch {
	case k.along:
		e.copyAlong()
	case k.block && k.order == turned:
		e.turnBlock()
	case k.block && k.high > 0:
		e.copyPlanes()
	case k.lines:
		e.copyLines()
	case k.block && k.nv > 0:
		e.copyPieces()
	case k.block && k.tail > 0:
		e.shortRows()
	case k.block && k.grouped > 0:
		e.groupRows()
	case k.block:
		e.rows(e.vector/e.loader.kind.size(), e.loader.kind.size(), func(from, to asm.Mem) {
			e.load(e.typ, 0, from, false)
			e.MV(move[e.loader.kind], e.vl, to, 0)
		})
	case k.order == copied && k.kind.wide() == 4 && !k.kind.splits():
		e.copyQuads()
	case k.order == copied && k.kind.diagonals():
		e.copyDiagonals()
	case k.order == copied && k.kind.ones():
		e.copyVectors()
	case k.order == copied && k.kind == kindQuads:
		e.copyFours()
	case k.order == copied && (k.kind == kindSplit || k.kind == kindSplit64):
		e.copySplit()
	case k.order == copied && k.kind.wide() == 2:
		e.copyPairs()
	case k.order == copied:
		e.copyPanel()
	default:
		e.turn()
	}
	e.Zero0(asm.VZEROUPPER)
	e.Ret()
}

// packer emits a packing kernel.
type packer struct {
	loader
	packKey
}

func (e *packer) arguments() {
	e.RM(asm.MOV, asm.W64, regDepth, asm.M(asm.RDI, argCount))
	e.RM(asm.MOV, asm.W64, regB, asm.M(asm.RDI, argSrc))
	e.RM(asm.MOV, asm.W64, regC, asm.M(asm.RDI, argDst))
}

// width is the bytes of the source that make a vector.
func (e *packer) width() int {
	return e.vector / e.loader.kind.size() * e.loader.kind.wide() * e.typ.ByteSize()
}

func (e *packer) store(to int, v asm.Vec) {
	e.MV(move[e.loader.kind], e.vl, asm.M(regC, int32(to)), v)
}

// count emits a loop of body, for n rows at once and at the end one by one. The places advance with it.
func (e *packer) count(n, from, to int, body func(n int)) {
	turn, rest, one, done := e.NewLabel(), e.NewLabel(), e.NewLabel(), e.NewLabel()
	step := func(n int, again asm.Label, c asm.Cond) {
		body(n)
		e.RI(asm.ADD, asm.W64, regB, int64(n*from))
		e.RI(asm.ADD, asm.W64, regC, int64(n*to))
		e.RI(asm.SUB, asm.W64, regDepth, int64(n))
		e.Jcc(c, again)
	}
	if n > 1 {
		e.RI(asm.SUB, asm.W64, regDepth, int64(n))
		e.Jcc(asm.L, rest)
		e.Bind(turn)
		step(n, turn, asm.GE)
		e.Bind(rest)
		e.RI(asm.ADD, asm.W64, regDepth, int64(n))
		e.Jcc(asm.E, done)
	}
	e.Bind(one)
	step(1, one, asm.NE)
	e.Bind(done)
}

// aheadRows is how many rows before they are needed rows are asked for.
const aheadRows = 8

func (e *packer) copyPanel() {
	if e.tail > 0 {
		e.setMask(e.tail)
	}
	n := 4
	if n*e.nv > 15 {
		n = 1
	}
	e.count(n, e.ld, e.to, func(n int) {
		for u := range n {
			for at := 0; at < e.nv*e.width(); at += 128 {
				e.Prefetch(asm.PREFETCHT0, asm.M(regB, int32((u+aheadRows)*e.ld+at)))
			}
		}
		for u := range n {
			for j := range e.nv {
				v := asm.Vec((u*e.nv + j) % 15)
				part := e.tail > 0 && j == e.nv-1
				e.load(e.typ, v, asm.M(regB, int32(u*e.ld+j*e.width())), part && !e.over)
				if part && e.over {
					e.V3(asm.VPANDD, e.vl, v, v, e.mask)
				}
				if n == 1 {
					e.store(j*e.vector, v)
				}
			}
		}
		for v := range n * e.nv {
			if n > 1 {
				e.store(v/e.nv*e.to+v%e.nv*e.vector, asm.Vec(v))
			}
		}
	})
}

// copyLines emits a loop over lines, each of so many rows of a vector.
func (e *packer) copyLines() {
	e.RM(asm.MOV, asm.W64, regRuns, asm.M(asm.RDI, argVectors))
	next := e.Here()
	e.RM(asm.MOV, asm.W64, regDepth, asm.M(asm.RDI, argCount))
	e.count(8, e.ld, e.to, func(n int) {
		for u := range n {
			e.load(e.typ, asm.Vec(u), asm.M(regB, int32(u*e.ld)), false)
		}
		for u := range n {
			e.store(u*e.to, asm.Vec(u))
		}
	})
	e.RI(asm.ADD, asm.W64, regC, int64(e.gap))
	e.RI(asm.SUB, asm.W64, regRuns, 1)
	e.Jcc(asm.NE, next)
}

// rows emits a loop over rows of any number of pieces, the last of which may overlap the one before it: move takes a
// piece of so many lanes, which have size bytes each in the result, from one place to the other.
func (e *packer) rows(lanes, size int, move func(from, to asm.Mem)) {
	e.count(1, e.ld, e.to, func(int) {
		next, last := e.NewLabel(), e.NewLabel()
		e.RM(asm.MOV, asm.W64, regSteps, asm.M(asm.RDI, argVectors))
		e.RR(asm.MOV, asm.W64, asm.R10, regB)
		e.RR(asm.MOV, asm.W64, regNextA, regC)
		e.RR(asm.TEST, asm.W64, regSteps, regSteps)
		e.Jcc(asm.E, last)
		e.Bind(next)
		move(asm.M(asm.R10, 0), asm.M(regNextA, 0))
		e.RI(asm.ADD, asm.W64, asm.R10, int64(lanes*e.loader.kind.wide()*e.typ.ByteSize()))
		e.RI(asm.ADD, asm.W64, regNextA, int64(lanes*size))
		e.RI(asm.SUB, asm.W64, regSteps, 1)
		e.Jcc(asm.NE, next)
		e.Bind(last)
		e.RM(asm.MOV, asm.W64, asm.R10, asm.M(asm.RDI, argLastSrc))
		e.RM(asm.MOV, asm.W64, regNextA, asm.M(asm.RDI, argLastDst))
		move(asm.MX(regB, asm.R10, 1, 0), asm.MX(regC, regNextA, 1, 0))
	})
}

// turn transposes blocks of as many columns, which are rows of the source, as a vector has lanes. Columns that are not
// there are zero.
func (e *packer) turn() {
	lanes := e.vector / e.loader.kind.size()
	rows := lanes
	if e.tail > 0 {
		rows = e.tail
	}
	e.count(1, e.width(), lanes*e.to, func(int) {
		for i := range lanes {
			if i < rows {
				e.load(e.typ, asm.Vec(i), asm.M(regB, int32(i*e.ld)), false)
			} else {
				e.V3(asm.VPXORD, e.vl, asm.Vec(i), asm.Vec(i), asm.Vec(i))
			}
		}
		for i, v := range e.transposed(lanes) {
			e.store(i*e.to, v)
		}
	})
}

// transposed emits the transposition of registers [0, lanes) with the help of as many more, and returns where the rows
// of the result are: first within 16 bytes, then of pieces of 16 bytes.
func (e *packer) transposed(lanes int) []asm.Vec {
	piece := 16 / e.loader.kind.size()
	v := make([]asm.Vec, lanes)
	for i := range v {
		v[i] = asm.Vec(i)
	}
	free := asm.Vec(lanes) // the half of the registers that is not in use
	pairs := func(lo, hi asm.Op, apart int) {
		out := make([]asm.Vec, lanes)
		for i := 0; i < lanes; i++ {
			// Rows i and i+apart give the lower and the upper halves of their pieces, to places i and i+apart.
			if i/apart%2 == 0 {
				out[i], out[i+apart] = free+asm.Vec(i), free+asm.Vec(i+apart)
				e.V3(lo, e.vl, out[i], v[i], v[i+apart])
				e.V3(hi, e.vl, out[i+apart], v[i], v[i+apart])
			}
		}
		v, free = out, asm.Vec(lanes)-free
	}
	if piece == 4 {
		pairs(asm.VUNPCKLPS, asm.VUNPCKHPS, 1)
		pairs(asm.VUNPCKLPD, asm.VUNPCKHPD, 2)
		// Now place 4g+c holds column c&1<<1|c>>1 of rows 4g..4g+3.
		for i := 0; i < lanes; i += 4 {
			v[i+1], v[i+2] = v[i+2], v[i+1]
		}
	} else {
		pairs(asm.VUNPCKLPD, asm.VUNPCKHPD, 1)
	}
	return e.pieces(v, free, piece)
}

// pieces transposes, for each column c of a piece, the pieces of the registers of all groups of rows.
func (e *packer) pieces(v []asm.Vec, free asm.Vec, piece int) []asm.Vec {
	lanes := len(v)
	out := make([]asm.Vec, lanes)
	for c := range piece {
		if !e.wide {
			out[c], out[piece+c] = free+asm.Vec(c), free+asm.Vec(piece+c)
			e.V3I(asm.VPERM2F128, e.vl, out[c], v[c], v[piece+c], 0x20)
			e.V3I(asm.VPERM2F128, e.vl, out[piece+c], v[c], v[piece+c], 0x31)
			continue
		}
		in, t := make([]asm.Vec, 4), free+asm.Vec(4*c)
		for g := range in {
			in[g] = v[g*piece+c]
		}
		for k, imm := range []uint8{0x44, 0xEE} {
			e.V3I(asm.VSHUFF32X4, e.vl, t+asm.Vec(k), in[0], in[1], imm)
			e.V3I(asm.VSHUFF32X4, e.vl, t+asm.Vec(2+k), in[2], in[3], imm)
		}
		for l := range 4 {
			out[l*piece+c] = in[l]
			e.V3I(asm.VSHUFF32X4, e.vl, in[l], t+asm.Vec(l/2), t+asm.Vec(2+l/2), []uint8{0x88, 0xDD}[l%2])
		}
	}
	return out
}
