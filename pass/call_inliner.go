package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// CallInliner puts called computations in the place of call (composites too) and of
// asynchronous chains of any operation, which become the operation itself. A map keeps its computation.
func CallInliner() Pass {
	return Pass{
		Name: "call-inliner",
		Doc: "Puts the body of calls, composites and asynchronous computations in their place. What map, reduce and " +
			"the like apply stays a computation.",
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			var names originals
			chains := inlineChains(m, &names)
			wrapped, calls := wrappedComputations(m), callCounts(m)
			changed, err := rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if wrapped[i.Computation()] {
					return nil, nil // it may hold one operation only
				}
				if n := inlineOnly(i, calls); n != nil {
					names.add(n, n.Name())
					return n, nil
				}
				return inlineCall(i, &names), nil
			})
			m.RemoveUnused()
			names.restore()
			return changed || chains, err
		},
	}
}

// FusionInliner undoes the fusions of another compiler, so that this one sees the operations.
func FusionInliner() Pass {
	return Pass{
		Name:  "fusion-inliner",
		Doc:   "Puts the body of fusions in their place: fusions that come with a program are another compiler's.",
		About: []op.Code{op.Fusion},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			var names originals
			changed, err := rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if i.Code() != op.Fusion {
					return nil, nil
				}
				f := i.Called()[0]
				return inline(i, f, i.Operands()[:len(f.Params())], &names), nil
			})
			m.RemoveUnused()
			names.restore()
			return changed, err
		},
	}
}

func inlineCall(i *hlo.Instruction, names *originals) *hlo.Instruction {
	if !isCall(i) {
		return nil
	}
	return inline(i, i.Called()[0], i.Operands(), names)
}

// isCall reports whether i calls a computation that may stand in its place.
func isCall(i *hlo.Instruction) bool {
	return i.Code() == op.Call && i.Called()[0].ExecutionThread == i.Computation().ExecutionThread
}

// inlineOnly is inlineCall for the only call of a computation in which no order is stated but that of the data: its
// instructions move. It returns nil, and does nothing, where i is no such call.
func inlineOnly(i *hlo.Instruction, calls map[*hlo.Computation]int) *hlo.Instruction {
	if !isCall(i) || calls[i.Called()[0]] > 1 || inOrder(i) {
		return nil
	}
	c, f := i.Computation(), i.Called()[0]
	order, root := f.PostOrder(), f.Root()
	if slices.ContainsFunc(order, inOrder) {
		return nil
	}
	instead := make([]*hlo.Instruction, f.NumIDs()) // of what does not move
	in := func(o *hlo.Instruction) *hlo.Instruction {
		if o.Computation() == f {
			return instead[o.ID()]
		}
		return o
	}
	var operands []*hlo.Instruction
	for _, x := range order {
		operands = operands[:0]
		for _, o := range x.Operands() {
			operands = append(operands, in(o))
		}
		if x.Code() == op.Parameter {
			instead[x.ID()] = argument(x, i.Operand(x.Attrs().(*op.ParameterAttrs).Number))
		} else if e := elementOf(x, operands); e != nil {
			instead[x.ID()] = e
		} else {
			c.Take(x, operands)
		}
	}
	return in(root)
}

// inOrder reports whether i has control edges.
func inOrder(i *hlo.Instruction) bool {
	return len(i.ControlPredecessors())+len(i.ControlSuccessors()) > 0
}

// elementOf returns what x takes out of a parameter where the argument for that, its operand, is a tuple, else nil.
func elementOf(x *hlo.Instruction, operands []*hlo.Instruction) *hlo.Instruction {
	if x.Code() != op.GetTupleElement || x.Operand(0).Code() != op.Parameter || operands[0].Code() != op.Tuple {
		return nil
	}
	if e := operands[0].Operand(elementIndex(x)); e.Shape().Equal(x.Shape()) {
		return e
	}
	return nil
}

// inlineChains replaces the asynchronous chains of m.
func inlineChains(m *hlo.Module, names *originals) (changed bool) {
	for _, c := range m.PostOrder() {
		c.SetRoot(c.Root())
		for _, i := range slices.Clone(c.PostOrder()) {
			changed = i.Code() == op.AsyncDone && inlineChain(i, names) || changed
		}
	}
	return changed
}

// wrappedComputations returns what the async-starts of m call.
func wrappedComputations(m *hlo.Module) map[*hlo.Computation]bool {
	wrapped := map[*hlo.Computation]bool{}
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			if i.Code() == op.AsyncStart {
				wrapped[i.Called()[0]] = true
			}
		}
	}
	return wrapped
}

// inlineChain computes at once what the asynchronous chain that ends with done does, unless
// the chain is not all there, or is a group of sends and receives, which have no dones of their own.
func inlineChain(done *hlo.Instruction, names *originals) bool {
	links := chainOf(done)
	start := links[len(links)-1]
	if start.Code() != op.AsyncStart {
		return false
	}
	args := slices.Clone(start.Operands())
	for _, link := range slices.Backward(links[1 : len(links)-1]) {
		args = append(args, link.Operands()[1:]...)
	}
	f := start.Called()[0]
	isTransfer := func(i *hlo.Instruction) bool { return effects(i)&transfer != 0 }
	if len(args) != len(f.Params()) || slices.ContainsFunc(f.Instructions(), isTransfer) {
		return false
	}
	if thread := done.Computation().ExecutionThread; f.ExecutionThread != thread {
		f = onThread(f, thread)
	}
	joinControl(links, done)
	done.ReplaceAllUsesWith(inline(done, f, args, names))
	for _, link := range links {
		link.Computation().Remove(link)
	}
	return true
}

// onThread returns a copy of c, and of all that it calls, for an execution thread.
func onThread(c *hlo.Computation, thread string) *hlo.Computation {
	to := c.Clone(c.Name())
	to.ExecutionThread = thread
	for _, i := range to.Instructions() {
		for k, f := range i.Called() {
			i.SetCalled(k, onThread(f, thread))
		}
	}
	return to
}

// chainOf returns the links of an asynchronous chain from done to what it begins with.
func chainOf(done *hlo.Instruction) []*hlo.Instruction {
	links := []*hlo.Instruction{done, done.Operand(0)}
	for links[len(links)-1].Code() == op.AsyncUpdate {
		links = append(links, links[len(links)-1].Operand(0))
	}
	return links
}

// inline adds a copy of the instructions of f to i's computation, with args for the
// parameters, and returns the copy of the root. What must run before or after i does so
// with all of the copy that has side effects. The copies are added to names.
func inline(i *hlo.Instruction, f *hlo.Computation, args []*hlo.Instruction, names *originals) *hlo.Instruction {
	return inlineAgain(i, f, args, names, make([]*hlo.Instruction, f.NumIDs()))
}

// inlineAgain is inline where copies, by id, are those that it made of f the last time, if any: they become those of
// this time, but constants are not copied again. Elements of an argument that is a tuple are not taken out of it.
func inlineAgain(i *hlo.Instruction, f *hlo.Computation, args []*hlo.Instruction, names *originals,
	copies []*hlo.Instruction) *hlo.Instruction {
	c := i.Computation()
	first, order := c.NumIDs(), f.PostOrder()
	for _, x := range order {
		if x.Code() == op.Parameter {
			copies[x.ID()] = argument(x, args[x.Attrs().(*op.ParameterAttrs).Number])
			continue
		}
		free := !inOrder(x)
		if free && x.Code() == op.Constant && copies[x.ID()] != nil {
			continue
		}
		operands := make([]*hlo.Instruction, len(x.Operands()))
		for k, o := range x.Operands() {
			operands[k] = copies[o.ID()]
		}
		e := elementOf(x, operands)
		if e == nil || !free {
			e = c.AddClone(x, operands)
		}
		copies[x.ID()] = e
	}
	for _, x := range order {
		for _, p := range x.ControlPredecessors() {
			if x.Code() != op.Parameter && p.Code() != op.Parameter {
				copies[x.ID()].AddControlPredecessor(copies[p.ID()])
			}
		}
	}
	before, after := slices.Clone(i.ControlPredecessors()), slices.Clone(i.ControlSuccessors())
	passBy(i)
	for _, x := range order {
		if len(before)+len(after) > 0 && x.Code() != op.Parameter && HasSideEffect(x) {
			tie(copies[x.ID()], before, after)
		}
	}
	for _, x := range order {
		if x.Code() != op.Parameter && copies[x.ID()].ID() >= first {
			names.add(copies[x.ID()], x.Name())
		}
	}
	return copies[f.Root().ID()]
}

// originals are copies of instructions and the names of what they were made from.
type originals struct {
	copies []*hlo.Instruction
	names  []string
}

// add notes a copy; nil takes no note.
func (o *originals) add(i *hlo.Instruction, name string) {
	if o == nil {
		return
	}
	o.copies, o.names = append(o.copies, i), append(o.names, name)
}

// restore gives the copies that are left the names that have become free: those of what is no more.
func (o *originals) restore() {
	for k, i := range o.copies {
		if i.Computation() != nil {
			i.SetName(o.names[k])
		}
	}
}

// argument returns what stands for the parameter p where arg is given for it: a copy of arg
// where somebody may ask for the layout that p has.
func argument(p, arg *hlo.Instruction) *hlo.Instruction {
	if p.Shape().Equal(arg.Shape()) || !p.IsArray() || !slices.ContainsFunc(p.Users(), asksForLayout) {
		return arg
	}
	return arg.Computation().Add(p.Name(), op.Copy, p.Shape(), []*hlo.Instruction{arg}, nil)
}

// tie makes x run behind all of before and in front of all of after.
func tie(x *hlo.Instruction, before, after []*hlo.Instruction) {
	for _, p := range before {
		x.AddControlPredecessor(p)
	}
	for _, s := range after {
		s.AddControlPredecessor(x)
	}
}
