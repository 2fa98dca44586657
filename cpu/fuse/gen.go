package fuse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Ref names an array: an instruction, and of an instruction with a tuple for a value the
// number of the element. Numbers below 0 are memory that the kernels of the instruction have for themselves, one
// after the other.
type Ref struct {
	Inst *hlo.Instruction
	Leaf int
}

// Shape returns the shape of the array.
func (r Ref) Shape() shape.Shape {
	s := r.Inst.Shape()
	if s.IsTuple() {
		return s.Elems[r.Leaf]
	}
	return s
}

// gen makes one nest.
type gen struct {
	b        *loop.Builder
	kind     loop.Kind // of index values
	line     bool      // the loop of flat is one, however long
	rough    bool      // places that are not worth cuts
	ending   bool      // places at an end that have code of their own
	lane     bool      // a lane loop is open
	folds    bool      // the innermost carries are combined across lanes
	bytes    bool      // all elements have one byte
	reducing bool      // what a reduction takes in is being computed
	inMemory func(*hlo.Instruction) bool
	strides  func(*hlo.Instruction) []int // nil: row-major order everywhere
	far      func(*hlo.Instruction) bool  // nil: nothing is
	emitters *[op.NumCodes]emitter
	spans    []span   // by loop variable: the iterations that there are where code is being made
	pending  []int64  // extents of the variables -1, -2 and so on
	flat     int      // the dimension from which on all are one loop, or -1
	cuts     []cut    // by dimension of the iteration space
	stage    *staging // what is brought near, or nil
	turned   *turning // how the rows that are being computed are turned, or nil
	faced    *facing  // how rows that are being computed face each other, or nil
	keeping  *keeping // memory for what several passes need, or nil
	piece    int      // how many lanes are a loop where they are cut, or 0
	laneVar  int      // the variable of the open lane loop
	writes   int      // so many elements of the next reduction, the innermost, are written out
	buffers  map[Ref]int
	refs     []Ref
	// keep, if not nil, is a value that one pass stores for the next. full is the key of the position of
	// the current pass.
	keep    *keeper
	full    place
	places  places
	atoms   []atom
	numbers map[atomKey]int // of atoms
	// computed is what was computed in the loops that are open, and values are its values.
	computed visits
	values   [][]elem.Value
	// Memory of the indices and values that occur in what is made.
	exprs slab[Expr]
	terms slab[loop.Term]
	elems slab[elem.Value]
}

// span is the iterations from lo to hi-1 of a loop.
type span struct{ lo, hi int64 }

// unsupported ends the making of a nest; Build returns it as an error.
type unsupported struct{ err error }

// fail gives up at i.
func fail(i *hlo.Instruction, format string, args ...any) {
	panic(unsupported{i.Errorf("", "", format, args...)})
}

// span returns the iterations of loop v that there are where code is being made.
func (g *gen) span(v int) span {
	if v < 0 {
		return span{0, g.pending[-1-v]}
	}
	return g.spans[v]
}

// each opens a loop over extent iterations and runs body with its variable.
//
//go:noinline
func (g *gen) each(s loop.Spec, body func(v int)) {
	g.carry(s, nil, func(v int, _ []loop.Value) []loop.Value { body(v); return nil })
}

// carry is each with values carried from one iteration to the next.
func (g *gen) carry(s loop.Spec, carries []loop.Reduction,
	body func(v int, phis []loop.Value) []loop.Value) []loop.Value {
	outer := g.lane
	defer func() { g.lane = outer }()
	g.lane = outer || s.Lanes
	return g.b.For(s, carries, func(v int, phis []loop.Value) []loop.Value {
		for len(g.spans) <= v {
			g.spans = append(g.spans, span{})
		}
		g.spans[v] = span{0, s.Extent}
		if s.Lanes {
			g.laneVar = v
		}
		before := len(g.values)
		next := body(v, phis)
		g.computed.cut(before)
		g.values = g.values[:before]
		return next
	})
}

// at returns the element of i at idx, which counts only where guard, a Mask or 0, is on:
// elsewhere nothing is read and the value is anything. Of an instruction with a tuple for
// a value it returns all.
func (g *gen) at(i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	key := visit{i, g.places.of(idx), guard}
	if k := g.computed.find(key); k >= 0 {
		return g.values[k]
	}
	var v []elem.Value
	if g.inMemory(i) {
		v = g.load(i, idx, guard)
	} else {
		emit := g.emitters[i.Code()]
		if emit == nil {
			fail(i, "has no form in a loop nest")
		}
		if g.keep != nil && g.keep.inst == i && guard == 0 && key.at == g.full {
			v = g.kept(g.keep, idx, func() []elem.Value { return emit(g, i, idx, guard) })
		} else {
			v = emit(g, i, idx, guard)
		}
	}
	g.note(key, v)
	return v
}

// note notes what was computed, until the innermost open loop ends.
func (g *gen) note(v visit, values []elem.Value) {
	g.computed.note(v)
	g.values = append(g.values, values)
}

// one is at for an instruction that is an array.
//
//go:noinline
func (g *gen) one(i *hlo.Instruction, idx []Expr, guard loop.Value) elem.Value {
	return g.at(i, idx, guard)[0]
}

// load reads from the buffers of i.
func (g *gen) load(i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	if v, ok := g.listed(i, idx); ok {
		return g.result(v)
	}
	leaves := 1
	if i.IsTuple() {
		leaves = len(i.Shape().Elems)
	}
	out := g.elems.take(leaves)
	for k := range out {
		r := Ref{i, k}
		s := r.Shape()
		mask := guard
		if g.allInside(s, idx) {
			mask = 0
		}
		out[k] = g.read(r, false, idx, mask)
	}
	return out
}

// listed is an element of a constant list of integers, at a place that is known.
func (g *gen) listed(i *hlo.Instruction, idx []Expr) (v elem.Value, ok bool) {
	if i.Code() != op.Constant || len(idx) != 1 || len(idx[0].Terms) > 0 || !i.Type().IsInteger() {
		return v, false
	}
	l := i.Attrs().(*op.ConstantAttrs).Value
	if l.IsElided() || !g.allInside(i.Shape(), idx) {
		return v, false
	}
	return elem.Const(g.b, l, int(idx[0].Const)), true
}

func (g *gen) allInside(s shape.Shape, idx []Expr) bool {
	for d, e := range idx {
		if !g.inside(e, s.Dims[d]) {
			return false
		}
	}
	return true
}

// buffer returns the number of r's buffer in the nest.
func (g *gen) buffer(r Ref, write bool) int {
	if n, ok := g.buffers[r]; ok {
		return n
	}
	s, size := r.Shape(), 1
	for d, stride := range g.stridesOf(r) {
		size += (s.Dims[d] - 1) * stride
	}
	if s.Size() == 0 {
		size = 0
	}
	n := g.b.Buffer(loop.Buffer{Name: bufferName(r), Bytes: int64(size) * int64(s.Type.ByteSize()), Write: write,
		Far: !write && g.far != nil && g.far(r.Inst)})
	g.buffers[r] = n
	g.refs = append(g.refs, r)
	return n
}

// temporary returns the number of the buffer of r, memory of the instruction's kernels, which is like b.
func (g *gen) temporary(r Ref, b loop.Buffer) int {
	if n, ok := g.buffers[r]; ok {
		return n
	}
	n := g.b.Buffer(b)
	g.buffers[r] = n
	g.refs = append(g.refs, r)
	return n
}

// bufferName is what the buffer of r is called in a nest.
func bufferName(r Ref) string {
	name := strings.Map(nestName, r.Inst.Name())
	if r.Inst.IsTuple() {
		name = fmt.Sprintf("%s#%d", name, r.Leaf)
	}
	return name
}

// nestName keeps the characters that the text form of nests has in names.
func nestName(r rune) rune {
	if r == '[' || r == ' ' {
		return '_'
	}
	return r
}

// stridesOf returns the distances between neighbours in the memory of r.
func (g *gen) stridesOf(r Ref) []int {
	if g.strides != nil {
		if s := g.strides(r.Inst); s != nil {
			return s
		}
	}
	return shape.RowMajorStrides(r.Shape().Dims)
}

// address is the place of element idx in a buffer.
func (g *gen) address(buffer int, idx []Expr) elem.Address {
	r := g.refs[buffer]
	if g.strides == nil || g.strides(r.Inst) == nil {
		return g.addressOf(buffer, g.linear(r.Shape(), idx))
	}
	at, strides := Expr{}, g.stridesOf(r)
	for d := len(idx) - 1; d >= 0; d-- {
		at = g.add(at, g.times(idx[d], int64(strides[d])))
	}
	return g.addressOf(buffer, g.joined(at))
}

// addressOf is element number at of a buffer.
func (g *gen) addressOf(buffer int, at Expr) elem.Address {
	offset, terms, index := g.parts(at)
	return elem.Address{Buffer: buffer, Offset: offset, Terms: terms, Index: index}
}

// linear is the number of element idx of an array of shape s in row-major order.
func (g *gen) linear(s shape.Shape, idx []Expr) Expr {
	sum := Expr{}
	stride := int64(1)
	for d := len(idx) - 1; d >= 0; d-- {
		sum = g.add(sum, g.times(idx[d], stride))
		stride *= int64(s.Dims[d])
	}
	return g.joined(sum)
}

// and is the guard that holds where both do.
func (g *gen) and(a, b loop.Value) loop.Value {
	switch {
	case a == 0:
		return b
	case b == 0 || g.never(a):
		return a
	case g.never(b):
		return b
	}
	return g.b.Op(loop.And, loop.Mask, a, b)
}

// never reports whether a mask is known to hold nowhere.
func (g *gen) never(mask loop.Value) bool {
	bits, ok := g.b.ConstBits(mask)
	return ok && bits == 0
}

// within is the mask of 0 <= e < n, or 0 where that is sure.
func (g *gen) within(e Expr, n int) loop.Value {
	lo, hi := g.bounds(e)
	mask := loop.Value(0)
	if hi < 0 || lo >= int64(n) {
		return g.b.Bool(false)
	}
	whole, most := g.undivided(e, int64(n))
	if lo < 0 {
		mask = g.b.Cmp(loop.GE, g.value(whole), g.b.Int(g.kind, 0))
	}
	if hi >= int64(n) {
		mask = g.and(mask, g.b.Cmp(loop.LT, g.value(whole), g.b.Int(g.kind, most)))
	}
	return mask
}

// undivided turns 0 <= e < n, where e has a quotient of an index that is never negative, into such a condition for what
// is divided: that of the number of a row into that of an element.
func (g *gen) undivided(e Expr, n int64) (Expr, int64) {
	for k, t := range e.Terms {
		if t.Var < firstAtom || t.Stride != 1 {
			continue
		}
		a := g.atoms[t.Var-firstAtom]
		if a.value != 0 || a.rest || !a.exact {
			continue
		}
		rest := Expr{Const: e.Const, Terms: slices.Delete(slices.Clone(e.Terms), k, k+1)}
		whole, most := rest.times(a.by).sum(a.of), n*a.by
		lo, hi := g.bounds(whole)
		if reach := int64(1) << (g.kind.Bits() - 2); lo < -reach || hi > reach || most > reach {
			break
		}
		return g.undivided(whole, most)
	}
	return e, n
}

// emitter computes the element of i at idx.
type emitter func(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value

// Emits reports whether an instruction may be computed inside a nest: that its operation
// and types have a form there.
func Emits(i *hlo.Instruction) bool {
	admit := admits[i.Code()]
	if admit == nil {
		if !isElementwise(i) {
			return false
		}
		admit = admitElementwise
	}
	return typesFit(i) && admit(i)
}

func typesFit(i *hlo.Instruction) bool {
	if !staticArrays(i.Shape()) {
		return false
	}
	for _, o := range i.Operands() {
		if !staticArrays(o.Shape()) {
			return false
		}
	}
	return true
}

// staticArrays reports whether s is an array of constant size or a flat tuple of such.
func staticArrays(s shape.Shape) bool {
	if s.IsTuple() {
		for _, e := range s.Elems {
			if !e.IsArray() || !e.IsStatic() {
				return false
			}
		}
		return true
	}
	return s.IsArray() && s.IsStatic()
}
