package loop

import "slices"

// Alternate makes one element of two in lane loops that do the same to elements that stand side by side, as those that
// add complex numbers do:
//
//	lanes i < 17 { y[2*i] = f(x[2*i]); y[2*i+1] = f(x[2*i+1]) }
//
// becomes lanes i < 34 { y[i] = f(x[i]) }, which has nothing to take apart and to put together.
func Alternate(n *Nest) {
	asked := rangedVars(n)
	for _, i := range n.Insts {
		if i.Op == Index {
			asked[int(i.Imm)] = true
		}
	}
	n.Root.EachLoop(func(l *Loop) {
		if l.Lanes && len(l.Carries) == 0 && !asked[l.Var] {
			alternateLoop(n, l)
		}
	})
}

// alternation pairs the instructions for the even elements with those for the odd ones.
type alternation struct {
	nest *Nest
	loop *Loop
	in   map[Value]bool  // of the body
	odd  map[Value]Value // by the even one; one that both have is its own
	// whole: both are halves of a word; see Join.
	whole bool
}

func alternateLoop(n *Nest, l *Loop) {
	if a := (&alternation{nest: n, loop: l}); a.pairs() {
		a.join()
	}
}

// pairs finds the pairs, and reports whether the loop does nothing else.
func (a *alternation) pairs() bool {
	stores, ok := a.stores()
	if !ok {
		return false
	}
	a.in, a.odd = make(map[Value]bool, len(a.loop.Body)), map[Value]Value{}
	for _, node := range a.loop.Body {
		a.in[node.Value] = true
	}
	for k := 0; k < len(stores); k += 2 {
		if !a.pair(stores[k], stores[k+1]) {
			return false
		}
	}
	return a.disjoint()
}

// stores returns what the loop stores, if that comes in pairs of elements which may be beside each other; ok is false
// if not, or if there are loops in it.
func (a *alternation) stores() (list []Value, ok bool) {
	for _, node := range a.loop.Body {
		if node.Loop != nil {
			return nil, false
		}
		if a.nest.Inst(node.Value).Op == Store {
			list = append(list, node.Value)
		}
	}
	if len(list) == 0 || len(list)%2 != 0 {
		return nil, false
	}
	at := func(k int) *Access { return &a.nest.Accesses[a.nest.Inst(list[k]).Access] }
	for k := 0; k < len(list); k += 2 {
		if !a.beside(at(k), at(k+1)) {
			return nil, false
		}
	}
	return list, true
}

// pair reports whether odd does to odd elements what even does to even ones.
func (a *alternation) pair(even, odd Value) bool {
	if !a.in[even] || !a.in[odd] {
		return even == odd
	}
	if known, ok := a.odd[even]; ok {
		return known == odd
	}
	i, j := a.nest.Inst(even), a.nest.Inst(odd)
	if a.whole && even != odd && !a.moves(i, j) {
		return false
	}
	if i.Op != j.Op || i.Kind != j.Kind || i.Imm != j.Imm {
		return false
	}
	if (i.Op == Load || i.Op == Store) && !a.beside(&a.nest.Accesses[i.Access], &a.nest.Accesses[j.Access]) ||
		i.Op == Store && even == odd {
		return false
	}
	a.odd[even] = odd
	if a.whole && (i.Op == Load || i.Op == Store) {
		if v := a.nest.Accesses[i.Access].Index; v != 0 && !a.pair(v, v) {
			return false
		}
	}
	for k := range i.Args {
		if (i.Args[k] != 0 || j.Args[k] != 0) && !a.pair(i.Args[k], j.Args[k]) {
			return false
		}
	}
	return true
}

// beside reports whether the accesses are of one element in all iterations, or of an even one and the next.
func (a *alternation) beside(even, odd *Access) bool {
	if a.whole {
		return a.isWhole(even, odd)
	}
	if even.Buffer != odd.Buffer || even.Mem != odd.Mem || even.Index != odd.Index || a.in[even.Index] ||
		!slices.Equal(even.Terms, odd.Terms) {
		return false
	}
	step := even.Stride(a.loop.Var)
	return step == 0 && even.Offset == odd.Offset || step == 2 && odd.Offset == even.Offset+1
}

// disjoint reports whether each instruction of the body is for even elements, for odd ones, or for both alike.
func (a *alternation) disjoint() bool {
	odds := 0
	for even, odd := range a.odd {
		if even == odd {
			continue
		}
		if _, both := a.odd[odd]; both {
			return false
		}
		odds++
	}
	return len(a.odd)+odds == len(a.in)
}

// join leaves the even elements, twice as many.
func (a *alternation) join() {
	a.loop.Extent *= 2
	a.loop.Body = slices.DeleteFunc(a.loop.Body, func(node Node) bool {
		_, even := a.odd[node.Value]
		return !even
	})
	for even := range a.odd {
		i := a.nest.Inst(even)
		if i.Op != Load && i.Op != Store {
			continue
		}
		at := &a.nest.Accesses[i.Access]
		at.Terms = slices.Clone(at.Terms)
		for k := range at.Terms {
			if at.Terms[k].Var == a.loop.Var {
				at.Terms[k].Stride = 1
			}
		}
	}
}
