package verify

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/stablehlo"
)

// checkCustomCall checks layouts, aliases, the configuration and the calls that make
// buffers out of tensors and the other way around.
func checkCustomCall(c *check) error {
	return first(c.customLayouts, c.customAliases, c.customConfig, c.customBuffers)
}

// customConfig checks the form of backend_config: a dictionary where api_version is 4,
// else a string.
func (c *check) customConfig() error {
	version := c.integer("api_version")
	if version < 0 || version > 4 {
		return c.errorf("api_version", "", "expected a version in [0, 4], got %d", version)
	}
	switch a := c.op.Attr("backend_config").(type) {
	case nil:
	case stablehlo.StringAttr:
		if version == 4 {
			return c.errorf("backend_config", "", "expected a dictionary with api_version = 4, got %v", a)
		}
	case *stablehlo.DictAttr:
		if version != 4 {
			return c.errorf("backend_config", "", "expected a string with api_version = %d, got %v", version, a)
		}
	default:
		return c.errorf("backend_config", "", "expected a string or a dictionary, got %v", a)
	}
	return nil
}

// customLayouts checks that both operands and results have layouts, or none.
func (c *check) customLayouts() error {
	operands, ok1 := c.op.Attr("operand_layouts").(*stablehlo.ArrayAttr)
	results, ok2 := c.op.Attr("result_layouts").(*stablehlo.ArrayAttr)
	switch {
	case ok1 && !ok2:
		return c.errorf("result_layouts", "", "expected layouts of the results beside those of the operands, got none")
	case !ok1 && ok2:
		return c.errorf("operand_layouts", "", "expected layouts of the operands beside those of the results, got none")
	case !ok1:
		return nil
	}
	types := valueTypes(c.op.Results)
	if len(types) == 1 {
		if t, ok := types[0].(*stablehlo.TupleType); ok {
			types = t.Types
		}
	}
	if err := c.layouts("operand_layouts", valueTypes(c.op.Operands), operands.Elems); err != nil {
		return err
	}
	return c.layouts("result_layouts", types, results.Elems)
}

func (c *check) layouts(name string, types []stablehlo.Type, layouts []stablehlo.Attribute) error {
	if len(types) != len(layouts) {
		return c.errorf(name, "", "expected %d layouts, got %d", len(types), len(layouts))
	}
	for i, t := range types {
		order := []int64{-1} // no order at all
		if a, ok := layouts[i].(*stablehlo.DenseElements); ok && a.NumElements() <= maxTable {
			order, _ = a.Ints()
		}
		switch t := t.(type) {
		case *stablehlo.TupleType:
			return c.errorf(name, "", "expected no tuple beside layouts, got %v", t)
		case *stablehlo.TensorType:
			if !isPermutation(order, t.Rank()) {
				return c.errorf(name, "", "expected an order of the dimensions of %v, got %v", t, order)
			}
		case *stablehlo.MemRefType:
			if !t.Unranked && !isPermutation(order, len(t.Dims)) {
				return c.errorf(name, "", "expected an order of the dimensions of %v, got %v", t, order)
			}
		case *stablehlo.UnrankedTensorType:
		default:
			if len(order) != 0 {
				return c.errorf(name, "", "expected no layout for %v, got %v", t, order)
			}
		}
	}
	return nil
}

// leaf returns the part of a type that a path of places in tuples leads to, nil if it leads nowhere.
func leaf(t stablehlo.Type, path []int64) stablehlo.Type {
	for _, i := range path {
		tuple, ok := t.(*stablehlo.TupleType)
		if !ok || i < 0 || i >= int64(len(tuple.Types)) {
			return nil
		}
		t = tuple.Types[i]
	}
	return t
}

// outputs returns the type of all results together: that of the only one, or a tuple.
func (c *check) outputs() stablehlo.Type {
	if len(c.op.Results) == 1 {
		return c.op.Results[0].Type
	}
	return &stablehlo.TupleType{Types: valueTypes(c.op.Results)}
}

// customAliases checks that outputs share buffers with operands of their type.
func (c *check) customAliases() error {
	for _, a := range c.aliases() {
		if a.OperandIndex < 0 || a.OperandIndex >= int64(len(c.op.Operands)) {
			return c.errorf("output_operand_aliases", "", "expected an operand in [0, %d), got %d",
				len(c.op.Operands), a.OperandIndex)
		}
		from := leaf(c.op.Operands[a.OperandIndex].Type, a.OperandTupleIndices)
		if from == nil {
			return c.errorf("output_operand_aliases", "", "expected a place in operand %d, got %v",
				a.OperandIndex, a.OperandTupleIndices)
		}
		to := leaf(c.outputs(), a.OutputTupleIndices)
		if to == nil {
			return c.errorf("output_operand_aliases", "", "expected a place in the results, got %v", a.OutputTupleIndices)
		}
		if !stablehlo.SameType(from, to) {
			return c.errorf("output_operand_aliases", "", "expected an output of type %v, got %v", from, to)
		}
	}
	return nil
}

func (c *check) aliases() []*stablehlo.OutputOperandAlias {
	var all []*stablehlo.OutputOperandAlias
	if a, ok := c.op.Attr("output_operand_aliases").(*stablehlo.ArrayAttr); ok {
		for _, e := range a.Elems {
			if alias, ok := e.(*stablehlo.OutputOperandAlias); ok {
				all = append(all, alias)
			}
		}
	}
	return all
}

// customBuffers checks the calls that take or make buffers: CreateBuffer, Pin and Unpin;
// of other calls every buffer that comes out is one that goes in.
func (c *check) customBuffers() error {
	target, _ := c.op.Attr("call_target_name").(stablehlo.StringAttr)
	switch target.Value {
	case "CreateBuffer":
		if len(c.op.Operands) != 0 {
			return c.errorf("inputs", "", "expected no inputs of CreateBuffer, got %d", len(c.op.Operands))
		}
		return c.bufferCall("CreateBuffer", "", "memref")
	case "Pin":
		return c.bufferCall("Pin", "tensor", "memref")
	case "Unpin":
		return c.bufferCall("Unpin", "memref", "tensor")
	}
	return c.aliasedBuffers()
}

// bufferCall checks the one input and the one output of a call.
func (c *check) bufferCall(target, in, out string) error {
	if len(c.op.Results) != 1 || !isBufferKind(out, c.op.Results[0].Type) {
		return c.errorf("", "", "expected a %s as the output of %s, got %s", out, target, list(valueTypes(c.op.Results)))
	}
	if in == "" {
		return nil
	}
	if len(c.op.Operands) != 1 || !isBufferKind(in, c.op.Operands[0].Type) {
		return c.errorf("inputs", "", "expected a %s as the input of %s, got %s", in, target, list(valueTypes(c.op.Operands)))
	}
	a, b := c.op.Operands[0].Type, c.op.Results[0].Type
	dims1, elem1 := bufferShape(a)
	dims2, elem2 := bufferShape(b)
	if !slices.Equal(dims1, dims2) || !stablehlo.SameType(elem1, elem2) {
		return c.errorf("", "", "expected an output of the shape and elements of the input, %v, got %v", a, b)
	}
	return nil
}

func isBufferKind(kind string, t stablehlo.Type) bool {
	if kind == "memref" {
		return isOther("memref", t)
	}
	_, ok := t.(*stablehlo.TensorType)
	return ok
}

func bufferShape(t stablehlo.Type) ([]int64, stablehlo.Type) {
	switch t := t.(type) {
	case *stablehlo.MemRefType:
		return t.Dims, t.Elem
	case *stablehlo.TensorType:
		return t.Dims, t.Elem
	}
	return nil, nil
}

// aliasedBuffers checks that each buffer is aliased once at most, and each output that
// is a buffer is.
func (c *check) aliasedBuffers() error {
	used := map[string]bool{}
	for _, a := range c.aliases() {
		if !isOther("memref", leaf(c.outputs(), a.OutputTupleIndices)) {
			continue
		}
		operand := fmt.Sprintf("operand %d at %v", a.OperandIndex, a.OperandTupleIndices)
		output := fmt.Sprintf("output at %v", a.OutputTupleIndices)
		for _, place := range []string{operand, output} {
			if used[place] {
				return c.errorf("output_operand_aliases", "", "expected each buffer once, got %s again", place)
			}
			used[place] = true
		}
	}
	return c.unaliased(c.outputs(), []int64{}, used)
}

// unaliased finds an output that is a buffer and no operand's.
func (c *check) unaliased(t stablehlo.Type, path []int64, used map[string]bool) error {
	if tuple, ok := t.(*stablehlo.TupleType); ok {
		for i, part := range tuple.Types {
			if err := c.unaliased(part, append(slices.Clone(path), int64(i)), used); err != nil {
				return err
			}
		}
		return nil
	}
	if isOther("memref", t) && !used[fmt.Sprintf("output at %v", path)] {
		return c.errorf("output_operand_aliases", "",
			"expected an operand for the buffer that is the output at %v, got none", path)
	}
	return nil
}
