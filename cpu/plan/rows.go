package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// maxFollowed is how many users one after the other are looked at.
const maxFollowed = 16

// writtenOut reports whether i is a concatenation whose elements come one after the other in the short rows of the
// value that they are stored in: a kernel that writes rows out then computes each where it is wanted.
func (p *placement) writtenOut(i *hlo.Instruction) bool {
	if i.Code() != op.Concatenate || p.apart {
		return false
	}
	inRow := make([]bool, i.Rank()) // the dimensions that have to be in rows
	inRow[i.Attrs().(*op.ConcatenateAttrs).Dimensions[0]] = true
	joined := i
	for range maxFollowed {
		users := i.Users()
		if i.IsRoot() || len(users) != 1 || usedOutside(p, i) {
			from := fuse.RowsFrom(i.Shape())
			return rowsHold(inRow, from) && fuse.JoinsRows(joined, sizeOf(i.Dims()[from:]))
		}
		if i, inRow = users[0], rowsOfUser(users[0], inRow); inRow == nil {
			return false
		}
	}
	return false
}

// rowsHold reports whether the dimensions in inRow are those of short rows, which are those of dimensions from on.
func rowsHold(inRow []bool, from int) bool {
	if from < 0 {
		return false
	}
	for _, in := range inRow[:from] {
		if in {
			return false
		}
	}
	return true
}

// rowsOfUser returns the dimensions of u that those of its operand in inRow go to, or nil.
func rowsOfUser(u *hlo.Instruction, inRow []bool) []bool {
	switch {
	case !u.IsArray():
		return nil
	case u.Code() == op.Concatenate:
		inRow[u.Attrs().(*op.ConcatenateAttrs).Dimensions[0]] = true
		return inRow
	case u.Code() == op.Transpose:
		return rowsOfTranspose(u, inRow)
	case u.Code() == op.Reshape:
		return rowsOfReshape(u, inRow)
	case u.Code().Info().Has(op.Elementwise) && u.Rank() == len(inRow):
		return inRow
	}
	return nil
}

// rowsOfTranspose is rowsOfUser for a transpose after which rows that are neighbours are those that were: what others
// have in their rows is read from afar.
func rowsOfTranspose(u *hlo.Instruction, inRow []bool) []bool {
	perm, dims := u.Attrs().(*op.TransposeAttrs).Dimensions, u.Operand(0).Dims()
	out := make([]bool, len(inRow))
	before, after := -1, -1 // the dimension along which rows are neighbours, of the operand
	for k, d := range perm {
		if out[k] = inRow[d]; !inRow[d] && dims[d] > 1 {
			before, after = max(before, d), d
		}
	}
	if before != after {
		return nil
	}
	return out
}

// rowsOfReshape is rowsOfUser for a reshape that leaves the last dimensions together.
func rowsOfReshape(u *hlo.Instruction, inRow []bool) []bool {
	row := 1
	for d, first := 0, false; d < len(inRow); d++ {
		if first = first || inRow[d]; first {
			row *= u.Operand(0).Dims()[d]
		}
	}
	dims := u.Dims()
	out := make([]bool, len(dims))
	n := 1
	for d := len(dims) - 1; d >= 0 && n < row; d-- {
		n *= dims[d]
		out[d] = true
	}
	if n != row {
		return nil
	}
	return out
}

// Elements that machine code interleaves have less than wordBytes each, and there are mostInterleaved in a row at most,
// of leastInterleaved rows.
const (
	wordBytes        = 4
	mostInterleaved  = 8
	leastInterleaved = 512
)

// interleaves reports whether i is a concatenation of narrow elements in short rows, which machine code shuffles if all
// that it does is moving them: what they are computed from is stored, by whole vectors.
func interleaves(i *hlo.Instruction) bool {
	if i.Code() != op.Concatenate || i.Type().ByteSize() >= wordBytes {
		return false
	}
	row := 1
	for _, n := range i.Dims()[i.Attrs().(*op.ConcatenateAttrs).Dimensions[0]:] {
		row *= n
	}
	return row <= mostInterleaved && i.Size() >= row*leastInterleaved
}

// isJoined reports whether i, or what is computed of its elements, is only asked for by a reshape that joins its rows:
// the loop that asks for them is not one over rows then.
func isJoined(i *hlo.Instruction) bool {
	for range maxFollowed {
		users := i.Users()
		if len(users) != 1 || i.IsRoot() || !users[0].IsArray() {
			return false
		}
		u := users[0]
		if u.Code() == op.Reshape {
			last, joined := lastOf(i.Shape()), lastOf(u.Shape())
			return last > 0 && joined > last && joined%last == 0
		}
		if !u.Code().Info().Has(op.Elementwise) {
			return false
		}
		i = u
	}
	return false
}

// lastOf is the last dimension of s, 1 if there is none.
func lastOf(s shape.Shape) int {
	if s.Rank() == 0 {
		return 1
	}
	return s.Dims[s.Rank()-1]
}

// movesShortRows reports whether u, which uses concatenation i, is a transpose, or an update by it, that moves rows of
// a few elements of different operands: to look for each in all of them takes longer than to move rows that are joined
// before.
func movesShortRows(u, i *hlo.Instruction) bool {
	d := i.Attrs().(*op.ConcatenateAttrs).Dimensions[0]
	row := sizeOf(i.Dims()[d:])
	if u.Code() == op.Reshape && len(u.Users()) == 1 {
		i, u = u, u.Users()[0]
	}
	switch {
	case u.Code() == op.Transpose && u.Operand(0) == i && i.Code() == op.Concatenate:
		perm := u.Attrs().(*op.TransposeAttrs).Dimensions
		row = sizeOf(u.Dims()[slices.Index(perm, d):])
	case u.Code() != op.DynamicUpdateSlice || u.Operand(1) != i:
		return false
	}
	return row < leastPart && i.Size() >= leastParts*row
}
