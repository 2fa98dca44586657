package loop

// InTurn reports whether each iteration of l, which is in the root, touches nothing of buffer b but its own part, the
// parts being so many bytes long and in the order of the iterations.
func (n *Nest) InTurn(b int, l *Loop, part int64) bool {
	extents := map[int]int64{}
	n.Root.EachLoop(func(l *Loop) { extents[l.Var] = l.Extent })
	for k := range n.Accesses {
		if a := &n.Accesses[k]; a.Buffer == b && !a.inPart(extents, l.Var, part) {
			return false
		}
	}
	return true
}

// inPart reports whether iteration i of loop v finds the element in bytes [i*part, (i+1)*part), with all values of the
// other loops.
func (a *Access) inPart(extents map[int]int64, v int, part int64) bool {
	step, least, most := int64(0), a.Offset, a.Offset
	for _, t := range a.Terms {
		last := extents[t.Var] - 1
		switch {
		case t.Var == v:
			step = t.Stride
		case last < 0: // nobody knows how often
			return false
		default:
			least, most = least+min(0, t.Stride*last), most+max(0, t.Stride*last)
		}
	}
	size := a.Mem.Bytes()
	return a.Index == 0 && step*size == part && least >= 0 && (most+1)*size <= part
}
