package verify

import (
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// inferBranches: if_c1 to if_c3, case_c1 to case_c4: the results are what either branch
// returns, with what is known of both.
func inferBranches(c *check) ([]stablehlo.Type, error) {
	labels := [4]string{"", "c1", "c2", "c3"}
	if c.op.Name == "stablehlo.case" {
		labels = [4]string{"c1", "c2", "c3", "c4"}
	}
	if t := c.operand(0); t.Rank() != 0 {
		return nil, c.errorf(c.op.Info.Operands[0].Name, "i1", "expected a scalar, got %v", t)
	}
	if len(c.op.Regions) == 0 {
		return nil, c.errorf("branches", labels[0], "expected at least one branch, got none")
	}
	want := c.returned(0)
	for i := range c.op.Regions {
		name := c.op.Info.Regions[min(i, len(c.op.Info.Regions)-1)].Name
		if n := len(c.arguments(i)); n != 0 {
			return nil, c.errorf(name, labels[1], "expected branch %d without arguments, got %d", i, n)
		}
		if got := c.returned(i); !compatibleAll(want, got) {
			return nil, c.errorf(name, labels[2], "expected branch %d to return %s, got %s", i, list(want), list(got))
		}
	}
	var types []stablehlo.Type
	for k := range want {
		var either []stablehlo.Type
		for i := range c.op.Regions {
			either = append(either, c.returned(i)[k])
		}
		t, ok := merge(either, widen)
		if !ok {
			return nil, c.errorf("", labels[3], "expected compatible results of the branches, got %s", list(either))
		}
		types = append(types, t)
	}
	return types, nil
}

// checkWhile: while_c1, while_c2.
func checkWhile(c *check) error {
	want := valueTypes(c.op.Operands)
	for _, check := range []struct {
		name, label, what string
		got               []stablehlo.Type
	}{
		{"cond", "c1", "arguments", c.arguments(0)},
		{"body", "c2", "arguments", c.arguments(1)},
		{"body", "c2", "results", c.returned(1)},
	} {
		if !compatibleAll(want, check.got) {
			return c.errorf(check.name, check.label, "expected %s of types %s, got %s", check.what, list(want), list(check.got))
		}
	}
	return c.returnsPred("cond", "c1", c.returned(0))
}

// checkComposite: composite_c1 to composite_c4.
func checkComposite(c *check) error {
	name, _ := c.op.Attr("name").(stablehlo.StringAttr)
	if !isCompositeName(name.Value) {
		return c.errorf("name", "c1", "expected a name with a dot such as \"my_namespace.my_op\", got %q", name.Value)
	}
	if v := c.integer("version"); v < 0 {
		return c.errorf("version", "", "expected at least 0, got %d", v)
	}
	ref, ok := c.op.Attr("decomposition").(*stablehlo.SymbolRef)
	if !ok {
		if len(c.op.Regions) == 0 {
			return c.errorf("decomposition", "c2", "expected the name of a function or a region, got none")
		}
		return nil
	}
	return c.callee(ref, "decomposition", [3]string{"c2", "c3", "c4"})
}

// callee checks that a function exists and has the types of operands and results.
func (c *check) callee(ref *stablehlo.SymbolRef, attr string, labels [3]string) error {
	f := c.op.Resolve(ref)
	if f == nil || f.FuncType() == nil {
		return c.errorf(attr, labels[0], "expected the name of a function, got @%s", ref.Root)
	}
	t := f.FuncType()
	if got := valueTypes(c.op.Operands); !sameTypes(got, t.Inputs) {
		return c.errorf(attr, labels[1], "expected operands of types %s, got %s", list(t.Inputs), list(got))
	}
	if got := valueTypes(c.op.Results); !sameTypes(got, t.Results) {
		return c.errorf(attr, labels[2], "expected results of types %s, got %s", list(t.Results), list(got))
	}
	return nil
}

func sameTypes(a, b []stablehlo.Type) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !stablehlo.SameType(a[i], b[i]) {
			return false
		}
	}
	return true
}

// isCompositeName reports whether s is a letter, then letters, digits and underscores,
// then at least one part of a dot and letters, digits, underscores or dollar signs.
func isCompositeName(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) < 2 {
		return false
	}
	for i, part := range parts {
		if part == "" || i == 0 && !isLetter(part[0]) {
			return false
		}
		for k := range len(part) {
			b := part[k]
			if !isLetter(b) && (b < '0' || b > '9') && b != '_' && !(b == '$' && i > 0) {
				return false
			}
		}
	}
	return true
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// checkModule checks that each name is defined once.
func checkModule(c *check) error {
	if len(c.op.Regions[0].Blocks) != 1 {
		return c.errorf("body", "", "expected a region of one block, got %d", len(c.op.Regions[0].Blocks))
	}
	seen := map[string]bool{}
	for _, o := range c.op.Regions[0].Blocks[0].Ops {
		name := o.SymbolName()
		if name != "" && seen[name] {
			return c.v.check(o).errorf("sym_name", "", "expected each name once, got @%s again", name)
		}
		seen[name] = true
	}
	return nil
}

// checkFunc checks that the body takes the arguments of the function's type and that
// what it returns has the types of its results.
func checkFunc(c *check) error {
	t := c.op.FuncType()
	if t == nil {
		return c.errorf("function_type", "", "expected the type of a function, got %v", c.op.Attr("function_type"))
	}
	r := c.op.Regions[0]
	if len(r.Blocks) == 0 {
		return nil
	}
	if got := valueTypes(r.Blocks[0].Args); !sameTypes(got, t.Inputs) {
		return c.errorf("body", "", "expected arguments of types %s, got %s", list(t.Inputs), list(got))
	}
	for _, b := range r.Blocks {
		if n := len(b.Ops); n == 0 || len(b.Ops[n-1].Successors) == 0 && !functionReturns[b.Ops[n-1].Name] {
			return c.errorf("body", "", "expected func.return at the end of the block")
		}
	}
	return nil
}

// functionReturns are the operations that may end a function: JAX ends those of comparators, which
// custom calls name, as it ends regions.
var functionReturns = map[string]bool{"func.return": true, "stablehlo.return": true}

// checkFuncReturn checks what a function returns.
func checkFuncReturn(c *check) error {
	f := c.op.Parent()
	if f == nil || f.FuncType() == nil || f.Name != "func.func" {
		return c.errorf("", "", "expected to stand in a function")
	}
	if got := valueTypes(c.op.Operands); !sameTypes(got, f.FuncType().Results) {
		return c.errorf("", "", "expected operands of types %s, got %s", list(f.FuncType().Results), list(got))
	}
	return nil
}

// checkCall checks that the function called exists and has the types of operands and results.
func checkCall(c *check) error {
	ref, _ := c.op.Attr("callee").(*stablehlo.SymbolRef)
	return c.callee(ref, "callee", [3]string{})
}
