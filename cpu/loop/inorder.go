package loop

import (
	"cmp"
	"slices"
)

// A transpose that keeps rows whole, as one that puts the heads of an attention in front, reads a row here and a row
// there if it writes them one after the other:
//
//	for i < 12 { for k < 512 { lanes j < 64 { y[i*32768 + k*64 + j] = .. x[i*64 + k*768 + j] .. } } }
//
// What is read is waited for, and the hardware asks for what follows only where it follows soon; what is written is not
// waited for. So the loops go in the order of what is read:
//
//	for k < 512 { for i < 12 { lanes j < 64 { y[i*32768 + k*64 + j] = .. x[i*64 + k*768 + j] .. } } }

const (
	// leastFarRead is from how many bytes on a buffer is not in the second cache.
	leastFarRead = 1 << 20
	// mostRowInOrder is the most bytes of a row that is a piece of memory and not a stretch of its own.
	mostRowInOrder = 4 << 10
	// mostApart is how many rows there are at most to the next one of a piece of memory: lines between them are few.
	mostApart = 4
	// mostPieces is how many pieces of memory are followed at a time: by the hardware, of what is read, and by the
	// caches, of what is written to them.
	mostPieces = 16
	// mostMoved is the most instructions in front of the lane loop that may be done for each row.
	mostMoved = 16
)

// ReadInOrder does that where what is read is far. It reports whether it changed n.
func ReadInOrder(n *Nest) bool {
	b := &blocker{nest: n}
	if !b.findChain() || len(b.chain) < 3 || len(slices.Concat(b.front...)) > mostMoved {
		return false
	}
	outer := b.chain[:len(b.chain)-1]
	far := b.farRows()
	if far == nil || b.pieces(far, outer) <= mostPieces || !b.free(far, outer) {
		return false
	}
	order := slices.Clone(outer)
	slices.SortStableFunc(order, func(x, y *Loop) int {
		return cmp.Compare(abs(far.Stride(y.Var)), abs(far.Stride(x.Var)))
	})
	if !b.takes(order) {
		return false
	}
	b.reorder(order)
	return true
}

// farRows returns an access that reads rows of whole lines that are neighbours in memory that is far, or nil.
func (b *blocker) farRows() *Access {
	for _, a := range b.accesses(Load) {
		bytes := b.lanes.Extent * a.Mem.Bytes()
		if b.isFar(a) && a.Stride(b.lanes.Var) == 1 && bytes%cacheLine == 0 && bytes <= mostRowInOrder &&
			slices.ContainsFunc(b.chain, func(l *Loop) bool { return b.neighbours(a, l) }) {
			return a
		}
	}
	return nil
}

// accesses lists what the instructions op of the lane loop access.
func (b *blocker) accesses(op Op) (list []*Access) {
	for _, n := range b.lanes.Body {
		if i := b.nest.Inst(n.Value); i.Op == op {
			list = append(list, &b.nest.Accesses[i.Access])
		}
	}
	return list
}

func (b *blocker) isFar(a *Access) bool { return b.nest.Buffers[a.Buffer].Bytes >= leastFarRead }

// neighbours reports whether the rows of the iterations of l are one behind the other, or nearly so.
func (b *blocker) neighbours(a *Access, l *Loop) bool {
	apart := abs(a.Stride(l.Var))
	return apart >= b.lanes.Extent && apart <= mostApart*b.lanes.Extent
}

// pieces is how many pieces of memory a goes through by turns if the loops around the lane loop are in that order.
func (b *blocker) pieces(a *Access, order []*Loop) int64 {
	n := int64(1)
	for _, l := range slices.Backward(order) {
		if b.neighbours(a, l) {
			break
		}
		n *= l.Extent
	}
	return n
}

// free reports whether the loops may be in any order, and far is read once.
func (b *blocker) free(far *Access, outer []*Loop) bool {
	ranged := rangedVars(b.nest)
	return !slices.ContainsFunc(outer, func(l *Loop) bool { return ranged[l.Var] || far.Stride(l.Var) == 0 })
}

// takes reports whether the loops in that order read few pieces of all that is far, and write whole lines: past the
// caches, or so few pieces by turns that these hold them.
func (b *blocker) takes(order []*Loop) bool {
	for _, a := range b.accesses(Load) {
		if b.isFar(a) && (a.Index != 0 || a.Stride(b.lanes.Var) > 1 || b.pieces(a, order) > mostPieces) {
			return false
		}
	}
	for _, a := range b.accesses(Store) {
		if a.Index != 0 || a.Stride(b.lanes.Var) != 1 || !b.wholeLines(a) ||
			!b.nest.Buffers[a.Buffer].Stream && b.pieces(a, order) > mostPieces {
			return false
		}
	}
	return true
}

// wholeLines reports whether the rows of a begin and end with lines if the buffer does.
func (b *blocker) wholeLines(a *Access) bool {
	bytes := a.Mem.Bytes()
	return a.Offset*bytes%cacheLine == 0 && b.lanes.Extent*bytes%cacheLine == 0 &&
		!slices.ContainsFunc(b.chain[:len(b.chain)-1], func(l *Loop) bool { return a.Stride(l.Var)*bytes%cacheLine != 0 })
}

// reorder nests the loops around the lane loop in that order, and what stands in front of inner ones in the last.
func (b *blocker) reorder(order []*Loop) {
	inner := append(slices.Concat(b.front...), Node{Loop: b.lanes})
	for _, l := range slices.Backward(order) {
		l.Body = inner
		inner = Block{{Loop: l}}
	}
	root := b.nest.Root
	root[len(root)-1] = inner[0]
}
