package loop

import "slices"

// Jam computes several iterations of a parallel loop side by side in the loops inside of it, where those carry
// values and read something that is the same for all of them: what is read once is then used
// several times, and sums that depend on nothing of one another hide how long each addition takes. It is what
// makes the plain loops of a matrix product or a convolution run near the speed of the arithmetic.
// It returns n itself where there is nothing to gain. Wide says that the machine has 32 vector registers.
func Jam(n *Nest, wide bool) *Nest {
	if loops := overlapped(n, wide); len(loops) > 0 {
		return jam(n, loops)
	}
	if l := shortRows(n); l != nil {
		return jam(n, map[*Loop]int{l: int(l.Extent)})
	}
	l, factor := jammed(n, maxJammedInsts)
	if l == nil {
		if l, factor = reducedRows(n, wide); l == nil {
			l, factor = rowsBeside(n, wide)
		}
		if l == nil {
			l, factor = chainsBeside(n)
		}
		if l == nil {
			return n
		}
		return jam(n, map[*Loop]int{l: factor})
	}
	n = jam(n, map[*Loop]int{l: factor})
	if l, factor = jammed(n, maxJammedAgain); l != nil {
		n = jam(n, map[*Loop]int{l: factor})
	}
	return n
}

// jam computes iterations of loops, of which none is inside of another, side by side, as many as they say.
func jam(n *Nest, loops map[*Loop]int) *Nest {
	insts := len(n.Insts)
	for l, f := range loops {
		insts += (f - 1) * l.Body.size()
	}
	accesses := len(n.Accesses) * insts / len(n.Insts)
	j := &jammer{old: n, b: newBuilder(n.Name, insts, accesses), factors: loops,
		values: make([][]Value, len(n.Insts)), vars: make([]int, n.Vars), lanes: make([]bool, n.Vars),
		fixed: noneFixed(n)}
	for _, buf := range n.Buffers {
		j.b.Buffer(buf)
	}
	j.block(n.Root)
	return j.b.Nest()
}

// factors are how many iterations may be jammed, the best first: 8 sums keep two units busy that take 4 cycles
// for an addition, and 12 with what they read fit 16 registers.
var factors = []int{8, 10, 12, 6, 7, 9, 5, 4, 3, 2}

const (
	maxJammedCarries = 12
	maxJammedInsts   = 400
	maxJammedAgain   = 64 // of a second loop: sums of little else than products
)

// jammed finds the innermost loop that is worth it and becomes at most so many instructions.
func jammed(n *Nest, most int) (best *Loop, factor int) {
	whiles, named := false, rangedVars(n)
	n.Root.EachLoop(func(l *Loop) { whiles = whiles || l.Cond != 0 })
	if whiles {
		return nil, 0
	}
	n.Root.EachLoop(func(l *Loop) {
		if l.Lanes || !l.Parallel || l.Cond != 0 || len(l.Carries) > 0 || named[l.Var] {
			return
		}
		size := l.Body.size()
		if jamFactor(l, size, 1, most) == 0 || fillsScratch(n, l) { // the first is so for most, and nothing to find out
			return
		}
		if carries, ok := reuse(n, l); ok {
			if f := jamFactor(l, size, carries, most); f > 0 {
				best, factor = l, f
			}
		}
	})
	return best, factor
}

// jamFactor is how many iterations of l, of so many instructions and carries, become at most so many; 0: there is none.
func jamFactor(l *Loop, size, carries, most int) int {
	for _, f := range factors {
		if l.Extent%int64(f) == 0 && f*carries <= maxJammedCarries && f*size <= most {
			return f
		}
	}
	return 0
}

// leastJammed is how many rows side by side use what is read for one of them often enough.
const leastJammed = 4

// GoBeside reports whether so many rows of a product go side by side, as many as leastJammed or more.
func GoBeside(rows int64) bool {
	return slices.ContainsFunc(factors, func(f int) bool { return f >= leastJammed && rows%int64(f) == 0 })
}

// size is the number of instructions and loops in b.
func (b Block) size() int {
	size := len(b)
	for _, n := range b {
		if n.Loop != nil {
			size += n.Loop.CondBody.size() + n.Loop.Body.size()
		}
	}
	return size
}

// fillsScratch reports whether l writes to scratch memory, of which there is one for all iterations.
func fillsScratch(n *Nest, l *Loop) bool {
	fills := false
	l.Body.Each(func(node Node) {
		if i := n.Inst(node.Value); node.Loop == nil && i.Op == Store {
			fills = fills || n.Buffers[n.Accesses[i.Access].Buffer].Scratch
		}
	})
	return fills
}

// reuse reports whether an innermost loop in l carries values that depend on l and reads both what depends on
// it and what does not; and how many such values there are.
func reuse(n *Nest, l *Loop) (carries int, ok bool) {
	depends := dependsOn(n, l)
	l.Body.EachLoop(func(in *Loop) {
		if len(in.Carries) == 0 || slices.ContainsFunc(in.Body, func(n Node) bool { return n.Loop != nil }) {
			return
		}
		own, shared := false, false
		for _, node := range in.Body {
			own = own || depends[node.Value]
			shared = shared || n.Inst(node.Value).Op == Load && !depends[node.Value]
		}
		if own && shared {
			carries, ok = max(carries, len(in.Carries)), true
		}
	})
	return carries, ok
}

// dependsOn tells which values change with the iteration of l, which carries nothing: some of those in it.
func dependsOn(n *Nest, l *Loop) []bool {
	v := l.Var
	depends := make([]bool, len(n.Insts))
	for changed := true; changed; {
		changed = false
		set := func(x Value, on bool) {
			if on && !depends[x] {
				depends[x], changed = true, true
			}
		}
		l.Body.Each(func(node Node) {
			if node.Loop != nil {
				for _, c := range node.Loop.Carries {
					set(c.Phi, depends[c.Init] || depends[c.Next])
					set(c.Out, depends[c.Phi])
				}
				return
			}
			i := n.Inst(node.Value)
			on := i.Op == Index && int(i.Imm) == v
			for _, a := range i.Operands() {
				on = on || depends[a]
			}
			if i.Op == Load || i.Op == Store {
				a := &n.Accesses[i.Access]
				on = on || depends[a.Index] || slices.ContainsFunc(a.Terms, func(t Term) bool { return t.Var == v })
			}
			set(node.Value, on)
		})
	}
	return depends
}

// jammer builds the nest anew.
type jammer struct {
	old *Nest
	b   *Builder
	// factors are the loops that are jammed. In loop, one of them, factor iterations are one, and depends tells what
	// differs between these.
	factors map[*Loop]int
	loop    *Loop
	factor  int
	depends []bool
	// values holds what each old value has become: one, or one for each jammed iteration. Room is memory for more.
	values [][]Value
	room   []Value
	// termRoom is memory for terms of addresses.
	termRoom []Term
	vars     []int // by old loop variable
	inside   bool
	lanes    []bool // tells which variables are of lane loops
	// buffers, if not nil, are what the old buffers are called in a nest of several, in which no loop is parallel.
	buffers []int
	// unrollAll: all loops of such a nest are unrolled.
	unrollAll bool
	// chosen, if not nil, are the loops that are.
	chosen map[*Loop]bool
	// fixed holds the number of the iteration of each old loop that is unrolled, by its variable; -1: it is none.
	fixed []int64
}

// noneFixed are the fixed iterations of a jammer of n at first.
func noneFixed(n *Nest) []int64 { return slices.Repeat([]int64{-1}, n.Vars) }

func (j *jammer) block(b Block) {
	if j.inside && j.apart(b) {
		j.inTurn(b)
		return
	}
	for at := 0; at < len(b); at++ {
		n, stores := b[at], j.storesTogether(b[at:])
		switch {
		case n.Loop != nil:
			j.nested(n.Loop)
		case stores > 1:
			j.storeInTurn(b[at : at+stores])
			at += stores - 1
		case j.inside && j.depends[n.Value]:
			out := j.list(j.factor)
			for k := range out {
				out[k] = j.inst(n.Value, k)
			}
			j.values[n.Value] = out
		default:
			j.values[n.Value] = j.list(1)
			j.values[n.Value][0] = j.inst(n.Value, 0)
		}
	}
}

// list returns memory for n values.
func (j *jammer) list(n int) []Value {
	if len(j.room) < n {
		j.room = make([]Value, max(n, 256))
	}
	out := j.room[:n:n]
	j.room = j.room[n:]
	return out
}

// terms returns a copy of list, which may become shorter.
func (j *jammer) terms(list []Term) []Term {
	if len(j.termRoom) < len(list) {
		j.termRoom = make([]Term, max(len(list), 64))
	}
	out := j.termRoom[:len(list):len(list)]
	j.termRoom = j.termRoom[len(list):]
	copy(out, list)
	return out
}

// at is v in jammed iteration k.
func (j *jammer) at(v Value, k int) Value {
	switch list := j.values[v]; {
	case v == 0:
		return 0
	case len(list) == 1:
		return list[0]
	default:
		return list[k]
	}
}

func (j *jammer) inst(v Value, k int) Value {
	i := *j.old.Inst(v)
	for n, a := range i.Operands() {
		i.Args[n] = j.at(a, k)
	}
	switch i.Op {
	case Index:
		return j.index(&i, k)
	case Load:
		return j.b.Load(j.access(i.Access, k), i.Args[0])
	case Store:
		j.b.Store(j.access(i.Access, k), i.Args[0], i.Args[1])
		return 0
	case Table:
		return j.b.Table(i.Kind, j.old.Tables[i.Imm], i.Args[0])
	}
	return j.b.Inst(i)
}

func (j *jammer) index(i *Inst, k int) Value {
	old := int(i.Imm)
	if n := j.fixed[old]; n >= 0 {
		if j.inside && old == j.loop.Var {
			n = n*int64(j.factor) + int64(k)
		}
		return j.b.Int(i.Kind, n)
	}
	v := j.b.Index(i.Kind, j.vars[old])
	if !j.inside || old != j.loop.Var {
		return v
	}
	v = j.b.Op(Mul, i.Kind, v, j.b.Int(i.Kind, int64(j.factor)))
	return j.b.Op(Add, i.Kind, v, j.b.Int(i.Kind, int64(k)))
}

// access is an old access in jammed iteration k.
func (j *jammer) access(n int32, k int) Access {
	a := j.old.Accesses[n]
	a.Terms = j.terms(a.Terms)
	a.Index = j.at(a.Index, k)
	whole := j.inside && j.loop.Extent == int64(j.factor) // one iteration is left, number 0
	left := a.Terms[:0]
	for _, t := range a.Terms {
		at := j.fixed[t.Var]
		if j.inside && t.Var == j.loop.Var {
			a.Offset += t.Stride * int64(k)
			t.Stride *= int64(j.factor)
			if whole {
				at = 0
			}
		}
		if at >= 0 {
			a.Offset += at * t.Stride
			continue
		}
		t.Var = j.vars[t.Var]
		left = append(left, t)
		for k := len(left) - 1; k > 0 && left[k-1].Var > t.Var; k-- { // few are out of order
			left[k-1], left[k] = left[k], left[k-1]
		}
	}
	a.Terms = left
	if j.buffers != nil {
		a.Buffer = j.buffers[a.Buffer]
	}
	return a
}

// manyLanes is the iterations from which on threads may share a lane loop.
const manyLanes = 256

// frames reports whether l, parallel and of one iteration, is to be the outermost loop: around several, or in the place
// of a lane loop of so few iterations that code for a known number of them is better than threads.
func (j *jammer) frames(l *Loop) bool {
	last := l.Body[len(l.Body)-1].Loop
	loops := 0
	for _, n := range l.Body {
		if n.Loop != nil {
			loops++
		}
	}
	return l.Parallel && len(j.b.scopes) == 1 && (loops > 1 || last != nil && last.Lanes && last.Extent < manyLanes)
}

// once writes the only iteration of l without a loop.
func (j *jammer) once(l *Loop) {
	j.fixed[l.Var] = 0
	was := j.inside
	j.inside = was || l == j.loop
	all := func(v, like Value) []Value {
		list := make([]Value, 1, j.factor)
		if j.inside && j.depends[like] {
			list = list[:j.factor]
		}
		for k := range list {
			list[k] = j.at(v, k)
		}
		return list
	}
	for _, c := range l.Carries {
		j.values[c.Phi] = all(c.Init, c.Phi)
	}
	j.block(l.Body)
	for _, c := range l.Carries {
		j.values[c.Out] = all(c.Next, c.Phi)
	}
	j.inside = was
}

// while writes a loop of unknown length of a nest in which nothing is jammed, and which need not carry what does not
// change.
func (j *jammer) while(l *Loop) {
	var carries []Carry
	var inits []Value
	for _, c := range l.Carries {
		if c.Next == c.Phi {
			j.values[c.Phi], j.values[c.Out] = j.values[c.Init], j.values[c.Init]
			continue
		}
		carries, inits = append(carries, c), append(inits, j.at(c.Init, 0))
	}
	outs := j.b.While(inits, func(phis []Value) Value {
		j.vars[l.Var] = len(j.b.varDepth) - 1
		for k, c := range carries {
			j.values[c.Phi] = phis[k : k+1]
		}
		j.block(l.CondBody)
		return j.at(l.Cond, 0)
	}, func([]Value) []Value {
		j.block(l.Body)
		next := make([]Value, len(carries))
		for k, c := range carries {
			next[k] = j.at(c.Next, 0)
		}
		return next
	})
	for k, c := range carries {
		j.values[c.Out] = outs[k : k+1]
	}
}

// when returns the range of l, nil if it has none any more, and whether it ever runs.
func (j *jammer) when(l *Loop) (w *Range, runs bool) {
	if l.When == nil {
		return nil, true
	}
	if at := j.fixed[l.When.Var]; at >= 0 {
		return nil, (at >= l.When.Lo && at < l.When.Hi) != l.When.Outside
	}
	r := *l.When
	r.Var = j.vars[r.Var]
	return &r, true
}

func (j *jammer) nested(l *Loop) {
	if l.Cond != 0 {
		j.while(l)
		return
	}
	if f := j.factors[l]; f > 0 {
		j.loop, j.factor, j.depends = l, f, dependsOn(j.old, l)
	}
	if j.lanes != nil {
		j.lanes[l.Var] = l.Lanes
	}
	when, runs := j.when(l)
	if !runs {
		return
	}
	if j.buffers != nil && when == nil && j.unrolls(l) {
		j.unroll(l)
		return
	}
	s := Spec{Extent: l.Extent, Lanes: l.Lanes, Parallel: l.Parallel && j.buffers == nil, When: when}
	if l == j.loop {
		s.Extent /= int64(j.factor)
	}
	if s.Extent == 1 && s.When == nil && !l.Lanes && j.buffers == nil && !j.frames(l) {
		j.once(l)
		return
	}
	var inits []Reduction
	var width []int
	for _, c := range l.Carries {
		n := 1
		if j.inside && j.depends[c.Phi] {
			n = j.factor
		}
		width = append(width, n)
		for k := range n {
			inits = append(inits, Reduction{j.at(c.Init, k), c.Reduce, c.Scan})
		}
	}
	outs := j.b.For(s, inits, func(v int, phis []Value) []Value {
		j.vars[l.Var] = v
		was := j.inside
		j.inside = was || l == j.loop
		for n, c := range l.Carries {
			j.values[c.Phi], phis = phis[:width[n]], phis[width[n]:]
		}
		j.block(l.Body)
		j.inside = was
		next := make([]Value, 0, len(inits))
		for n, c := range l.Carries {
			for k := range width[n] {
				next = append(next, j.at(c.Next, k))
			}
		}
		return next
	})
	for n, c := range l.Carries {
		j.values[c.Out], outs = outs[:width[n]], outs[width[n]:]
	}
}
