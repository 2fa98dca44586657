package loop

import "slices"

// What a short row is reduced to is in the lanes of a vector at its end, and combining these takes longer than the row.
// Where several rows go side by side, their vectors are combined together, and no row waits for another.

// A row has at least and at most so many elements; a longer one keeps the units busy by itself, and one that is gone
// through only once waits for memory.
const leastReducedRow, mostReducedRow, mostReducedOnce = 8, 512, 128

// mostPairedRow is the most elements of rows of which two or three go side by side: in the first cache there is no room
// for more, and combining what a vector has still takes as long as a third of the row.
const mostPairedRow = 1024

// Memory brings one long row after the other faster than several by turns: a softmax of f32[20000,256] takes 2.2 ms on
// Zen 4, by four rows 2.8. So rows of more than mostTurnedRow elements do not go side by side where the arrays have
// more than mostCached bytes.
const mostTurnedRow, mostCached = 64, 24 << 20

// Rows of one array that are only read go by more than others, of which at most so many arrays are written and read.
// Of those with mostTurnedRow elements or less eight are not too many where vectors are narrow: a layer norm of
// f32[512,64] takes 9.0 us on Zen 3, by four rows 10.5.
var (
	readFactors   = [...]int{8, 4, 6, 5, 7, 3}
	otherFactors  = [...]int{4, 5, 6, 3}
	tinyFactors   = [...]int{8, 4, 5, 6, 3}
	pairedFactors = [...]int{2, 3}
)

const mostWrittenRows = 2

// mostMasks is how many masks are carried at most where there are registers for seven, which take part in the work.
const mostMasks = 4

// reducedRows returns the loop over such rows, each of them made by lane loops alone, and how many go side by side; nil
// if there is none.
func reducedRows(n *Nest, wide bool) (best *Loop, factor int) {
	named := rangedVars(n)
	n.Root.EachLoop(func(l *Loop) {
		if l.Lanes || !l.Parallel || l.Cond != 0 || l.When != nil || named[l.Var] || fillsScratch(n, l) {
			return
		}
		if f := foldFactor(n, l, wide); f > 0 {
			best, factor = l, f
		}
	})
	return best, factor
}

// foldFactor is how many iterations of l go side by side, 0 if none do.
func foldFactor(n *Nest, l *Loop, wide bool) int {
	carries, longest := rowCarries(l)
	arrays, writes := map[int]bool{}, false
	l.Body.Walk(func(node Node, around []*Loop) {
		if node.Loop != nil || len(around) == 0 {
			return
		}
		if i := n.Inst(node.Value); i.Op == Load || i.Op == Store {
			a := &n.Accesses[i.Access]
			arrays[a.Buffer] = arrays[a.Buffer] || a.Stride(l.Var) != 0
			writes = writes || i.Op == Store
		}
	})
	rows := 0
	for _, own := range arrays {
		if own {
			rows++
		}
	}
	if carries == 0 || writes && rows > mostWrittenRows {
		return 0
	}
	factors := readFactors[:]
	if writes || rows > 1 {
		factors = otherFactors[:]
		if !wide && longest <= mostTurnedRow {
			factors = tinyFactors[:]
		}
	}
	if longest > mostTurnedRow && n.bytes() > mostCached {
		return 0
	}
	paired := longest > mostReducedRow
	if paired {
		factors = pairedFactors[:]
	}
	most := maxJammedCarries
	if wide && reducesMasks(n, l) {
		most = mostMasks
	}
	for _, f := range factors {
		if paired && !keepsOrder(l, f) {
			continue
		}
		if l.Extent%int64(f) == 0 && f*carries <= most && f*l.Body.size() <= maxJammedInsts {
			return f
		}
	}
	return 0
}

// reducesMasks reports whether a loop in l carries masks.
func reducesMasks(n *Nest, l *Loop) bool {
	return slices.ContainsFunc(l.Body, func(node Node) bool {
		return node.Loop != nil && slices.ContainsFunc(node.Loop.Carries, func(c Carry) bool { return n.Kind(c.Phi) == Mask })
	})
}

// bytes is the size of all buffers.
func (n *Nest) bytes() (sum int64) {
	for _, b := range n.Buffers {
		sum += b.Bytes
	}
	return sum
}

// keepsOrder reports whether rows of l are summed in the same order if f of them go side by side: as many vectors of a
// row are then added at a time, which depends on how many instructions there are (emit, chooseCopies).
func keepsOrder(l *Loop, f int) bool {
	return !slices.ContainsFunc(l.Body, func(n Node) bool {
		if n.Loop == nil || len(n.Loop.Carries) == 0 {
			return false
		}
		size := len(n.Loop.Body)
		return len(n.Loop.Carries) > 1 || size <= shortRowBody && f*size > shortRowBody || f*size > mediumRowBody
	})
}

// shortRowBody and mediumRowBody are the instructions of bodies of which several vectors are summed at a time.
const shortRowBody, mediumRowBody = 12, 40

// rowCarries is the most values that a lane loop in l reduces its rows to, and the longest row; 0 values if there is
// anything but short lane loops, or they do not reduce.
func rowCarries(l *Loop) (most int, longest int64) {
	times := 0
	for _, node := range l.Body {
		in := node.Loop
		if in == nil {
			continue
		}
		scans := slices.ContainsFunc(in.Carries, func(c Carry) bool { return c.Scan || c.Reduce == 0 })
		holds := slices.ContainsFunc(in.Body, func(n Node) bool { return n.Loop != nil })
		if !in.Lanes || scans || holds || in.When != nil || in.Extent < leastReducedRow || in.Extent > mostPairedRow {
			return 0, 0
		}
		most, longest, times = max(most, len(in.Carries)), max(longest, in.Extent), times+1
	}
	if times == 1 && longest > mostReducedOnce {
		return 0, 0
	}
	return most, longest
}
