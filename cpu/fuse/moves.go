package fuse

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// periodicFrom is the dimension from or one behind it, with rows of least elements or more: what is read by an order
// that comes again after a few elements is read by whole vectors, and several rows are not such an order where one is.
func periodicFrom(s Spec, from, last, breaks, least int) int {
	for d := from + 1; d < last && product(s.Dims[d:]) >= least; d++ {
		if b := breaksOf(s, d, last); b > 0 && b < breaks {
			from, breaks = d, b
		}
	}
	return from
}

// Such a row has at least so many elements: one that is moved, and one that something is computed for.
const (
	leastPeriodic = 32
	leastComputed = 192
)

// mostMoved is the size of the largest elements that are shuffled by machine code.
const mostMoved = 4

// onlyMoves reports whether s does nothing but move elements that are shuffled by machine code.
func onlyMoves(s Spec) bool {
	m := movesWalk{inMemory: func(i *hlo.Instruction) bool { return s.InMemory(i) && !isRoot(s, i) }}
	return !slices.ContainsFunc(s.Roots, func(r Root) bool {
		return !r.Shape().IsArray() || r.Shape().Type.ByteSize() > mostMoved || !m.only(r.Inst)
	})
}

// movesWalk looks at how values are made.
type movesWalk struct {
	inMemory func(*hlo.Instruction) bool
	walked   int
}

// only reports whether i has nothing but elements of what is in memory, and constants.
func (m *movesWalk) only(i *hlo.Instruction) bool {
	if m.walked++; m.walked > mostWalked {
		return false
	}
	switch c := i.Code(); {
	case m.inMemory(i):
		return i.IsArray()
	case c == op.Constant:
		return admitConstant(i)
	case indexMaps[c] != nil:
		return m.only(i.Operand(0))
	case c != op.Pad && c != op.Concatenate:
		return false
	}
	return !slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool { return !m.only(o) })
}

// Interleaves reports whether s, which is of a concatenation, has narrow elements side by side in short rows: they are
// moved by whole vectors then. Rows of others are written out.
func Interleaves(s Spec) bool {
	return s.Roots[0].Shape().Type.ByteSize() < mostMoved && onlyMoves(s) && flatFrom(s, laneDim(s)) >= 0
}
