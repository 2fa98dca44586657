package loop

// RangeUnit is what the range of a part of an outermost loop with Lanes begins at a multiple of, and ends at, if it does
// not end with the loop.
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
	for _, node := range n.Root[:len(n.Root)-1] {
		if node.Loop != nil {
			return nil
		}
		i := n.Inst(node.Value)
		if i.Op == Store || i.Op == Load && n.Buffers[n.Accesses[i.Access].Buffer].Write {
			return nil
		}
	}
	return l
}
