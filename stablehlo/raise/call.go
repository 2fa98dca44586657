package raise

import (
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// rule makes the operations of an instruction and returns its value. Where it finds a
// fault it records it and returns anything.
type rule func(c *call) value

// call is one instruction that is being raised.
type call struct {
	s     *scope
	i     *hlo.Instruction
	loc   stablehlo.Location
	first int // where its operations begin in the block
	err   error
}

// fail records a fault, if it is the first; attr and label may be empty.
//
//go:noinline
func (c *call) fail(attr, label, format string, args ...any) {
	if c.err == nil {
		c.err = c.i.Errorf(attr, label, format, args...)
	}
}

// refuse records that the instruction has no form because of a part of it.
//
//go:noinline
func (c *call) refuse(what string) value {
	if c.err == nil {
		c.err = noForm(c.i, what)
	}
	return value{}
}

// attrs returns the attribute struct of the instruction, a zero one where there is none.
func attrs[T any, P interface {
	*T
	op.Attrs
}](c *call) P {
	if a, ok := c.i.Attrs().(P); ok && a != nil {
		return a
	}
	return new(T)
}

// value returns operand k.
func (c *call) value(k int) value {
	if k >= len(c.i.Operands()) {
		c.fail("", "", "expected at least %d operands, got %d", k+1, len(c.i.Operands()))
		return lostValue("an operand that is missing")
	}
	return c.s.values[c.i.Operand(k).ID()]
}

// arg returns operand k, which must be no tuple.
func (c *call) arg(k int) *stablehlo.Value {
	v := c.value(k)
	if v.v == nil {
		c.lose(v)
		c.fail("", "", "expected an array as operand %d, got a tuple", k)
		return &stablehlo.Value{Type: stablehlo.NoneType{}}
	}
	return v.v
}

// lose records a fault for a value that StableHLO does not have.
func (c *call) lose(v value) {
	if v.lost != "" {
		c.fail("", "", "there is no StableHLO form of %s", v.lost)
	}
}

// args returns all operands, none of them a tuple.
func (c *call) args() []*stablehlo.Value {
	list := make([]*stablehlo.Value, len(c.i.Operands()))
	for k := range list {
		list[k] = c.arg(k)
	}
	return list
}

// leaves returns the leaves of the operands from..to-1.
func (c *call) leaves(from, to int) []*stablehlo.Value {
	var list []*stablehlo.Value
	for k := from; k < to; k++ {
		var err error
		if list, err = c.value(k).leaves(list); err != nil {
			c.fail("", "", "%w", err)
		}
	}
	return list
}

// types returns the types of the leaves of s.
func (c *call) types(s shape.Shape) []stablehlo.Type {
	types, err := leafTypes(s)
	if err != nil {
		c.fail("", "", "%w", err)
	}
	return types
}

// typ returns the type of s, which is no tuple.
func (c *call) typ(s shape.Shape) stablehlo.Type {
	t, err := typeOf(s)
	if err != nil {
		c.fail("", "", "%w", err)
		return stablehlo.NoneType{}
	}
	return t
}

// attr is short for a named attribute.
func attr(name string, a stablehlo.Attribute) stablehlo.NamedAttribute {
	return stablehlo.NamedAttribute{Name: name, Value: a}
}

// emit appends an operation to the block. Attributes that are nil are left out.
func (c *call) emit(name string, operands []*stablehlo.Value, results []stablehlo.Type,
	attrs ...stablehlo.NamedAttribute) *stablehlo.Op {
	o := stablehlo.NewOp(name, operands, results)
	for _, a := range attrs {
		if a.Value != nil {
			o.SetAttr(a.Name, a.Value)
		}
	}
	o.Loc = c.loc
	c.s.r.ops++
	c.s.block.Append(o)
	return o
}

// make is emit for an operation of one result, which it returns.
//
//go:noinline
func (c *call) make(name string, t stablehlo.Type, operands []*stablehlo.Value,
	attrs ...stablehlo.NamedAttribute) *stablehlo.Value {
	return c.emit(name, operands, []stablehlo.Type{t}, attrs...).Results[0]
}

// result makes an operation of one result, which has the shape of the instruction.
func (c *call) result(name string, operands []*stablehlo.Value, attrs ...stablehlo.NamedAttribute) value {
	return single(c.make(name, c.typ(c.i.Shape()), operands, attrs...))
}

// results makes an operation with a result for each leaf of the instruction.
func (c *call) results(name string, operands []*stablehlo.Value, attrs ...stablehlo.NamedAttribute) value {
	return c.whole(c.emit(name, operands, c.types(c.i.Shape()), attrs...).Results)
}

// whole puts leaves into the form of the instruction's shape. One whose element type is
// another, as the region that made it works in another precision, is converted.
func (c *call) whole(leaves []*stablehlo.Value) value {
	shapes := leafShapes(nil, c.i.Shape())
	if c.err != nil || len(shapes) != len(leaves) {
		c.fail("", "", "expected a value of %d parts, got %d", len(leaves), len(shapes))
		return value{}
	}
	list := make([]*stablehlo.Value, len(leaves))
	for k, v := range leaves {
		list[k] = c.convert(v, elementTypes[shapes[k].Type])
	}
	v, _ := tree(c.i.Shape(), list)
	return v
}

// convert gives a tensor another element type, where that is another one.
func (c *call) convert(v *stablehlo.Value, elem stablehlo.Type) *stablehlo.Value {
	have := elemOf(v.Type)
	if have == nil || elem == nil || stablehlo.SameType(have, elem) {
		return v
	}
	return c.make("stablehlo.convert", withElem(v.Type, elem), []*stablehlo.Value{v})
}

// alike gives values of different floating-point types one type that holds the numbers
// of all, as HLO takes mixed ones where StableHLO does not.
func (c *call) alike(values []*stablehlo.Value) []*stablehlo.Value {
	var widest stablehlo.FloatType
	for _, v := range values {
		f, ok := elemOf(v.Type).(stablehlo.FloatType)
		switch {
		case !ok:
			return values
		case f.Bits() > widest.Bits():
			widest = f
		case f.Bits() == widest.Bits() && f != widest:
			widest = stablehlo.F32
		}
	}
	list := make([]*stablehlo.Value, len(values))
	for i, v := range values {
		list[i] = c.convert(v, widest)
	}
	return list
}

// constant makes the constant that a dense attribute holds.
func (c *call) constant(d *stablehlo.DenseElements) *stablehlo.Value {
	return c.make("stablehlo.constant", d.Type, nil, attr("value", d))
}

// sizes makes a constant vector of i64.
func (c *call) sizes(values []int) *stablehlo.Value {
	return c.constant(stablehlo.NewDenseInts(stablehlo.I64, []int64{int64(len(values))}, int64s(values)))
}

// reshape makes a reshape to known sizes.
func (c *call) reshape(v *stablehlo.Value, dims ...int64) *stablehlo.Value {
	return c.make("stablehlo.reshape", staticType(elemOf(v.Type), dims...), []*stablehlo.Value{v})
}

// int64s returns values with 64 bits.
func int64s(values []int) []int64 {
	list := make([]int64, len(values))
	for i, v := range values {
		list[i] = int64(v)
	}
	return list
}

// ints returns array<i64: values>.
func ints(values []int) stablehlo.Attribute { return stablehlo.Int64Array(int64s(values)...) }

// flag returns a truth value, nil for false, which is the default.
func flag(b bool) stablehlo.Attribute {
	if b {
		return stablehlo.Bool(true)
	}
	return nil
}

// unit returns the unit attribute for true, nil for false.
func unit(b bool) stablehlo.Attribute {
	if b {
		return stablehlo.UnitAttr{}
	}
	return nil
}

// word returns an attribute of a closed list.
func (c *call) word(kind *stablehlo.EnumKind, name, word string) stablehlo.Attribute {
	a, ok := kind.Parse(word)
	if !ok {
		c.fail(name, "", "expected one of %v, got %q", kind.Words, word)
		return nil
	}
	return a
}

// one returns the only dimension of a list.
func (c *call) one(name string, dims []int) int {
	if len(dims) != 1 {
		c.fail(name, "", "expected one dimension, got %d", len(dims))
		return 0
	}
	return dims[0]
}
