package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// ZeroSizedElimination makes constants of arrays without elements: nothing needs to be computed for them.
func ZeroSizedElimination() Pass {
	return Pass{
		Name: "zero-sized-elimination",
		Doc:  "An array without elements is a constant, whatever would have computed it.",
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, emptyToConstant)
		},
	}
}

func emptyToConstant(i *hlo.Instruction) (*hlo.Instruction, error) {
	s := i.Shape()
	if !s.IsArray() || !s.IsStatic() || s.Size() != 0 || i.Code() == op.Constant || !removable(i) {
		return nil, nil
	}
	return newMaker(i).constant(literal.New(s)), nil
}
