package plan

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// What a computation reads and does not compute, as the weights of a network, is in the caches when its turn comes only
// if they hold all that is read from one run, or iteration, to the next. An array may be far smaller than they are and
// come from memory. It is asked before there are steps; of these, touched tells the same.

// leastAsked is the least bytes of an array that are worth asking for.
const leastAsked = 64 << 10

// readsFar reports whether c reads so much that it does not compute that caches of so many bytes do not hold it.
func readsFar(c *hlo.Computation, caches int) bool {
	bytes := 0
	for _, i := range c.Instructions() {
		if i.Shape().IsArray() && !isFresh(i) && i.Code() != op.DynamicUpdateSlice {
			bytes += readOf(i)
		}
		if bytes >= caches {
			return true
		}
	}
	return false
}

// readOf is about how many bytes of i are read in its computation.
func readOf(i *hlo.Instruction) int {
	all, parts := bytesOf(i), 0
	for _, u := range i.Users() {
		switch {
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
	if !p.far || readOf(source) < leastAsked {
		return false
	}
	for p.renames[source.ID()] {
		source = source.Operand(0)
	}
	return !isFresh(source)
}
