package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Of a value that is read so often even this little is not computed again each time.
const (
	often     = 64
	dearOften = 3
)

// oftenRead reports whether that is so of i.
func (p *placement) oftenRead(i *hlo.Instruction) bool {
	cost := p.cost[i.ID()]
	return cost >= dearOften && readsOf(i) >= often && !(cost <= dear && gathered(i, mostWalked))
}

// readsOf is how often broadcasts, be there reshapes and transposes in front, read the elements of i one after the
// other: what repeats an element at once does not count, since it is computed in front of that.
func readsOf(i *hlo.Instruction) int {
	most := 1
	for _, u := range i.Users() {
		switch u.Code() {
		case op.Broadcast:
			most = max(most, rounds(u)*readsOf(u))
		case op.Reshape, op.Transpose, op.Bitcast:
			most = max(most, readsOf(u))
		}
	}
	return most
}

// mostWalked is how many values, each made of the one before, are looked at to see how the first is read.
const mostWalked = 8

// gathered reports whether a value that is made of i, of an element each, is repeated a few times at once, as that of a
// pixel for its channels: vectors of these would gather i from memory, which takes longer than a little arithmetic.
func gathered(i *hlo.Instruction, most int) bool {
	return most > 0 && slices.ContainsFunc(i.Users(), func(u *hlo.Instruction) bool {
		if !isFree[u.Code()] && !u.Code().Info().Has(op.Elementwise) {
			return false
		}
		return repeatsAtOnce(u) || gathered(u, most-1)
	})
}

// repeatsAtOnce reports whether i is a broadcast that repeats each element of more than one a few times at once.
func repeatsAtOnce(i *hlo.Instruction) bool {
	if i.Code() != op.Broadcast || i.Operand(0).Size() <= 1 {
		return false
	}
	last := slices.Max(i.Attrs().(*op.BroadcastAttrs).Dimensions)
	n := sizeOf(i.Dims()[last+1:])
	return n > 1 && n <= fuse.NarrowDim
}

// rounds is how often a broadcast goes through its operand: the new dimensions in front of the last old one.
func rounds(i *hlo.Instruction) int {
	dims := i.Attrs().(*op.BroadcastAttrs).Dimensions
	n, behind := 1, 1
	for d, extent := range i.Dims() {
		if !slices.Contains(dims, d) {
			behind *= extent
		} else if extent > 1 {
			n, behind = n*behind, 1
		}
	}
	return n
}
