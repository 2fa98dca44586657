package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/pass/simplify"
)

// PipelineLookingAtAll is Pipeline with a simplifier that looks at every instruction in every round.
func PipelineLookingAtAll() Pass {
	stages := Stages()
	for k, p := range stages {
		if p.Name == Simplification().Name {
			stages[k] = Fixpoint(p.Name, p.Doc, simplificationRounds, lookingAtAll(SimplificationRound())...)
		}
	}
	return sequence("pipeline", "", stages...)
}

func lookingAtAll(passes []Pass) []Pass {
	for k, p := range passes {
		if p.Name == AlgebraicSimplifier().Name {
			passes[k].Run = simplifyAll
		}
	}
	return passes
}

func simplifyAll(_ context.Context, m *hlo.Module, o Options) (changed bool, err error) {
	so := simplify.Options{AllowExcessPrecision: o.AllowExcessPrecision}
	for _, c := range m.PostOrder() {
		for range simplifyRounds {
			ch, err := rewriteComputation(c, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				return simplified(i, allRules(), so), nil
			})
			if err != nil || !ch {
				break
			}
			changed = true
		}
	}
	return changed, nil
}
