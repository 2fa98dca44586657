package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// OptimizationBarrierRemover removes the barriers that keep passes from moving
// instructions across them. It comes last: nothing moves after it.
func OptimizationBarrierRemover() Pass {
	return Pass{
		Name:  "optimization-barrier-remover",
		Doc:   "Removes opt-barriers, which have kept the passes in front from seeing what is behind them.",
		About: []op.Code{op.OptBarrier},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if i.Code() == op.OptBarrier {
					return i.Operand(0), nil
				}
				return nil, nil
			})
		},
	}
}
