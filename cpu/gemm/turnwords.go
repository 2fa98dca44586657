package gemm

import "github.com/goxla/xla/cpu/asm"

// Words, two of which are a group, are turned as squares of eight: each 16 bytes of a register have eight rows in one
// depth. They are loaded to where they belong in a register, which has four depths, eight apart, and three exchanges
// between registers leave in each one row in all depths of a tile.

// square is the rows, and the depths, that 16 bytes have.
const square = 8

// turnsWords reports whether rows are whole squares of words.
func (e *packer) turnsWords() bool { return e.packKey.kind == kindWords && e.tail%square == 0 }

// laneMasks makes masks 2, 3 and 4: of the second, third and fourth 16 bytes.
func (e *packer) laneMasks() {
	for i := 1; i < 4; i++ {
		e.RI(asm.MOV, asm.W32, asm.R8, 0xF<<(4*i))
		e.KG(asm.KMOVWKR, asm.K(i+1), asm.R8)
	}
}

// turnSquares packs so many groups of a tile, and zeros behind them, of which at gives the places.
func (e *packer) turnSquares(groups int, at func(group int) (asm.Reg, int)) {
	squares := (e.nv*tileRows - (tileRows-e.tail)%tileRows) / square
	for first := 0; first < squares; first += 2 {
		count := min(2, squares-first)
		e.loadSquares(groups, func(group int) (asm.Reg, int) {
			from, place := at(group)
			return from, place + 16*first
		}, count)
		for h := range count {
			for i, v := range e.exchanged(asm.Vec(square * h)) {
				e.store((square*(first+h)+i)*e.to, v)
			}
		}
	}
}

// loadSquares sets registers to count squares and zeros behind so many groups.
func (e *packer) loadSquares(groups int, at func(group int) (asm.Reg, int), count int) {
	for g := range tileDepth {
		if g >= groups && g >= square/2 {
			break
		}
		var from asm.Reg
		place := 0
		if g < groups {
			from, place = at(g)
		}
		for i := range 2 {
			lane, v := (2*g+i)/square, asm.Vec((2*g+i)%square)
			for h := range count {
				to, mem := v+asm.Vec(square*h), asm.M(from, int32(place+i*e.ld+16*h))
				switch {
				case g >= groups:
					e.V3(asm.VPXORD, e.vl, to, to, to)
				case lane == 0:
					e.V2M(asm.VMOVDQU32, asm.VL128, to, mem)
				default:
					e.V2M(asm.VBROADCASTI32X4, e.vl, to, mem, asm.Mask(asm.K(lane+1)))
				}
			}
		}
	}
}

// exchanged emits the transposition of squares of words in registers [v, v+8) and returns where the rows are.
func (e *packer) exchanged(v asm.Vec) []asm.Vec {
	rows := make([]asm.Vec, square)
	for i := range rows {
		rows[i] = v + asm.Vec(i)
	}
	free := asm.Vec(2 * square)
	for _, ops := range [][2]asm.Op{{asm.VPUNPCKLWD, asm.VPUNPCKHWD}, {asm.VPUNPCKLDQ, asm.VPUNPCKHDQ},
		{asm.VPUNPCKLQDQ, asm.VPUNPCKHQDQ}} {
		out := make([]asm.Vec, square)
		for i := range square / 2 {
			out[i], out[square/2+i] = free+asm.Vec(2*i), free+asm.Vec(2*i+1)
			e.V3(ops[0], e.vl, out[i], rows[2*i], rows[2*i+1])
			e.V3(ops[1], e.vl, out[square/2+i], rows[2*i], rows[2*i+1])
		}
		rows, free = out, 2*square+v-free
	}
	out := make([]asm.Vec, square)
	for i, v := range rows {
		out[i&1<<2|i&2|i>>2] = v
	}
	return out
}
