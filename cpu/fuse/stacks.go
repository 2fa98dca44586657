package fuse

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Values that are stacked to be reduced right away, as the best of a few or their mean, need not be: where lanes go
// along other dimensions the reduction is written out, and each of its elements is known to be of one operand of the
// concatenation.

const (
	// mostStacked is how many elements a reduction has at most that is written out for this.
	mostStacked = 16
	// mostBetween is how many operations there may be between the concatenation and the reduction.
	mostBetween = 8
)

// Stacks reports whether concatenation c is only made for a reduction over the dimension along which it joins a few
// elements, element by element.
func Stacks(c *hlo.Instruction) bool {
	for i := c; ; {
		users := i.Users()
		if i.IsRoot() || len(users) != 1 {
			return false
		}
		i = users[0]
		switch {
		case i.Code() == op.Reduce:
			return reducesStack(i, c) && !slices.Contains(i.Operands()[len(i.Operands())/2:], c)
		case !isElementwise(i) || i.Rank() != c.Rank():
			return false
		}
	}
}

// reducesStack reports whether reduction r is over the dimension along which c joins elements, and these are few.
func reducesStack(r, c *hlo.Instruction) bool {
	d := c.Attrs().(*op.ConcatenateAttrs).Dimensions[0]
	dims, of := r.Attrs().(*op.ReduceAttrs).Dimensions, r.Operand(0).Dims()
	if len(dims) != 1 || dims[0] != d || !slices.Equal(of, c.Dims()) {
		return false
	}
	return of[d] <= shortDim || of[d] <= mostStacked && product(of[d+1:]) > of[d]
}

// stackUnder reports whether reduction r takes in a concatenation, by itself or by what is computed element by element,
// of which its elements are known to be if it is written out. stays tells what is in memory.
func stackUnder(r *hlo.Instruction, stays func(*hlo.Instruction) bool) bool {
	joined := func(c *hlo.Instruction) bool { return reducesStack(r, c) }
	of := r.Operands()[:len(r.Operands())/2]
	return slices.ContainsFunc(of, func(o *hlo.Instruction) bool { return madeFrom(o, op.Concatenate, stays, joined, 0) })
}

// madeFrom reports whether i is, or is computed element by element from, an operation of which is holds and which has
// that code, without anything that stays in memory between them. depth is how many operations were passed before i.
func madeFrom(i *hlo.Instruction, code op.Code, stays, is func(*hlo.Instruction) bool, depth int) bool {
	switch {
	case stays(i) || depth > mostBetween:
		return false
	case i.Code() == code:
		return is(i)
	case i.Code() != op.GetTupleElement && !isElementwise(i):
		return false
	}
	next := func(o *hlo.Instruction) bool { return madeFrom(o, code, stays, is, depth+1) }
	return slices.ContainsFunc(i.Operands(), next)
}

// stacked reports whether the reductions are to be written out because one of them is of what is stacked.
func (g *gen) stacked(list []*hlo.Instruction) bool {
	return g.lane && slices.ContainsFunc(list, func(r *hlo.Instruction) bool { return stackUnder(r, g.stays) })
}

// stacksIn reports whether a root is, or is computed element by element from, a reduction of what is stacked.
func stacksIn(s Spec) bool {
	stays := func(i *hlo.Instruction) bool { return s.InMemory(i) && !isRoot(s, i) }
	stacks := func(r *hlo.Instruction) bool { return stackUnder(r, stays) }
	return slices.ContainsFunc(s.Roots, func(r Root) bool { return madeFrom(r.Inst, op.Reduce, stays, stacks, 0) })
}
