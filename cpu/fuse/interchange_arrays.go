package fuse

import (
	"errors"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Arrays of the kernels of an Interchange that are no instruction's value: leaves of the loop.
const (
	// RoundLength is the number of iterations of the round, an s32.
	RoundLength = -2 - iota
	// RoundTests holds for each part of the elements in which iterations each test is decided, a bit each.
	RoundTests
	// RoundWords are those of all parts together.
	RoundWords
	// RoundRepeats is a pred: the round is to be done again, with the iterations that there are.
	RoundRepeats
	// RoundOn is a pred: there is another round.
	RoundOn
	// RoundFeeds and what is below are the values of feeds.
	RoundFeeds
)

// How many iterations a round has at most, where a bit is kept of each: so many in a number, and so many numbers. And
// where that is not so: about as many as are worth roundWork instructions for an element.
const (
	wordShift, mostWords        = 5, 8
	wordBits                    = 1 << wordShift
	leastUntested, mostUntested = 64, 1024
	roundWork                   = 1 << 15
)

// length is the most iterations of a round.
func (x *Interchange) length() int64 {
	if len(x.tests) > 0 {
		return wordBits * mostWords
	}
	return int64(min(max(roundWork/max(x.work, 1), leastUntested), mostUntested))
}

var errSlow = errors.New("iterations of all arrays are faster than rounds")

// Arrays makes the nest of the arrays. It fails if there is nothing to be gained from it.
func (x *Interchange) Arrays(s Spec) (*Kernel, error) {
	body := x.Inst.Called()[1]
	for k, p := range x.parts {
		if p == array {
			s.Roots = append(s.Roots, Root{Ref: Ref{Inst: body.Root().Operand(k)}})
		}
	}
	s.InMemory = x.inMemory
	k, err := build(s, indexKind(s), func(g *gen) {
		if !x.rows {
			t := *g.emitters
			t[op.Reshape], t[op.Bitcast] = x.emitReshape, x.emitReshape
			g.emitters = &t
		}
		x.arrays(g)
	})
	if err == nil && s.Code && !x.always && !x.pays(k.Nest, s.Wide) {
		return nil, errSlow
	}
	return k, err
}

// inMemory reports whether the value of i, of the body or the condition, is read from memory: if it stays the same.
func (x *Interchange) inMemory(i *hlo.Instruction) bool {
	return i.Code() == op.GetTupleElement && x.class[i] == fixed || i.Code() == op.Constant && !admitConstant(i)
}

// Where indices do not matter, element number e is at [0 .. 0, e].
func flatIndex(rank int, e Expr) []Expr {
	idx := make([]Expr, rank)
	for d := range idx {
		idx[d] = constant(0)
	}
	if rank > 0 {
		idx[rank-1] = e
	}
	return idx
}

func (x *Interchange) emitReshape(g *gen, i *hlo.Instruction, idx []Expr, guard loop.Value) []elem.Value {
	if i.Operand(0).Rank() == 0 {
		return g.at(i.Operand(0), nil, guard)
	}
	return g.at(i.Operand(0), flatIndex(i.Operand(0).Rank(), idx[len(idx)-1]), guard)
}

// arrays makes the loops over elements.
func (x *Interchange) arrays(g *gen) {
	a := &arraysGen{gen: g, x: x}
	a.count = elem.Load(g.b, shape.S32, elem.Address{Buffer: g.control(x.Inst, RoundLength, 4, false)}, 0).Re
	element := func(idx []Expr) { a.round(round{count: a.count}, idx) }
	switch {
	case len(x.tests) > 0:
		a.tested()
	case x.rows:
		a.loops(nil, len(x.dims), element)
	default:
		g.each(loop.Spec{Extent: int64(product(x.dims)), Lanes: true, Parallel: true}, func(v int) {
			element(flatIndex(len(x.dims), variable(v)))
		})
	}
}

// arraysGen makes the nest of the arrays.
type arraysGen struct {
	*gen
	x     *Interchange
	count loop.Value // of iterations
}

func (g *gen) control(of *hlo.Instruction, leaf int, bytes int64, write bool) int {
	return g.temporary(Ref{of, leaf}, loop.Buffer{Name: controlNames[-leaf], Bytes: bytes, Write: write})
}

var controlNames = [...]string{-RoundLength: "length", -RoundTests: "tests", -RoundWords: "words",
	-RoundRepeats: "repeats", -RoundOn: "on", -RoundFeeds: "feed"}

// loops opens the loops over dimensions from the first on, with lanes in the last one.
func (g *arraysGen) loops(idx []Expr, rank int, body func(idx []Expr)) {
	d := len(idx)
	if d == rank {
		body(idx)
		return
	}
	spec := loop.Spec{Extent: int64(g.x.dims[d]), Lanes: d == len(g.x.dims)-1, Parallel: true}
	g.each(spec, func(v int) { g.loops(append(idx[:d:d], variable(v)), rank, body) })
}

// Parts of the elements of which each says whether a test holds.
const (
	// fewestOfPart is how many elements one has at least.
	fewestOfPart = 1 << 8
	// partBytes is about how many bytes of arrays one has: they stay in the second cache for all of a round.
	partBytes = 1 << 17
)

// tested makes loops over parts of the elements: rows, or parts of the same size.
func (g *arraysGen) tested() {
	x := g.x
	rank := len(x.dims)
	if x.rows && rank > 1 {
		g.control(x.Inst, RoundTests, x.testBytes(), true)
		g.loops(nil, rank-1, func(row []Expr) {
			g.part(x.dims[rank-1], g.linear(shape.Make(shape.Pred, x.dims[:rank-1]...), row),
				func(v int) []Expr { return append(row[:rank-1:rank-1], variable(v)) })
		})
		return
	}
	each := product(x.dims) / x.partCount()
	g.each(loop.Spec{Extent: int64(x.partCount()), Parallel: true}, func(p int) {
		g.part(each, variable(p), func(v int) []Expr {
			return flatIndex(rank, g.add(g.times(variable(p), int64(each)), variable(v)))
		})
	})
}

// partCount is how many parts the elements are tested in.
func (x *Interchange) partCount() int {
	rank, n := len(x.dims), product(x.dims)
	if x.rows && rank > 1 {
		return n / x.dims[rank-1]
	}
	least := max(x.bytes()/partBytes, 1)
	for p := max(least, 2*usualParts/3); p <= 2*max(least, usualParts) && n/p >= fewestOfPart; p++ {
		if n%p == 0 {
			return p
		}
	}
	p := min(max(least, usualParts), max(n/fewestOfPart, 1))
	for n%p != 0 {
		p--
	}
	return p
}

// usualParts is how many parts there are where that is not too many: some for each thread.
const usualParts = 16

// bytes are those of all arrays in a round.
func (x *Interchange) bytes() int {
	n := 0
	for k, p := range x.parts {
		size := x.state[k].Size() * x.state[k].Type.ByteSize()
		if n += size; p == array {
			n += size
		}
	}
	return n
}

// words is how many numbers with a bit for each iteration there are of a test: where it holds, and where an element is
// no number, which the largest and the least then are not, either.
func (t *test) words() int {
	if t.bound != nil && !t.all && t.of.Type().IsFloat() {
		return 2
	}
	return 1
}

func (x *Interchange) words() int {
	n := 0
	for k := range x.tests {
		n += x.tests[k].words()
	}
	return n
}

// testBytes is the size of all words: those of each part, for each wordBits iterations of the round.
func (x *Interchange) testBytes() int64 { return int64(4 * x.words() * mostWords * x.partCount()) }

// part does a round for the n elements of a part, wordBits iterations at a time, and stores the words of each of
// these.
func (g *arraysGen) part(n int, number Expr, at func(v int) []Expr) {
	b, words := g.b, g.x.words()
	init := make([]loop.Reduction, words)
	for k := range init {
		init[k] = loop.Reduction{Init: b.Int(loop.I32, 0), Reduce: loop.Or}
	}
	buffer := g.control(g.x.Inst, RoundTests, g.x.testBytes(), true)
	whole := b.Op(loop.Add, loop.I32, g.count, b.Int(loop.I32, wordBits-1))
	times := b.Op(loop.Shr, loop.I32, whole, b.Int(loop.I32, wordShift))
	times = b.Op(loop.Max, loop.I32, times, b.Int(loop.I32, 1)) // without iterations the new arrays are the old ones
	g.repeat(times, mostWords, nil, func(h int, _ []loop.Value) []loop.Value {
		step := b.Index(loop.I32, h)
		base := b.Op(loop.Shl, loop.I32, step, b.Int(loop.I32, wordShift))
		r := round{first: b.Cmp(loop.EQ, step, b.Int(loop.I32, 0)), base: base, count: b.Op(loop.Min, loop.I32,
			b.Int(loop.I32, wordBits), b.Op(loop.Sub, loop.I32, g.count, base))}
		outs := g.carry(loop.Spec{Extent: int64(n), Lanes: true}, init, func(v int, phis []loop.Value) []loop.Value {
			next := make([]loop.Value, words)
			for k, bits := range g.round(r, at(v)) {
				next[k] = b.Op(loop.Or, loop.I32, phis[k], bits)
			}
			return next
		})
		for k, bits := range outs {
			place := g.addressOf(buffer, number.times(int64(words*mostWords)).plus(int64(k)))
			place.Index = b.Op(loop.Mul, loop.I32, step, b.Int(loop.I32, int64(words)))
			elem.Store(b, elem.Value{Type: shape.S32, Re: bits}, place, 0)
		}
		return nil
	})
}

// round is some iterations, from number base on; first is a mask: they are the first of those that are done together,
// or 0.
type round struct{ count, base, first loop.Value }

// round does iterations for the element at idx, and returns the words of the tests.
func (g *arraysGen) round(r round, idx []Expr) []loop.Value {
	x, body := g.x, g.x.Inst.Called()[1]
	var inits []loop.Value
	var shapes []shape.Shape
	var into []elem.Address
	for k, p := range x.parts {
		if p != array {
			continue
		}
		t := x.state[k].Type
		place := g.address(g.buffer(Ref{body.Params()[0], k}, r.first == 0), idx)
		v := elem.Load(g.b, t, place, r.first)
		if r.first != 0 {
			place = g.address(g.buffer(Ref{body.Root(), k}, true), idx)
			again := elem.Load(g.b, t, place, g.b.Op(loop.Not, loop.Mask, r.first))
			v = elem.Select(g.b, r.first, v, again)
		}
		inits = append(inits, g.registers(v)...)
		shapes, into = append(shapes, x.state[k]), append(into, place)
	}
	state := len(inits)
	for range x.words() {
		inits = append(inits, g.b.Int(loop.I32, 0))
	}
	outs := g.repeat(r.count, x.length(), inits, func(v int, phis []loop.Value) []loop.Value {
		g.begin(r, v, idx, g.elements(shapes, phis[:state]))
		words := g.test(v, idx, phis[state:])
		return append(g.next(idx), words...)
	})
	for k, v := range g.elements(shapes, outs[:state]) {
		elem.Store(g.b, v, into[k], 0)
	}
	return outs[state:]
}

// repeat is Times of the builder.
func (g *gen) repeat(n loop.Value, most int64, inits []loop.Value,
	body func(v int, phis []loop.Value) []loop.Value) []loop.Value {
	return g.b.Times(n, most, inits, func(v int, phis []loop.Value) []loop.Value {
		for len(g.spans) <= v {
			g.spans = append(g.spans, span{})
		}
		before := len(g.values)
		next := body(v, phis)
		g.computed.cut(before)
		g.values = g.values[:before]
		return next
	})
}

// begin notes the values that the state and the feeds have in iteration v.
func (g *arraysGen) begin(r round, v int, idx []Expr, state []elem.Value) {
	arrays := map[int]int{} // their numbers, by that of the element of the state
	for k, p := range g.x.parts {
		if p == array {
			arrays[k] = len(arrays)
		}
	}
	at := g.places.of(idx)
	for _, c := range g.x.Inst.Called() {
		for _, i := range c.Instructions() {
			if i.Code() == op.GetTupleElement && g.x.class[i] == lanes {
				n := arrays[elementOf(i)]
				g.note(visit{i, at, 0}, state[n:n+1])
			}
		}
	}
	number := g.b.Index(loop.I32, v)
	if r.base != 0 {
		number = g.b.Op(loop.Add, loop.I32, number, r.base)
	}
	for k, f := range g.x.feeds {
		place := elem.Address{Buffer: g.x.feed(g.gen, k, false), Index: number}
		g.note(visit{f, g.places.of(nil), 0}, []elem.Value{elem.Load(g.b, f.Type(), place, 0)})
	}
}

// feed is the buffer of feed number k.
func (x *Interchange) feed(g *gen, k int, write bool) int {
	bytes := x.length() * int64(x.feeds[k].Type().ByteSize())
	return g.temporary(Ref{x.Inst, RoundFeeds - k}, loop.Buffer{Name: "feed", Bytes: bytes, Write: write})
}

// next computes the arrays of the next iteration, as they would be read from memory.
func (g *arraysGen) next(idx []Expr) (next []loop.Value) {
	for k, o := range g.x.Inst.Called()[1].Root().Operands() {
		if g.x.parts[k] == array {
			next = append(next, g.registers(elem.Settle(g.b, g.one(o, idx, 0)))...)
		}
	}
	return next
}

// test adds the bits of iteration v to the words of the tests.
func (g *arraysGen) test(v int, idx []Expr, words []loop.Value) (next []loop.Value) {
	if len(words) == 0 {
		return nil
	}
	bit := g.b.Op(loop.Shl, loop.I32, g.b.Int(loop.I32, 1), g.b.Index(loop.I32, v))
	add := func(holds loop.Value) {
		one := g.b.Op(loop.Select, loop.I32, holds, bit, g.b.Int(loop.I32, 0))
		next = append(next, g.b.Op(loop.Or, loop.I32, words[len(next)], one))
	}
	for k := range g.x.tests {
		t := &g.x.tests[k]
		x := g.one(t.of, idx, 0)
		holds := x.Re
		if t.bound != nil {
			holds = g.compare(x, g.one(t.bound, nil, 0), t.direction)
		}
		if t.all {
			holds = g.b.Op(loop.Not, loop.Mask, holds)
		}
		add(holds)
		if t.words() > 1 {
			add(g.compare(x, x, op.NE))
		}
	}
	return next
}

func (g *gen) compare(x, y elem.Value, d op.Direction) loop.Value {
	v, err := elem.Apply(g.b, op.Compare, &op.CompareAttrs{Direction: d}, shape.Pred, []elem.Value{x, y})
	if err != nil {
		panic(unsupported{err})
	}
	return v.Re
}
