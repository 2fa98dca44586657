package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// TupleSimplifier takes elements out of tuples where they are put in, and drops a tuple
// that is put together again: get-tuple-element(tuple(a, b), 1) -> b, tuple(x#0, x#1) -> x. A copy of a tuple is one of
// copies: copy(x) -> tuple(copy(x#0), copy(x#1)).
func TupleSimplifier() Pass {
	return Pass{
		Name: "tuple-simplifier",
		Doc: "An element of a tuple is what was put in; a tuple of all the elements of another is that; " +
			"a copy of a tuple copies the elements.",
		About: []op.Code{op.Tuple, op.GetTupleElement, op.Copy},
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
	case op.Copy:
		if i.IsTuple() {
			b := newMaker(i)
			return b.finish(b.copies(i.Operand(0), i.Shape()))
		}
	}
	return nil, nil
}

// copies is x with shape s: of a tuple, what has another layout is copied.
func (b *maker) copies(x *hlo.Instruction, s shape.Shape) *hlo.Instruction {
	if b.err != nil || x.Shape().Equal(s) {
		return x
	}
	if !s.IsTuple() {
		return b.shaped(op.Copy, s, nil, []*hlo.Instruction{x})
	}
	elems := make([]*hlo.Instruction, len(s.Elems))
	for k, e := range s.Elems {
		elems[k] = b.copies(b.element(x, k), e)
	}
	return b.tuple(elems...)
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
