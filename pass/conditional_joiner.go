package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// ConditionalJoiner makes one conditional of those of a computation that choose by the same index, unless something
// between them needs one and is needed by another.
func ConditionalJoiner() Pass {
	return Pass{
		Name: "conditional-joiner",
		Doc: "Conditionals that choose by the same index become one, where they are of small arrays or one reads what " +
			"the other gives, and nothing has to be computed between them.",
		About: []op.Code{op.Conditional},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (changed bool, err error) {
			calls := callCounts(m)
			for _, c := range slices.Clone(m.PostOrder()) {
				ch, err := joinIn(c, calls)
				if err != nil {
					return changed, err
				}
				changed = changed || ch
			}
			m.RemoveUnused()
			return changed, nil
		},
	}
}

// mostJoins is how often a computation is looked through for conditionals to join.
const mostJoins = 32

func joinIn(c *hlo.Computation, calls map[*hlo.Computation]int) (changed bool, err error) {
	if !c.Calls() {
		return false, nil
	}
	c.SetRoot(c.Root())
	for range mostJoins {
		g := joinable(c, calls)
		if g == nil {
			break
		}
		if err := g.join(calls); err != nil {
			return changed, errorAt(g.list[0], err)
		}
		changed = true
	}
	return changed, nil
}

// joint is a group of conditionals, each in front of those that need it, that choose by the same index.
type joint struct {
	list []*hlo.Instruction
	// apart are instructions behind the first of list that need none of it.
	apart map[*hlo.Instruction]bool
	place []int // of all instructions, by id, in the order in which they may be computed
	small bool  // all arrays of all in list are
}

// joinable returns a group of conditionals of c that may be one; nil if there is none.
func joinable(c *hlo.Computation, calls map[*hlo.Computation]int) *joint {
	groups := map[*hlo.Instruction]*joint{}
	place := make([]int, c.NumIDs())
	for k, i := range c.PostOrder() {
		place[i.ID()] = k
		if i.Code() != op.Conditional || HasSideEffect(i) || inOrder(i) || !ownsBranches(i, calls) {
			continue
		}
		g := groups[i.Operand(0)]
		if g != nil && g.takes(i) {
			g.list = append(g.list, i)
			g.small = g.small && smallArrays(i)
			continue
		}
		if g != nil && len(g.list) > 1 {
			return g
		}
		groups[i.Operand(0)] = &joint{list: []*hlo.Instruction{i}, apart: map[*hlo.Instruction]bool{}, place: place,
			small: smallArrays(i)}
	}
	for _, i := range c.PostOrder() {
		if g := groups[i]; g != nil && len(g.list) > 1 {
			return g
		}
	}
	return nil
}

// smallArrays reports whether i gives and is given only what is cheap to keep until another conditional is computed.
func smallArrays(i *hlo.Instruction) bool {
	shapes := leafShapes(i.Shape())
	for _, o := range i.Operands() {
		shapes = append(shapes, leafShapes(o.Shape())...)
	}
	return !slices.ContainsFunc(shapes, func(s shape.Shape) bool {
		bytes, err := s.ByteSize()
		return !s.IsArray() || !s.IsStatic() || err != nil || bytes > maxSelectBytes
	})
}

// takes reports whether i, a conditional behind those of g, may be joined with them.
func (g *joint) takes(i *hlo.Instruction) bool {
	if len(i.Called()) != len(g.list[0].Called()) {
		return false
	}
	reads := false
	for _, arg := range i.Operands()[1:] {
		for _, x := range g.parts(arg) {
			if g.given(x) != nil {
				reads = true
			} else if !g.isApart(x) {
				return false
			}
		}
	}
	return reads || g.small && smallArrays(i)
}

// parts are what arg, an operand, is made of.
func (g *joint) parts(arg *hlo.Instruction) []*hlo.Instruction {
	if arg.Code() == op.Tuple && !inOrder(arg) {
		return arg.Operands()
	}
	return []*hlo.Instruction{arg}
}

// given returns the conditional of g whose result x is, or is an element of; nil if it is none.
func (g *joint) given(x *hlo.Instruction) *hlo.Instruction {
	if x.Code() == op.GetTupleElement && !inOrder(x) {
		x = x.Operand(0)
	}
	if slices.Contains(g.list, x) {
		return x
	}
	return nil
}

// isApart reports whether x needs no conditional of g.
func (g *joint) isApart(x *hlo.Instruction) bool {
	first := g.place[g.list[0].ID()]
	for stack := []*hlo.Instruction{x}; len(stack) > 0; {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if g.place[x.ID()] < first || g.apart[x] {
			continue
		}
		if slices.Contains(g.list, x) {
			return false
		}
		g.apart[x] = true
		stack = append(append(stack, x.Operands()...), x.ControlPredecessors()...)
	}
	return true
}

// join puts one conditional in the place of those of g.
func (g *joint) join(calls map[*hlo.Computation]int) error {
	last := g.list[len(g.list)-1]
	out := newMaker(last)
	operands, called := []*hlo.Instruction{last.Operand(0)}, []*hlo.Computation{}
	for k := range last.Called() {
		f, arg, err := g.branch(k)
		if err != nil {
			return err
		}
		calls[f] = 1
		operands, called = append(operands, arg), append(called, f)
	}
	var shapes []shape.Shape
	for _, i := range g.list {
		shapes = append(shapes, leafShapes(i.Shape())...)
	}
	all := out.c.Add(last.Name(), op.Conditional, shape.MakeTuple(shapes...), operands, last.Attrs(), called...)
	annotate(all, last, false)
	n := 0
	for _, i := range g.list {
		var elems []*hlo.Instruction
		for _, s := range leafShapes(i.Shape()) {
			e := out.c.Add(i.Name(), op.GetTupleElement, s, []*hlo.Instruction{all}, &op.GetTupleElementAttrs{Index: n})
			annotate(e, i, i.IsArray())
			elems = append(elems, e)
			n++
		}
		if !i.IsTuple() {
			i.ReplaceAllUsesWith(elems[0])
			continue
		}
		whole := out.tuple(elems...)
		annotate(whole, i, true)
		i.ReplaceAllUsesWith(whole)
	}
	for _, i := range slices.Backward(g.list) {
		removeDead(i)
	}
	return out.err
}

// jointBranch is a branch of all conditionals of a joint, as it is made.
type jointBranch struct {
	*joint
	b       *maker
	param   *hlo.Instruction
	outside []*hlo.Instruction                    // the elements of its operand
	inside  map[*hlo.Instruction]*hlo.Instruction // they, as the branch sees them
	roots   map[*hlo.Instruction]*hlo.Instruction // by conditional: its result
}

// branch makes branch k of all conditionals of g one, and returns it with its operand.
func (g *joint) branch(k int) (f *hlo.Computation, arg *hlo.Instruction, err error) {
	last := g.list[len(g.list)-1]
	old := last.Called()[k]
	f = old.Module().AddComputation(old.Name())
	f.ExecutionThread = old.ExecutionThread
	j := &jointBranch{joint: g, b: &maker{c: f}, inside: map[*hlo.Instruction]*hlo.Instruction{},
		roots: map[*hlo.Instruction]*hlo.Instruction{}}
	j.param = f.Add("", op.Parameter, shape.MakeTuple(), nil, &op.ParameterAttrs{})
	var results []*hlo.Instruction
	for _, i := range g.list {
		root := inline(j.param, i.Called()[k], []*hlo.Instruction{j.argument(i.Operand(1 + k))}, nil)
		j.roots[i] = root
		if !i.IsTuple() {
			results = append(results, root)
			continue
		}
		for e := range i.Shape().Elems {
			results = append(results, j.b.element(root, e))
		}
	}
	f.SetRoot(j.b.tuple(results...))
	arg = newMaker(last).tuple(j.outside...)
	annotate(arg, last, false)
	j.param.SetShape(arg.Shape())
	return f, arg, j.b.err
}

// argument returns what stands in the branch for arg, an operand of a conditional.
func (j *jointBranch) argument(arg *hlo.Instruction) *hlo.Instruction {
	if arg.Code() != op.Tuple || inOrder(arg) {
		return j.in(arg)
	}
	elems := make([]*hlo.Instruction, len(arg.Operands()))
	for n, x := range arg.Operands() {
		elems[n] = j.in(x)
	}
	return j.b.tuple(elems...)
}

// in returns what stands in the branch for x, a part of an operand.
func (j *jointBranch) in(x *hlo.Instruction) *hlo.Instruction {
	if from := j.given(x); from == x {
		return j.roots[x]
	} else if from != nil {
		return j.b.element(j.roots[from], elementIndex(x))
	}
	if j.inside[x] == nil {
		j.inside[x] = j.b.c.Add(x.Name(), op.GetTupleElement, x.Shape(), []*hlo.Instruction{j.param},
			&op.GetTupleElementAttrs{Index: len(j.outside)})
		annotate(j.inside[x], x, false)
		j.outside = append(j.outside, x)
	}
	return j.inside[x]
}
