package lower

import (
	"strconv"

	"github.com/goxla/xla/builder"
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
	}
}

// checkOp makes the custom call of a check. The numbers among its attributes are the
// configuration, a constant to compare with is the second operand.
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
