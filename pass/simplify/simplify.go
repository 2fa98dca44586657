// Package simplify is the algebraic simplifier: rules, in families of one file each, that
// replace an instruction by something cheaper with the same value. A rule looks at one
// instruction and what that is computed from, and of these at what they call and how many
// users they have: package pass does not try it again before one of them is edited.
// Package pass wraps the families as passes.
package simplify

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// Options steer rules that are not always right or not always of use.
type Options struct {
	// AllowExcessPrecision lets a pair of conversions that only rounds be dropped.
	AllowExcessPrecision bool
	// AllowReassociation lets sums and products of floats be taken in another order, which
	// may change their last bits and the sign of a sum that is zero.
	AllowReassociation bool
	// Static says that nothing in the computation has a dynamic dimension.
	Static bool
}

// Rule is one rewriting.
type Rule struct {
	// Name is the rule's name in tests and in docs/PASSES.md, such as "add-zero".
	Name string
	// Doc is the rule as a formula, such as "x + 0 -> x (integers; floats only for -0)".
	Doc string
	// codes are the operations that it is about, arith says that it is one of arith.
	codes []op.Code
	arith bool
	// rewrite, or asks if it is nil, is tried on instructions of these that are static. What it returns does not count if
	// it has another shape.
	rewrite rewriting
	asks    func(*hlo.Instruction, Options) *hlo.Instruction
}

// Apply returns what takes the place of i, or nil. It may add instructions to i's
// computation; it does not touch i or other instructions.
func (r *Rule) Apply(i *hlo.Instruction, o Options) *hlo.Instruction {
	if !slices.Contains(r.codes, i.Code()) || !static(i, 2) || r.arith && !isArith(i) {
		return nil
	}
	return r.fit(i, o)
}

// fit is Apply for an instruction that the rule is about.
func (r *Rule) fit(i *hlo.Instruction, o Options) *hlo.Instruction {
	var n *hlo.Instruction
	if r.rewrite != nil {
		n = r.rewrite(i)
	} else {
		n = r.asks(i, o)
	}
	if n != nil && n.Shape().Equal(i.Shape()) {
		return n
	}
	return nil
}

// Set is rules by the operations that they are about.
type Set struct{ rules [op.NumCodes][]*Rule }

// NewSet returns the set of the rules of families, which are tried in their order.
func NewSet(families []Family) *Set {
	s, count, all := &Set{}, [op.NumCodes]int{}, 0
	eachRule(families, func(_ *Rule, c op.Code) { count[c], all = count[c]+1, all+1 })
	room := make([]*Rule, all)
	for c, n := range count {
		s.rules[c], room = room[:0:n], room[n:]
	}
	eachRule(families, func(r *Rule, c op.Code) { s.rules[c] = append(s.rules[c], r) })
	return s
}

// eachRule calls f for the rules of families, in order, and the operations that each is about.
func eachRule(families []Family, f func(r *Rule, c op.Code)) {
	for k := range families {
		for n := range families[k].Rules {
			r := &families[k].Rules[n]
			for _, c := range r.codes {
				f(r, c)
			}
		}
	}
}

// Apply returns what the first rule that fits gives for i, which is not i itself, or nil.
func (s *Set) Apply(i *hlo.Instruction, o Options) *hlo.Instruction {
	rules := s.rules[i.Code()]
	if len(rules) == 0 || !o.Static && !static(i, 2) {
		return nil
	}
	arith := isArith(i)
	for _, r := range rules {
		if r.arith && !arith {
			continue
		}
		if n := r.fit(i, o); n != nil && n != i {
			return n
		}
	}
	return nil
}

// Family is a set of rules about one kind of operation.
type Family struct {
	Name, Doc string
	Rules     []Rule
}
