package verify

import "github.com/goxla/xla/stablehlo"

// checkExpected checks that the constant with which a value is compared has its shape.
func checkExpected(c *check) error {
	a, ok := c.op.Attr("value").(*stablehlo.DenseElements)
	if ok && !compatibleDims(a.Dims(), c.operand(0).Dims) {
		return c.errorf("value", "", "expected shape %s, got %v", sizes(c.operand(0).Dims), a.Type)
	}
	return nil
}

// checkRunParallel checks a table of functions, as many in each row, that together take
// the operands and return the results, and the functions that return what the host sends.
func checkRunParallel(c *check) error {
	rows, _ := c.op.Attr("programs").(*stablehlo.ArrayAttr)
	if rows == nil || len(rows.Elems) == 0 {
		return c.errorf("programs", "", "expected at least one program, got none")
	}
	columns, inputs, results := 0, 0, 0
	for i, e := range rows.Elems {
		row, ok := e.(*stablehlo.ArrayAttr)
		if !ok || len(row.Elems) == 0 {
			return c.errorf("programs", "", "expected a list of functions, got %v", e)
		}
		if i == 0 {
			columns = len(row.Elems)
		}
		if len(row.Elems) != columns {
			return c.errorf("programs", "", "expected rows of %d functions, got %d", columns, len(row.Elems))
		}
		for _, name := range row.Elems {
			t, err := c.function("programs", name)
			if err != nil {
				return err
			}
			inputs += len(t.Inputs)
			results += len(t.Results)
		}
	}
	if len(c.op.Operands) != inputs {
		return c.errorf("inputs", "", "expected %d operands for the programs, got %d", inputs, len(c.op.Operands))
	}
	if len(c.op.Results) != results {
		return c.errorf("", "", "expected %d results of the programs, got %d", results, len(c.op.Results))
	}
	return c.infeedFunctions()
}

// infeedFunctions checks the functions whose results the host sends: each returns a tensor.
func (c *check) infeedFunctions() error {
	list, ok := c.op.Attr("infeed").(*stablehlo.ArrayAttr)
	if !ok {
		return nil
	}
	if len(list.Elems) == 0 {
		return c.errorf("infeed", "", "expected at least one function, got none")
	}
	for _, name := range list.Elems {
		t, err := c.function("infeed", name)
		if err != nil {
			return err
		}
		if len(t.Inputs) != 0 {
			return c.errorf("infeed", "", "expected a function without parameters, got %v", t)
		}
		if len(t.Results) != 1 {
			return c.errorf("infeed", "", "expected a function with one result, got %d", len(t.Results))
		}
		if _, ok := t.Results[0].(*stablehlo.TensorType); !ok {
			return c.errorf("infeed", "", "expected a function that returns a tensor, got %v", t.Results[0])
		}
	}
	return nil
}

// function returns the type of the function that an attribute names.
func (c *check) function(attr string, name stablehlo.Attribute) (*stablehlo.FunctionType, error) {
	ref, ok := name.(*stablehlo.SymbolRef)
	if !ok {
		return nil, c.errorf(attr, "", "expected the name of a function, got %v", name)
	}
	f := c.op.Resolve(ref)
	if f == nil || f.FuncType() == nil {
		return nil, c.errorf(attr, "", "expected the name of a function, got @%s", ref.Root)
	}
	return f.FuncType(), nil
}
