package loop

// Spec says what kind of loop For makes.
type Spec struct {
	Extent   int64
	Lanes    bool
	Parallel bool
	When     *Range
}

// Reduction is a value to carry: where it starts, and on a lane loop how contributions combine, and whether every
// iteration asks for what came before it (Carry.Scan).
type Reduction struct {
	Init   Value
	Reduce Op
	Scan   bool
}

// For makes a loop. The body is given the loop's variable and the phis of the carries and
// returns their next values; For returns the outs.
func (b *Builder) For(s Spec, carries []Reduction, body func(v int, phis []Value) []Value) []Value {
	l := &Loop{Var: b.openVar(s.Extent), Extent: s.Extent, Lanes: s.Lanes, Parallel: s.Parallel, When: s.When}
	b.push()
	b.varDepth[l.Var] = len(b.scopes) - 1
	if s.When != nil {
		b.ranges = append(b.ranges, ranged{s.When.Var, len(b.scopes) - 1})
		defer func() { b.ranges = b.ranges[:len(b.ranges)-1] }()
	}
	phis := b.phis(carries)
	next := body(l.Var, phis)
	l.Body = b.pop()
	return b.close(l, carries, phis, next)
}

// Each is For without carries.
//
//go:noinline
func (b *Builder) Each(s Spec, body func(v int)) {
	b.For(s, nil, func(v int, _ []Value) []Value { body(v); return nil })
}

// While makes a loop that runs as long as cond, a Mask, holds; it stands outside of lane
// loops. It returns the values at its end.
func (b *Builder) While(inits []Value, cond func(phis []Value) Value, body func(phis []Value) []Value) []Value {
	return b.while(0, inits, func(_ int, phis []Value) Value { return cond(phis) },
		func(_ int, phis []Value) []Value { return body(phis) })
}

// Times makes a loop of n iterations, an I32 that may be known at run time only: usually, most of them. Unlike other
// while loops it may stand in a lane loop that n is known in front of. The number of an iteration is asked for by
// Index, and is no part of an address.
func (b *Builder) Times(n Value, most int64, inits []Value, body func(v int, phis []Value) []Value) []Value {
	return b.while(most, inits, func(v int, _ []Value) Value { return b.Cmp(LT, b.Index(I32, v), n) }, body)
}

func (b *Builder) while(most int64, inits []Value, cond func(v int, phis []Value) Value,
	body func(v int, phis []Value) []Value) []Value {
	l := &Loop{Var: b.openVar(0), Extent: most}
	carries := make([]Reduction, len(inits))
	for i, v := range inits {
		carries[i].Init = v
	}
	b.push()
	b.varDepth[l.Var] = len(b.scopes) - 1
	phis := b.phis(carries)
	l.Cond = cond(l.Var, phis)
	l.CondBody = b.pop()
	b.push()
	next := body(l.Var, phis)
	l.Body = b.pop()
	return b.close(l, carries, phis, next)
}

func (b *Builder) openVar(extent int64) int {
	b.nest.Vars++
	b.extents = append(b.extents, extent)
	b.varDepth = append(b.varDepth, 0)
	return b.nest.Vars - 1
}

func (b *Builder) phis(carries []Reduction) []Value {
	phis := make([]Value, len(carries))
	for i, c := range carries {
		phis[i] = b.define(Inst{Op: Phi, Kind: b.Kind(c.Init)}, len(b.scopes)-1)
	}
	return phis
}

// close appends the loop to the block around it and defines its outs.
func (b *Builder) close(l *Loop, carries []Reduction, phis, next []Value) []Value {
	depth := len(b.scopes) - 1
	outs := make([]Value, len(carries))
	for i, c := range carries {
		outs[i] = b.define(Inst{Op: Out, Kind: b.Kind(c.Init)}, depth)
		l.Carries = append(l.Carries, Carry{c.Init, phis[i], next[i], outs[i], c.Reduce, c.Scan})
	}
	b.scopes[depth].block = append(b.scopes[depth].block, Node{Loop: l})
	return outs
}
