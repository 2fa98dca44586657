package loop

// of is what stands for v.
func (p *promoter) of(v Value) Value {
	if w, ok := p.same[v]; ok {
		return w
	}
	return v
}

// block rewrites a block of the loop.
func (p *promoter) block(b Block) Block {
	out := b[:0:0]
	for _, node := range b {
		if node.Loop != nil {
			p.nested(node.Loop)
			out = append(out, node)
			continue
		}
		i := p.nest.Inst(node.Value)
		for k := range i.Args {
			i.Args[k] = p.of(i.Args[k])
		}
		if i.Op == Load || i.Op == Store {
			a := &p.nest.Accesses[i.Access]
			a.Index = p.of(a.Index)
		}
		if c := p.cellOf(node.Value); c == nil {
			out = append(out, node)
		} else if i.Op == Load {
			p.same[node.Value] = c.now
		} else {
			c.now = i.Args[0]
		}
	}
	return out
}

// nested rewrites a loop, which then carries the cells that it stores and that are asked for.
func (p *promoter) nested(l *Loop) {
	old := len(l.Carries)
	for k := range l.Carries {
		l.Carries[k].Init = p.of(l.Carries[k].Init)
	}
	uses := p.uses[l]
	carried := p.cellsOf(uses.carried)
	for _, c := range carried {
		phi, out := p.add(Inst{Op: Phi, Kind: p.kind(c)}), p.add(Inst{Op: Out, Kind: p.kind(c)})
		l.Carries = append(l.Carries, Carry{Init: c.now, Phi: phi, Out: out})
		c.now = phi
	}
	l.CondBody = p.block(l.CondBody)
	l.Cond = p.of(l.Cond)
	l.Body = p.block(l.Body)
	for k := range l.Carries[:old] {
		l.Carries[k].Next = p.of(l.Carries[k].Next)
	}
	for _, c := range p.cellsOf(func(k int) bool { return uses.stores[k] && !uses.wanted[k] }) {
		c.now = 0
	}
	for k, c := range carried {
		carry := &l.Carries[old+k]
		carry.Next, c.now = c.now, carry.Out
	}
}
