package loop

import "slices"

// cellUses is what a loop, or a block, does with cells, by their numbers.
type cellUses struct {
	reads  []bool // before it stores them
	stores []bool
	wanted []bool // of a loop: where an iteration begins, by it, by one after it, or behind the loop
}

// carried tells whether a loop carries cell k.
func (u *cellUses) carried(k int) bool { return u.stores[k] && u.wanted[k] }

func (p *promoter) newUses() *cellUses {
	n := len(p.order)
	all := make([]bool, 2*n)
	return &cellUses{reads: all[:n:n], stores: all[n:]}
}

// findUses finds out what the loops do with cells.
func (p *promoter) findUses() {
	p.uses = map[*Loop]*cellUses{}
	u := p.ofLoop(p.loop)
	behind := make([]bool, len(p.order))
	for k, c := range p.order {
		behind[k] = u.stores[k] && (u.reads[k] || !p.private(c.buffer))
	}
	p.wantedBy(p.loop, behind)
}

// ofLoop notes what a loop reads and stores.
func (p *promoter) ofLoop(l *Loop) *cellUses {
	u := p.newUses()
	p.ofBlock(l.CondBody, u)
	body := p.newUses()
	p.ofBlock(l.Body, body)
	for k := range p.order {
		u.reads[k] = u.reads[k] || body.reads[k]
		u.stores[k] = body.stores[k]
	}
	p.uses[l] = u
	return u
}

// ofBlock notes what a block reads and stores, after what u has. A loop may not store what it has stores for.
func (p *promoter) ofBlock(b Block, u *cellUses) {
	sure := slices.Clone(u.stores)
	for _, node := range b {
		if node.Loop != nil {
			in := p.ofLoop(node.Loop)
			for k := range p.order {
				u.reads[k] = u.reads[k] || in.reads[k] && !sure[k]
				u.stores[k] = u.stores[k] || in.stores[k]
			}
		} else if c := p.cellOf(node.Value); c != nil {
			if p.nest.Inst(node.Value).Op == Store {
				u.stores[c.number], sure[c.number] = true, true
			} else {
				u.reads[c.number] = u.reads[c.number] || !sure[c.number]
			}
		}
	}
}

// cellOf returns the cell that v loads or stores, nil if there is none.
func (p *promoter) cellOf(v Value) *cell {
	i := p.nest.Inst(v)
	if i.Op != Load && i.Op != Store {
		return nil
	}
	a := &p.nest.Accesses[i.Access]
	return p.kept[element{a.Buffer, a.Offset}]
}

// wantedBy finds out what is wanted where iterations of l and of the loops in it begin, and returns what is wanted in
// front of l. Behind is what is wanted behind it.
func (p *promoter) wantedBy(l *Loop, behind []bool) []bool {
	u := p.uses[l]
	u.wanted = slices.Clone(behind)
	for k := range p.order {
		u.wanted[k] = u.wanted[k] || u.reads[k]
	}
	wanted := slices.Clone(u.wanted)
	for k := len(l.Body) - 1; k >= 0; k-- {
		if in := l.Body[k].Loop; in != nil {
			wanted = p.wantedBy(in, wanted)
		} else if c := p.cellOf(l.Body[k].Value); c != nil {
			wanted[c.number] = p.nest.Inst(l.Body[k].Value).Op == Load
		}
	}
	return slices.Clone(u.wanted)
}
