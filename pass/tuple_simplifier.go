package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// TupleSimplifier takes elements out of tuples where they are put in, and drops a tuple
// that is put together again: get-tuple-element(tuple(a, b), 1) -> b, tuple(x#0, x#1) -> x.
func TupleSimplifier() Pass {
	return Pass{
		Name:  "tuple-simplifier",
		Doc:   "An element of a tuple is what was put in; a tuple of all the elements of another is that.",
		About: []op.Code{op.Tuple, op.GetTupleElement},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, simplifyTuple)
		},
	}
}

func simplifyTuple(i *hlo.Instruction) (*hlo.Instruction, error) {
	switch i.Code() {
	case op.GetTupleElement:
		if from := i.Operand(0); from.Code() == op.Tuple {
			return from.Operand(elementIndex(i)), nil
		}
	case op.Tuple:
		return reassembled(i), nil
	}
	return nil, nil
}

// elementIndex returns which element the get-tuple-element i takes.
//
//go:noinline
func elementIndex(i *hlo.Instruction) int { return i.Attrs().(*op.GetTupleElementAttrs).Index }

// reassembled returns the tuple whose elements, all and in order, are those of i; nil if there is none.
func reassembled(i *hlo.Instruction) *hlo.Instruction {
	var from *hlo.Instruction
	for k, e := range i.Operands() {
		if e.Code() != op.GetTupleElement || elementIndex(e) != k || from != nil && e.Operand(0) != from {
			return nil
		}
		from = e.Operand(0)
	}
	if from == nil || !from.Shape().Equal(i.Shape()) {
		return nil
	}
	return from
}
