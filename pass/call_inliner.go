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
			chains := false
			changed, err := rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if i.Code() == op.AsyncDone {
					chains = inlineChain(i) || chains
					return nil, nil
				}
				return inlineCall(i), nil
			})
			m.RemoveUnused()
			return changed || chains, err
		},
	}
}

// FusionInliner undoes the fusions of another compiler, so that this one sees the operations.
func FusionInliner() Pass {
	return Pass{
		Name: "fusion-inliner",
		Doc:  "Puts the body of fusions in their place: fusions that come with a program are another compiler's.",
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			changed, err := rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if i.Code() != op.Fusion {
					return nil, nil
				}
				f := i.Called()[0]
				return inline(i, f, i.Operands()[:len(f.Params())]), nil
			})
			m.RemoveUnused()
			return changed, err
		},
	}
}

func inlineCall(i *hlo.Instruction) *hlo.Instruction {
	if i.Code() != op.Call || i.Called()[0].ExecutionThread != i.Computation().ExecutionThread {
		return nil
	}
	return inline(i, i.Called()[0], i.Operands())
}

// inlineChain computes at once what the asynchronous chain that ends with done does, unless
// the chain is not all there, or calls computations on another thread.
func inlineChain(done *hlo.Instruction) bool {
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
	calls := func(i *hlo.Instruction) bool { return len(i.Called()) > 0 }
	otherThread := f.ExecutionThread != done.Computation().ExecutionThread
	if len(args) != len(f.Params()) || otherThread && slices.ContainsFunc(f.Instructions(), calls) {
		return false
	}
	joinControl(links, done)
	done.ReplaceAllUsesWith(inline(done, f, args))
	for _, link := range links {
		link.Computation().Remove(link)
	}
	return true
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
// with all of the copy that has side effects.
func inline(i *hlo.Instruction, f *hlo.Computation, args []*hlo.Instruction) *hlo.Instruction {
	c := i.Computation()
	copies := make([]*hlo.Instruction, f.NumIDs())
	order := f.PostOrder()
	for _, x := range order {
		if x.Code() == op.Parameter {
			copies[x.ID()] = argument(x, args[x.Attrs().(*op.ParameterAttrs).Number])
			continue
		}
		operands := make([]*hlo.Instruction, len(x.Operands()))
		for k, o := range x.Operands() {
			operands[k] = copies[o.ID()]
		}
		copies[x.ID()] = c.AddClone(x, operands)
	}
	for _, x := range order {
		for _, p := range x.ControlPredecessors() {
			if x.Code() != op.Parameter && p.Code() != op.Parameter {
				copies[x.ID()].AddControlPredecessor(copies[p.ID()])
			}
		}
	}
	before, after := slices.Clone(i.ControlPredecessors()), slices.Clone(i.ControlSuccessors())
	bridge(before, after)
	cutControl(i)
	for _, x := range order {
		if len(before)+len(after) > 0 && x.Code() != op.Parameter && HasSideEffect(x) {
			tie(copies[x.ID()], before, after)
		}
	}
	return copies[f.Root().ID()]
}

// argument returns what stands for the parameter p where arg is given for it: a copy of arg
// where somebody may ask for the layout that p has.
func argument(p, arg *hlo.Instruction) *hlo.Instruction {
	if p.Shape().Equal(arg.Shape()) || !p.Shape().IsArray() || !slices.ContainsFunc(p.Users(), asksForLayout) {
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
