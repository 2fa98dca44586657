package fuse

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// longestPair is the most elements of the rows of pairs that lanes are put beside: to fold the lanes of a sum takes
// longer than to read rows in steps, where each is read once for several others.
const longestPair = 16

// leastShared to mostShared is how many others share a row then.
const (
	leastShared = 3
	mostShared  = 8
)

// sumsPairs reports whether s reduces dimension d of what pairs of shorter arrays are combined to, as distances.
func sumsPairs(s Spec, d int) bool {
	if !s.Inner[d] || s.Dims[d] > longestPair || slices.ContainsFunc(s.Roots, s.isFull) {
		return false
	}
	if !s.Wide && !pairsNarrow(s, d) {
		return false
	}
	seen := &set{}
	return !slices.ContainsFunc(s.Roots, func(r Root) bool { return !readsLess(s, r.Inst, seen) })
}

// pairsNarrow reports whether that pays where elements in steps are gathered one by one: for words, or rows that are
// not whole vectors, where several others can share them.
func pairsNarrow(s Spec, d int) bool {
	words := s.Roots[0].Shape().IsArray() && s.Roots[0].Shape().Type.ByteSize() <= 4
	if d < 2 || slices.Contains(s.Inner[:d], true) || !words && s.Dims[d]%4 == 0 {
		return false
	}
	for n, others := leastShared, product(s.Dims[:d-1]); n <= mostShared; n++ {
		if others%n == 0 {
			return true
		}
	}
	return false
}

// readsLess reports whether i is computed, element by element, from arrays that are shorter than the dimensions of s.
func readsLess(s Spec, i *hlo.Instruction, seen *set) bool {
	if !seen.add(i) {
		return true
	}
	if s.InMemory(i) && !isRoot(s, i) {
		return i.IsArray() && i.Size() <= product(s.Dims)/2
	}
	switch c := i.Code(); c {
	case op.Constant, op.Iota, op.Broadcast, op.Reshape, op.Slice, op.Reduce, op.Tuple, op.GetTupleElement:
	default:
		if !isElementwise(i) {
			return false
		}
	}
	return seen.count <= mostWalked && !slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool {
		return !readsLess(s, o, seen)
	})
}
