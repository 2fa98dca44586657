package loop

import "slices"

// A lane loop may read a few elements again and again, in an order that does not depend on the loops around it, as a
// short row that is added to many:
//
//	for i < 200 { lanes j < 2000 { .. b[j + j/10*-10] .. } }
//
// Each time they would be gathered. So they are laid out once in that order, in front of all loops, in memory of the
// worker's own, from where lanes read neighbours:
//
//	lanes k < 2000 { own[k] = b[k + k/10*-10] }
//	for i < 200 { lanes j < 2000 { .. own[j] .. } }

const (
	// leastLaid is how often they are read at least.
	leastLaid = 8
	// mostLaid is the most bytes that are laid out: they stay in the nearest cache.
	mostLaid = 16 << 10
)

// LayOut does that where gathering is slower, in vectors of 512 bits if they are wide, else of 256. It reports whether
// there is such a loop: then the last buffer of n is new.
func LayOut(n *Nest, wide bool) bool {
	if len(n.Root) == 0 || slices.ContainsFunc(n.Buffers, func(b Buffer) bool { return b.Scratch }) {
		return false
	}
	outer := n.Root[len(n.Root)-1].Loop
	if outer == nil || !outer.Parallel {
		return false
	}
	l := &layer{nest: n, buffer: len(n.Buffers), vector: 32, extents: map[int]int64{outer.Var: outer.Extent}}
	if wide {
		l.vector = 64
	}
	l.block(outer.Body, outer.Extent)
	if len(l.front) == 0 {
		return false
	}
	n.Buffers = append(n.Buffers, Buffer{Name: "laid", Bytes: l.bytes, Write: true, Scratch: true})
	n.Root = slices.Insert(n.Root, len(n.Root)-1, l.front...)
	DCE(n)
	return true
}

type layer struct {
	nest   *Nest
	buffer int   // the memory
	bytes  int64 // of it that are taken
	vector int64 // its bytes
	front  Block
	// extents are those of the loops around, by variable.
	extents map[int]int64
}

// block looks at loops in b, which runs so many times.
func (l *layer) block(b Block, times int64) {
	for _, node := range b {
		in := node.Loop
		switch {
		case in == nil || in.Cond != 0:
		case !in.Lanes:
			l.extents[in.Var] = in.Extent
			l.block(in.Body, times*in.Extent*l.share(in.When)/100)
		case times >= leastLaid:
			l.lanes(in)
		}
	}
}

// share is in how many of the iterations around it, in percent, a loop with a range runs.
func (l *layer) share(w *Range) int64 {
	switch {
	case w == nil:
		return 100
	case w.Outside:
		return 100 - 100*(w.Hi-w.Lo)/l.extents[w.Var]
	}
	return 100 * (w.Hi - w.Lo) / l.extents[w.Var]
}

// lanes lays out what in reads.
func (l *layer) lanes(in *Loop) {
	for _, node := range in.Body {
		if node.Loop != nil {
			continue
		}
		if i := l.nest.Inst(node.Value); i.Op == Load && i.Args[0] == 0 && l.gathers(&l.nest.Accesses[i.Access]) {
			l.lay(in, node.Value)
		}
	}
}

// gathers reports whether what is read by a is a few elements that no instruction finds in one vector.
func (l *layer) gathers(a *Access) bool {
	b := &l.nest.Buffers[a.Buffer]
	return a.Index != 0 && !b.Write && a.Mem != MemPred && (a.Mem.Bytes() < 4 || b.Bytes > l.vector)
}

// lay lays out what in reads by v, if that is the same whenever in runs.
func (l *layer) lay(in *Loop, v Value) {
	n := l.nest
	a := n.Accesses[n.Inst(v).Access]
	at := (l.bytes + l.vector - 1) / l.vector * l.vector
	size := a.Mem.Bytes()
	own := Access{Buffer: l.buffer, Offset: at / size, Terms: []Term{{in.Var, 1}}, Mem: a.Mem}
	if at+in.Extent*size > mostLaid || slices.ContainsFunc(a.Terms, func(t Term) bool { return t.Var != in.Var }) {
		return
	}
	body, ok := l.number(in, a.Index, nil)
	if !ok {
		return
	}
	l.bytes = at + in.Extent*size
	c := &copier{nest: n, values: map[Value]Value{}, vars: map[int]int{in.Var: n.Vars}}
	n.Vars++
	body = c.block(append(body, Node{Value: v}))
	n.Accesses = append(n.Accesses, own, own)
	into := &n.Accesses[len(n.Accesses)-1]
	into.Terms = []Term{{c.vars[in.Var], 1}}
	n.Insts = append(n.Insts, Inst{Op: Store, Args: [3]Value{c.values[v]}, Access: int32(len(n.Accesses) - 1)})
	body = append(body, Node{Value: Value(len(n.Insts) - 1)})
	l.front = append(l.front, Node{Loop: &Loop{Var: c.vars[in.Var], Extent: in.Extent, Lanes: true, Body: body}})
	n.Inst(v).Access = int32(len(n.Accesses) - 2)
}

// number adds to b what of the body of in makes v, if that is made of nothing but the number of the iteration.
func (l *layer) number(in *Loop, v Value, b Block) (Block, bool) {
	if slices.Contains(b, Node{Value: v}) {
		return b, true
	}
	switch i := l.nest.Inst(v); i.Op {
	case Const:
		return b, true
	case Load, Phi, Out, Scan:
		return b, false
	case Index:
		if i.Imm != uint64(in.Var) {
			return b, false
		}
	default:
		ok := true
		for _, a := range i.Operands() {
			if b, ok = l.number(in, a, b); !ok {
				return b, false
			}
		}
	}
	return append(b, Node{Value: v}), true
}
