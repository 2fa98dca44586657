package lower

import (
	"strconv"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// checkRules: the operations of tests become custom calls with the same names, whose
// handlers fail if the values are not as expected.
func checkRules() map[string]rule {
	return map[string]rule{
		"check.expect_almost_eq":       checkOp("tolerance"),
		"check.expect_almost_eq_const": checkOp("tolerance"),
		"check.expect_close":           checkOp("min_ulp_difference", "max_ulp_difference"),
		"check.expect_eq":              checkOp(),
		"check.expect_eq_const":        checkOp(),
		"interpreter.print":            identity,
		"interpreter.probe":            identity,
		"interpreter.run_parallel":     runParallel,
	}
}

// checkOp makes the custom call of a check. The numbers among its attributes are the
// configuration, a constant to compare with is the second operand.
//
//go:noinline
func checkOp(numbers ...string) rule {
	return func(c *call) []builder.Op {
		args := c.args
		if c.op.Attr("value") != nil {
			args = append(args[:len(args):len(args)], c.constant("value"))
		}
		config := "{"
		for _, name := range numbers {
			if len(config) > 1 {
				config += ","
			}
			config += strconv.Quote(name) + ":" + c.number(name)
		}
		o := builder.CustomCallOptions{BackendConfig: config + "}"}
		o.Attrs.HasSideEffect = true
		if !c.failed() {
			c.b.CustomCall(c.op.Name, args, shape.MakeTuple(), o)
		}
		return nil
	}
}

// number returns a number as JSON text, null where it is absent.
func (c *call) number(name string) string {
	switch a := c.op.Attr(name).(type) {
	case stablehlo.IntegerAttr:
		return strconv.FormatUint(uint64(a.Value), 10)
	case stablehlo.FloatAttr:
		if t, ok := a.Type.(stablehlo.FloatType); ok {
			return strconv.FormatFloat(t.Float64(a.Bits), 'g', -1, 64)
		}
	}
	return "null"
}

// runParallel has the programs run while this one is lowered: what they get follows
// from constants, and what they return becomes constants.
func runParallel(c *call) []builder.Op {
	if c.s.l.opts.RunParallel == nil {
		c.fail("", "", "expected a program for devices that are alike, got one that starts others")
		return nil
	}
	p := Parallel{Infeed: c.names(c.op.Attr("infeed"))}
	rows, _ := c.op.Attr("programs").(*stablehlo.ArrayAttr)
	if rows != nil {
		for _, row := range rows.Elems {
			p.Programs = append(p.Programs, c.names(row))
		}
	}
	for i, x := range c.args {
		v := literal.New(shape.MakeToken())
		if x.Shape().IsArray() {
			k, ok := c.s.l.constant(x)
			if !ok {
				c.fail("", "", "expected operand %d to follow from constants, got %v", i, x.Shape())
				return nil
			}
			v = k.value
		}
		p.Operands = append(p.Operands, v)
	}
	results, err := c.s.l.opts.RunParallel(p)
	if err != nil {
		c.fail("", "", "%w", err)
		return nil
	}
	var ops []builder.Op
	for _, v := range results {
		if v.Shape().IsToken() {
			ops = append(ops, c.b.AfterAll())
		} else {
			ops = append(ops, c.b.Constant(v))
		}
	}
	return ops
}

// names returns the names of a list of functions; nil for none.
func (c *call) names(a stablehlo.Attribute) []string {
	list, _ := a.(*stablehlo.ArrayAttr)
	if list == nil {
		return nil
	}
	var names []string
	for _, e := range list.Elems {
		ref, ok := e.(*stablehlo.SymbolRef)
		if !ok {
			c.fail("programs", "", "expected names of functions, got %v", e)
			return nil
		}
		names = append(names, ref.Root)
	}
	return names
}
