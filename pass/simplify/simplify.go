// Package simplify is the algebraic simplifier: rules, in families of one file each, that
// replace an instruction by something cheaper with the same value. A rule looks at one
// instruction and its operands. Package pass wraps the families as passes.
package simplify

import "github.com/goxla/xla/hlo"

// Options steer rules that are not always right or not always of use.
type Options struct {
	// AllowExcessPrecision lets a pair of conversions that only rounds be dropped.
	AllowExcessPrecision bool
	// AllowReassociation lets sums and products of floats be taken in another order, which
	// may change their last bits and the sign of a sum that is zero.
	AllowReassociation bool
}

// Rule is one rewriting.
type Rule struct {
	// Name is the rule's name in tests and in docs/PASSES.md, such as "add-zero".
	Name string
	// Doc is the rule as a formula, such as "x + 0 -> x (integers; floats only for -0)".
	Doc string
	// Apply returns what takes the place of i, or nil. It may add instructions to i's
	// computation; it does not touch i or other instructions.
	Apply func(i *hlo.Instruction, o Options) *hlo.Instruction
}

// Family is a set of rules about one kind of operation.
type Family struct {
	Name, Doc string
	Rules     []Rule
}
