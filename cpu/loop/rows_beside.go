package loop

import "slices"

// Sums over many short rows, such as the channels of a group at all pixels, wait for one addition after the other.
// Those of rows that lie beside one another in memory are made side by side: they wait together, and lines are read
// once.

// mostRowBeside is the most bytes that such a row has, in lanes of 4 bytes at least: it fits one vector of any machine.
const mostRowBeside = 32

// leastBeside is how many parts are left for threads at least.
const leastBeside = 4

var besideFactors = [...]int{8, 4, 6, 5, 7, 3, 2}

// rowsBeside returns the loop over such sums and how many of them go side by side, nil if there is none.
func rowsBeside(n *Nest) (best *Loop, factor int) {
	named := rangedVars(n)
	n.Root.Walk(func(node Node, around []*Loop) {
		l := node.Loop
		if l == nil || l.Lanes || !l.Parallel || l.Cond != 0 || l.When != nil || named[l.Var] || fillsScratch(n, l) {
			return
		}
		carries, times := sumsBeside(n, l), l.Extent
		for _, o := range around {
			if o.Parallel {
				times *= o.Extent
			}
		}
		for _, f := range besideFactors {
			if carries > 0 && l.Extent%int64(f) == 0 && times >= leastBeside*int64(f) && f*carries <= maxJammedCarries &&
				f*l.Body.size() <= maxJammedInsts {
				best, factor = l, f
				return
			}
		}
	})
	return best, factor
}

// sumsBeside is the most values that a loop in l carries, each of which has one loop in it, of lanes that are a row; 0
// if there are others.
func sumsBeside(n *Nest, l *Loop) (most int) {
	for _, node := range l.Body {
		over := node.Loop
		if over == nil {
			continue
		}
		if over.Lanes || over.Cond != 0 || over.When != nil || len(over.Body) != 1 || len(over.Carries) == 0 ||
			over.Body[0].Loop == nil || !sumsRow(n, over.Body[0].Loop, l.Var) {
			return 0
		}
		most = max(most, len(over.Carries))
	}
	return most
}

// sumsRow reports whether lanes are one row, and the row behind it belongs to the next iteration of the loop of
// variable v.
func sumsRow(n *Nest, lanes *Loop, v int) bool {
	scans := slices.ContainsFunc(lanes.Carries, func(c Carry) bool { return c.Scan || c.Reduce == 0 })
	if !lanes.Lanes || lanes.When != nil || scans || len(lanes.Carries) == 0 {
		return false
	}
	return !slices.ContainsFunc(lanes.Body, func(node Node) bool {
		if node.Loop != nil {
			return true
		}
		i := n.Inst(node.Value)
		if i.Op == Store || lanes.Extent*int64(max(i.Kind.Bits()/8, 4)) > mostRowBeside {
			return true
		}
		if i.Op != Load {
			return false
		}
		a := &n.Accesses[i.Access]
		return a.Index != 0 || a.Stride(lanes.Var) > 1 || a.Stride(v) != lanes.Extent*a.Stride(lanes.Var)
	})
}
