package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass/match"
	"github.com/goxla/xla/shape"
)

// SortKeyExpander computes what a comparator computes of each element alone, once for all elements, and sorts by that:
//
//	sort(x), by f(a) < f(b)  =  sort(x, f(x)), by c < d
//
// It does so where the comparator is then an order of numbers, for which there are better ways than to ask it: complex
// numbers by their parts, or numbers by their magnitude.
func SortKeyExpander() Pass {
	return Pass{
		Name:  "sort-key-expander",
		Doc:   "Makes operands of a sort of what its comparator computes of each element alone, to have an order of numbers.",
		About: []op.Code{op.Sort},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if s := newSortKeys(i); s != nil && s.order() {
					return s.finish(s.build())
				}
				return nil, nil
			})
		},
	}
}

// mostCompared is the most instructions of a comparator that is looked at.
const mostCompared = 256

// The sides that an instruction of a comparator depends on.
const (
	firstSide = 1 << iota
	secondSide
	bothSides = firstSide | secondSide
)

// sortKeys makes the sort with more operands.
type sortKeys struct {
	*maker
	i        *hlo.Instruction
	list     []*hlo.Instruction // of the comparator, operands in front
	sides    map[*hlo.Instruction]int
	class    map[*hlo.Instruction]int // of what depends on one side, the same for what is the same function of an element
	examples []*hlo.Instruction       // by class
	keys     []int                    // classes of the new operands
	compare  *hlo.Computation
}

// newSortKeys returns nil if i is no sort, if its order is known already, or if its comparator has more than functions
// of elements.
func newSortKeys(i *hlo.Instruction) *sortKeys {
	if i.Code() != op.Sort || !allStatic(i.Operands()) {
		return nil
	}
	c := i.Called()[0]
	if _, ok := match.Comparator(c); ok || len(c.Instructions()) > mostCompared {
		return nil
	}
	s := &sortKeys{maker: newMaker(i), i: i, list: c.PostOrder(), sides: map[*hlo.Instruction]int{},
		class: map[*hlo.Instruction]int{}}
	for _, x := range s.list {
		isLeaf := x.Code() == op.Parameter || x.Code() == op.Constant
		if !x.IsScalar() || !isLeaf && !x.Code().Info().Has(op.Elementwise) {
			return nil
		}
		s.classify(x)
	}
	return s
}

// classify finds out which sides x depends on and, if it is one or none, its class.
func (s *sortKeys) classify(x *hlo.Instruction) {
	side := 0
	if x.Code() == op.Parameter {
		side = firstSide << (number(x) % 2)
	}
	for _, o := range x.Operands() {
		side |= s.sides[o]
	}
	if s.sides[x] = side; side == bothSides {
		return
	}
	k := slices.IndexFunc(s.examples, func(e *hlo.Instruction) bool { return s.alike(x, e) })
	if k < 0 {
		k = len(s.examples)
		s.examples = append(s.examples, x)
	}
	s.class[x] = k
}

// number is that of a parameter.
func number(x *hlo.Instruction) int { return x.Attrs().(*op.ParameterAttrs).Number }

// alike reports whether x and e are the same function of an element, whichever side it is on.
func (s *sortKeys) alike(x, e *hlo.Instruction) bool {
	if x.Code() != e.Code() || !x.Shape().Equal(e.Shape()) {
		return false
	}
	if x.Code() == op.Parameter {
		return number(x)/2 == number(e)/2
	}
	return op.EqualAttrs(x.Attrs(), e.Attrs()) && slices.EqualFunc(x.Operands(), e.Operands(),
		func(a, b *hlo.Instruction) bool { return s.class[a] == s.class[b] })
}

// order makes the new comparator and reports whether it is an order of numbers.
func (s *sortKeys) order() bool {
	root := s.list[len(s.list)-1]
	if s.sides[root] != bothSides {
		return false
	}
	c := s.c.Module().AddComputation(s.i.Called()[0].Name())
	c.ExecutionThread = s.c.ExecutionThread
	s.compare = c
	params := make([]*hlo.Instruction, 2*len(s.i.Operands()))
	for k := range params {
		params[k] = s.param(k, s.i.Operand(k/2).Type())
	}
	made := map[*hlo.Instruction]*hlo.Instruction{}
	for _, x := range s.list {
		if s.sides[x] != bothSides {
			continue
		}
		operands := make([]*hlo.Instruction, len(x.Operands()))
		for k, o := range x.Operands() {
			operands[k] = made[o]
			if s.sides[o] != bothSides {
				operands[k] = s.operand(o, &params)
			}
		}
		made[x] = c.AddClone(x, operands)
	}
	c.SetRoot(made[root])
	if _, ok := match.Comparator(c); !ok || len(s.keys) == 0 {
		s.c.Module().RemoveComputation(c)
		return false
	}
	return true
}

// param adds a parameter of the new comparator.
func (s *sortKeys) param(number int, t shape.ElementType) *hlo.Instruction {
	return s.compare.Add("", op.Parameter, shape.Make(t), nil, &op.ParameterAttrs{Number: number})
}

// operand returns what stands for x in the new comparator: a constant, or a parameter.
func (s *sortKeys) operand(x *hlo.Instruction, params *[]*hlo.Instruction) *hlo.Instruction {
	switch {
	case x.Code() == op.Constant:
		return s.compare.AddClone(x, nil)
	case x.Code() == op.Parameter:
		return (*params)[number(x)]
	}
	k := slices.Index(s.keys, s.class[x])
	if k < 0 {
		k = len(s.keys)
		s.keys = append(s.keys, s.class[x])
		n, t := len(*params), x.Type()
		*params = append(*params, s.param(n, t), s.param(n+1, t))
	}
	at := 2 * (len(s.i.Operands()) + k)
	if s.sides[x] == secondSide {
		at++
	}
	return (*params)[at]
}

// build adds the keys and the sort by them.
func (s *sortKeys) build() *hlo.Instruction {
	operands, arrays := slices.Clone(s.i.Operands()), make([]*hlo.Instruction, len(s.examples))
	for _, k := range s.keys {
		operands = append(operands, s.array(k, arrays))
	}
	sorted := s.shaped(op.Sort, shape.Shape{}, s.i.Attrs(), operands, s.compare)
	if !s.i.IsTuple() {
		return s.element(sorted, 0)
	}
	results := make([]*hlo.Instruction, len(s.i.Operands()))
	for k := range results {
		results[k] = s.element(sorted, k)
	}
	if s.err != nil {
		return nil
	}
	return s.tuple(results...)
}

// array is function k of an element of all elements; arrays has those that are there already.
func (s *sortKeys) array(k int, arrays []*hlo.Instruction) *hlo.Instruction {
	if s.err != nil || arrays[k] != nil {
		return arrays[k]
	}
	x := s.examples[k]
	switch x.Code() {
	case op.Parameter:
		arrays[k] = s.i.Operand(number(x) / 2)
	case op.Constant:
		arrays[k] = s.broadcast(s.c.AddClone(x, nil), s.i.Operand(0).Shape())
	default:
		operands := make([]*hlo.Instruction, len(x.Operands()))
		for n, o := range x.Operands() {
			operands[n] = s.array(s.class[o], arrays)
		}
		all := shape.Make(x.Type(), s.i.Operand(0).Dims()...)
		arrays[k] = s.shaped(x.Code(), all, x.Attrs(), operands)
	}
	return arrays[k]
}
