package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// AsyncToSync makes one operation of the start and the done of a copy or a collective. What
// may run beside it is for the planner to find, not for the program to say.
func AsyncToSync() Pass {
	return Pass{
		Name: "async-to-sync",
		Doc:  "The start and the done of a copy or a collective become the plain operation.",
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			changed := false
			for _, c := range m.PostOrder() {
				c.SetRoot(c.Root())
				for _, done := range slices.Clone(c.PostOrder()) {
					changed = joinPair(done) || changed
				}
			}
			return changed, nil
		},
	}
}

// joined are the plain operations of the pairs, by their dones.
var joined = [op.NumCodes]op.Code{op.AllGatherDone: op.AllGather, op.AllReduceDone: op.AllReduce,
	op.CollectivePermuteDone: op.CollectivePermute, op.CopyDone: op.Copy}

// joinPair replaces done and its start by one instruction.
func joinPair(done *hlo.Instruction) bool {
	code := joined[done.Code()]
	if code == op.Invalid {
		return false
	}
	start := done.Operand(0)
	attrs := start.Attrs()
	if a, ok := attrs.(*op.CollectivePermuteAttrs); ok && len(a.SliceSizes) > 0 || len(start.Users()) != 1 {
		return false // the form in place, which has no plain one here
	}
	if code == op.Copy {
		attrs = nil
	}
	c := done.Computation()
	n := c.Add(start.Name(), code, done.Shape(), start.Operands(), attrs, start.Called()...)
	n.CopyAnnotations(done)
	joinControl([]*hlo.Instruction{done, start}, n)
	done.ReplaceAllUsesWith(n)
	name := done.Name()
	c.Remove(done)
	c.Remove(start)
	n.SetName(name)
	return true
}

// joinControl gives n the control edges of the links of an asynchronous chain, from the done
// to the start, that it stands for. What had to run between start and done runs after n then.
func joinControl(links []*hlo.Instruction, n *hlo.Instruction) {
	inside := map[*hlo.Instruction]bool{}
	reach(links[len(links)-1], links[0], inside)
	for _, link := range slices.Backward(links) { // n, if it is one of them, last
		before, after := slices.Clone(link.ControlPredecessors()), slices.Clone(link.ControlSuccessors())
		cutControl(link)
		for _, p := range before {
			if !inside[p] && !slices.Contains(links, p) {
				n.AddControlPredecessor(p)
			}
		}
		for _, s := range after {
			if !slices.Contains(links, s) {
				s.AddControlPredecessor(n)
			}
		}
	}
}

// reach adds from and all that must run after it to seen, but for what only end leads to.
func reach(from, end *hlo.Instruction, seen map[*hlo.Instruction]bool) {
	for stack := []*hlo.Instruction{from}; len(stack) > 0; {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[i] || i == end {
			continue
		}
		seen[i] = true
		stack = append(append(stack, i.Users()...), i.ControlSuccessors()...)
	}
}
