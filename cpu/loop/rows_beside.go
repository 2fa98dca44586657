package loop

import "slices"

// Sums over many short rows, such as the channels of a group at all pixels, wait for one addition after the other.
// Those of rows that lie beside one another in memory are made side by side: they wait together, and lines are read
// once.

// mostRowBeside is the most bytes that such a row has, in lanes of 4 bytes at least: it fits one vector of any machine.
// Where vectors are narrow a row may have mostRowsBeside, which is what all that go side by side have at most, and the
// rows may be gone through once more to write others: a group norm of f32[2,196,32,16], of which a group has a line at
// each pixel and its next one lies in the same sets of the first cache, takes 55 us on Zen 3, group by group 108.
const mostRowBeside, mostRowsBeside = 32, 256

// leastBeside is how many parts are left for threads at least.
const leastBeside = 4

var besideFactors = [...]int{8, 4, 6, 5, 7, 3, 2}

// rowsBeside returns the loop over such sums and how many of them go side by side, nil if there is none.
func rowsBeside(n *Nest, wide bool) (best *Loop, factor int) {
	named := rangedVars(n)
	n.Root.Walk(func(node Node, around []*Loop) {
		l := node.Loop
		if l == nil || l.Lanes || !l.Parallel || l.Cond != 0 || l.When != nil || named[l.Var] || fillsScratch(n, l) {
			return
		}
		carries, row := sumsBeside(n, l, wide)
		times := l.Extent
		for _, o := range around {
			if o.Parallel {
				times *= o.Extent
			}
		}
		for _, f := range besideFactors {
			if carries > 0 && l.Extent%int64(f) == 0 && times >= leastBeside*int64(f) && f*carries <= maxJammedCarries &&
				f*l.Body.size() <= maxJammedInsts && int64(f)*row <= mostRowsBeside {
				best, factor = l, f
				return
			}
		}
	})
	return best, factor
}

// sumsBeside is the most values that a loop in l carries, if each has one loop in it, down to lanes that are a row, and
// the bytes of the longest row; 0 values if there are others.
func sumsBeside(n *Nest, l *Loop, wide bool) (most int, row int64) {
	for _, node := range l.Body {
		for over := node.Loop; over != nil; over = onlyLoop(over) {
			if over.Lanes || over.Cond != 0 || over.When != nil || wide && len(over.Carries) == 0 {
				return 0, 0
			}
			in := onlyLoop(over)
			if in == nil || wide && !in.Lanes {
				return 0, 0
			}
			if most = max(most, len(over.Carries)); !in.Lanes {
				continue
			}
			bytes := rowBeside(n, in, l.Var)
			if bytes == 0 || len(in.Carries) != len(over.Carries) || wide && bytes > mostRowBeside {
				return 0, 0
			}
			row = max(row, bytes)
			break
		}
	}
	return most, row
}

// onlyLoop is the loop in l, if there is one and no other.
func onlyLoop(l *Loop) (in *Loop) {
	for _, node := range l.Body {
		if node.Loop != nil && in != nil {
			return nil
		}
		if node.Loop != nil {
			in = node.Loop
		}
	}
	return in
}

// rowBeside is how many bytes lanes read or write, if they are one row, and the row behind it belongs to the next
// iteration of the loop of variable v; else 0.
func rowBeside(n *Nest, lanes *Loop, v int) (bytes int64) {
	scans := slices.ContainsFunc(lanes.Carries, func(c Carry) bool { return c.Scan || c.Reduce == 0 })
	if !lanes.Lanes || lanes.When != nil || scans {
		return 0
	}
	for _, node := range lanes.Body {
		if node.Loop != nil {
			return 0
		}
		i := n.Inst(node.Value)
		if i.Op == Store && len(lanes.Carries) > 0 {
			return 0
		}
		bytes = max(bytes, lanes.Extent*int64(max(i.Kind.Bits()/8, 4)))
		if i.Op != Load && i.Op != Store {
			continue
		}
		a := &n.Accesses[i.Access]
		if a.Index != 0 || a.Stride(lanes.Var) > 1 || a.Stride(v) != lanes.Extent*a.Stride(lanes.Var) {
			return 0
		}
	}
	return bytes
}
