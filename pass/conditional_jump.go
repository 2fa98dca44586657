package pass

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// A branch that is jumped over saves what it computes and costs a jump, that may be foreseen wrongly. In a loop that is
// one kernel it costs little more. Elsewhere a conditional is a step of its own, which costs more than most scalars.

const (
	// dearFunction and dearQuotient are costs of an element, in about the cycles that it takes until it is known.
	dearFunction = 40
	dearQuotient = 15
	// chainJump is what branches cost that are better jumped over where the next iteration waits for the result.
	chainJump = 15
	// freeJump is that where it does not: then much of what is computed for nothing is computed beside other things.
	freeJump = 80
	// jumpElements are how many elements cost about as much as one.
	jumpElements = 8
)

var dearOps = [op.NumCodes]int{
	op.Divide: dearQuotient, op.Sqrt: dearQuotient, op.Rsqrt: dearQuotient, op.Remainder: dearQuotient,
	op.Exponential: dearFunction, op.ExponentialMinusOne: dearFunction, op.Log: dearFunction,
	op.LogPlusOne: dearFunction, op.Power: dearFunction, op.Logistic: dearFunction, op.Tanh: dearFunction,
	op.Sine: dearFunction, op.Cosine: dearFunction, op.Tan: dearFunction, op.Atan2: dearFunction,
	op.Erf: dearFunction, op.Cbrt: dearFunction, op.Asin: dearFunction, op.Acos: dearFunction,
	op.Asinh: dearFunction, op.Acosh: dearFunction, op.Atanh: dearFunction, op.Sinh: dearFunction,
	op.Cosh: dearFunction,
}

// shortLoops are the bodies of loops that do little, and the branches in them.
type shortLoops struct {
	calls map[*hlo.Computation]*hlo.Instruction // what calls them
	known map[*hlo.Instruction]bool             // what was found by changes
}

func shortLoopsOf(m *hlo.Module) shortLoops {
	s := shortLoops{map[*hlo.Computation]*hlo.Instruction{}, map[*hlo.Instruction]bool{}}
	for _, c := range m.Computations() {
		for _, i := range c.Instructions() {
			if i.Code() == op.While && isShort(i.Called()[1]) {
				s.note(i.Called()[1], i)
			}
		}
	}
	return s
}

func (s shortLoops) note(c *hlo.Computation, by *hlo.Instruction) {
	s.calls[c] = by
	for _, i := range c.Instructions() {
		if i.Code() == op.Conditional {
			for _, branch := range i.Called() {
				s.note(branch, i)
			}
		}
	}
}

// isShort reports whether c works on small arrays, or moves elements of large ones, so that it may become one kernel.
func isShort(c *hlo.Computation) bool {
	for _, i := range c.Instructions() {
		switch i.Code() {
		case op.Constant, op.DynamicUpdateSlice:
		case op.Conditional:
			for _, branch := range i.Called() {
				if !isShort(branch) {
					return false
				}
			}
		default:
			if !cheapToCompute(i) {
				return false
			}
		}
	}
	return true
}

// jumps reports whether the branches of i, a conditional, are dear enough to be jumped over. Of n branches one is
// computed instead of all, but in each iteration, with what could be computed once, in front of the loop.
func (s shortLoops) jumps(i *hlo.Instruction) bool {
	if s.calls[i.Computation()] == nil {
		return false
	}
	cost, once := 0, 0
	for k, c := range i.Called() {
		for x := range needed(results(i, c)...) {
			switch each := dearOps[x.Code()] * max(1, x.Size()/jumpElements); {
			case each == 0:
			case s.varies(x, c, i.Operand(1+k)):
				cost += each
			default:
				once += each
			}
		}
	}
	cost -= once / max(1, len(i.Called())-1)
	return cost >= freeJump || cost >= chainJump && s.onChain(i)
}

// results are what of branch c something uses that i, a conditional, gives: the rest of it is not computed.
func results(i *hlo.Instruction, c *hlo.Computation) []*hlo.Instruction {
	root := c.Root()
	if root.Code() != op.Tuple || i.IsRoot() {
		return []*hlo.Instruction{root}
	}
	var list []*hlo.Instruction
	for _, u := range i.Users() {
		if u.Code() != op.GetTupleElement {
			return []*hlo.Instruction{root}
		}
		list = append(list, root.Operand(elementIndex(u)))
	}
	return list
}

// varies reports whether x, of a branch that is given arg, may differ from iteration to iteration. What does not is
// computed in front of the loop if it is not in a branch.
func (s shortLoops) varies(x *hlo.Instruction, branch *hlo.Computation, arg *hlo.Instruction) bool {
	param := branch.Params()[0]
	for y := range needed(x) {
		if y == param && !onlyElements(param) && s.changes(arg) {
			return true
		}
		if y.Code() != op.GetTupleElement || y.Operand(0) != param {
			continue
		}
		of := arg
		if arg.Code() == op.Tuple {
			of = arg.Operand(elementIndex(y))
		}
		if s.changes(of) {
			return true
		}
	}
	return false
}

// changes reports whether x, in the body of a loop or in a branch there, is made of what the loop changes.
func (s shortLoops) changes(x *hlo.Instruction) bool {
	c := x.Computation()
	by := s.calls[c]
	if by.Code() == op.Conditional {
		k := slices.Index(by.Called(), c)
		return k < 0 || s.varies(x, c, by.Operand(1+k))
	}
	l, ok := loopOf(by, nil)
	return !ok || s.changesIn(l, x)
}

// changesIn is changes for x in the body of l.
func (s shortLoops) changesIn(l *loop, x *hlo.Instruction) bool {
	for list := []*hlo.Instruction{x}; len(list) > 0; {
		y := list[len(list)-1]
		if _, ok := s.known[y]; ok {
			list = list[:len(list)-1]
			continue
		}
		changes, ready := y.Code() == op.GetTupleElement && y.Operand(0) == l.bodyParam && !l.invariant(elementIndex(y)), true
		for _, o := range y.Operands() {
			known, ok := s.known[o]
			if changes = changes || known; !ok {
				ready, list = false, append(list, o)
			}
		}
		if ready || changes {
			s.known[y] = changes
		}
	}
	return s.known[x]
}

// onChain reports whether an iteration waits for what i gave in the one before.
func (s shortLoops) onChain(i *hlo.Instruction) bool {
	c := i.Computation()
	if by := s.calls[c]; by.Code() == op.Conditional {
		return s.onChain(by)
	}
	needs := needed(i.Operands()...)
	if c.Root().Code() != op.Tuple {
		return true
	}
	var next []*hlo.Instruction
	for _, e := range c.Params()[0].Users() {
		if e.Code() == op.GetTupleElement && needs[e] {
			next = append(next, c.Root().Operand(elementIndex(e)))
		}
	}
	return needed(next...)[i]
}

// needed is what list are computed from, and they themselves.
func needed(list ...*hlo.Instruction) map[*hlo.Instruction]bool {
	list = slices.Clone(list)
	seen := map[*hlo.Instruction]bool{}
	for len(list) > 0 {
		i := list[len(list)-1]
		if list = list[:len(list)-1]; !seen[i] {
			seen[i] = true
			list = append(list, i.Operands()...)
		}
	}
	return seen
}
