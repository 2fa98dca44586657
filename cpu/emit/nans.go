package emit

import (
	"math"

	"github.com/goxla/xla/cpu/loop"
)

// Rounding to bf16 adds to the lower half of a number, which carries where a NaN has bits there, and makes signaling
// NaNs quiet. What arithmetic makes of numbers that were bf16 has only NaNs that neither concerns: those of its
// operands, made quiet, and the processor's own.

// nans says which NaNs a value can be.
type nans uint8

const (
	anyNaNs   nans = iota
	shortNaNs      // with a lower half of zeros
	quietNaNs      // of these, quiet ones
)

// nansOf returns which NaNs the lanes of v can be, an F32.
func (g *gen) nansOf(v loop.Value) nans {
	if n, ok := g.nans[v]; ok {
		return n
	}
	if g.nans == nil {
		g.nans = map[loop.Value]nans{}
	}
	n := g.findNaNs(g.nest.Inst(v))
	g.nans[v] = n
	return n
}

func (g *gen) findNaNs(i *loop.Inst) nans {
	switch i.Op {
	case loop.SToF, loop.UToF, loop.RoundBF16:
		return quietNaNs
	case loop.Const:
		if x := math.Float32frombits(uint32(i.Imm)); x == x {
			return quietNaNs
		}
	case loop.Load:
		if a := &g.nest.Accesses[i.Access]; a.Mem == loop.MemBF16 || a.Mem == loop.MemF32 && g.holdsShort(a.Buffer) {
			return shortNaNs
		}
	case loop.Neg, loop.Abs:
		return g.nansOf(i.Args[0])
	case loop.Select:
		return min(g.nansOf(i.Args[1]), g.nansOf(i.Args[2]))
	case loop.Add, loop.Sub, loop.Mul, loop.Div:
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
	switch i := g.nest.Inst(v); i.Op {
	case loop.Load:
		return g.nest.Accesses[i.Access].Mem == loop.MemBF16
	case loop.Select:
		return g.wasShort(i.Args[1]) && g.wasShort(i.Args[2])
	case loop.Const:
		return g.findNaNs(i) == quietNaNs
	}
	return false
}
