package pass

import (
	"context"
	"slices"
	"sync"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/pass/simplify"
)

// simplifyRounds bounds how often the rules go over a module: rules that undo each other end here.
const simplifyRounds = 25

// AlgebraicSimplifier applies the rules of all families of package simplify until none fits.
func AlgebraicSimplifier() Pass {
	return simplifier("algebraic-simplifier", "Applies the rules of all families below, round after round.",
		allRules)
}

// allRules are the rules of all families. They do not change, and are made once.
var allRules = sync.OnceValue(func() *simplify.Set { return simplify.NewSet(simplify.Families()) })

// Simplifiers returns a pass for each family of rules.
func Simplifiers() []Pass {
	var list []Pass
	for _, f := range simplify.Families() {
		list = append(list, simplifier("simplify-"+f.Name, f.Doc, func() *simplify.Set {
			return simplify.NewSet([]simplify.Family{f})
		}))
	}
	return list
}

// simplifier is the pass called name that applies rules until none fits, to one computation after
// the other: a rule does not look beyond the one that it is in.
func simplifier(name, doc string, rules func() *simplify.Set) Pass {
	return Pass{Name: name, Doc: doc, Run: func(ctx context.Context, m *hlo.Module, o Options) (changed bool, err error) {
		so := simplify.Options{AllowExcessPrecision: o.AllowExcessPrecision}
		set := rules()
		apply := func(i *hlo.Instruction) (*hlo.Instruction, error) { return simplified(i, set, so), context.Cause(ctx) }
		for _, c := range m.PostOrder() {
			so.Static = !slices.ContainsFunc(c.Instructions(), func(i *hlo.Instruction) bool { return !i.IsStatic() })
			seen := o.history.sweepOf(name, c)
			for range simplifyRounds {
				ch, err := rewriteComputation(c, seen.unless(c, apply))
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
func simplified(i *hlo.Instruction, rules *simplify.Set, o simplify.Options) *hlo.Instruction {
	if HasSideEffect(i) {
		return nil
	}
	return rules.Apply(i, o)
}
