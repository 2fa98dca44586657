package plan

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// What a computation reads and does not compute, as the weights of a network, is in the caches when its turn comes only
// if they hold all that is read from one run, or iteration, to the next. An array may be far smaller than they are and
// come from memory. It is asked before there are steps; of these, touched tells the same. What the iterations of a loop
// read one part each of, as the weights of layers that are stacked, has left the caches when the loop runs again if all
// of it is more than they hold.

// leastAsked is the least bytes of an array that are worth asking for.
const leastAsked = 64 << 10

// readsFar reports whether c reads so much that it does not compute that caches of so many bytes do not hold it; with
// whole arrays of which it reads a part at a place that is computed, or not.
func readsFar(c *hlo.Computation, caches int, whole bool) bool {
	bytes := 0
	for _, i := range c.Instructions() {
		if i.IsArray() && i.Code() != op.DynamicUpdateSlice && !isFresh(i) {
			bytes += readOf(i, whole)
		}
		if bytes >= caches {
			return true
		}
	}
	return false
}

// readOf is about how many bytes of i are read in its computation; see readsFar for whole.
func readOf(i *hlo.Instruction, whole bool) int {
	all, parts := bytesOf(i), 0
	for _, u := range i.Users() {
		switch {
		case whole && u.Operand(0) == i && u.Code() == op.DynamicSlice:
			return all
		case u.Operand(0) == i && (u.Code() == op.DynamicSlice || u.Code() == op.Gather || u.Code() == op.Slice):
			parts += bytesOf(u)
		case u.Operand(0) == i && u.Code() == op.DynamicUpdateSlice:
		case u.Code() == op.Tuple && u.IsRoot():
		default:
			return all
		}
	}
	return min(all, parts)
}

// isFar reports whether what source has, or what it is another shape of, comes from memory.
func (p *placement) isFar(source *hlo.Instruction) bool {
	if !p.far || readOf(source, false) < leastAsked {
		return false
	}
	return p.isOld(source)
}

// isFarPart reports whether a part of source of so many bytes, at a place that is computed, comes from memory.
func (p *placement) isFarPart(source *hlo.Instruction, bytes int) bool {
	return p.farParts && bytes >= leastAsked && p.isOld(source)
}

// isOld reports whether what source has, or what it is another shape of, is not computed in its computation.
func (p *placement) isOld(source *hlo.Instruction) bool {
	for p.renames[source.ID()] {
		source = source.Operand(0)
	}
	return !isFresh(source)
}
