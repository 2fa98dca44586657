package loop

import "slices"

// maxPromoted is the most elements that a loop carries in registers for Promote.
const maxPromoted = 48

// Promote keeps elements of arrays in registers through a while loop of the root, and the loops in it, if every
// access to the array in the loop is to a known element, as in loops over a few numbers:
//
//	while { .. v1 = load x[0] .. store x[0] v2 }
//
// becomes
//
//	v0 = load x[0]; while { carry v3 phi v1 next v2 .. }; store x[0] v3
//
// What a loop stores before it reads it is not carried. What nothing reads but an iteration that has stored it is not
// stored: of a buffer of which private says that nothing but the nest uses it, and which nothing behind the loop reads.
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
	number int   // in promoter.order
	access int32 // one of its accesses
	now    Value // at the place of the rewriting; 0: unknown, and not asked for
}

type promoter struct {
	nest *Nest
	loop *Loop
	// private says of which buffers nothing but the loop, and what is in front of it, uses what is in them.
	private func(buffer int) bool
	order   []*cell
	kept    map[element]*cell
	same    map[Value]Value // what stands for loads that are gone
	uses    map[*Loop]*cellUses
}

// promote rewrites the loop that is node at of the root.
func (p *promoter) promote(at int) {
	p.forget(p.find())
	p.findUses()
	uses := p.uses[p.loop]
	kept := p.cellsOf(func(k int) bool { return uses.carried(k) || uses.reads[k] })
	if len(p.order) == 0 || len(kept) > maxPromoted {
		return
	}
	var front, back Block
	for _, c := range kept {
		c.now = p.add(Inst{Op: Load, Kind: p.kind(c), Access: c.access})
		front = append(front, Node{Value: c.now})
	}
	p.nested(p.loop)
	for _, c := range p.cellsOf(uses.carried) {
		if !p.private(c.buffer) || uses.reads[c.number] {
			back = append(back, Node{Value: p.add(Inst{Op: Store, Args: [3]Value{c.now}, Access: c.access})})
		}
	}
	p.nest.Root = slices.Concat(p.nest.Root[:at], front, Block{{Loop: p.loop}}, back, p.nest.Root[at+1:])
}

func (p *promoter) kind(c *cell) Kind { return p.nest.Accesses[c.access].Mem.Kind() }

// cellsOf lists the cells whose number is wanted.
func (p *promoter) cellsOf(wanted func(number int) bool) (list []*cell) {
	for _, c := range p.order {
		if wanted(c.number) {
			list = append(list, c)
		}
	}
	return list
}

func (p *promoter) add(i Inst) Value {
	p.nest.Insts = append(p.nest.Insts, i)
	return Value(len(p.nest.Insts) - 1)
}

// find notes the elements that may be in registers, in an order that does not depend on chance, and returns the buffers
// whose elements may not, as they have other accesses too.
func (p *promoter) find() (bad map[int]bool) {
	bad = map[int]bool{}
	p.findIn(p.loop.CondBody, true, bad)
	p.findIn(p.loop.Body, false, bad)
	return bad
}

// findIn notes the accesses of a block and of the loops in it. Where a loop decides to go on nothing is stored, nor in
// loops that carry no elements: reads says that b is in one of these.
func (p *promoter) findIn(b Block, reads bool, bad map[int]bool) {
	for _, node := range b {
		if l := node.Loop; l != nil {
			p.findIn(l.CondBody, true, bad)
			p.findIn(l.Body, reads || !l.inTurn(), bad)
		} else if i := p.nest.Inst(node.Value); i.Op == Load || i.Op == Store {
			p.note(i, reads, bad)
		}
	}
}

// inTurn reports whether each iteration of l follows the one before, so that l may carry values of any kind.
func (l *Loop) inTurn() bool { return !l.Lanes && !l.Parallel && l.When == nil }

// note notes the access of i, a load or store.
func (p *promoter) note(i *Inst, reads bool, bad map[int]bool) {
	a := &p.nest.Accesses[i.Access]
	mask := i.Args[0]
	if i.Op == Store {
		mask = i.Args[1]
	}
	if !p.nest.Buffers[a.Buffer].Write {
		return // it is as well off where it is
	}
	if len(a.Terms) > 0 || a.Index != 0 || mask != 0 || !a.Mem.isWhole() || i.Op == Store && reads {
		bad[a.Buffer] = true
		return
	}
	key := element{a.Buffer, a.Offset}
	if p.kept[key] == nil {
		p.kept[key] = &cell{element: key, access: i.Access}
		p.order = append(p.order, p.kept[key])
	}
	for _, o := range p.order {
		if o.buffer == a.Buffer && p.nest.Accesses[o.access].Mem != a.Mem {
			bad[a.Buffer] = true // elements of several types
		}
	}
}

// isWhole reports whether memory of type m has the bits of its values.
func (m Mem) isWhole() bool {
	return m == MemF32 || m == MemF64 || m == MemI32 || m == MemI64 || m == MemPred
}

// forget leaves buffers in memory, and numbers the cells that are left.
func (p *promoter) forget(bad map[int]bool) {
	p.order = slices.DeleteFunc(p.order, func(c *cell) bool {
		if bad[c.buffer] {
			delete(p.kept, c.element)
		}
		return bad[c.buffer]
	})
	for k, c := range p.order {
		c.number = k
	}
}
