package fuse

import (
	"fmt"

	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/shape"
)

// CallWork is about how many instructions one call of a loop's kernel executes: it is stopped then, and called
// again, so that it can be interrupted.
const CallWork = 1 << 16

// WhileFits reports whether a while loop works on scalars alone, so that it is one kernel with the state in registers.
func WhileFits(i *hlo.Instruction) bool {
	s := i.Shape()
	if !s.IsTuple() {
		return isScalar(s) && inlines(i.Called()[0]) && inlines(i.Called()[1])
	}
	for _, e := range s.Elems {
		if !isScalar(e) {
			return false
		}
	}
	return len(s.Elems) > 0 && inlines(i.Called()[0]) && inlines(i.Called()[1])
}

func isScalar(s shape.Shape) bool { return s.IsArray() && s.IsStatic() && s.Rank() == 0 }

// BuildWhile makes the nest of such a loop: its first buffers are the elements of the state, which it reads and
// writes; the last one, a pred, says whether the loop goes on after this call, of about so many instructions.
func BuildWhile(i *hlo.Instruction, m Machine, callWork int) (*loop.Nest, error) {
	none := func(*hlo.Instruction) bool { return false }
	spec := Spec{Name: i.Name(), InMemory: none, Code: m.Code, Wide: m.Wide, Split: m.Split}
	k, err := build(spec, loop.I32, func(g *gen) { g.while(i, callWork) })
	if err != nil {
		return nil, err
	}
	return k.Nest, nil
}

func (g *gen) while(i *hlo.Instruction, callWork int) {
	state := []shape.Shape{i.Shape()}
	if i.IsTuple() {
		state = i.Shape().Elems
	}
	cond, body := i.Called()[0], i.Called()[1]
	var first []loop.Value
	for n, s := range state {
		g.b.Buffer(loop.Buffer{Name: fmt.Sprintf("state%d", n), Bytes: int64(s.Type.ByteSize()), Write: true})
		first = append(first, g.registers(elem.Load(g.b, s.Type, elem.Address{Buffer: n}, 0))...)
	}
	again := g.b.Buffer(loop.Buffer{Name: "again", Bytes: 1, Write: true})
	first = append(first, g.b.Int(loop.I32, 0))
	limit := g.b.Int(loop.I32, max(16, int64(callWork/(1+cond.NumIDs()+body.NumIDs()))))
	goesOn := func(values []loop.Value) loop.Value { return g.inline(cond, g.elements(state, values))[0].Re }
	last := g.b.While(first, func(values []loop.Value) loop.Value {
		return g.and(goesOn(values), g.b.Cmp(loop.LT, values[len(values)-1], limit))
	}, func(values []loop.Value) []loop.Value {
		var next []loop.Value
		for _, v := range g.inline(body, g.elements(state, values)) {
			next = append(next, g.registers(v)...)
		}
		return append(next, g.b.Op(loop.Add, loop.I32, values[len(values)-1], g.b.Int(loop.I32, 1)))
	})
	for n, v := range g.elements(state, last) {
		elem.Store(g.b, v, elem.Address{Buffer: n}, 0)
	}
	elem.Store(g.b, elem.Value{Type: shape.Pred, Re: goesOn(last)}, elem.Address{Buffer: again}, 0)
}

// registers are the values in which an element goes from one iteration to the next: truth values as numbers.
func (g *gen) registers(v elem.Value) []loop.Value {
	switch {
	case v.Type == shape.Pred:
		return []loop.Value{g.b.Op(loop.Select, loop.I32, v.Re, g.b.Int(loop.I32, 1), g.b.Int(loop.I32, 0))}
	case v.Im != 0:
		return []loop.Value{v.Re, v.Im}
	}
	return []loop.Value{v.Re}
}

// elements is the inverse of registers, for all elements of the state.
func (g *gen) elements(state []shape.Shape, values []loop.Value) []elem.Value {
	out := make([]elem.Value, len(state))
	for n, s := range state {
		out[n] = elem.Value{Type: s.Type, Re: values[0]}
		switch {
		case s.Type == shape.Pred:
			out[n].Re = g.b.Cmp(loop.NE, values[0], g.b.Int(loop.I32, 0))
		case s.Type.IsComplex():
			out[n].Im = values[1]
			values = values[1:]
		}
		values = values[1:]
	}
	return out
}
