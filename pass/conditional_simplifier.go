package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// ConditionalSimplifier replaces conditionals whose branch is known by that branch, and small
// ones without side effects by selects between what the branches give, unless a loop better jumps over them.
func ConditionalSimplifier() Pass {
	return Pass{
		Name: "conditional-simplifier",
		Doc: "A conditional whose branch is known, or all of whose branches are alike, is that branch; small branches " +
			"without side effects are both computed and selected from, but dear ones in short loops.",
		About: []op.Code{op.Conditional},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			loops := shortLoopsOf(m)
			changed, err := rewriteModule(m, loops.simplifyConditional)
			m.RemoveUnused()
			return changed, err
		},
	}
}

const (
	// maxSelectInstructions is the most instructions of a branch that is computed for nothing.
	maxSelectInstructions = 8
	// maxSelectBytes is the most bytes of a result that is selected.
	maxSelectBytes = 1 << 10
	// maxSelectBranches is the most branches to select from.
	maxSelectBranches = 4
)

func (s shortLoops) simplifyConditional(i *hlo.Instruction) (*hlo.Instruction, error) {
	if i.Code() != op.Conditional {
		return nil, nil
	}
	if k, ok := chosenBranch(i); ok {
		return inline(i, i.Called()[k], i.Operands()[1+k:2+k], nil), nil
	}
	if !selectable(i) || s.jumps(i) {
		return nil, nil
	}
	return selectBranches(i)
}

// chosenBranch returns the branch that i takes, if that is known.
func chosenBranch(i *hlo.Instruction) (k int, ok bool) {
	branches := i.Called()
	if len(branches) == 1 || sameCalls(i) && sameOperands(i.Operands()[1:]) {
		return 0, true
	}
	which := i.Operand(0)
	if which.Code() != op.Constant {
		return 0, false
	}
	v := which.Attrs().(*op.ConstantAttrs).Value
	n := v.IntAt(0)
	switch {
	case v.Type() == shape.Pred:
		return 1 - int(n), true
	case n < 0 || n >= int64(len(branches)):
		return len(branches) - 1, true
	}
	return int(n), true
}

func sameOperands(list []*hlo.Instruction) bool {
	for _, o := range list {
		if o != list[0] {
			return false
		}
	}
	return true
}

// selectable reports whether computing all branches of i is as good as choosing one.
func selectable(i *hlo.Instruction) bool {
	if HasSideEffect(i) || len(i.Called()) > maxSelectBranches {
		return false
	}
	for _, s := range leafShapes(i.Shape()) {
		if bytes, err := s.ByteSize(); !s.IsArray() || !s.IsStatic() || err != nil || bytes > maxSelectBytes {
			return false
		}
	}
	for _, c := range i.Called() {
		if len(c.Instructions()) > maxSelectInstructions {
			return false
		}
		for _, x := range c.Instructions() {
			if !cheapToCompute(x) {
				return false
			}
		}
	}
	return true
}

// leafShapes returns s, or the elements of a tuple.
func leafShapes(s shape.Shape) []shape.Shape {
	if s.IsTuple() {
		return s.Elems
	}
	return []shape.Shape{s}
}

// cheapToCompute reports whether x is an operation on small arrays that depends on its operands alone.
func cheapToCompute(x *hlo.Instruction) bool {
	if x.Code() == op.Parameter || x.Code() == op.Tuple || x.Code() == op.GetTupleElement {
		return true
	}
	bytes, err := x.Shape().ByteSize()
	return x.Code().Info().Fusion == op.FuseLoop && len(x.Called()) == 0 && x.IsStatic() && err == nil &&
		bytes <= maxSelectBytes
}

// selectBranches computes all branches and selects.
func selectBranches(i *hlo.Instruction) (*hlo.Instruction, error) {
	b := newMaker(i)
	values := make([]*hlo.Instruction, len(i.Called()))
	for k, c := range i.Called() {
		values[k] = inline(i, c, i.Operands()[1+k:2+k], nil)
	}
	which := make([]*hlo.Instruction, len(values)-1)
	for k := range which {
		if which[k] = i.Operand(0); which[k].Type() != shape.Pred {
			which[k] = b.add(op.Compare, &op.CompareAttrs{Direction: op.EQ}, i.Operand(0),
				b.constant(literal.Scalar(int32(k))))
		}
	}
	if !i.IsTuple() {
		return b.finish(b.selectFrom(which, values))
	}
	elems := make([]*hlo.Instruction, len(i.Shape().Elems))
	for e := range elems {
		from := make([]*hlo.Instruction, len(values))
		for k, v := range values {
			from[k] = b.element(v, e)
		}
		elems[e] = b.selectFrom(which, from)
	}
	return b.finish(b.tuple(elems...))
}

// selectFrom returns the first of values whose condition holds, the last if none does.
func (b *maker) selectFrom(which, values []*hlo.Instruction) *hlo.Instruction {
	result := values[len(which)]
	for k := len(which) - 1; k >= 0 && b.err == nil; k-- {
		result = b.add(op.Select, nil, b.broadcast(which[k], values[k].Shape()), values[k], result)
	}
	return result
}
