package fuse

import (
	"github.com/goxla/xla/cpu/elem"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/pass/match"
	"github.com/goxla/xla/shape"
)

// Cumulative reports whether reduce-window i folds for each element all up to it, which takes one pass.
func Cumulative(i *hlo.Instruction) bool {
	c, ok := match.CumulativeWindow(i)
	return ok && Emits(i) && i.Shape().Dims[c.Dim] > 1
}

// BuildCumulative makes the nest of such a reduce-window: along the dimension that is folded, a loop that
// carries the value so far.
func BuildCumulative(i *hlo.Instruction, inMemory func(*hlo.Instruction) bool) (*Kernel, error) {
	c, _ := match.CumulativeWindow(i)
	memory := func(o *hlo.Instruction) bool { return o != i && inMemory(o) }
	return build(Spec{Name: i.Name(), InMemory: memory}, indexKindOf(i), func(g *gen) {
		s := i.Shape()
		idx := make([]Expr, s.Rank())
		g.around(s.Dims, c.Dim, 0, idx, func() { g.fold(i, c, idx) })
	})
}

// around opens a parallel loop over every dimension but skip; the last has lanes if it is not skip.
func (g *gen) around(dims []int, skip, d int, idx []Expr, body func()) {
	switch {
	case d == len(dims):
		body()
	case d == skip:
		g.around(dims, skip, d+1, idx, body)
	case dims[d] == 1:
		idx[d] = constant(0)
		g.around(dims, skip, d+1, idx, body)
	default:
		g.each(loop.Spec{Extent: int64(dims[d]), Parallel: true, Lanes: d == len(dims)-1}, func(v int) {
			idx[d] = variable(v)
			g.around(dims, skip, d+1, idx, body)
		})
	}
}

// fold loops along the dimension. Float sums and products are carried in f64: the values are as exact as
// the evaluator's however long the way.
func (g *gen) fold(i *hlo.Instruction, c match.Cumulative, idx []Expr) {
	s := i.Shape()
	n := s.Dims[c.Dim]
	r := reducerOf(i.Called()[0], 1)
	init := g.one(i.Operand(1), nil, 0)
	wide := s.Type.IsFloat() && (c.Kind == match.Sum || c.Kind == match.Product) && r.lanes != nil
	acc := init
	if wide {
		acc = elem.Convert(g.b, init, shape.F64)
	}
	var carries []loop.Reduction
	for _, p := range parts(acc) {
		carries = append(carries, loop.Reduction{Init: p})
	}
	g.carry(loop.Spec{Extent: int64(n)}, carries, func(v int, phis []loop.Value) []loop.Value {
		at := append([]Expr(nil), idx...)
		at[c.Dim] = variable(v)
		if c.Reverse {
			at[c.Dim] = g.times(variable(v), -1).plus(int64(n - 1))
		}
		so := rebuild([]elem.Value{acc}, phis)
		x := g.one(i.Operand(0), at, 0)
		if wide {
			x = elem.Convert(g.b, x, shape.F64)
		}
		next := g.combine(r, so, step{elems: []elem.Value{x}})
		result := next[0]
		if c.Exclusive {
			result = so[0]
		}
		if wide {
			result = elem.Convert(g.b, result, s.Type)
		}
		elem.Store(g.b, elem.Normalize(g.b, result), g.address(g.buffer(Ref{Inst: i}, true), at), 0)
		return parts(next[0])
	})
}
