package pass

import (
	"context"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/pass/simplify"
)

// simplifyRounds bounds how often the rules go over a module: rules that undo each other end here.
const simplifyRounds = 25

// AlgebraicSimplifier applies the rules of all families of package simplify until none fits.
func AlgebraicSimplifier() Pass {
	return simplifier("algebraic-simplifier", "Applies the rules of all families below, round after round.",
		simplify.Families())
}

// Simplifiers returns a pass for each family of rules.
func Simplifiers() []Pass {
	var list []Pass
	for _, f := range simplify.Families() {
		list = append(list, simplifier("simplify-"+f.Name, f.Doc, []simplify.Family{f}))
	}
	return list
}

// simplifier is the pass called name that applies the rules of families until none fits, to one
// computation after the other: a rule does not look beyond the one that it is in.
func simplifier(name, doc string, families []simplify.Family) Pass {
	return Pass{Name: name, Doc: doc, Run: func(ctx context.Context, m *hlo.Module, o Options) (changed bool, err error) {
		so := simplify.Options{AllowExcessPrecision: o.AllowExcessPrecision}
		apply := func(i *hlo.Instruction) (*hlo.Instruction, error) { return simplified(i, families, so), ctx.Err() }
		for _, c := range m.PostOrder() {
			for range simplifyRounds {
				ch, err := rewriteComputation(c, apply)
				if err != nil {
					return changed, err
				}
				if !ch {
					break
				}
				changed = true
			}
		}
		return changed, nil
	}}
}

// simplified returns what the first rule that fits gives for i.
func simplified(i *hlo.Instruction, families []simplify.Family, o simplify.Options) *hlo.Instruction {
	if HasSideEffect(i) {
		return nil
	}
	for f := range families {
		for r := range families[f].Rules {
			if n := families[f].Rules[r].Apply(i, o); n != nil && n != i {
				return n
			}
		}
	}
	return nil
}
