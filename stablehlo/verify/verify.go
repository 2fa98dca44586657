package verify

import (
	"errors"

	"github.com/goxla/xla/stablehlo"
)

// Module checks all operations of m. The error joins the first fault of each function,
// all of type *stablehlo.Error, in the order of the text.
func Module(m *stablehlo.Module) error {
	v := &verifier{module: m, rules: ruleTable()}
	if err := v.check(m.Op).verify(); err != nil {
		return err
	}
	var faults []error
	for _, o := range m.Body().Ops {
		if err := v.all(o); err != nil {
			faults = append(faults, err)
		}
	}
	return errors.Join(faults...)
}

// all checks an operation and those in its regions and returns the first fault.
func (v *verifier) all(o *stablehlo.Op) error {
	seen := map[*stablehlo.Op]bool{}
	for o := range o.Walk() {
		c := v.check(o)
		if err := c.defined(seen); err != nil {
			return err
		}
		if err := c.verify(); err != nil {
			return err
		}
		seen[o] = true
	}
	return nil
}

// defined checks that the operands come from operations before this one. A region of
// several blocks runs in an order that is not that of the text.
func (c *check) defined(seen map[*stablehlo.Op]bool) error {
	for i, v := range c.op.Operands {
		if v.Op == nil || v.Op.Block == nil || v.Op.Block.Region != nil && len(v.Op.Block.Region.Blocks) > 1 {
			continue
		}
		if !seen[v.Op] || contains(v.Op, c.op) {
			return c.errorf("", "", "expected operand %d to be defined before it is used", i)
		}
	}
	return nil
}

// contains reports whether inner stands in a region of outer.
func contains(outer, inner *stablehlo.Op) bool {
	if len(outer.Regions) == 0 {
		return false
	}
	for o := inner; o != nil; o = o.Parent() {
		if o == outer {
			return true
		}
	}
	return false
}

// ResultTypes returns the types that the results of an operation of m have after its
// operands, attributes and regions: with the sizes and bounds that are known. Where an
// element type does not follow from these, as that of convert, it is the one written.
// known is false for an operation whose types do not follow from its operands at all,
// as those of a custom call.
func ResultTypes(m *stablehlo.Module, o *stablehlo.Op) (types []stablehlo.Type, known bool, err error) {
	v := &verifier{module: m, rules: ruleTable()}
	c := v.check(o)
	if err := c.form(); err != nil {
		return nil, false, err
	}
	if err := c.signature(); err != nil {
		return nil, false, err
	}
	infer := c.inference()
	if infer == nil {
		return nil, false, nil
	}
	types, err = infer(c)
	return types, err == nil, err
}

// verifier is the verification of a module.
type verifier struct {
	module *stablehlo.Module
	rules  map[string]*rule
}

func (v *verifier) check(o *stablehlo.Op) *check {
	return &check{v: v, op: o, rule: v.rules[o.Name]}
}

// verify checks the operation, not those in its regions.
func (c *check) verify() error {
	for _, step := range []func() error{c.form, c.signature, c.inferred, c.special} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// inferred compares the types of the results with those that follow from the operands.
func (c *check) inferred() error {
	infer := c.inference()
	if infer == nil {
		return nil
	}
	want, err := infer(c)
	if err != nil {
		return err
	}
	if got := valueTypes(c.op.Results); !compatibleAll(want, got) {
		return c.errorf("", "", "expected results of types compatible with %s, got %s", list(want), list(got))
	}
	return nil
}

// inference returns how the types of the results follow from the operands, nil if they do not.
func (c *check) inference() inferFunc {
	if f := inferences()[c.op.Name]; f != nil {
		return f
	}
	if c.rule != nil && c.rule.has("compat") {
		return inferFromOperands
	}
	return nil
}

// special checks what has a function of its own.
func (c *check) special() error {
	if f := specials()[c.op.Name]; f != nil {
		return f(c)
	}
	return nil
}
