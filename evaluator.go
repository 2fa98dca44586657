package xla

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/interp"
	"github.com/goxla/xla/literal"
)

// evaluatorMemory is the most bytes that an Evaluator's values may take.
const evaluatorMemory = 1 << 30

// Evaluator returns a function that computes the value of an instruction on those of its operands, on one device
// and with no host: what passes (pass.Options) fold constants with.
func Evaluator() func(context.Context, *hlo.Instruction, []literal.Literal) (literal.Literal, error) {
	return func(ctx context.Context, i *hlo.Instruction, operands []literal.Literal) (_ literal.Literal, err error) {
		defer recoverError(&err, i.Computation().Module())
		return interp.New(ctx, interp.Options{MemoryLimit: evaluatorMemory}).Instruction(i, operands)
	}
}
