package loop

// RangeUnit is what the range of a part of an outermost loop with Lanes begins at a multiple of, and ends at, if it
// does not end with the loop.
const RangeUnit = 64

// Outermost returns the loop of which one call of the kernel does a range: the last of the root, if calls for one range
// after the other do what one call for all does. It is parallel, or carries nothing and follows nothing but pure
// instructions, none of which reads what the kernel writes. It is nil where there is none: one call does all.
func (n *Nest) Outermost() *Loop {
	if len(n.Root) == 0 {
		return nil
	}
	l := n.Root[len(n.Root)-1].Loop
	switch {
	case l == nil:
		return nil
	case l.Parallel:
		return l
	case l.Cond != 0 || len(l.Carries) > 0:
		return nil
	}
	if !n.repeats(n.Root[:len(n.Root)-1]) {
		return nil
	}
	return l
}

// Second returns the loop in the outermost one of which a call can do a range, too: then iterations of the outermost
// loop can be divided among threads where there are few of them. It is parallel, and what is in front of it can be done
// again: pure instructions, and loads of what the kernel does not write. It is nil where there is none.
func (n *Nest) Second() *Loop {
	first := n.Outermost()
	if first == nil || !first.Parallel || first.Lanes || len(first.Carries) > 0 || len(first.Body) == 0 {
		return nil
	}
	last := len(first.Body) - 1
	l := first.Body[last].Loop
	if l == nil || !l.Parallel || l.When != nil || l.Cond != 0 || len(l.Carries) > 0 || !n.repeats(first.Body[:last]) {
		return nil
	}
	return l
}

// repeats reports whether to do b again changes nothing.
func (n *Nest) repeats(b Block) bool {
	for _, node := range b {
		if node.Loop != nil {
			return false
		}
		i := n.Inst(node.Value)
		if i.Op == Store || i.Op == Load && n.Buffers[n.Accesses[i.Access].Buffer].Write {
			return false
		}
	}
	return true
}

// Stride returns the elements that a goes on in an iteration of loop v.
func (a *Access) Stride(v int) int64 {
	for _, t := range a.Terms {
		if t.Var == v {
			return t.Stride
		}
	}
	return 0
}
