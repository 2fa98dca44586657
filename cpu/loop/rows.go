package loop

// The columns of rows of a few elements, as those of a tall matrix that is transposed, lie in the same lines of the
// cache. A loop over them around a lane loop over the rows,
//
//	for i < 7 { lanes j < 200003 { .. x[i + j*7] .. } }
//
// fetches all lines once for each column; all columns side by side fetch them once.

const (
	// A row of leastRow elements is longer than a few, one of more than mostRow has lines of its own.
	leastRow, mostRow = 3, 16
	// mostRowInsts is the most instructions of all columns together.
	mostRowInsts = 64
	// leastRowBytes is the size of elements from which on that is better than blocks of several rows, where there are
	// some. Fewer columns than leastRepeated are better than blocks that overlap.
	leastRowBytes = 4
	leastRepeated = 12
)

// shortRows returns the loop over the columns of such rows, nil if there is none.
func shortRows(n *Nest) *Loop {
	b := &blocker{nest: n}
	if !b.findChain() || b.lanes.Extent < fewest {
		return nil
	}
	l := b.chain[len(b.chain)-2]
	if l.Extent < leastRow || l.Extent > mostRow || len(l.Body) > 1 ||
		l.Extent*int64(len(b.lanes.Body)) > mostRowInsts || rangedVars(n)[l.Var] {
		return nil
	}
	b.apart = l.Extent < leastRepeated
	for _, node := range b.lanes.Body {
		i := n.Inst(node.Value)
		if i.Op != Load && i.Op != Store {
			continue
		}
		a := &n.Accesses[i.Access]
		near, far := abs(a.Stride(l.Var)), abs(a.Stride(b.lanes.Var))
		if a.Index == 0 && near == 1 && far == l.Extent && (a.Mem.Bytes() >= leastRowBytes || !b.findSteps()) {
			return l
		}
	}
	return nil
}
