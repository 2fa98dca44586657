package loop

import "slices"

// Join makes words of 64 bits of pairs of f32 that a lane loop does nothing with but move, as a transposition or a
// reversal does with complex numbers: the pairs are not taken apart, and there are half as many elements.
//
//	lanes i < 17 { y[2*i] = x[34*i]; y[2*i+1] = x[34*i+1] }
//
// becomes lanes i < 17 { y[i] = x[17*i] }, of i64.
func Join(n *Nest) {
	halved := false
	n.Root.EachLoop(func(l *Loop) {
		if !l.Lanes || len(l.Carries) > 0 {
			return
		}
		a := &alternation{nest: n, loop: l, whole: true}
		if a.pairs() {
			halved = a.joinWhole() || halved
		}
	})
	if halved { // what was twice of it may not be needed any more
		DCE(n)
	}
}

// isWhole reports whether the accesses are the halves of an aligned word in all iterations.
func (a *alternation) isWhole(even, odd *Access) bool {
	return even.Buffer == odd.Buffer && even.Mem == MemF32 && odd.Mem == MemF32 && even.Index == odd.Index &&
		(even.Index == 0 || a.nest.half(even.Index) != 0) && even.Offset&1 == 0 && odd.Offset == even.Offset+1 &&
		slices.Equal(even.Terms, odd.Terms) &&
		!slices.ContainsFunc(even.Terms, func(t Term) bool { return t.Stride&1 != 0 })
}

// half returns the value that v is twice of; 0: that is not known.
func (n *Nest) half(v Value) Value {
	i := n.Inst(v)
	if i.Op != Mul {
		return 0
	}
	for k, x := range i.Args[:2] {
		if c := n.Inst(x); c.Op == Const && c.Imm == 2 {
			return i.Args[1-k]
		}
	}
	return 0
}

// moves reports whether the values, of which both are made in the same way, are only moved by this. In place of what is
// moved there may be a constant that both halves have.
func (a *alternation) moves(even, odd *Inst) bool {
	isMoved := func(k int) bool { return even.Args[k] != odd.Args[k] || a.nest.Inst(even.Args[k]).Op == Const }
	switch even.Op {
	case Load:
		return true
	case Store:
		return isMoved(0)
	case Select:
		return even.Kind == F32 && even.Args[0] == odd.Args[0] && isMoved(1) && isMoved(2)
	}
	return false
}

// joinWhole makes words of the pairs, and reports whether there are some at places that were computed.
func (a *alternation) joinWhole() (halved bool) {
	n := a.nest
	a.loop.Body = slices.DeleteFunc(a.loop.Body, func(node Node) bool {
		_, even := a.odd[node.Value]
		return !even && a.in[node.Value]
	})
	for _, node := range a.loop.Body {
		even := node.Value
		if a.odd[even] == even {
			continue
		}
		i := *n.Inst(even)
		if i.Op != Store {
			i.Kind = I64
		}
		for k, v := range i.Args {
			if v != 0 && n.Inst(v).Op == Const && n.Kind(v) == F32 {
				i.Args[k] = a.twice(v)
			}
		}
		*n.Inst(even) = i
		if i.Op == Select {
			continue
		}
		at := &n.Accesses[i.Access]
		at.Mem, at.Offset, at.Terms = MemI64, at.Offset/2, slices.Clone(at.Terms)
		for k := range at.Terms {
			at.Terms[k].Stride /= 2
		}
		if at.Index != 0 {
			at.Index, halved = n.half(at.Index), true
		}
	}
	return halved
}

// twice is a word of which constant v is both halves.
func (a *alternation) twice(v Value) Value {
	n := a.nest
	bits := n.Inst(v).Imm & (1<<32 - 1)
	w := Value(len(n.Insts))
	n.Insts = append(n.Insts, Inst{Op: Const, Kind: I64, Imm: bits<<32 | bits})
	n.Root = slices.Insert(n.Root, 0, Node{Value: w})
	return w
}
