package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
)

// Pipeline is what the CPU compiler runs before it plans, as one pass.
func Pipeline() Pass {
	return sequence("pipeline", "What the CPU compiler runs before it plans.", Stages()...)
}

// Stages returns the passes of the pipeline in order.
func Stages() []Pass {
	return []Pass{
		EffectOrder(), // first: no other pass keeps an order that nothing states
		DCE(),
	}
}

// sequence is the pass called name that runs passes one after the other.
func sequence(name, doc string, passes ...Pass) Pass {
	return Pass{Name: name, Doc: doc, Run: func(ctx context.Context, m *hlo.Module, o Options) (bool, error) {
		return Run(ctx, m, o, passes...)
	}}
}
