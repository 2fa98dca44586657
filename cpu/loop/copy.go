package loop

import "slices"

// Copy returns a copy of n, of which loops, accesses, and what is said of buffers may be changed. Its instructions and
// tables are those of n, which are not.
func (n *Nest) Copy() *Nest {
	c := *n
	c.Buffers, c.Accesses, c.Root = slices.Clone(n.Buffers), slices.Clone(n.Accesses), n.Root.copy()
	c.Insts = slices.Clip(n.Insts)
	return &c
}

// copy returns a copy of b and of the loops in it.
func (b Block) copy() Block {
	b = slices.Clone(b)
	for k := range b {
		if l := b[k].Loop; l != nil {
			own := *l
			own.Body, own.CondBody = l.Body.copy(), l.CondBody.copy()
			b[k].Loop = &own
		}
	}
	return b
}
