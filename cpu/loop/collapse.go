package loop

import "slices"

// Collapse makes one loop of two where the inner one is all that the outer one holds, each address steps
// through both as if they were one, and nothing asks for the number of an iteration. What is carried
// through both goes on to be.
func Collapse(n *Nest) {
	c := &collapser{nest: n, indexed: make([]bool, n.Vars)}
	for k := range n.Insts {
		if i := &n.Insts[k]; i.Op == Index {
			c.indexed[i.Imm] = true
		}
	}
	c.ranges(n.Root)
	c.block(n.Root)
}

type collapser struct {
	nest    *Nest
	indexed []bool // by variable
}

// ranges marks the loops whose iterations others run for.
func (c *collapser) ranges(b Block) {
	for _, n := range b {
		if n.Loop == nil {
			continue
		}
		if w := n.Loop.When; w != nil {
			c.indexed[w.Var] = true
		}
		c.ranges(n.Loop.CondBody)
		c.ranges(n.Loop.Body)
	}
}

func (c *collapser) block(b Block) {
	for _, n := range b {
		if n.Loop == nil {
			continue
		}
		c.block(n.Loop.CondBody)
		c.block(n.Loop.Body)
		for c.merge(n.Loop) {
		}
	}
}

// merge takes the only loop in outer into it.
func (c *collapser) merge(outer *Loop) bool {
	if len(outer.Body) != 1 || outer.Body[0].Loop == nil || outer.Cond != 0 || outer.Lanes {
		return false
	}
	inner := outer.Body[0].Loop
	if inner.Cond != 0 || outer.When != nil || inner.When != nil ||
		c.indexed[outer.Var] || c.indexed[inner.Var] || outer.Parallel && !inner.Parallel {
		return false
	}
	if !c.straight(outer, inner) || !c.steps(outer, inner) {
		return false
	}
	for k := range outer.Carries {
		in := &inner.Carries[k]
		in.Init, in.Out = outer.Carries[k].Init, outer.Carries[k].Out
	}
	for k := range c.nest.Accesses {
		a := &c.nest.Accesses[k]
		a.Terms = slices.DeleteFunc(slices.Clone(a.Terms), func(t Term) bool { return t.Var == outer.Var })
	}
	extent := outer.Extent * inner.Extent
	*outer = *inner
	outer.Extent = extent
	return true
}

// straight reports whether what outer carries goes through inner and nowhere else.
func (c *collapser) straight(outer, inner *Loop) bool {
	if len(outer.Carries) != len(inner.Carries) {
		return false
	}
	for k, o := range outer.Carries {
		if in := inner.Carries[k]; in.Init != o.Phi || o.Next != in.Out {
			return false
		}
		if c.usedInside(o.Phi, inner) {
			return false
		}
	}
	return true
}

// usedInside reports whether anything in l but a carry of its own begins with v or has it as an operand.
func (c *collapser) usedInside(v Value, l *Loop) bool {
	used := false
	l.Body.Each(func(node Node) {
		if node.Loop != nil {
			used = used || slices.ContainsFunc(node.Loop.Carries, func(k Carry) bool { return k.Init == v || k.Next == v })
			return
		}
		i := c.nest.Inst(node.Value)
		used = used || slices.Contains(i.Args[:], v) ||
			(i.Op == Load || i.Op == Store) && c.nest.Accesses[i.Access].Index == v
	})
	return used || slices.ContainsFunc(l.Carries, func(k Carry) bool { return k.Next == v })
}

// steps reports whether each address goes on from one row of inner to the next as within it.
func (c *collapser) steps(outer, inner *Loop) bool {
	for k := range c.nest.Accesses {
		var o, in int64
		for _, t := range c.nest.Accesses[k].Terms {
			switch t.Var {
			case outer.Var:
				o = t.Stride
			case inner.Var:
				in = t.Stride
			}
		}
		if o != in*inner.Extent {
			return false
		}
	}
	return true
}
