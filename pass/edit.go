package pass

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file holds how passes change a module: instruction by instruction, with what takes
// the place of one getting its name, position, metadata and control edges.

// rewrite is one step of a pass: it returns what takes the place of i, which is i itself or
// nil for nothing to do. It may add instructions to i's computation.
type rewrite func(i *hlo.Instruction) (*hlo.Instruction, error)

// rewriteModule applies f to every instruction, callees in front of callers and operands in
// front of users, once each.
func rewriteModule(m *hlo.Module, f rewrite) (changed bool, err error) {
	for _, c := range m.PostOrder() {
		ch, err := rewriteComputation(c, f)
		if err != nil {
			return changed, err
		}
		changed = changed || ch
	}
	return changed, nil
}

// rewriteComputation applies f to every instruction that c has now.
func rewriteComputation(c *hlo.Computation, f rewrite) (changed bool, err error) {
	c.SetRoot(c.Root()) // which is else the last instruction, whatever is added
	order := c.PostOrder()
	if c.Module().IsScheduled { // it may be the list of the computation itself, which changes
		order = slices.Clone(order)
	}
	for _, i := range order {
		if i.Computation() == nil {
			continue // went with an instruction in front
		}
		mark := c.NumIDs()
		n, err := f(i)
		if err != nil {
			return changed, err
		}
		if n == nil || n == i {
			continue
		}
		if err := replace(i, n, mark); err != nil {
			return changed, err
		}
		changed = true
	}
	return changed, nil
}

// replace puts n in the place of i and takes out i and what only it needed. Instructions
// with ids from mark on were made for it.
func replace(i, n *hlo.Instruction, mark int) error {
	if !n.Shape().EqualIgnoringLayout(i.Shape()) {
		return i.Errorf("", "", "expects a replacement of shape %v, got %v", i.Shape(), n.Shape())
	}
	n = fusionRoot(i, withLayoutOf(i, n, mark))
	moveControl(i, n, n.ID() >= mark)
	i.ReplaceAllUsesWith(n)
	name, isNamed := i.Name(), n.ID() < mark || annotated(n)
	for _, x := range i.Computation().AddedSince(mark) {
		if !annotated(x) {
			annotate(x, i, x == n)
		}
	}
	if removeDead(i) && !isNamed {
		n.SetName(name)
	}
	return nil
}

// annotated reports whether x tells where it comes from, as copies do.
func annotated(x *hlo.Instruction) bool { return x.Metadata != nil || x.Pos.IsValid() }

// annotate gives x, made for i, what i carries. A sharding and an origin are about the
// result, and so only for what has the result.
//
//go:noinline
func annotate(x, i *hlo.Instruction, isResult bool) {
	x.Metadata, x.Pos, x.FrontendAttributes = i.Metadata, i.Pos, slices.Clone(i.FrontendAttributes)
	if isResult {
		x.Sharding, x.Origin, x.Statistics = i.Sharding, i.Origin, i.Statistics
	}
}

// withLayoutOf returns n, with i's layout if somebody may ask for that: a new instruction
// takes it on, others are copied.
func withLayoutOf(i, n *hlo.Instruction, mark int) *hlo.Instruction {
	if n.Shape().Equal(i.Shape()) || !i.IsRoot() && !slices.ContainsFunc(i.Users(), asksForLayout) {
		return n
	}
	if n.ID() >= mark && !asksForLayout(n) && len(n.Users()) == 0 && n.IsArray() {
		n.SetShape(i.Shape())
		return n
	}
	return i.Computation().Add(i.Name(), op.Copy, i.Shape(), []*hlo.Instruction{n}, nil)
}

// fusionRoot returns n, or a copy of it where it would be the root of a fusion and used besides.
func fusionRoot(i, n *hlo.Instruction) *hlo.Instruction {
	c := i.Computation()
	if !i.IsRoot() || !c.IsFused() || len(n.Users()) == 0 || len(n.Users()) == 1 && n.Users()[0] == i {
		return n
	}
	return c.Add(i.Name(), op.Copy, i.Shape(), []*hlo.Instruction{n}, nil)
}

// asksForLayout reports whether the layouts of i's operands or result are part of what i means.
func asksForLayout(i *hlo.Instruction) bool {
	return i.Code() == op.Bitcast || i.Code() == op.CustomCall || i.Code() == op.Tuple
}

// moveControl gives the control edges of i to n if that is new; otherwise what ran before i
// runs before what ran after it.
func moveControl(i, n *hlo.Instruction, isNew bool) {
	if !isNew {
		passBy(i)
		return
	}
	giveControl(i, n)
}

// giveControl moves the control edges of i to n.
func giveControl(i, n *hlo.Instruction) {
	for _, p := range i.ControlPredecessors() {
		n.AddControlPredecessor(p)
	}
	for _, s := range slices.Clone(i.ControlSuccessors()) {
		s.AddControlPredecessor(n)
	}
	cutControl(i)
}

// mostBridges bounds the control edges that take the place of an instruction, or of all that a pass takes off a
// computation: those between some hundred instructions and some hundred others.
const mostBridges = 1 << 14

// joins reports whether i stands between so many instructions that edges from each to each would be too many.
func joins(i *hlo.Instruction) bool {
	return len(i.ControlPredecessors())*len(i.ControlSuccessors()) > mostBridges
}

// passBy takes the control edges off i: what ran before it runs before what ran after it, by edges of their own, or,
// if these are too many, by an instruction that does nothing else.
func passBy(i *hlo.Instruction) {
	if joins(i) {
		giveControl(i, i.Computation().Add("join", op.AfterAll, shape.MakeToken(), nil, nil))
		return
	}
	bridge(i.ControlPredecessors(), i.ControlSuccessors())
	cutControl(i)
}

// bridge makes all of after run behind all of before.
func bridge(before, after []*hlo.Instruction) {
	for _, s := range after {
		for _, p := range before {
			s.AddControlPredecessor(p)
		}
	}
}

// cutControl removes the control edges of i.
func cutControl(i *hlo.Instruction) {
	for _, p := range slices.Clone(i.ControlPredecessors()) {
		i.RemoveControlPredecessor(p)
	}
	for _, s := range slices.Clone(i.ControlSuccessors()) {
		s.RemoveControlPredecessor(i)
	}
}

// removeDead takes out i, which something else stands for, if nobody uses it, and then those
// of its operands that nobody needs any more. It reports whether i went.
func removeDead(i *hlo.Instruction) bool {
	var usual [16]*hlo.Instruction
	for stack := append(usual[:0], i); len(stack) > 0; {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x.Computation() == nil || len(x.Users()) > 0 || x.IsRoot() || x != i && !removable(x) ||
			x.Code() == op.Parameter || joins(x) {
			continue
		}
		stack = append(stack, x.Operands()...)
		bridge(x.ControlPredecessors(), x.ControlSuccessors())
		x.Computation().Remove(x)
	}
	return i.Computation() == nil
}

// dropUnused takes out i alone if nobody needs it.
func dropUnused(i *hlo.Instruction) {
	if len(i.Users()) == 0 && !i.IsRoot() && removable(i) {
		bridge(i.ControlPredecessors(), i.ControlSuccessors())
		i.Computation().Remove(i)
	}
}

// removable reports whether i may go where its value is not used.
func removable(i *hlo.Instruction) bool {
	return i.Code() != op.Parameter && !joins(i) && !HasSideEffect(i)
}

// callCounts returns how many instructions call each computation.
func callCounts(m *hlo.Module) map[*hlo.Computation]int {
	counts := map[*hlo.Computation]int{}
	for _, c := range m.Computations() {
		if !c.Calls() {
			continue
		}
		for _, i := range c.Instructions() {
			for _, called := range i.Called() {
				counts[called]++
			}
		}
	}
	return counts
}

// errorAt adds the place of i to err, which has none.
func errorAt(i *hlo.Instruction, err error) error { return fmt.Errorf("%s: %w", i.Name(), err) }
