package plan

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// leastPairsTurned is how many bytes of complex numbers are worth a step of their own.
const leastPairsTurned = 1 << 14

// turnsPairs reports whether i is stored so that complex numbers are turned by a step that only moves them, as words:
// u is such a transposition of i, or i is one.
func (p *placement) turnsPairs(u, i *hlo.Instruction) bool {
	if turnsApart(i) {
		return true
	}
	return turnsLast(u) && p.cost[i.ID()] > 0 && bytesOf(i) >= leastPairsTurned &&
		(isPair(i) || slices.ContainsFunc(i.Operands(), isPair))
}

// turnsApart reports whether i is a transposition of complex numbers that something is computed of.
func turnsApart(i *hlo.Instruction) bool {
	return turnsLast(i) && isPair(i) && bytesOf(i) >= leastPairsTurned &&
		slices.ContainsFunc(i.Users(), func(u *hlo.Instruction) bool {
			return !isFree[u.Code()] && u.Code().Info().Has(op.Elementwise)
		})
}

// isPair reports whether i is of numbers of two words.
func isPair(i *hlo.Instruction) bool { return i.IsArray() && i.Type() == shape.C64 }

// turnsLast reports whether i is a transposition of which neighbours are not neighbours before.
func turnsLast(i *hlo.Instruction) bool {
	if i.Code() != op.Transpose {
		return false
	}
	from := i.Attrs().(*op.TransposeAttrs).Dimensions
	return len(from) > 0 && from[len(from)-1] != len(from)-1
}

// bytesOf is how much memory the value of i takes, 0 if it is no array.
func bytesOf(i *hlo.Instruction) int {
	if s := i.Shape(); s.IsArray() {
		return s.Size() * s.Type.ByteSize()
	}
	return 0
}
