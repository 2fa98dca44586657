package lower

import (
	"fmt"
	"math"

	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
	"github.com/goxla/xla/stablehlo"
)

// rule makes the instructions of an operation and returns its results. Where it finds
// a fault it records it and returns anything.
type rule func(c *call) []builder.Op

// call is one operation that is being lowered.
type call struct {
	s    *scope
	b    *builder.Builder
	op   *stablehlo.Op
	args []builder.Op
	// numbers: quantized operands and results are the numbers that they stand for.
	numbers bool
	err     error
}

// at gives what is added from now on the place of the operation.
func (c *call) at() {
	l := c.s.l
	c.b.At(l.pos(c.op), l.places.at(c.op.Loc))
}

// failed reports whether a fault was found.
//
//go:noinline
func (c *call) failed() bool { return c.err != nil || c.b.Err() != nil }

// fail records a fault, if it is the first; attr and label may be empty.
//
//go:noinline
func (c *call) fail(attr, label, format string, args ...any) {
	if !c.failed() {
		c.err = &op.Error{Attr: attr, Label: label, Err: fmt.Errorf(format, args...)}
	}
}

// arg returns operand i, an invalid value if there is none.
func (c *call) arg(i int) builder.Op {
	if i >= len(c.args) {
		c.fail("", "", "expected at least %d operands, got %d", i+1, len(c.args))
		return builder.Op{}
	}
	return c.args[i]
}

// group returns the operands of slot i of the operation's row.
func (c *call) group(i int) []builder.Op {
	values, ok := c.op.Group(i)
	if !ok {
		c.fail("", "", "expected operands that fit the operation, got %d", len(c.args))
		return nil
	}
	if len(values) == 0 {
		return nil
	}
	before := 0
	for k := range i {
		g, _ := c.op.Group(k)
		before += len(g)
	}
	return c.args[before : before+len(values)]
}

// resultType returns the type of result i.
func (c *call) resultType(i int) stablehlo.Type {
	if i >= len(c.op.Results) {
		c.fail("", "", "expected at least %d results, got %d", i+1, len(c.op.Results))
		return stablehlo.NoneType{}
	}
	if c.numbers {
		return expressed(c.op.Result(i))
	}
	return c.op.Result(i)
}

// result returns the shape of result i as its type has it.
func (c *call) result(i int) shape.Shape {
	s, err := shapeOf(c.resultType(i))
	if err != nil && c.err == nil {
		c.err = err
	}
	return s
}

// ints returns the integers of an attribute in any of the forms that lists have: an
// array, a dense constant, one number. It is nil where the attribute is absent.
func (c *call) ints(name string) []int {
	values, ok := integers(c.op.Attr(name))
	if !ok {
		c.fail(name, "", "expected integers, got %v", c.op.Attr(name))
		return nil
	}
	return c.toInts(name, values)
}

// integers returns the numbers of an attribute; ok is false for one that holds others.
func integers(a stablehlo.Attribute) (values []int64, ok bool) {
	switch a := a.(type) {
	case nil:
		return nil, true
	case *stablehlo.DenseArrayAttr:
		return a.Ints()
	case *stablehlo.DenseElements:
		if a.NumElements() > maxListLength {
			return nil, false
		}
		return a.Ints()
	case stablehlo.IntegerAttr:
		return []int64{a.Value}, true
	}
	return nil, false
}

// maxListLength is how many numbers an attribute may hold: replica groups are the
// longest lists.
const maxListLength = 1 << 20

// toInts turns the numbers of attribute name into ints that have room to spare.
func (c *call) toInts(name string, values []int64) []int {
	if values == nil {
		return nil
	}
	out := make([]int, len(values))
	for i, v := range values {
		if v < math.MinInt64/4 || v > math.MaxInt64/4 {
			c.fail(fmt.Sprintf("%s[%d]", name, i), "", "expected a number of at most 62 bits, got %d", v)
			return nil
		}
		out[i] = int(v)
	}
	return out
}

// int returns an integer attribute, 0 where it is absent.
//
//go:noinline
func (c *call) int(name string) int { return c.intOr(name, 0) }

// intOr is int with what an absent attribute stands for.
//
//go:noinline
func (c *call) intOr(name string, absent int) int {
	values := c.ints(name)
	if len(values) == 0 {
		return absent
	}
	return values[0]
}

// flag returns a truth value, false where it is absent. A unit attribute is true.
func (c *call) flag(name string) bool {
	switch a := c.op.Attr(name).(type) {
	case stablehlo.IntegerAttr:
		return a.Value != 0
	case stablehlo.UnitAttr:
		return true
	}
	return false
}

// word returns the word of a closed list, "" where it is absent.
func (c *call) word(name string) string {
	a, _ := c.op.Attr(name).(stablehlo.EnumAttr)
	return a.Word()
}

// text returns a string attribute, "" where it is absent.
func (c *call) text(name string) string {
	a, _ := c.op.Attr(name).(stablehlo.StringAttr)
	return a.Value
}

// float32 returns a number, 0 where it is absent.
func (c *call) float32(name string) float32 {
	a, _ := c.op.Attr(name).(stablehlo.FloatAttr)
	return math.Float32frombits(uint32(a.Bits))
}

// structAttr returns an attribute with named parts; a fault if there is none.
func structAttr[T stablehlo.StructAttr](c *call, name string) (a T, ok bool) {
	a, ok = c.op.Attr(name).(T)
	if !ok {
		c.fail(name, "", "expected an attribute of type %T, got %v", a, c.op.Attr(name))
	}
	return a, ok
}

// check compares results with the types that the program gives them.
func (c *call) check(results []builder.Op) error {
	if len(results) != len(c.op.Results) {
		return fmt.Errorf("expected %d results, got %d", len(results), len(c.op.Results))
	}
	for i, x := range results {
		want, err := shapeOf(c.op.Result(i))
		if err != nil {
			return err
		}
		if got := x.Shape(); !fits(want, got) {
			return fmt.Errorf("expected result %d of type %v, got %v", i, got, c.op.Result(i))
		}
	}
	return nil
}

// fits reports whether a value of shape got may have a type of shape want: sizes may
// be known better than the type tells.
func fits(want, got shape.Shape) bool {
	if want.Type != got.Type || len(want.Elems) != len(got.Elems) || want.Rank() != got.Rank() {
		return false
	}
	for i, e := range want.Elems {
		if !fits(e, got.Elems[i]) {
			return false
		}
	}
	for i, d := range want.Dims {
		known := d != shape.Unbounded && !want.IsDynamicDim(i)
		if known && d != got.Dims[i] || !known && d != shape.Unbounded && got.Dims[i] > d {
			return false
		}
	}
	return true
}

// one returns a list of one result.
func one(x builder.Op) []builder.Op { return []builder.Op{x} }
