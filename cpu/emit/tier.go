package emit

import (
	"github.com/goxla/xla/cpu/asm"
	"github.com/goxla/xla/cpu/loop"
)

// tier is what AVX2 and AVX-512 do each in their way.
//
// A mask is an opmask on AVX-512. On AVX2 it is a vector whose elements are all ones or all zeros; they are as wide as
// the vector divided by the number of lanes.
type tier interface {
	table() *table

	// maskConst is a mask of which all lanes are on or off.
	maskConst(on bool) reg
	// cmpFloat and cmpInt compare vectors of kind k by a loop.Pred and give a mask of elements: on AVX2 as wide as k.
	// pick takes x where such a mask is on, else y.
	cmpFloat(k loop.Kind, p loop.Pred, x, y reg) reg
	cmpInt(k loop.Kind, p loop.Pred, x, y reg) reg
	pick(k loop.Kind, m, x, y reg) reg
	// lanesOfElements turns a mask of elements of kind k into a mask, elementsOfLanes the reverse.
	lanesOfElements(k loop.Kind, m reg) reg
	elementsOfLanes(k loop.Kind, m reg) reg
	// zeroOff is x where m is on, else 0.
	zeroOff(k loop.Kind, m, x reg) reg
	// rotate turns the bits of integers to the left, by less than their width, or gives 0 where that takes its steps.
	rotate(k loop.Kind, x reg, left uint8) reg
	// and is the lanes that are on in both.
	and(m, n reg) reg
	// maskBits gives a bit a lane in a general register; maskOf turns a general register that is 0 or -1 into a
	// mask of which all lanes are off or on.
	maskBits(m reg, lanes int) reg
	maskOf(x reg) reg
	// jumpIfNone jumps if no lane of m is on.
	jumpIfNone(m reg, to asm.Label)
	// someOff compares m, and returns the condition that a lane is off.
	someOff(m reg) asm.Cond
	// foldMask combines the lanes of m.
	foldMask(o loop.Op, m reg, lanes int) reg
	// masksNarrow: loadUnit and storeUnit take masks for elements of less than 4 bytes, too.
	masksNarrow() bool
	// tailOf is the tail of n lanes, a constant or, if that is 0, in a general register.
	tailOf(lanes, n int, count reg) *tail

	// spreadGeneral gives an integer from a general register in all lanes.
	spreadGeneral(x reg, k loop.Kind) reg
	// loadUnit reads lanes that lie one behind the other; m, if not 0, tells which.
	loadUnit(mem loop.Mem, at mem, m reg) reg
	// storeUnit writes them.
	storeUnit(mem loop.Mem, at mem, x, m reg)
	// widen turns elements as memory has them, one behind the other, into lanes, and pack the reverse.
	widen(mem loop.Mem, raw reg) reg
	pack(mem loop.Mem, x reg) reg
	// gather reads elements of 4 or 8 bytes at base + index*scale; m, if not 0, tells which.
	gather(mem loop.Mem, at mem, index reg, of loop.Kind, m reg) reg
	// scatter writes elements of 4 or 8 bytes in the order of lanes, and reports whether it can.
	scatter(mem loop.Mem, at mem, index reg, of loop.Kind, x, m reg) bool
}

// selector makes the code of an operation on registers.
type selector func(g *gen, i *loop.Inst, x [3]reg) reg

const (
	numOps   = int(loop.RoundBF16) + 1
	numKinds = int(loop.F64) + 1
)

// table holds a selector by operation, kind of the result, and kind of the operand.
type table [numOps][numKinds][numKinds]selector

func (t *table) find(o loop.Op, result, operand loop.Kind) selector { return t[o][result][operand] }

// set enters s for an operation on kind k.
func (t *table) set(o loop.Op, k loop.Kind, s selector) { t[o][k][k] = s }

// conv enters s for a conversion.
func (t *table) conv(o loop.Op, to, from loop.Kind, s selector) { t[o][to][from] = s }

// The tables of the tiers. They are made once and not changed.
var (
	avx2Table   = newTable(baseRows, avx2Rows)
	avx512Table = newTable(baseRows, avx512Rows)
)

func newTable(rows ...func(*table)) *table {
	t := new(table)
	for _, add := range rows {
		add(t)
	}
	return t
}

func baseRows(t *table) {
	for _, add := range [](func(*table)){floatRows, roundRows, intRows, bitRows, shiftRows, scalarRows, convertRows,
		tableRows} {
		add(t)
	}
}

// plainOp is an operation that is one instruction on its operands.
func plainOp(op asm.Op) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		n := 3
		for n > 1 && x[n-1] == 0 {
			n--
		}
		return g.c.v(op, g.size(i.Kind), x[:n]...)
	}
}

// commuting is plainOp of an operation whose operands may change places: a constant comes second, where it may be
// read from memory.
func commuting(op asm.Op) selector {
	return func(g *gen, i *loop.Inst, x [3]reg) reg {
		a, b := g.constantSecond(x[0], x[1])
		return g.c.v(op, g.size(i.Kind), a, b)
	}
}

func (g *gen) constantSecond(x, y reg) (reg, reg) {
	if g.c.constantOf(x) != nil {
		return y, x
	}
	return x, y
}

// blend takes x where mask m is on, else y.
func (g *gen) blend(k loop.Kind, m, x, y reg) reg {
	if k == loop.Mask {
		return g.t.pick(k, m, x, y)
	}
	return g.t.pick(k, g.t.elementsOfLanes(k, m), x, y)
}
