package fuse

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Where a reshape joins dimensions that a transpose has brought together, as those of the pixels of a patch, or of an
// image of patches, a loop over the joined dimension reads from all over the operand, and asks of each lane where. In
// loops over the dimensions of the transpose all is affine, and elements that are neighbours in the operand go
// together.

// nearElements is how many elements apart lanes are at most that are shuffled where dimensions are joined: those of
// narrow elements, or few, in an order that comes again. So are few narrow neighbours that are no power of two.
const nearElements = 8

// unmerged returns the transpose that the only root of s is a reshape of, if the loops are better over its dimensions;
// else nil. Both have their elements in the same order.
func unmerged(s Spec) *hlo.Instruction {
	if !s.Code || len(s.Roots) != 1 || slices.Contains(s.Inner, true) || !s.isPlain(s.Roots[0]) {
		return nil
	}
	i := s.Roots[0].Inst
	if i.Code() != op.Reshape || i.Operand(0).Code() != op.Transpose || s.InMemory(i.Operand(0)) {
		return nil
	}
	t := i.Operand(0) // of what is in memory, or something is computed for
	x := t.Operand(0)
	for x.Code() == op.Reshape && !s.InMemory(x) {
		x = x.Operand(0)
	}
	dims := t.Dims()
	from := lastJoined(i.Dims(), dims)
	if from < 0 || !isElementwise(x) && !(s.InMemory(x) && (s.Strides == nil || s.Strides(x) == nil)) {
		return nil
	}
	strides := stridesIn(t)
	joined, span, last, run := 0, 1, 0, 1 // run: how many elements of a row are neighbours in the operand
	for d, gap := len(dims)-1, false; d >= from; d-- {
		n := dims[d]
		if n == 1 {
			continue
		}
		if joined++; joined == 1 {
			last = d
		}
		span += (n - 1) * strides[d]
		if gap = gap || strides[d] != run; !gap {
			run *= n
		}
	}
	narrow, near := t.Type().ByteSize() < mostMoved, strides[last] > 1 && strides[last] <= nearElements
	switch {
	case joined < 2:
		return t
	case span == product(dims[from:]) || run >= leastPiece: // in one place of the operand, or in pieces
		return nil
	case near && (narrow || dims[last] < nearElements):
		return nil
	case strides[last] == 1 && run < shortDim && !narrow:
		return nil
	case strides[last] == 1 && run < nearElements && run&(run-1) != 0 && narrow && s.Wide:
		return nil
	}
	return t
}

// lastJoined is the first of the dimensions of a transpose, from, that are joined to the last one of a reshape, to, of
// more than one element; -1 if one of to is not some of from, one behind the other, or all are the same.
func lastJoined(to, from []int) int {
	if len(from) <= len(to) {
		return -1
	}
	at, first := len(from), -1
	for d := len(to) - 1; d >= 0; d-- {
		n := 1
		for at > 0 && n < to[d] {
			at--
			n *= from[at]
		}
		if n != to[d] {
			return -1
		}
		if first < 0 && n > 1 {
			first = at
		}
	}
	return first
}

// stridesIn is how many elements of its operand are between neighbours in each dimension of transpose t.
func stridesIn(t *hlo.Instruction) []int {
	dims := t.Operand(0).Dims()
	strides := make([]int, len(dims))
	for d, from := range t.Attrs().(*op.TransposeAttrs).Dimensions {
		strides[d] = product(dims[from+1:])
	}
	return strides
}

// buildUnmerged is Build of s with transpose t, of which the root is a reshape, in its place.
func buildUnmerged(s Spec, t *hlo.Instruction) (*Kernel, error) {
	root := s.Roots[0].Ref
	s.Dims, s.Inner, s.Roots = t.Dims(), make([]bool, t.Rank()), []Root{{Ref: Ref{Inst: t}}}
	k, err := Build(s)
	if err != nil {
		return nil, err
	}
	for n, r := range k.Buffers {
		if r.Inst == t {
			k.Buffers[n].Inst = root.Inst
			if r.Leaf >= 0 {
				k.Nest.Buffers[n].Name = bufferName(root)
			}
		}
	}
	return k, nil
}
