package verify

import (
	"fmt"
	"strings"

	"github.com/goxla/xla/stablehlo"
)

// check is the verification of one operation.
type check struct {
	v    *verifier
	op   *stablehlo.Op
	rule *rule // nil for an operation without a row
}

// inferFunc returns the types of the results, or the constraint that does not hold.
type inferFunc func(*check) ([]stablehlo.Type, error)

// specialFunc returns the constraint that does not hold.
type specialFunc func(*check) error

// errorf returns a fault of the operation. attr is the operand, attribute or region at
// fault, label that of the constraint without the operation: "c3".
func (c *check) errorf(attr, label, format string, args ...any) error {
	if label != "" {
		_, name, _ := strings.Cut(c.op.Name, ".")
		label = name + "_" + label
	}
	return &stablehlo.Error{File: c.v.module.File, Pos: c.op.Pos, Op: c.op.Name, Attr: attr, Rule: label,
		Loc: c.op.Loc, Err: fmt.Errorf(format, args...)}
}

// operand returns the type of operand i, which the rules say is a ranked tensor.
//
//go:noinline
func (c *check) operand(i int) *stablehlo.TensorType { return tensorOf(c.op.Operands[i].Type) }

// result returns the type of result i, which the rules say is a ranked tensor.
//
//go:noinline
func (c *check) result(i int) *stablehlo.TensorType { return tensorOf(c.op.Results[i].Type) }

// group returns the operands of slot i.
func (c *check) group(i int) []*stablehlo.Value {
	values, _ := c.op.Group(i)
	return values
}

// tensors returns the types of the operands of slot i, ranked tensors.
func (c *check) tensors(i int) []*stablehlo.TensorType { return tensorsOf(valueTypes(c.group(i))) }

func tensorsOf(types []stablehlo.Type) []*stablehlo.TensorType {
	tensors := make([]*stablehlo.TensorType, len(types))
	for i, t := range types {
		tensors[i] = tensorOf(t)
	}
	return tensors
}

// tensorOf returns t if it is a ranked tensor, else an empty one.
//
//go:noinline
func tensorOf(t stablehlo.Type) *stablehlo.TensorType {
	if t, ok := t.(*stablehlo.TensorType); ok {
		return t
	}
	return &stablehlo.TensorType{Elem: stablehlo.NoneType{}}
}

func valueTypes(values []*stablehlo.Value) []stablehlo.Type {
	types := make([]stablehlo.Type, len(values))
	for i, v := range values {
		types[i] = v.Type
	}
	return types
}

// attr returns an attribute, its default if it is absent.
func (c *check) attr(name string) stablehlo.Attribute {
	if a := c.op.Attr(name); a != nil || c.op.Info == nil {
		return a
	}
	if slot := c.op.Info.Attr(name); slot != nil {
		return slot.Default
	}
	return nil
}

func (c *check) has(name string) bool { return c.op.Attr(name) != nil }

// integer returns an integer or truth value, 0 if it is absent.
//
//go:noinline
func (c *check) integer(name string) int64 {
	a, _ := c.attr(name).(stablehlo.IntegerAttr)
	return a.Value
}

func (c *check) flag(name string) bool { return c.integer(name) != 0 }

// ints returns a list of integers; ok is false if it is absent.
func (c *check) ints(name string) (values []int64, ok bool) {
	a, ok := c.attr(name).(*stablehlo.DenseArrayAttr)
	if !ok {
		return nil, false
	}
	return a.Ints()
}

// list returns types as text.
func list(types []stablehlo.Type) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = t.String()
	}
	return "(" + strings.Join(words, ", ") + ")"
}

// sizes returns sizes as text, ? for those that are not known.
func sizes(dims []int64) string {
	words := make([]string, len(dims))
	for i, d := range dims {
		words[i] = size(d)
	}
	return "[" + strings.Join(words, ", ") + "]"
}

func size(d int64) string {
	if d == stablehlo.Dynamic {
		return "?"
	}
	return fmt.Sprint(d)
}

// maxTable is the largest number of elements of a constant that says something of
// shapes or devices.
const maxTable = 1 << 20

// constant returns the integers of a value that is a constant.
func constant(v *stablehlo.Value) (values []int64, ok bool) {
	if v.Op == nil || v.Op.Name != "stablehlo.constant" && v.Op.Name != "arith.constant" && v.Op.Name != "chlo.constant" {
		return nil, false
	}
	d, ok := v.Op.Attr("value").(*stablehlo.DenseElements)
	n, fits := tensorOf(v.Type).NumElements()
	if !ok || !fits || n > maxTable || d.NumElements() != n {
		return nil, false
	}
	values, ok = d.Ints()
	return values, ok && int64(len(values)) == n
}

// table returns a constant of integers that is an attribute; ok is false if it is absent.
func (c *check) table(name string) (dims, values []int64, ok bool, err error) {
	d, ok := c.op.Attr(name).(*stablehlo.DenseElements)
	if !ok {
		return nil, nil, false, nil
	}
	if n := d.NumElements(); n > maxTable {
		return nil, nil, false, c.errorf(name, "", "expected at most %d numbers, got %d", maxTable, n)
	}
	values, _ = d.Ints()
	return d.Dims(), values, true, nil
}
