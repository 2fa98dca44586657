package loop

import "slices"

// What a short row is reduced to is in the lanes of a vector at its end, and combining these takes longer than the row.
// Where several rows go side by side, their vectors are combined together, and no row waits for another.

// A row has at least and at most so many elements; a longer one keeps the units busy by itself, and one that is gone
// through only once waits for memory.
const leastReducedRow, mostReducedRow, mostReducedOnce = 8, 512, 128

// Rows of one array that are only read go by more than others, of which at most so many arrays are written and read.
var (
	readFactors  = [...]int{8, 4, 6, 5, 7, 3}
	otherFactors = [...]int{4, 5, 6, 3}
)

const mostWrittenRows = 2

// reducedRows returns the loop over such rows, each of them made by lane loops alone, and how many go side by side; nil
// if there is none.
func reducedRows(n *Nest) (best *Loop, factor int) {
	named := rangedVars(n)
	n.Root.EachLoop(func(l *Loop) {
		if l.Lanes || !l.Parallel || l.Cond != 0 || l.When != nil || named[l.Var] || fillsScratch(n, l) {
			return
		}
		if f := foldFactor(n, l); f > 0 {
			best, factor = l, f
		}
	})
	return best, factor
}

// foldFactor is how many iterations of l go side by side, 0 if none do.
func foldFactor(n *Nest, l *Loop) int {
	carries, arrays, writes := rowCarries(l), map[int]bool{}, false
	l.Body.Walk(func(node Node, around []*Loop) {
		if node.Loop != nil || len(around) == 0 {
			return
		}
		if i := n.Inst(node.Value); i.Op == Load || i.Op == Store {
			a := &n.Accesses[i.Access]
			arrays[a.Buffer] = arrays[a.Buffer] || a.strideOf(l.Var) != 0
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
	}
	for _, f := range factors {
		if l.Extent%int64(f) == 0 && f*carries <= maxJammedCarries && f*l.Body.size() <= maxJammedInsts {
			return f
		}
	}
	return 0
}

// rowCarries is the most values that a lane loop in l reduces its rows to, 0 if there is anything but short lane loops,
// or they do not reduce.
func rowCarries(l *Loop) (most int) {
	longest, times := int64(0), 0
	for _, node := range l.Body {
		in := node.Loop
		if in == nil {
			continue
		}
		scans := slices.ContainsFunc(in.Carries, func(c Carry) bool { return c.Scan || c.Reduce == 0 })
		holds := slices.ContainsFunc(in.Body, func(n Node) bool { return n.Loop != nil })
		if !in.Lanes || scans || holds || in.When != nil || in.Extent < leastReducedRow || in.Extent > mostReducedRow {
			return 0
		}
		most, longest, times = max(most, len(in.Carries)), max(longest, in.Extent), times+1
	}
	if times == 1 && longest > mostReducedOnce {
		return 0
	}
	return most
}
