package simplify

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// rewriting is a rule without its guards: it returns what takes the place of i, or nil.
type rewriting func(i *hlo.Instruction) *hlo.Instruction

// rule returns the rule that tries f on instructions of the given operations that are
// static, and drops a replacement of another shape, such as an operand with another layout.
// This and the next two are so simple that the compiler makes tables of them: there is
// nothing to do for them when a program starts.
func rule(name, doc string, f rewriting, codes ...op.Code) Rule {
	return Rule{Name: name, Doc: doc, codes: codes, rewrite: f}
}

// optionRule is rule for a rewriting that asks the options.
func optionRule(name, doc string, f func(*hlo.Instruction, Options) *hlo.Instruction, codes ...op.Code) Rule {
	return Rule{Name: name, Doc: doc, codes: codes, asks: f}
}

// arith is rule for operations whose operands all have the element type of the result:
// HLO lets operands of different floating-point types meet, which the rules do not. Nor
// do they touch the narrow floats that lack a signed zero, an infinity or a sign.
func arith(name, doc string, f rewriting, codes ...op.Code) Rule {
	return Rule{Name: name, Doc: doc, codes: codes, rewrite: f, arith: true}
}

// isArith reports whether i is what rules of arith are about.
func isArith(i *hlo.Instruction) bool {
	t := i.Type()
	return (!t.IsFloat() || ieee(t)) && uniformTypes(i)
}

// static reports whether i and what it is made from, depth levels up, have no dynamic
// dimension: the sizes that a rule works with are then those of the values.
func static(i *hlo.Instruction, depth int) bool {
	if !i.IsStatic() {
		return false
	}
	if depth == 0 {
		return true
	}
	for _, x := range i.Operands() {
		if !static(x, depth-1) {
			return false
		}
	}
	return true
}

// uniformTypes reports whether all operands of x have its element type.
func uniformTypes(x *hlo.Instruction) bool {
	for _, y := range x.Operands() {
		if y.Type() != x.Type() {
			return false
		}
	}
	return true
}
