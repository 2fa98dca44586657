package loop

import "slices"

// maxPromoted is the most elements that a loop carries in registers for Promote.
const maxPromoted = 48

// Promote keeps elements of arrays in registers through a while loop of the root, if every access to the array in the
// loop is to a known element, as in loops over a few numbers:
//
//	while { .. v1 = load x[0] .. store x[0] v2 }
//
// becomes
//
//	v0 = load x[0]; while { carry v3 phi v1 next v2 .. }; store x[0] v3
//
// What nothing reads but an iteration that has stored it is not stored: of a buffer of which private says that nothing
// but the nest uses it, and which nothing behind the loop reads.
func Promote(n *Nest, private func(buffer int) bool) {
	for at := len(n.Root) - 1; at >= 0; at-- {
		if l := n.Root[at].Loop; l != nil && l.Cond != 0 {
			alone := func(b int) bool { return private(b) && !readsBuffer(n, n.Root[at+1:], b) }
			p := &promoter{nest: n, loop: l, private: alone, kept: map[element]*cell{}, same: map[Value]Value{}}
			p.promote(at)
		}
	}
}

// readsBuffer reports whether something in a block of n reads a buffer.
func readsBuffer(n *Nest, b Block, buffer int) (reads bool) {
	b.Each(func(node Node) {
		i := n.Inst(node.Value)
		reads = reads || node.Loop == nil && i.Op == Load && n.Accesses[i.Access].Buffer == buffer
	})
	return reads
}

// element is one of a buffer.
type element struct {
	buffer int
	offset int64
}

// cell is an element in a register.
type cell struct {
	element
	access     int32 // one of its accesses
	carry, now Value // phi, and the value at the place of the rewriting
	stored     bool
}

type promoter struct {
	nest *Nest
	loop *Loop
	// private says of which buffers nothing but the loop, and what is in front of it, uses what is in them.
	private func(buffer int) bool
	order   []*cell
	kept    map[element]*cell
	same    map[Value]Value // what stands for loads that are gone
}

// promote rewrites the loop that is node at of the root.
func (p *promoter) promote(at int) {
	p.find()
	if len(p.order) == 0 || len(p.order) > maxPromoted {
		return
	}
	var front, back Block
	for _, c := range p.order {
		kind := p.nest.Accesses[c.access].Mem.Kind()
		init := p.add(Inst{Op: Load, Kind: kind, Access: c.access})
		front = append(front, Node{Value: init})
		c.carry = p.add(Inst{Op: Phi, Kind: kind})
		c.now = c.carry
		p.loop.Carries = append(p.loop.Carries, Carry{Init: init, Phi: c.carry, Out: p.add(Inst{Op: Out, Kind: kind})})
	}
	p.loop.CondBody = p.block(p.loop.CondBody)
	p.loop.Body = p.block(p.loop.Body)
	carries := p.loop.Carries[len(p.loop.Carries)-len(p.order):]
	used := p.used()
	for k, c := range p.order {
		carries[k].Next = c.now
		if c.stored && (used[c.carry] || !p.private(c.buffer)) {
			back = append(back, Node{Value: p.add(Inst{Op: Store, Args: [3]Value{carries[k].Out}, Access: c.access})})
		}
	}
	for k := range p.loop.Carries {
		c := &p.loop.Carries[k]
		c.Next = p.of(c.Next)
	}
	p.loop.Cond = p.of(p.loop.Cond)
	p.nest.Root = slices.Concat(p.nest.Root[:at], front, Block{{Loop: p.loop}}, back, p.nest.Root[at+1:])
}

// used tells which values the rewritten loop uses, or carries on.
func (p *promoter) used() map[Value]bool {
	used := map[Value]bool{p.loop.Cond: true}
	note := func(node Node, _ []*Loop) {
		if node.Loop != nil {
			for _, c := range node.Loop.Carries {
				used[c.Init], used[c.Next] = true, true
			}
			return
		}
		i := p.nest.Inst(node.Value)
		for _, v := range i.Operands() {
			used[v] = true
		}
		if i.Op == Load || i.Op == Store {
			used[p.nest.Accesses[i.Access].Index] = true
		}
	}
	p.loop.CondBody.Walk(note)
	p.loop.Body.Walk(note)
	for _, c := range p.loop.Carries {
		used[c.Next] = true
	}
	for _, c := range p.order {
		used[c.now] = true
	}
	return used
}

func (p *promoter) add(i Inst) Value {
	p.nest.Insts = append(p.nest.Insts, i)
	return Value(len(p.nest.Insts) - 1)
}

// find notes the elements that may be in registers: those of buffers without other accesses, in an order that does not
// depend on chance.
func (p *promoter) find() {
	bad := map[int]bool{}
	p.eachAccess(p.loop.CondBody, true, bad)
	p.eachAccess(p.loop.Body, false, bad)
	p.order = slices.DeleteFunc(p.order, func(c *cell) bool {
		if bad[c.buffer] {
			delete(p.kept, c.element)
		}
		return bad[c.buffer]
	})
}

// eachAccess notes the accesses of a block and of the loops in it. Where the loop decides to go on nothing is stored.
func (p *promoter) eachAccess(b Block, reads bool, bad map[int]bool) {
	b.Walk(func(node Node, loops []*Loop) {
		i := p.nest.Inst(node.Value)
		if node.Loop != nil || i.Op != Load && i.Op != Store {
			return
		}
		a := &p.nest.Accesses[i.Access]
		mask := i.Args[0]
		if i.Op == Store {
			mask = i.Args[1]
		}
		if !p.nest.Buffers[a.Buffer].Write {
			return // it is as well off where it is
		}
		key := element{a.Buffer, a.Offset}
		c := p.kept[key]
		whole := a.Mem == MemF32 || a.Mem == MemF64 || a.Mem == MemI32 || a.Mem == MemI64
		if len(loops) > 0 || len(a.Terms) > 0 || a.Index != 0 || mask != 0 || !whole || i.Op == Store && reads ||
			c != nil && p.nest.Accesses[c.access].Mem != a.Mem {
			bad[a.Buffer] = true
			return
		}
		if c == nil {
			c = &cell{element: key, access: i.Access}
			p.kept[key], p.order = c, append(p.order, c)
			p.sameSize(c, bad)
		}
		c.stored = c.stored || i.Op == Store
	})
}

// sameSize refuses a buffer whose elements are of several types.
func (p *promoter) sameSize(c *cell, bad map[int]bool) {
	for _, o := range p.order {
		if o.buffer == c.buffer && p.nest.Accesses[o.access].Mem != p.nest.Accesses[c.access].Mem {
			bad[c.buffer] = true
		}
	}
}

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
			if c := p.kept[element{a.Buffer, a.Offset}]; c != nil {
				if i.Op == Load {
					p.same[node.Value] = c.now
				} else {
					c.now = i.Args[0]
				}
				continue
			}
		}
		out = append(out, node)
	}
	return out
}

// nested rewrites a loop in the loop, which has no element in a register.
func (p *promoter) nested(l *Loop) {
	for k := range l.Carries {
		l.Carries[k].Init = p.of(l.Carries[k].Init)
	}
	l.CondBody = p.block(l.CondBody)
	l.Cond = p.of(l.Cond)
	l.Body = p.block(l.Body)
	for k := range l.Carries {
		l.Carries[k].Next = p.of(l.Carries[k].Next)
	}
}
