package emit

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// Rounding to bf16 adds to the lower half of a number, which carries where a NaN has bits there, and makes signaling
// NaNs quiet. What arithmetic makes of numbers that were bf16 has only NaNs that neither concerns: those of its
// operands, made quiet, and the processor's own. So have elementary functions of such numbers.

// nans says which NaNs a value can be.
type nans uint8

const (
	anyNaNs   nans = iota
	shortNaNs      // with a lower half of zeros
	quietNaNs      // of these, quiet ones
)

// nansOf returns which NaNs the lanes of v can be, an F32.
func (g *gen) nansOf(v loop.Value) nans {
	if g.noisy[v] {
		return anyNaNs
	}
	return remembered(&g.nans, v, func() nans {
		if i := g.nest.Inst(v); i.Op != loop.Phi && i.Op != loop.Out {
			return g.findNaNs(i)
		}
		return g.nansOfCarry(g.carriedBy(v))
	})
}

func (g *gen) findNaNs(i *loop.Inst) nans {
	switch i.Op {
	case loop.SToF, loop.UToF, loop.RoundBF16:
		return quietNaNs
	case loop.Const:
		if x := math.Float32frombits(uint32(i.Imm)); x == x || isQuiet(uint32(i.Imm)) {
			return quietNaNs
		}
	case loop.Table:
		if g.tableOfNumbers(i) {
			return quietNaNs
		}
	case loop.Bitcast:
		if g.lowHalfClear(i.Args[0]) {
			return shortNaNs
		}
	case loop.Load:
		if a := &g.nest.Accesses[i.Access]; a.Mem == loop.MemBF16 || a.Mem == loop.MemF32 && g.holdsShort(a.Buffer) {
			return shortNaNs
		} else if a.Mem == loop.MemF32 {
			return g.nansStored(a.Buffer)
		}
	case loop.Neg, loop.Abs:
		return g.nansOf(i.Args[0])
	case loop.And, loop.Or, loop.Xor:
		return g.nansOfBits(i)
	case loop.MinX, loop.MaxX:
		return min(g.nansOf(i.Args[0]), g.nansOf(i.Args[1]))
	case loop.Sqrt, loop.RsqrtNear:
		if g.nansOf(i.Args[0]) >= shortNaNs {
			return quietNaNs
		}
	case loop.Select:
		if y, ok := g.orOther(i); ok {
			return g.nansOf(y)
		}
		return min(g.nansOf(i.Args[1]), g.nansOf(i.Args[2]))
	case loop.Add, loop.Sub, loop.Mul, loop.Div, loop.Scale:
		if min(g.nansOf(i.Args[0]), g.nansOf(i.Args[1])) >= shortNaNs {
			return quietNaNs
		}
	case loop.FMA, loop.FMS, loop.FNMA, loop.FNMS:
		if min(g.nansOf(i.Args[0]), g.nansOf(i.Args[1]), g.nansOf(i.Args[2])) >= shortNaNs {
			return quietNaNs
		}
	}
	return anyNaNs
}

// isQuiet reports whether bits are a quiet NaN with a lower half of zeros.
func isQuiet(bits uint32) bool { return bits&0x7fc0ffff == 0x7fc00000 }

// nansOfBits is nansOf of an operation on bits: signs alone are no NaN, and none is made or changed by them.
func (g *gen) nansOfBits(i *loop.Inst) nans {
	x, y := i.Args[0], i.Args[1]
	if g.isSign(x) {
		x, y = y, x
	}
	switch {
	case !g.isSign(y):
		return anyNaNs
	case i.Op == loop.And:
		return quietNaNs
	}
	return g.nansOf(x)
}

// isSign reports whether v has no bits but the sign.
func (g *gen) isSign(v loop.Value) bool {
	return remembered(&g.signs, v, func() bool {
		i := g.nest.Inst(v)
		switch i.Op {
		case loop.Const:
			return uint32(i.Imm)&0x7fffffff == 0
		case loop.And:
			return g.isSign(i.Args[0]) || g.isSign(i.Args[1])
		}
		return false
	})
}

// tableOfNumbers reports whether i looks up numbers, or NaNs that are as those of arithmetic.
func (g *gen) tableOfNumbers(i *loop.Inst) bool {
	for _, e := range g.nest.Tables[i.Imm] {
		if x := math.Float32frombits(uint32(e)); x != x && !isQuiet(uint32(e)) {
			return false
		}
	}
	return i.Kind == loop.F32
}

// lowHalfClear reports whether the integer v has a lower half of zeros.
func (g *gen) lowHalfClear(v loop.Value) bool {
	return remembered(&g.highHalves, v, func() bool {
		i := g.nest.Inst(v)
		if i.Kind != loop.I32 {
			return false
		}
		switch i.Op {
		case loop.Const:
			return i.Imm&0xffff == 0
		case loop.Add, loop.Sub:
			return g.lowHalfClear(i.Args[0]) && g.lowHalfClear(i.Args[1])
		case loop.Shl:
			n := g.nest.Inst(i.Args[1])
			return n.Op == loop.Const && n.Imm >= 16 && n.Imm < 32
		}
		return false
	})
}

// holdsShort reports whether a buffer has nothing but numbers that were bf16: a worker's own, in which all that is
// stored are such.
func (g *gen) holdsShort(buffer int) bool {
	if !g.nest.Buffers[buffer].Scratch {
		return false
	}
	for k := range g.nest.Insts {
		i := &g.nest.Insts[k]
		if i.Op != loop.Store || g.nest.Accesses[i.Access].Buffer != buffer {
			continue
		}
		if g.nest.Accesses[i.Access].Mem != loop.MemF32 || !g.wasShort(i.Args[0]) {
			return false
		}
	}
	return true
}

// wasShort reports whether v was loaded as bf16, or zeros where that is off, or is a constant.
func (g *gen) wasShort(v loop.Value) bool {
	return remembered(&g.shortNumbers, v, func() bool {
		switch i := g.nest.Inst(v); i.Op {
		case loop.Load:
			return g.nest.Accesses[i.Access].Mem == loop.MemBF16
		case loop.Select:
			return g.wasShort(i.Args[1]) && g.wasShort(i.Args[2])
		case loop.Const:
			return g.findNaNs(i) == quietNaNs
		}
		return false
	})
}
