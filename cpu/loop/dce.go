package loop

// DCE drops instructions whose value nothing uses, and carries of loops whose value is used neither after
// the loop nor for another carry. Stores, and loops with stores in them, stay.
func DCE(n *Nest) {
	d := &liveness{nest: n, live: make([]bool, len(n.Insts)), carry: map[Value]*Carry{}}
	n.Root.EachLoop(func(l *Loop) {
		for k := range l.Carries {
			c := &l.Carries[k]
			d.carry[c.Out], d.carry[c.Phi] = c, c
		}
	})
	n.Root.Each(func(node Node) {
		switch {
		case node.Loop != nil && node.Loop.Cond != 0:
			d.mark(node.Loop.Cond)
		case node.Loop == nil && n.Inst(node.Value).Op == Store:
			d.mark(node.Value)
		}
	})
	n.Root = d.sweep(n.Root)
}

type liveness struct {
	nest  *Nest
	live  []bool
	todo  []Value          // memory of mark
	carry map[Value]*Carry // by phi and by out
}

// mark makes v live, and all that it is computed from.
func (d *liveness) mark(v Value) {
	todo := append(d.todo[:0], v)
	defer func() { d.todo = todo }()
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if v == 0 || d.live[v] {
			continue
		}
		d.live[v] = true
		i := d.nest.Inst(v)
		todo = append(todo, i.Operands()...)
		if i.Op == Load || i.Op == Store {
			todo = append(todo, d.nest.Accesses[i.Access].Index)
		}
		if c := d.carry[v]; c != nil {
			todo = append(todo, c.Init, c.Phi, c.Next, c.Out)
		}
	}
}

func (d *liveness) sweep(b Block) Block {
	out := b[:0]
	for _, n := range b {
		if n.Loop == nil {
			if d.live[n.Value] {
				out = append(out, n)
			}
			continue
		}
		l := n.Loop
		carries := l.Carries[:0:0]
		for _, c := range l.Carries {
			if d.live[c.Out] || d.live[c.Phi] {
				carries = append(carries, c)
			}
		}
		l.Carries = carries
		l.CondBody, l.Body = d.sweep(l.CondBody), d.sweep(l.Body)
		if len(l.Body) > 0 || len(carries) > 0 {
			out = append(out, n)
		}
	}
	return out
}
