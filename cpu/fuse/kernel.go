package fuse

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Root is a value that a nest stores.
type Root struct {
	Ref
	// Into is the array that it is stored in; the zero Ref stands for its own.
	Into Ref
	// Offset is where in Into its first element goes; nil: at the start.
	Offset []int
	// From is where in the value, which is in memory then, the elements begin that are stored; nil: at the start.
	From []int
	// Spread: the value is a scalar, and is stored everywhere in Into.
	Spread bool
	// Update, if not nil, is a dynamic-update-slice whose start indices say where in Into it goes.
	Update *hlo.Instruction
}

// Spec says what one nest computes.
type Spec struct {
	Name string
	// Dims is the iteration space, and Inner tells which of its dimensions reductions run
	// over; the others are kept. Each root has the dimensions Dims or the kept ones.
	Dims  []int
	Inner []bool
	Roots []Root
	// InMemory tells which instructions have their value in memory.
	InMemory func(*hlo.Instruction) bool
	// Code, Wide, Split and Excess say what the nest is for; see loop.Builder.
	Code, Wide, Split, Excess bool
	// Asks: code asks for the lines of rows that it reads in turns.
	Asks bool
	// Threads is how many there are; what the nest computes does not depend on it.
	Threads int
	// AskFrom is from how many bytes on what is only read comes from memory and is asked for; 0: nothing is.
	AskFrom int
	// Far, if it is not nil, tells of what is in memory whether it comes from there, however small it is.
	Far func(*hlo.Instruction) bool
	// Strides returns the distances between neighbours, in elements, in the memory of a root; nil for row-major order.
	Strides func(*hlo.Instruction) []int
	// Memory is what the nest is made in; nil: new memory.
	Memory *Memory
}

// Memory is memory in which nests are made one after the other. The zero Memory is ready.
type Memory struct {
	builder *loop.Builder
	exprs   slab[Expr]
	terms   slab[loop.Term]
	elems   slab[elem.Value]
}

// gen returns g, which makes a nest called name, in the memory m.
func (m *Memory) gen(name string, g gen) *gen {
	if m.builder == nil {
		m.builder = loop.NewBuilder(name)
	} else {
		m.builder.Again(name)
	}
	g.b, g.exprs, g.terms, g.elems = m.builder, m.exprs.again(), m.terms.again(), m.elems.again()
	return &g
}

// keep takes the memory of g back. Its nest, or what that has become since, is n.
func (m *Memory) keep(g *gen, n *loop.Nest) {
	g.b.Fit(n)
	m.exprs, m.terms, m.elems = g.exprs, g.terms, g.elems
}

// Machine is what nests depend on of the machine that they are for: its threads, whether they become machine code,
// whether registers are wide and units split, and whether code asks for lines, as Spec has it.
type Machine struct {
	Threads                 int
	Code, Wide, Split, Asks bool
}

// Kernel is a nest and what its buffers are. Rounds, if not 0, is how often it runs; the array Round, an s64, then
// holds the number of the round.
type Kernel struct {
	Nest    *loop.Nest
	Buffers []Ref
	Rounds  int
}

// Round is the Leaf of the number of the round.
const Round = -1

// Build makes the nest of s. It fails, with an error at the instruction, where an operation
// or type has no form in a nest; see Emits.
func Build(s Spec) (*Kernel, error) {
	if t := unmerged(s); t != nil {
		return buildUnmerged(s, t)
	}
	k, err := build(s, indexKind(s), func(g *gen) { g.run(s) })
	if err == nil && s.Code && loop.LayOut(k.Nest, s.Wide) {
		k.Buffers = append(k.Buffers, Ref{s.Roots[0].Inst, scratchLeaf})
	}
	return k, err
}

func build(s Spec, index loop.Kind, run func(g *gen)) (k *Kernel, err error) {
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unsupported)
			if !ok {
				panic(r)
			}
			k, err = nil, u.err
		}
	}()
	memory := cmp.Or(s.Memory, &Memory{})
	g := memory.gen(s.Name, gen{kind: index, inMemory: s.InMemory, strides: s.Strides, far: s.Far, emitters: emitters(),
		buffers: map[Ref]int{}})
	g.b.Code, g.b.Wide, g.b.Split, g.b.Excess = s.Code, s.Wide, s.Split, s.Excess
	g.b.Alone = s.Code && !s.Wide && doesLittle(s)
	run(g)
	n := g.b.Nest()
	loop.DCE(n)
	loop.Alternate(n)
	loop.Join(n)
	loop.Collapse(n)
	strips := s.Code && loop.Strips(n, s.Wide)
	n = loop.Jam(n, s.Wide)
	if loop.Tile(n, loop.Target{Code: s.Code, Wide: s.Wide, Asks: s.Asks, Through: s.Code && !s.Wide}) || strips {
		g.refs = append(g.refs, Ref{s.Roots[0].Inst, scratchLeaf})
	}
	if s.Code {
		loop.Unchain(n, s.Wide)
	}
	loop.Sink(n)
	loop.Together(n)
	if s.Code {
		loop.Interleave(n, s.Wide)
	}
	if err := n.Verify(); err != nil {
		return nil, errors.Join(err, errors.New(n.String()))
	}
	memory.keep(g, n)
	return &Kernel{Nest: n, Buffers: g.refs}, nil
}

// isRoot reports whether i is computed here for its own place in memory.
func isRoot(s Spec, i *hlo.Instruction) bool {
	return slices.ContainsFunc(s.Roots, func(r Root) bool { return r.Inst == i && r.Into.Inst == nil })
}

// run makes the loops: over the kept dimensions, in them the reductions, and in front of the inner
// loops the roots of kept dimensions, in the inner loops those of all.
func (g *gen) run(s Spec) {
	g.inMemory = func(i *hlo.Instruction) bool { return s.InMemory(i) && !isRoot(s, i) }
	g.bytes = onlyBytes(s)
	if from := rowsFrom(s); from >= 0 {
		g.runRows(s, from)
		return
	}
	if t := turningOf(s); t != nil {
		g.turn(s, t)
		return
	}
	if f := facingOf(s); f != nil {
		g.face(s, f)
		return
	}
	lanes := laneDim(s)
	idx := make([]Expr, len(s.Dims))
	if st := depthwiseOf(s, lanes); st != nil {
		all := func() { g.element(s, lanes, idx) }
		if rows := inRowsOf(s, st, lanes); rows != nil {
			g.byRows(s, rows, lanes, idx, all)
			return
		}
		if st.near(lanes) {
			g.staged(s, st, lanes, idx, all)
			return
		}
	}
	if c := columnsOf(s, lanes); c != nil {
		g.sumColumns(s, c)
		return
	}
	if l := levelsOf(s, lanes); l != nil {
		g.sumLevels(s, l)
		return
	}
	if k := keepingOf(s); k != nil {
		k.begin(g)
	}
	if g.flat = lineFrom(s, lanes); g.flat < 0 {
		g.flat = flatFrom(s, lanes)
	} else {
		g.line = true
	}
	g.cuts = make([]cut, len(s.Dims))
	if !slices.Contains(s.Inner, true) {
		if g.cuts = padCutsOf(s, lanes); g.cuts == nil {
			g.cuts = cutsOf(s)
		}
	}
	if g.flat < 0 {
		g.piece = pieceOf(s, lanes)
	}
	g.loops(s, lanes, false, idx, 0, func() { g.element(s, lanes, idx) })
}

// element computes what there is at position idx of the kept dimensions.
func (g *gen) element(s Spec, lanes int, idx []Expr) {
	pending := slices.Clone(idx)
	for d := range idx {
		if s.Inner[d] {
			pending[d] = g.later(s.Dims[d])
		}
	}
	kept := keptOf(s, idx)
	d := g.discovery(pending)
	d.walkRoots(s, pending, kept)
	d.follow(s, pending, kept)
	g.keep = d.keep(s.Roots, g.keeping)
	g.hoist(d.found)
	full := s.Roots[:0:0]
	for _, r := range s.Roots {
		if s.isFull(r) {
			full = append(full, r)
			continue
		}
		g.store(r, kept)
	}
	if len(full) == 0 {
		return
	}
	g.loops(s, lanes, true, idx, 0, func() {
		g.full = g.places.of(idx)
		for _, r := range full { // all are computed before one is stored over what an earlier pass kept
			g.compute(r, idx)
		}
		for _, r := range full {
			g.store(r, idx)
		}
	})
}

// isFull reports whether r has all dimensions of the space.
func (s *Spec) isFull(r Root) bool { return r.Spread || r.Shape().Rank() == len(s.Dims) }

// loops opens the loops over the inner or the kept dimensions, from d on, and fills idx.
func (g *gen) loops(s Spec, lanes int, inner bool, idx []Expr, d int, body func()) {
	for d < len(s.Dims) && (s.Inner[d] != inner || s.Dims[d] == 1) {
		if s.Inner[d] == inner {
			idx[d] = constant(0)
		}
		d++
	}
	if d == len(s.Dims) {
		body()
		return
	}
	if d == g.flat {
		g.cutFlat(d, s, idx[d:], body)
		return
	}
	next := func() { g.loops(s, lanes, inner, idx, d+1, body) }
	if !inner && d != lanes && len(g.cuts[d].phases) > 0 && !(g.rough && len(g.cuts[d].phases) == 1) {
		g.cutLoop(d, g.inmost(s, lanes, d), func(e Expr) { idx[d] = e }, next)
		return
	}
	if d == lanes && g.piece > 0 {
		g.pieces(s.Dims[d], func(e Expr) { idx[d] = e; next() })
		return
	}
	spec := loop.Spec{Extent: int64(s.Dims[d]), Lanes: d == lanes, Parallel: !inner}
	g.each(spec, func(v int) {
		idx[d] = variable(v)
		g.loops(s, lanes, inner, idx, d+1, body)
	})
}

// inmost reports whether the loop over dimension d is inside of another, and has no loop but one of lanes in it.
func (g *gen) inmost(s Spec, lanes, d int) bool {
	for n := d + 1; n < len(s.Dims); n++ {
		if n != lanes && s.Dims[n] > 1 {
			return false
		}
	}
	return slices.ContainsFunc(s.Dims[:d], func(n int) bool { return n > 1 })
}

func keptOf(s Spec, idx []Expr) []Expr {
	kept := make([]Expr, 0, len(idx))
	for d, e := range idx {
		if !s.Inner[d] {
			kept = append(kept, e)
		}
	}
	return kept
}

// store computes root r at idx and stores it.
func (g *gen) store(r Root, idx []Expr) {
	v := g.compute(r, idx)
	into, at := r.Into, slices.Clone(idx)
	if into.Inst == nil {
		into = r.Ref
	}
	for d, o := range r.Offset {
		at[d] = at[d].plus(int64(o))
	}
	if r.Update != nil {
		limits := limitsOf(into.Shape().Dims, r.Shape().Dims)
		for d, start := range g.starts(r.Update, 2, 0, limits) {
			at[d] = g.add(at[d], start)
		}
	}
	g.write(into, v, at)
}

// compute computes root r at idx.
func (g *gen) compute(r Root, idx []Expr) elem.Value {
	if r.Spread {
		idx = nil
	}
	if r.From != nil {
		idx = slices.Clone(idx)
	}
	for d, o := range r.From {
		idx[d] = idx[d].plus(int64(o))
	}
	return g.at(r.Inst, idx, 0)[r.Leaf]
}

// emitters is the form in a nest of each operation that has one. It does not change, and is made once.
var emitters = sync.OnceValue(func() *[op.NumCodes]emitter {
	t := &[op.NumCodes]emitter{
		op.Constant: emitConstant, op.Iota: emitIota, op.Tuple: emitTuple, op.GetTupleElement: emitGetTupleElement,
		op.Concatenate: emitConcatenate, op.Pad: emitPad, op.DynamicSlice: emitDynamicSlice,
		op.DynamicUpdateSlice: emitDynamicUpdateSlice, op.Gather: emitGather, op.Reduce: emitReduce,
		op.ReduceWindow: emitReduceWindow, op.Dot: emitDot, op.Convolution: emitConvolution,
		op.Map: emitMapOp, op.BitcastConvert: emitElementwise,
	}
	for _, c := range op.Codes() {
		switch {
		case indexMaps[c] != nil:
			t[c] = emitMap
		case t[c] == nil && c.Info().Has(op.Elementwise):
			t[c] = emitElementwise
		}
	}
	return t
})
