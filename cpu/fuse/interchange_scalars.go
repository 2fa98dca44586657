package fuse

import (
	"slices"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Scalars makes the nest of the scalars. In a loop without tests it takes them through the iterations of the next
// round; they are those at its end then, and the arrays follow. Else it takes them through the round that was done, as
// far as the loop goes on, and records feeds for the next one, which ends where what does not ask for tests ends the
// loop. At first the round that was done has no iterations.
func (x *Interchange) Scalars(s Spec) (*Kernel, error) {
	s.InMemory = x.inMemory
	return build(s, loop.I32, func(g *gen) {
		n := &scalarsGen{gen: g, x: x}
		first := n.load()
		if len(x.tests) == 0 {
			n.untested(first)
		} else {
			n.tested(first)
		}
	})
}

// scalarsGen makes the nest of the scalars.
type scalarsGen struct {
	*gen
	x *Interchange
	// shapes are those of the scalars that change, places their elements of the state.
	shapes []shape.Shape
	places []int
	kept   map[int]elem.Value // scalars of the state that stay the same
}

// load loads the scalars and returns those that change, in registers.
func (g *scalarsGen) load() (first []loop.Value) {
	param := g.x.Inst.Called()[1].Params()[0]
	g.kept = map[int]elem.Value{}
	for k, s := range g.x.state {
		if s.Rank() != 0 {
			continue
		}
		changes := g.x.parts[k] == scalar
		v := elem.Load(g.b, s.Type, elem.Address{Buffer: g.buffer(Ref{param, k}, changes)}, 0)
		if !changes {
			g.kept[k] = v
			continue
		}
		g.shapes, g.places = append(g.shapes, s), append(g.places, k)
		first = append(first, g.registers(v)...)
	}
	return first
}

// store stores the scalars that change.
func (g *scalarsGen) store(values []loop.Value) {
	param := g.x.Inst.Called()[1].Params()[0]
	for n, v := range g.elements(g.shapes, values) {
		elem.Store(g.b, v, elem.Address{Buffer: g.buffer(Ref{param, g.places[n]}, true)}, 0)
	}
}

// scalars computes the scalars of c, the condition or the body, where the state is values. tests are the values of
// tests.
func (g *scalarsGen) scalars(c *hlo.Computation, values []loop.Value,
	tests map[*hlo.Instruction]elem.Value) map[*hlo.Instruction][]elem.Value {
	state := make([]elem.Value, len(g.x.state))
	for k, v := range g.kept {
		state[k] = v
	}
	for n, v := range g.elements(g.shapes, values) {
		state[g.places[n]] = v
	}
	known := map[*hlo.Instruction][]elem.Value{}
	for _, i := range c.DataOrder() {
		switch v, isTest := tests[i]; {
		case isTest:
			known[i] = []elem.Value{v}
		case i.Code() == op.Parameter:
			known[i] = state
		case i.IsArray() && i.Rank() == 0 && g.x.class[i] != other &&
			!slices.ContainsFunc(i.Operands(), func(o *hlo.Instruction) bool { return known[o] == nil }):
			known[i] = g.inlineOne(i, nil, known)
		}
	}
	return known
}

// advance returns the scalars of the next iteration.
func (g *scalarsGen) advance(values []loop.Value) (next []loop.Value) {
	body := g.x.Inst.Called()[1]
	known := g.scalars(body, values, nil)
	for _, k := range g.places {
		next = append(next, g.registers(elem.Settle(g.b, known[body.Root().Operand(k)][0]))...)
	}
	return next
}

// record stores the feeds of iteration number at.
func (g *scalarsGen) record(values []loop.Value, at loop.Value) {
	var known [2]map[*hlo.Instruction][]elem.Value
	for n, f := range g.x.feeds {
		k := slices.Index(g.x.Inst.Called(), f.Computation())
		if known[k] == nil {
			known[k] = g.scalars(f.Computation(), values, nil)
		}
		place := elem.Address{Buffer: g.x.feed(g.gen, n, true), Index: at}
		elem.Store(g.b, known[k][f][0], place, 0)
	}
}

func (g *scalarsGen) int(v int64) loop.Value { return g.b.Int(loop.I32, v) }

func (g *scalarsGen) plus1(v loop.Value) loop.Value { return g.b.Op(loop.Add, loop.I32, v, g.int(1)) }

// put stores a number or truth value.
func (g *scalarsGen) put(leaf int, t shape.ElementType, v loop.Value) {
	place := elem.Address{Buffer: g.control(g.x.Inst, leaf, int64(t.ByteSize()), true)}
	elem.Store(g.b, elem.Value{Type: t, Re: v}, place, 0)
}

// through goes through at most limit iterations, as long as on holds of the state and the number of the iteration, and
// returns the state then and that number. If feeds is set they are recorded.
func (g *scalarsGen) through(first []loop.Value, limit loop.Value, feeds bool,
	on func(values []loop.Value, at loop.Value) loop.Value) (last []loop.Value, at loop.Value) {
	n := len(first)
	outs := g.b.While(append(slices.Clone(first), g.int(0)), func(v []loop.Value) loop.Value {
		below := g.b.Cmp(loop.LT, v[n], limit)
		return g.b.Op(loop.And, loop.Mask, below, on(v[:n], v[n]))
	}, func(v []loop.Value) []loop.Value {
		if feeds {
			g.record(v[:n], v[n])
		}
		return append(g.advance(v[:n]), g.plus1(v[n]))
	})
	return outs[:n], outs[n]
}

func (g *scalarsGen) untested(first []loop.Value) {
	cond := g.x.Inst.Called()[0]
	last, at := g.through(first, g.int(g.x.length()), true, func(v []loop.Value, _ loop.Value) loop.Value {
		return g.scalars(cond, v, nil)[cond.Root()][0].Re
	})
	g.store(last)
	g.put(RoundLength, shape.S32, at)
	g.put(RoundOn, shape.Pred, g.b.Cmp(loop.GT, at, g.int(0)))
}

// firstTested is how many iterations the first round of a loop with tests has. Another one has that many more than
// the one before, and half as many again: what is done in vain at the end is in proportion to what was not.
const firstTested = 16

func (g *scalarsGen) tested(first []loop.Value) {
	b, x := g.b, g.x
	done := elem.Load(b, shape.S32, elem.Address{Buffer: g.control(x.Inst, RoundLength, 4, true)}, 0).Re
	cond, words := x.Inst.Called()[0], g.combine()
	state, at := g.through(first, done, false, func(v []loop.Value, at loop.Value) loop.Value {
		return g.scalars(cond, v, g.testsAt(v, words, at))[cond.Root()][0].Re
	})
	whole := b.Cmp(loop.EQ, at, done)
	half := b.Op(loop.Shr, loop.I32, done, g.int(1))
	more := b.Op(loop.Add, loop.I32, b.Op(loop.Add, loop.I32, done, half), g.int(firstTested))
	more = b.Op(loop.Min, loop.I32, g.int(x.length()), more)
	more = b.Op(loop.Select, loop.I32, whole, more, g.int(0))
	_, next := g.through(state, more, true, g.mayGoOn)
	g.store(state)
	g.put(RoundLength, shape.S32, b.Op(loop.Select, loop.I32, whole, next, at))
	g.put(RoundRepeats, shape.Pred, b.Op(loop.Not, loop.Mask, whole))
	g.put(RoundOn, shape.Pred, b.Cmp(loop.GT, next, g.int(0)))
}

// combine combines the words of all parts, and returns the place of the first of the round.
func (g *scalarsGen) combine() elem.Address {
	parts := g.control(g.x.Inst, RoundTests, g.x.testBytes(), false)
	n := int64(g.x.words() * mostWords)
	all := g.control(g.x.Inst, RoundWords, 4*n, true)
	g.each(loop.Spec{Extent: n}, func(k int) {
		zero := []loop.Reduction{{Init: g.int(0)}}
		outs := g.carry(loop.Spec{Extent: int64(g.x.partCount())}, zero, func(v int, phis []loop.Value) []loop.Value {
			word := elem.Load(g.b, shape.S32, g.addressOf(parts, g.add(variable(k), g.times(variable(v), n))), 0)
			return []loop.Value{g.b.Op(loop.Or, loop.I32, phis[0], word.Re)}
		})
		elem.Store(g.b, elem.Value{Type: shape.S32, Re: outs[0]}, g.addressOf(all, variable(k)), 0)
	})
	return elem.Address{Buffer: all}
}

// testsAt are the values of the tests in iteration at.
func (g *scalarsGen) testsAt(values []loop.Value, words elem.Address, at loop.Value) map[*hlo.Instruction]elem.Value {
	b := g.b
	step := b.Op(loop.Shr, loop.I32, at, g.int(wordShift))
	words.Index = b.Op(loop.Mul, loop.I32, step, g.int(int64(g.x.words())))
	bit := b.Op(loop.And, loop.I32, at, g.int(wordBits-1))
	noted := func(k int64) loop.Value {
		word := words
		word.Offset += k
		v := b.Op(loop.Shr, loop.I32, elem.Load(b, shape.S32, word, 0).Re, bit)
		return b.Cmp(loop.NE, b.Op(loop.And, loop.I32, v, g.int(1)), g.int(0))
	}
	cond := g.x.Inst.Called()[0]
	out := map[*hlo.Instruction]elem.Value{}
	known := g.scalars(cond, values, nil)
	for k := range g.x.tests {
		t := &g.x.tests[k]
		holds, first := noted(0), loop.Or
		if t.all {
			holds, first = b.Op(loop.Not, loop.Mask, holds), loop.And
		}
		for _, i := range t.inits {
			v := emitConstant(g.gen, i, nil, 0)[0]
			if t.bound != nil {
				v.Re = g.compare(v, known[t.bound][0], t.direction)
			}
			holds = b.Op(first, loop.Mask, holds, v.Re)
		}
		if t.words() > 1 {
			holds = b.Op(loop.AndNot, loop.Mask, noted(1), holds)
		}
		words.Offset += int64(t.words())
		out[t.inst] = elem.Value{Type: shape.Pred, Re: holds}
	}
	return out
}

// mayGoOn is false where the condition is, whatever the tests say.
func (g *scalarsGen) mayGoOn(values []loop.Value, _ loop.Value) loop.Value {
	cond := g.x.Inst.Called()[0]
	known := g.scalars(cond, values, nil)
	on := g.b.Bool(true)
	for todo := []*hlo.Instruction{cond.Root()}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case known[i] != nil:
			on = g.and(on, known[i][0].Re)
		case i.Code() == op.And:
			todo = append(todo, i.Operands()...)
		}
	}
	return on
}
